"""The connection comes back by itself, and neither loses nor doubles anything."""

import asyncio
import random

import pytest

from acerace_client.connection import Connection
from acerace_client.dial import Line
from acerace_client.errors import ConnectionLostError, ProblemError, RefusedError
from acerace_client.mirror import Mirror
from acerace_client.pacing import Retry
from acerace_protocol.codec import JSON, MSGPACK, Codec
from acerace_protocol.limits import Fault
from acerace_protocol.messages import (
    ClientMessage,
    Hello,
    Leave,
    Ping,
    Play,
    Played,
    Pong,
    Refused,
    Resume,
    Seek,
    Seeking,
    Snapshot,
    Solo,
    Watch,
    Welcome,
)
from acerace_rules.view import view
from tests.client.fake_server import TOKEN, FakeServer, running

PATIENCE_S = 60
QUICK = Retry(attempts=8, first_s=0.001, most_s=0.01)
DRAWS = 40
"""More than the stock of 24: the last ones are refused, which is an answer too."""


async def seated(connection: Connection) -> Mirror:
    await connection.send(Solo())
    return Mirror(await connection.expect(Snapshot))


@pytest.mark.parametrize("codec", [MSGPACK, JSON])
async def test_a_table_is_played_in_either_encoding(codec: Codec) -> None:
    async with running(FakeServer()) as fake, Connection(fake.url, codecs=[codec], bot=True, name="b") as connection:
        mirror = await seated(connection)
        await connection.send(Play(table="t1", nonce=connection.nonce(), move="d"))
        assert mirror.apply(await connection.expect(Played))
        assert mirror.view == view(fake.referee.table)
        assert fake.hellos == [Hello(bot=True, name="b", agent="acerace-client")]


@pytest.mark.parametrize("chance", [0.1, 0.35])
@pytest.mark.parametrize("seed", range(3))
async def test_whatever_breaks_each_command_takes_effect_once_and_in_order(chance: float, seed: int) -> None:
    # N12
    chances = random.Random(seed)

    def perhaps(message: ClientMessage) -> bool:
        return not isinstance(message, Hello | Solo) and chances.random() < chance

    fake = FakeServer(drop_before=perhaps, drop_after=perhaps)
    async with running(fake), Connection(fake.url, retry=QUICK) as connection:
        mirror = await seated(connection)
        nonces = [connection.nonce() for _ in range(DRAWS)]

        async def sender() -> None:
            for nonce in nonces:
                await connection.send(Play(table="t1", nonce=nonce, move="d"))
                await asyncio.sleep(0)

        task = asyncio.create_task(sender())
        refused = set[int]()
        while len(refused) < DRAWS - 24:
            message = await connection.receive(PATIENCE_S)
            if isinstance(message, Played):
                mirror.apply(message)
            elif isinstance(message, Refused):
                refused.add(message.nonce)
        await task
        assert mirror.view == view(fake.referee.table)
        assert [event.nonce for event in fake.referee.history if isinstance(event, Played)] == nonces[:24]
        assert connection.reconnects > 0
        assert all(hello.token == TOKEN for hello in fake.hellos[1:])


async def test_after_a_break_every_followed_table_is_resumed_from_its_last_event() -> None:
    async with running(FakeServer()) as fake, Connection(fake.url, retry=QUICK) as connection:
        mirror = await seated(connection)
        await connection.send(Play(table="t1", nonce=1, move="d"))
        mirror.apply(await connection.expect(Played))
        await fake.drop_all()
        fake.carry_out(Play(table="t1", nonce=2, move="d"))  # happens while nobody is connected
        await connection.expect(Welcome)
        assert mirror.apply(await connection.expect(Played))
        assert Resume(table="t1", seen=1) in fake.got
        assert mirror.view == view(fake.referee.table)


async def after_a_break(fake: FakeServer, connection: Connection) -> list[ClientMessage]:
    """What the client asks for by itself."""
    await fake.drop_all()
    await connection.expect(Welcome)
    await connection.send(Ping(nonce=1))
    await connection.expect(Pong)
    hello = max(index for index, message in enumerate(fake.got) if isinstance(message, Hello))
    return fake.got[hello + 1 : -1]


async def test_after_a_break_each_table_is_followed_as_before() -> None:
    async with running(FakeServer()) as fake, Connection(fake.url, retry=QUICK) as connection:
        await seated(connection)
        late = Watch(table="t1", delay_s=5)
        for asked, again in ((late, late), (Watch(table="t1"), Resume(table="t1", seen=0))):
            await connection.send(asked)
            await connection.expect(Snapshot)
            assert await after_a_break(fake, connection) == [again]
        await connection.send(Leave(table="t1"))
        assert await after_a_break(fake, connection) == []


async def test_a_table_can_be_left_while_it_is_being_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    leaving: list[asyncio.Task[Welcome | None]] = []
    send_at_once = Line.send

    async def send(line: Line, message: ClientMessage) -> bool:
        if isinstance(message, Resume):
            leaving.append(asyncio.create_task(connection.send(Leave(table=message.table))))
        await asyncio.sleep(0)  # as when what was sent before has not gone yet
        return await send_at_once(line, message)

    monkeypatch.setattr(Line, "send", send)
    async with running(FakeServer()) as fake, Connection(fake.url, retry=QUICK) as connection:
        await seated(connection)
        await fake.drop_all()
        await connection.expect(Welcome)
        await asyncio.gather(*leaving)
        await connection.send(Ping(nonce=1))
        await connection.expect(Pong)
        assert fake.got[-3:] == [Resume(table="t1", seen=0), Leave(table="t1"), Ping(nonce=1)]


async def test_a_server_that_has_too_much_to_do_as_it_comes_back_is_asked_again() -> None:
    busy = [Fault.TOO_MANY, Fault.STORE_FAILED, Fault.TOO_FAST, Fault.SERVER_CLOSING]
    async with running(FakeServer()) as fake, Connection(fake.url, retry=QUICK) as connection:
        mirror = await seated(connection)
        fake.busy = [*busy]
        await fake.drop_all()
        await connection.expect(Welcome)
        assert len(fake.hellos) == 2 + len(busy)
        await connection.send(Play(table="t1", nonce=1, move="d"))
        assert mirror.apply(await connection.expect(Played))


@pytest.mark.parametrize("busy", [[Fault.TOO_MANY] * 20, [Fault.UNKNOWN_TOKEN]])
async def test_what_does_not_pass_is_an_error_that_says_why(busy: list[Fault]) -> None:
    async with running(FakeServer()) as fake, Connection(fake.url, retry=QUICK) as connection:
        await seated(connection)
        fake.busy = [*busy]
        await fake.drop_all()
        with pytest.raises(ProblemError) as caught:
            await connection.expect(Welcome)
        assert caught.value.fault == busy[0]
        assert len(fake.hellos) == 1 + min(len(busy), QUICK.attempts)


async def test_a_command_waits_for_its_answer() -> None:
    async with running(FakeServer()) as fake, Connection(fake.url) as connection:
        await seated(connection)
        answer = await connection.command(Play(table="t1", nonce=connection.nonce(), move="d"))
        assert isinstance(answer, Played)
        with pytest.raises(RefusedError) as caught:
            await connection.command(Play(table="t1", nonce=connection.nonce(), move="r"))
        assert caught.value.reason == "stock_not_empty"


async def test_a_problem_is_an_error_with_its_fault() -> None:
    async with running(FakeServer()) as fake, Connection(fake.url) as connection:
        await connection.send(Seek())
        with pytest.raises(ProblemError) as caught:
            await connection.expect(Seeking)
        assert caught.value.fault == "no_such_seek"


async def test_a_type_of_a_newer_server_is_ignored() -> None:
    fake = FakeServer(extra=b'{"type":"fireworks","colour":3}', subprotocols=(JSON.subprotocol,))
    async with running(fake), Connection(fake.url, codecs=[JSON]) as connection:
        await connection.send(Ping(nonce=4))
        assert await connection.expect(Pong) == Pong(nonce=4)


async def test_what_is_no_message_at_all_ends_the_connection() -> None:
    fake = FakeServer(extra=b"\xc1", subprotocols=(MSGPACK.subprotocol,))
    async with running(fake):
        with pytest.raises(ConnectionLostError, match="no message"):
            await Connection(fake.url).open()


async def test_no_server_is_said_at_once() -> None:
    with pytest.raises(ConnectionLostError, match=r"cannot connect to ws://127\.0\.0\.1:9/ws"):
        await Connection("ws://127.0.0.1:9/ws").open()


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "nonsense"])
async def test_an_address_that_is_none_is_said_at_once(url: str) -> None:
    with pytest.raises(ConnectionLostError, match="cannot connect"):
        await Connection(url).open()


async def test_a_server_of_something_else_is_refused() -> None:
    fake = FakeServer(subprotocols=())
    async with running(fake):
        with pytest.raises(ConnectionLostError):
            await Connection(fake.url).open()


async def test_a_token_nobody_has_is_refused() -> None:
    async with running(FakeServer()) as fake:
        with pytest.raises(ProblemError) as caught:
            await Connection(fake.url, token="x" * 20).open()
        assert caught.value.fault == "unknown_token"


async def test_a_lost_server_is_given_up_after_so_many_attempts() -> None:
    async with running(FakeServer()) as fake:
        connection = Connection(fake.url, retry=Retry(attempts=2, first_s=0.001))
        await connection.open()
    waiting = asyncio.create_task(connection.command(Play(table="t1", nonce=1, move="d")))
    with pytest.raises(ConnectionLostError, match="lost the connection"):
        await connection.receive(PATIENCE_S)
    with pytest.raises(ConnectionLostError):
        await waiting
    with pytest.raises(ConnectionLostError):
        await connection.send(Ping(nonce=1))
    await connection.close()


async def test_closing_ends_the_iteration_and_refuses_what_comes_after() -> None:
    async with running(FakeServer()) as fake:
        connection = Connection(fake.url)
        await connection.open()

        async def read() -> int:
            return len([message async for message in connection])

        reading = asyncio.create_task(read())
        await asyncio.sleep(0.01)
        await connection.close()
        assert await asyncio.wait_for(reading, PATIENCE_S) == 0
        with pytest.raises(ConnectionLostError):
            await connection.send(Ping(nonce=1))
        with pytest.raises(ConnectionLostError):
            await connection.receive()


async def test_the_servers_limit_is_kept_here() -> None:
    fake = FakeServer(limits={"commands_per_second": 100, "commands_burst": 10})
    async with running(fake), Connection(fake.url) as connection:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        for nonce in range(19):
            await connection.send(Ping(nonce=nonce))
        assert loop.time() - begun >= 0.1  # 9 at once, then 90 a second


def test_the_waits_between_attempts_grow_and_stay_bounded() -> None:
    retry = Retry(first_s=1, most_s=8)
    for failures, longest in enumerate([1, 2, 4, 8, 8]):
        assert longest / 2 <= retry.wait_s(failures) <= longest
