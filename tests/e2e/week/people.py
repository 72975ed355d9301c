"""Those who live through the week: clients that note down what they are told."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from acerace_client.bots.registry import make_bot
from acerace_client.connection import Connection
from acerace_client.dial import dial
from acerace_client.errors import ProblemError
from acerace_client.pacing import Retry
from acerace_client.runner import Player, Result, finished
from acerace_client.seating import take_seat
from acerace_protocol.accounts import Login
from acerace_protocol.codec import MSGPACK, Codec
from acerace_protocol.limits import Fault
from acerace_protocol.messages import (
    Accept,
    ClientMessage,
    Command,
    Hello,
    Problem,
    Seek,
    ServerMessage,
    Snapshot,
    Solo,
    TableCommand,
    Watch,
    Welcome,
)
from acerace_rules.options import Value
from tests.e2e.week.diary import PATIENCE_S, Diary

QUICK: Final = Retry(attempts=4_000, first_s=0.01, most_s=0.05)

M = TypeVar("M", bound=ServerMessage)
Options = Mapping[str, Value]
At = tuple["Person", Snapshot, int]
"""Somebody in a seat."""


class Person(Connection):
    """A client by a name of the week's own; one at a time reads it."""

    def __init__(  # as its base
        self,
        diary: Diary,
        url: str,
        called: str,
        *,
        token: str | None = None,
        bot: bool = False,
        codec: Codec = MSGPACK,
        device: str = "",
    ) -> None:
        super().__init__(
            url, token=token, name=called, bot=bot, agent="a week in the life", codecs=(codec,), retry=QUICK
        )
        self.called = f"{called}{device}"
        self._diary = diary
        self.begun: set[str] = set()
        """The tables that have been looked at."""

    @property
    def player(self) -> str:
        """The public id."""
        assert self.welcome
        return self.welcome.player

    async def _take(self, message: ServerMessage) -> None:
        self._diary.note(self.called, self.player, message)
        await super()._take(message)

    async def send(self, message: ClientMessage) -> Welcome | None:
        """As its base; when a command is first sent is in the diary."""
        if isinstance(message, TableCommand):
            self._diary.sent_at.setdefault(message.nonce, asyncio.get_running_loop().time())
        return await super().send(message)

    async def until(self, kind: type[M], wanted: Callable[[M], bool] = lambda _: True) -> M:
        """The next message like this; what comes before it is in the diary."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                message = await self.receive()
                if isinstance(message, Problem) and message.code != Fault.NO_SUCH_TABLE:  # of a table of before a night
                    raise ProblemError(message)
                if isinstance(message, kind) and wanted(message):
                    return message

    async def seat(self, start: Seek | Accept | Solo, on_seek: Callable[[str], None] | None = None) -> At:
        """The seat that is got by this."""
        snapshot, seat = await take_seat(self, start, on_seek)
        self.begun.add(snapshot.table)
        return self, snapshot, seat

    async def next_table(self) -> At:
        """The seat that follows by itself, whatever becomes of the connection meanwhile."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                match await self.receive():
                    case Snapshot() as snapshot if snapshot.table not in self.begun and snapshot.table in self.seats:
                        self.begun.add(snapshot.table)
                        return self, snapshot, self.seats[snapshot.table]
                    case Welcome(tables=tables):
                        for table in tables:
                            if table not in self.begun:
                                await self.send(Watch(table=table))
                    case _:
                        pass

    async def judged(self, command: Command) -> None:
        """Send a command, and read until it is answered."""
        await self.send(command)
        async with asyncio.timeout(PATIENCE_S):
            while getattr(await self.receive(), "nonce", None) != command.nonce:
                pass


async def invited(one: Person, other: Person, options: Options, *, rated: bool = False) -> tuple[At, At]:
    """One invites the other by a code."""
    code: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def accept() -> At:
        return await other.seat(Accept(seek=await code))

    seek = Seek(options=dict(options), private=True, rated=rated)
    async with asyncio.timeout(PATIENCE_S):
        return await asyncio.gather(one.seat(seek, code.set_result), accept())


async def paired(one: Person, other: Person, options: Options, *, rated: bool = False) -> tuple[At, At]:
    """Both look for somebody in public; nobody else looks for these options."""
    seek = Seek(options=dict(options), rated=rated, house=False)
    async with asyncio.timeout(PATIENCE_S):
        return await asyncio.gather(one.seat(seek), other.seat(seek))


async def play(at: At, bot: str = "greedy", *, pace_ms: int = 0) -> Result:
    """Play to the end as a bot would."""
    person, snapshot, seat = at
    player = Player(person, snapshot, seat, make_bot(bot, person.called.encode()), pace_ms=pace_ms)
    seed = person.called.encode().hex()
    async with asyncio.timeout(PATIENCE_S):
        await player.play(seed)
    result = finished(player, seed)
    assert result.deal_fault is None
    return result


async def play_both(seats: tuple[At, At], bots: tuple[str, str] = ("greedy", "greedy"), *, pace_ms: int = 0) -> None:
    """Both play to the end, and agree on it."""
    one, other = await asyncio.gather(*(play(at, bot, pace_ms=pace_ms) for at, bot in zip(seats, bots, strict=True)))
    assert one.ended == other.ended
    assert one.mirror.view == other.mirror.view


async def log_in(url: str, name: str, password: str) -> Welcome:
    """From a device that has no token. Raises :class:`acerace_client.errors.ProblemError`."""
    line, welcome = await dial(url, (MSGPACK,), Login(name=name, password=password))
    await line.close()
    return welcome


async def comes_in(url: str, hello: Hello) -> Welcome:
    """Say hello and go. Raises :class:`acerace_client.errors.ProblemError`."""
    line, welcome = await dial(url, (MSGPACK,), hello)
    await line.close()
    return welcome
