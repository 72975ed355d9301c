"""A mirror on a connection: what is missing is asked for, and what happened is kept for the check at the end."""

import asyncio
from collections.abc import AsyncIterator

from acerace_client.connection import Connection
from acerace_client.dial import OPEN_TIMEOUT_S
from acerace_client.errors import ConnectionLostError, ProblemError
from acerace_client.link import Link
from acerace_client.mirror import DriftError, GapError, Mirror
from acerace_client.verify import deal_fault
from acerace_protocol.limits import REMATCH_MS, Fault
from acerace_protocol.messages import (
    Closing,
    Dealt,
    EventBase,
    Played,
    Problem,
    Resume,
    ServerMessage,
    Snapshot,
    Watch,
    Watchers,
)
from acerace_protocol.people import NextMatch, Rated, Said, SeriesStands


class Follower:
    """One table, followed to its end."""

    def __init__(self, link: Link, snapshot: Snapshot, *, delay_s: int = 0) -> None:
        """``delay_s``: how long after everybody else it is told of."""
        self.mirror = Mirror(snapshot)
        self.resyncs = 0
        """How often something was missing, or did not agree."""
        self._link = link
        self._delay_s = delay_s
        self._first = snapshot
        self._dealt: Dealt | None = None
        self._played: list[Played] = []
        self._whole = snapshot.phase == "waiting"
        """Whether every event since before the deal was seen."""
        self._asked_at: int | None = None
        """The last event when something missing was asked for."""
        self._drifted = False

    async def take(self, message: ServerMessage) -> bool:
        """Take a message of the connection; whether it was news about this table.

        Raises :class:`ConnectionLostError` when the table is gone, :class:`ProblemError` when it never was.
        """
        match message:
            case Closing(table=table, detail=detail) if table == self.mirror.id and self.mirror.ended is None:
                raise ConnectionLostError(f"table {table} was closed: {detail}")
            case Problem(code=Fault.NO_SUCH_TABLE, table=table) if (
                table == self.mirror.id and self.mirror.ended is None
            ):
                raise ProblemError(message)
            case Snapshot() | EventBase() | Watchers() if message.table == self.mirror.id:
                return await self._apply(message)
            case _:
                return False

    async def _apply(self, message: Snapshot | EventBase | Watchers) -> bool:
        if self._drifted and not isinstance(message, Snapshot):
            return False
        if isinstance(message, Snapshot):
            self._whole = self._whole and message.phase == "waiting"
            self._drifted = False
        try:
            news = self.mirror.apply(message)  # type: ignore[arg-type]  # every EventBase is an Event
        except GapError as gap:
            await self._ask(Resume(table=gap.table, seen=gap.seen), gap.seen)
            return False
        except DriftError as drift:
            self._drifted = True
            await self._ask(Watch(table=drift.table, delay_s=self._delay_s), drift.seen)
            return False
        if news and isinstance(message, Dealt):
            self._dealt = message
        if news and isinstance(message, Played):
            self._played.append(message)
        return news

    async def _ask(self, question: Resume | Watch, seen: int) -> None:
        if self._asked_at != seen or isinstance(question, Watch):
            self._asked_at = seen
            self.resyncs += 1
            await self._link.send(question)

    def deal_fault(self, own: tuple[int, str] | None = None) -> str | None:
        """After the end: what is wrong with the deal (see ``verify``), or ``None``. ``own``: seat and seed.

        Raises ``LookupError`` when not everything since before the deal was seen: then it cannot be told.
        """
        if not self._whole or self._dealt is None or self.mirror.ended is None:
            raise LookupError("not the whole match was seen")
        return deal_fault(self._first, self._dealt, self._played, self.mirror.ended, own=own)


async def watch(
    connection: Connection, table: str, *, delay_s: int = 0, rematch: bool = False
) -> AsyncIterator[tuple[Mirror, ServerMessage]]:
    """Follow a table as a spectator, until its end and what follows that: the mirror after each news, and the news.

    News are the table's events and snapshots, the number of spectators, emotes, and after the end new ratings, the
    standing of the series and its next match. ``delay_s``: how long after everybody else. ``rematch``: wait for one, as
    long as it may be asked for. The first is the snapshot.
    Raises :class:`ProblemError` (no such table), :class:`ConnectionLostError`.
    """
    await connection.send(Watch(table=table, delay_s=delay_s))
    snapshot = await _first_of(connection, table, delay_s + OPEN_TIMEOUT_S)
    follower = Follower(connection, snapshot, delay_s=delay_s)
    mirror = follower.mirror
    yield mirror, snapshot
    sequel = _Sequel(snapshot, rematch=rematch)
    while mirror.ended is None or sequel.due:
        try:
            message = await connection.receive(None if mirror.ended is None else sequel.patience_s(connection))
        except TimeoutError:
            return
        if mirror.ended is not None and isinstance(message, Closing) and message.table == table:
            return
        if await follower.take(message) or _is_company(message, table):
            sequel.take(message)
            yield mirror, message


class _Sequel:
    """What follows the end of a match, as far as it has not come yet."""

    def __init__(self, snapshot: Snapshot, *, rematch: bool) -> None:
        follows = ((Rated, snapshot.rated), (SeriesStands, snapshot.series), (NextMatch, rematch))
        self.due: set[type] = {kind for kind, is_due in follows if is_due}
        self._until: float | None = None
        """When nothing more is expected, by the loop's clock."""

    def take(self, message: ServerMessage) -> None:
        self.due.discard(type(message))
        if isinstance(message, SeriesStands) and not message.series.over:
            self.due.add(NextMatch)

    def patience_s(self, connection: Connection) -> float:
        """How long to wait, from now; it begins when it is asked for the first time, at the end of the match."""
        now = asyncio.get_running_loop().time()
        if self._until is None:
            limits = connection.welcome.limits if connection.welcome else {}
            wait_ms = limits.get("rematch_ms", REMATCH_MS) if NextMatch in self.due else 0
            self._until = now + wait_ms / 1000 + OPEN_TIMEOUT_S
        return max(0.0, self._until - now)


def _is_company(message: ServerMessage, table: str) -> bool:
    """Whether it is told to this table and is no part of the match."""
    return isinstance(message, Said | Rated | SeriesStands | NextMatch) and message.table == table


async def _first_of(connection: Connection, table: str, within_s: float) -> Snapshot:
    try:
        async with asyncio.timeout(within_s):
            while True:
                match await connection.receive():
                    case Snapshot() as snapshot if snapshot.table == table:
                        return snapshot
                    case Problem(table=of) as problem if of in {None, table}:
                        raise ProblemError(problem)
                    case Closing(table=of, detail=detail) if of == table:
                        raise ConnectionLostError(f"table {table} was closed: {detail}")
                    case _:
                        pass
    except TimeoutError:
        raise ConnectionLostError(f"the server does not show table {table}") from None
