"""Faults that other servers had (docs/faults.md, N), with the real hub and real sockets."""

import asyncio
import random
from contextlib import AsyncExitStack
from typing import TypeVar

from acerace_protocol.codec import JSON, MSGPACK
from acerace_protocol.limits import FLOOD_MESSAGES, CloseCode, Fault
from acerace_protocol.messages import (
    Accept,
    Dealt,
    Ended,
    EventBase,
    Hello,
    Play,
    Played,
    Presence,
    Problem,
    Ready,
    Resign,
    Resume,
    Resumed,
    Seated,
    Seek,
    Seeking,
    ServerMessage,
    Snapshot,
    Watch,
    Welcome,
)
from acerace_server.shell.bounds import Bounds
from tests.server.shell.support import PATIENCE_S, Client, Running, Start, client, frame, raw, real_hub, until

M = TypeVar("M", bound=ServerMessage)
GRACE_S = 60
OPTIONS: dict[str, str | int | bool] = {"grace_s": GRACE_S, "no_progress_s": 3600}
TURN_MS = 30
"""So often a player may say something, all the time."""
PATIENT = Bounds(frames_per_second=100_000, idle_timeout_ms=10_000_000, hello_timeout_ms=10_000_000)


async def wait_for(one: Client, kind: type[M]) -> M:
    while not isinstance(message := await one.receive(), kind):
        pass
    return message


async def greeted(one: Client, token: str | None = None) -> Welcome:
    await one.send(Hello(token=token))
    return await wait_for(one, Welcome)


async def dealt(first: Client, second: Client) -> str:
    """Pair two and let them be dealt to; the table's id."""
    await first.send(Seek(options=OPTIONS, house=False))
    await wait_for(first, Seeking)
    await second.send(Seek(options=OPTIONS, house=False))
    table = (await wait_for(second, Seated)).table
    for player in (first, second):
        await player.send(Ready(table=table, nonce=1))
    for player in (first, second):
        await wait_for(player, Dealt)
    return table


async def draw(one: Client, table: str, nonce: int) -> Played:
    """Make the one move there always is: a draw, or else the recycle."""
    for move, number in (("d", nonce), ("r", 1_000_000 + nonce)):
        await one.send(Play(table=table, nonce=number, move=move))
        answer = await one.receive()
        while getattr(answer, "nonce", None) != number:
            answer = await one.receive()
        if isinstance(answer, Played):
            return answer
    raise AssertionError("neither a draw nor a recycle")


async def turn(running: Running, one: Client, table: str, nonce: int, *others: Client) -> None:
    """A draw, which is answered, although for the server no time passes; then so much passes.

    ``others`` are heard before it does: however fast the draws come, none of these clients seems silent.
    """
    await draw(one, table, nonce)
    for other in others:
        await other.is_heard()
    running.clock.skip(TURN_MS)


async def test_n14_the_old_sockets_end_comes_after_the_new_one_and_the_seat_stays(start: Start) -> None:
    running = await start(real_hub(), PATIENT)
    async with client(running) as ada, client(running, greet=False) as old:
        token = (await greeted(old)).token
        table = await dealt(ada, old)
        async with client(running, greet=False) as new:
            assert (await greeted(new, token)).tables == (table,)
            await new.send(Resume(table=table, seen=0))
            await wait_for(new, Resumed)
            running.clock.skip(60_000)
            old.websocket.transport.abort()
            await until(lambda: running.gateway.health()["connections"] == 2)
            await new.send(Play(table=table, nonce=5, move="d"))
            after: ServerMessage = await ada.receive()
            while not isinstance(after, Played):
                assert not isinstance(after, Presence), "the seat counts as away"
                after = await ada.receive()


async def test_n15_who_comes_back_within_the_grace_has_the_seat_and_after_it_is_told_clearly(start: Start) -> None:
    running = await start(real_hub(), PATIENT)
    async with client(running) as ada, AsyncExitStack() as stack:
        second = await stack.enter_async_context(client(running, greet=False))
        token = (await greeted(second)).token
        table = await dealt(ada, second)
        for nonce, seconds in enumerate((0, 1, GRACE_S - 1, 0, 0), 2):
            second.websocket.transport.abort()
            assert (await wait_for(ada, Presence)).away
            running.clock.skip(seconds * 1000)
            second = await stack.enter_async_context(client(running, greet=False))
            assert (await greeted(second, token)).tables == (table,)
            await second.send(Resume(table=table, seen=0))
            assert not (await wait_for(ada, Presence)).away
            await second.send(Play(table=table, nonce=nonce, move="d"))
            assert (await wait_for(ada, Played)).nonce == nonce
        second.websocket.transport.abort()
        await wait_for(ada, Presence)
        running.clock.skip((2 * GRACE_S + 1) * 1000)
        second = await stack.enter_async_context(client(running, greet=False))
        assert (await greeted(second, token)).tables == (table,)
        await second.send(Resume(table=table, seen=0))
        ended = await wait_for(second, Ended)
        assert (ended.reason, ended.winner) == ("absent", 0)


async def test_n16_the_same_player_twice_gets_one_seat(start: Start) -> None:
    running = await start(real_hub())
    async with client(running) as ada, client(running, greet=False) as one, client(running, greet=False) as two:
        token = (await greeted(one)).token
        await greeted(two, token)
        await asyncio.gather(one.send(Seek()), two.send(Seek()))  # from two tabs at once
        told = [asyncio.ensure_future(wait_for(each, Problem)) for each in (one, two)]
        [refused], [alone] = await asyncio.wait(told, return_when=asyncio.FIRST_COMPLETED)  # whichever came second
        alone.cancel()
        assert refused.result().code in {Fault.ALREADY_SEEKING, Fault.OWN_SEEK}
        await ada.send(Seek())
        seats = [await wait_for(each, Seated) for each in (ada, one, two)]
        assert [each.seat for each in seats] == [1, 0, 0]
        assert len({each.table for each in seats}) == 1


async def test_n17_of_a_hundred_who_take_the_last_seat_one_succeeds_and_the_rest_are_told_at_once(
    start: Start,
) -> None:
    running = await start(real_hub())
    async with client(running) as host, AsyncExitStack() as stack:
        crowd = [await stack.enter_async_context(client(running)) for _ in range(100)]
        await host.send(Seek(private=True))
        code = (await wait_for(host, Seeking)).seek
        await asyncio.gather(*(each.send(Accept(seek=code)) for each in crowd))
        answers = [await each.receive() for each in crowd]
    assert sum(isinstance(answer, Seated) for answer in answers) == 1
    problems = [answer for answer in answers if isinstance(answer, Problem)]
    assert len(problems) == 99
    assert {problem.code for problem in problems} == {Fault.NO_SUCH_SEEK}


async def test_n20_two_tabs_of_one_player_are_both_told_and_commands_from_either_count_once(start: Start) -> None:
    running = await start(real_hub())
    async with (
        client(running) as ada,
        client(running, greet=False) as one,
        client(running, MSGPACK, greet=False) as two,
    ):
        token = (await greeted(one)).token
        table = await dealt(ada, one)
        await greeted(two, token)
        await two.send(Watch(table=table))
        await wait_for(two, Snapshot)
        await one.send(Play(table=table, nonce=10, move="d"))
        await two.send(Play(table=table, nonce=11, move="d"))
        for tab in (one, two):
            assert {(await wait_for(tab, Played)).nonce for _ in range(2)} == {10, 11}
        await asyncio.gather(*(tab.send(Play(table=table, nonce=12, move="d")) for tab in (one, two)))
        await one.send(Play(table=table, nonce=13, move="d"))
        seen = [await wait_for(ada, Played) for _ in range(4)]
        assert sorted(event.nonce for event in seen) == [10, 11, 12, 13]


async def test_n24_twenty_breaks_and_the_numbers_have_no_gap_and_no_repeat(start: Start) -> None:
    running = await start(real_hub(), PATIENT)
    dice = random.Random(24)
    async with client(running) as ada, AsyncExitStack() as stack:
        bruno = await stack.enter_async_context(client(running, greet=False))
        token = (await greeted(bruno)).token
        table = await dealt(ada, bruno)
        await bruno.send(Watch(table=table))
        seen = (await wait_for(bruno, Snapshot)).seq
        nonce = 100
        for _ in range(20):
            for _ in range(dice.randrange(1, 4)):
                nonce += 1
                await turn(running, ada, table, nonce)
            event = await bruno.receive()  # of those that come now some are read, and the others are lost
            assert isinstance(event, EventBase)
            assert event.seq == seen + 1
            seen = event.seq
            bruno.websocket.transport.abort()
            bruno = await stack.enter_async_context(client(running, greet=False))
            await greeted(bruno, token)
            await bruno.send(Resume(table=table, seen=seen))
            resumed = await wait_for(bruno, Resumed)
            assert resumed.missed == resumed.seq - seen
            for number in range(seen + 1, resumed.seq + 1):
                event = await bruno.receive()
                assert isinstance(event, EventBase)
                assert event.seq == number
            seen = resumed.seq


async def test_n29_two_hundred_spectators_come_and_go_while_two_play(start: Start) -> None:
    running = await start(real_hub(), PATIENT)
    dice = random.Random(29)

    async def look(table: str) -> None:
        await asyncio.sleep(dice.random() / 2)
        async with client(running, dice.choice([JSON, MSGPACK]), close_timeout=0.1) as spectator:
            await spectator.send(Watch(table=table))
            snapshot = await wait_for(spectator, Snapshot)
            seen = snapshot.seq
            for _ in range(dice.randrange(4)):
                message = await spectator.receive()
                if isinstance(message, EventBase):
                    assert message.seq == seen + 1
                    seen = message.seq
            if dice.random() < 0.5:
                spectator.websocket.transport.abort()

    async with client(running) as ada, client(running) as bruno:
        table = await dealt(ada, bruno)
        hearing = asyncio.ensure_future(bruno.hears_all())
        crowd = asyncio.gather(*(look(table) for _ in range(200)))
        nonce = 1
        while not crowd.done():
            nonce += 1
            await turn(running, ada, table, nonce)
        await crowd
        await until(lambda: running.gateway.health()["connections"] == 2)
    await hearing


async def test_n30_a_spectator_who_never_reads_delays_nobody_and_is_dropped(start: Start) -> None:
    bounds = Bounds(outbox_max_bytes=100_000, idle_timeout_ms=1500, linger_ms=100, probe_interval_ms=20)
    running = await start(real_hub(), bounds)
    async with client(running) as ada, client(running) as bruno, client(running) as reader, raw(running, 4096) as deaf:
        table = await dealt(ada, bruno)
        await reader.send(Watch(table=table))
        before = (await wait_for(reader, Snapshot)).seq
        await deaf.upgrade()
        deaf.stop_reading()
        deaf.write(frame(1, JSON.encode(Hello())) + frame(1, JSON.encode(Watch(table=table))) * 60)
        await until(lambda: running.gateway.health()["connections"] == 4)
        told = [asyncio.ensure_future(numbers_told(one)) for one in (reader, bruno)]
        nonce = 1
        while nonce <= 25 or running.gateway.health()["connections"] == 4:
            nonce += 1
            await turn(running, ada, table, nonce, bruno, reader)
        await ada.send(Resign(table=table, nonce=1_000_000))
        for numbers in await asyncio.gather(*told):
            assert numbers == [*range(numbers[0], numbers[-1] + 1)]
            assert numbers[-1] > before + 20


async def numbers_told(one: Client) -> list[int]:
    """The numbers of all events up to the end."""
    numbers: list[int] = []
    while True:
        message = await one.receive()
        if isinstance(message, EventBase):
            numbers.append(message.seq)
        if isinstance(message, Ended):
            return numbers


async def test_n31_a_spectator_moves_nothing_and_follows_a_hundred_moves(start: Start) -> None:
    running = await start(real_hub(), PATIENT)
    async with client(running) as ada, client(running) as bruno, client(running, MSGPACK) as carla:
        table = await dealt(ada, bruno)
        await carla.send(Watch(table=table))
        seen = (await wait_for(carla, Snapshot)).seq
        for command in (Play(table=table, nonce=1, move="d"), Resign(table=table, nonce=2)):
            await carla.send(command)
            assert (await wait_for(carla, Problem)).code == Fault.NOT_SEATED
        hearing = asyncio.ensure_future(bruno.hears_all())
        for nonce in range(2, 102):
            await turn(running, ada, table, nonce)
        for number in range(seen + 1, seen + 101):
            event = await wait_for(carla, Played)
            assert event.seq == number
    await hearing


# --- hostile clients ---------------------------------------------------------------------------------------


async def test_a_flooder_is_slowed_told_and_closed_and_the_players_notice_nothing(start: Start) -> None:
    running = await start(real_hub())
    async with client(running) as ada, client(running) as bruno, raw(running) as flooder:
        table = await dealt(ada, bruno)
        await flooder.upgrade()
        flooder.write(frame(1, JSON.encode(Hello())) + frame(1, b'{"type":"list_tables"}') * 3000)
        told, hearing = asyncio.ensure_future(flooder.rest()), asyncio.ensure_future(bruno.hears_all())
        nonce = 1
        while not told.done():
            nonce += 1
            await turn(running, ada, table, nonce, bruno)
        data = await told
    await hearing
    assert data.count(b'"code":"too_fast"') == FLOOD_MESSAGES + 1
    assert CloseCode.FLOOD.to_bytes(2, "big") in data[-60:]


async def test_a_flood_of_empty_fragments_is_read_slowly_and_costs_nobody_anything(start: Start) -> None:
    running = await start(real_hub(), Bounds(frames_per_second=500))
    async with client(running) as ada, raw(running) as flooder:
        await flooder.upgrade()
        flooder.write(frame(1, JSON.encode(Hello())) + frame(1, b"", fin=False) + frame(0, b"", fin=False) * 20_000)
        for _ in range(20):
            assert await ada.echoes()
            running.clock.skip(20)
        assert flooder.writer.transport.get_write_buffer_size() >= 0
        assert running.gateway.health()["connections"] == 2


async def test_three_hundred_slow_handshakes_keep_nobody_out(start: Start) -> None:
    bounds = Bounds(connections_max=600, hello_timeout_ms=400, linger_ms=100, probe_interval_ms=20)
    running = await start(real_hub(), bounds)
    async with AsyncExitStack() as stack:
        slow = [await stack.enter_async_context(raw(running)) for _ in range(300)]
        for each in slow:
            each.write(b"GET /ws HTTP/1.1\r\nHost: local")
        async with client(running) as ada:
            assert await ada.echoes()
            running.clock.skip(bounds.hello_timeout_ms)
            async with asyncio.timeout(PATIENCE_S):
                while running.gateway.health()["sockets"] != 1:
                    await asyncio.sleep(bounds.probe_interval_ms / 1000)
                    running.clock.skip(bounds.linger_ms)
            assert await ada.echoes()
