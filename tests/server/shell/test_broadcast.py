"""Beats: what arrives in one loop turn is judged once, in order; what goes out is encoded once and written once."""

import asyncio
import random
from contextlib import AsyncExitStack

import pytest

from acerace_protocol.codec import JSON, MSGPACK, Codec
from acerace_protocol.messages import Closing, Hello, ListGames, Passed, Play, Problem, Ready, Resign, Watch, Welcome
from acerace_server.adapters.system import SystemClock
from acerace_server.ports import JournalError
from acerace_server.shell import frames as frames_module
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.frames import frame_bytes
from tests.server.shell.fakes import FakeHub
from tests.server.shell.support import PATIENCE_S, Client, Running, Start, client, frame, parse_frames, raw, until

SECOND = 1_000_000_000


def claim(nonce: int) -> bytes:
    return frame(1, JSON.encode(Play(table="t", nonce=nonce, move="d")))


async def nonces(one: Client, count: int) -> list[int]:
    events = [await one.receive() for _ in range(count)]
    return [event.nonce for event in events if isinstance(event, Passed)]


async def test_a_burst_in_one_loop_turn_is_settled_once_in_the_order_of_its_stamps(start: Start) -> None:
    hub = FakeHub()
    running = await start(hub)
    async with client(running) as watcher, raw(running) as first, raw(running) as second:
        await first.upgrade()
        await second.upgrade()
        # Nothing is awaited here: all of this is in the kernel's buffers when the loop next looks at its sockets.
        for index in range(20):
            sender = (first, second)[index % 2]
            sender.write_now(claim(index))
        for sender in (first, second):
            sender.wait_for_the_kernel()
        assert sorted(await nonces(watcher, 20)) == list(range(20))
    assert len(hub.beats) == 1
    assert hub.beats[0] == sorted(hub.beats[0])
    assert len(set(hub.beats[0])) == 2  # one read, one stamp


async def test_claims_of_different_turns_are_judged_as_they_come(start: Start) -> None:
    hub = FakeHub()
    async with client(await start(hub)) as one:
        for nonce in range(3):
            await one.send(Ready(table="t", nonce=nonce))
            assert await nonces(one, 1) == [nonce]
    assert [len(beat) for beat in hub.beats] == [1, 1, 1]


async def test_fan_out_is_encoded_once_per_codec_and_the_same_bytes_for_all(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[tuple[object, str]] = []

    def counting(message: Passed, codec: Codec) -> bytes:
        encoded.append((message, codec.subprotocol))
        return frame_bytes(message, codec)

    hub = FakeHub()
    running = await start(hub)
    async with AsyncExitStack() as stack:
        codecs = [JSON, MSGPACK] * 4
        peers = [await stack.enter_async_context(raw(running)) for _ in codecs]
        for peer, codec in zip(peers, codecs, strict=True):
            await peer.upgrade(codec)
        monkeypatch.setattr(frames_module, "frame_bytes", counting)
        peers[0].write(claim(77))
        got = [await peer.reader.read(65536) for peer in peers]
    event = Passed(table="t", seq=1, at_us=0, seat=0, nonce=77, turn=0)
    assert [name for _, name in encoded] == [JSON.subprotocol, MSGPACK.subprotocol]
    assert set(got[0::2]) == {frame_bytes(event, JSON)}
    assert set(got[1::2]) == {frame_bytes(event, MSGPACK)}
    assert parse_frames(got[0]) == [(1, JSON.encode(event))]


async def test_a_beat_is_one_write_to_each_connection(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = FakeHub()
    running = await start(hub)
    async with raw(running) as one:
        await one.upgrade()
        one.write(claim(1) + frame(9, b"a") + claim(2) + frame(9, b"b") + claim(3))
        got = parse_frames(await one.reader.read(65536))  # one read, because it was one write
    assert [opcode for opcode, _ in got] == [10, 10, 1, 1, 1]


async def test_what_was_accepted_is_in_the_journal_before_anyone_is_told(start: Start) -> None:
    hub = FakeHub()
    running = await start(hub)
    async with client(running) as one:
        await one.send(Ready(table="t", nonce=1))
        await nonces(one, 1)
        assert len(running.journal.entries()) == 1
        assert not hub.accepted


class BrokenJournal:
    """A journal on a full disk."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def commit(self, entries: object) -> None:
        raise self.error


@pytest.mark.usefixtures("errors_expected")
@pytest.mark.parametrize("error", [JournalError("no space left on device"), KeyError("a fault of its own")])
async def test_without_a_journal_nothing_is_acknowledged_and_the_server_stops(
    start: Start, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    running = await start()
    async with client(running) as one:
        monkeypatch.setattr(running.gateway, "_journal", BrokenJournal(error))
        await one.send(Ready(table="t", nonce=1))
        assert await one.closed() == 1006
    assert running.gateway.failed.result() is error
    assert [record.levelname for record in caplog.records if record.levelno >= 40] == ["CRITICAL"]


async def test_the_hubs_timer_rings(start: Start) -> None:
    hub = FakeHub()
    running = await start(hub)
    async with client(running) as one:
        hub.alarm = due = running.clock.monotonic_ns() + SECOND // 10
        assert await one.echoes()  # after each beat the hub is asked for its next deadline
        running.clock.skip(100)
        assert await nonces(one, 1) == [0]
        assert hub.ticks[0] >= due
        hub.alarm = running.clock.monotonic_ns() + 3600 * SECOND
        assert await one.echoes()
        hub.alarm = running.clock.monotonic_ns() + SECOND // 10  # an earlier deadline takes the place of a later one
        assert await one.echoes()
        running.clock.skip(100)
        assert await nonces(one, 1) == [0]


@pytest.mark.usefixtures("errors_expected")
async def test_an_exception_closes_the_connection_it_is_about_and_is_logged_once(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    hub = FakeHub()
    running = await start(hub)
    async with client(running) as other, client(running) as unlucky:
        await unlucky.send(Watch(table="explode"))
        assert await unlucky.closed() == 1011
        assert await other.echoes()
    errors = [record for record in caplog.records if record.levelname == "ERROR"]
    assert [record.getMessage() for record in errors] == ["handling a connection failed"]
    assert errors[0].exc_info


@pytest.mark.usefixtures("errors_expected")
async def test_a_hub_that_fails_to_settle_takes_nobody_down(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    hub = FakeHub()
    async with client(await start(hub)) as one:
        hub.settles_badly = True
        assert await one.echoes()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "the hub failed to settle"
    ]


async def join_and_leave(running: Running, dice: random.Random) -> None:
    await asyncio.sleep(dice.random() / 2)
    async with client(running, dice.choice([JSON, MSGPACK]), greet=False, close_timeout=0.1) as one:
        await one.send(Hello())
        if dice.random() < 0.5:
            await asyncio.sleep(dice.random() / 5)
        if dice.random() < 0.5:
            one.websocket.transport.abort()


async def test_two_hundred_come_and_go_during_a_broadcast(start: Start) -> None:
    # N29
    hub = FakeHub()
    running = await start(hub)
    dice = random.Random(29)
    async with client(running) as stayer:
        crowd = asyncio.gather(*(join_and_leave(running, dice) for _ in range(200)))
        sent = 0
        while not crowd.done():
            sent += 1
            await stayer.send(Ready(table="t", nonce=sent))
            assert await nonces(stayer, 1) == [sent]
            running.clock.skip(5)
        await crowd
        assert sent >= 5
        await until(lambda: len(hub.left) == 200)
        assert await stayer.echoes()


async def test_one_who_never_reads_is_dropped_and_nobody_waits_for_it(start: Start) -> None:
    # N30
    hub = FakeHub()
    running = await start(hub)
    async with client(running) as player, raw(running, 4096) as deaf:
        await deaf.upgrade()
        deaf.stop_reading()
        number = max(hub.connected)
        for nonce in range(1000):
            if number in hub.left:
                break
            await player.send(Resign(table="t", nonce=nonce))
            assert isinstance(await player.receive(), Closing)  # although for the server no time passes
        assert number in hub.left
        assert await player.echoes()


async def test_a_flood_of_pings_that_are_not_read_back_ends_and_nobody_notices(start: Start) -> None:
    hub = FakeHub()
    running = await start(
        hub, Bounds(idle_timeout_ms=800, linger_ms=100, probe_interval_ms=20, frames_per_second=1_000_000)
    )
    async with client(running) as player, raw(running, 4096) as flooder:
        await flooder.upgrade()
        flooder.write(frame(1, JSON.encode(Hello())))
        flooder.stop_reading()
        number = max(hub.connected)
        pings = frame(9, b"x" * 125) * 500
        async with asyncio.timeout(PATIENCE_S):
            while number not in hub.left:
                if flooder.writer.transport.get_write_buffer_size() < 1_000_000:
                    flooder.write(pings)
                assert await player.echoes()
                running.clock.skip(40)


async def test_a_flood_of_frames_is_read_slowly_and_answered_all_the_same(start: Start) -> None:
    running = await start(None, Bounds(frames_per_second=500), clock=SystemClock())
    async with client(running) as player, raw(running) as flooder:
        await flooder.upgrade()
        began = asyncio.get_running_loop().time()
        flooder.write(frame(9, b"") * 2000)
        answers = asyncio.ensure_future(flooder.frames(2000))
        while not answers.done():
            assert await player.echoes()
        took = asyncio.get_running_loop().time() - began
    assert await answers == [(10, b"")] * 2000
    assert took > 0.5  # 1000 at once, then 500 a second; the last read is not waited for


async def test_the_welcome_and_what_follows_it_come_in_order(start: Start) -> None:
    running = await start()
    async with raw(running) as one:
        await one.upgrade()
        one.write(frame(1, JSON.encode(Hello())) + claim(1) + frame(1, JSON.encode(ListGames())) + claim(2))
        got = [JSON.decode_server(payload) for _, payload in await one.frames(4)]
    assert [type(message) for message in got] == [Welcome, Problem, Passed, Passed]


async def test_closing_tells_everyone_and_ends_in_time(start: Start) -> None:
    hub = FakeHub()
    running = await start(hub)
    async with client(running) as one, client(running, MSGPACK) as two, raw(running) as deaf, raw(running) as mute:
        await deaf.upgrade()
        await until(lambda: running.gateway.health()["sockets"] == 4)
        async with asyncio.timeout(PATIENCE_S):
            await running.gateway.close(timeout_s=0.3)
        for each in (one, two):
            assert isinstance(await each.receive(), Closing)
            assert await each.closed() == 1001
        assert await deaf.close_code() == 1001
        assert (await mute.rest()).startswith(b"HTTP/1.1 503 ")
        assert not hub.left  # nobody left: the server did
        with pytest.raises(OSError, match=r"refused|Connect call failed"):
            await asyncio.open_connection(running.host, running.port)
