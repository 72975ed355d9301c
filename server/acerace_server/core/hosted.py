"""A table with the connections that follow it."""

from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from acerace_protocol.limits import LEFT_SOLO_KEPT_MS, OVER_TABLE_KEPT_MS
from acerace_protocol.messages import ServerMessage, Snapshot, TableInfo, Watchers
from acerace_server.core.inbox import Inbox
from acerace_server.core.match import EVERYONE, Match

_MS_NS = 1_000_000


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message for many connections: encoded once, the same bytes for all."""

    receivers: tuple[int, ...]
    message: ServerMessage | None
    close: int | None = None
    """Close these connections with this WebSocket code, after the message."""


Send = Callable[[Outgoing], None]


class Hosted:
    """One match, what waits to be judged, and who is told of it."""

    def __init__(self, match: Match, *, public: bool, now: int) -> None:
        self.match = match
        self.public = public
        self.inbox = Inbox(match.variant.seats)
        self.everyone: tuple[int, ...] = ()
        """The connections that follow, in the order in which they came."""
        self.wants_legal: dict[int, int] = {}
        """By connection: the seat whose legal moves it is sent."""
        self.logged = 0
        """Entries of the match's log that were handed to the journal."""
        self.scheduled: int | None = None
        """When the hub will look at this table next."""
        self._seat_of: dict[int, int] = {}
        self._idle_since = now
        self.over_at: int | None = None

    @property
    def key(self) -> str:
        return self.match.setup.table

    @property
    def watchers(self) -> int:
        return len(self.everyone) - len(self._seat_of)

    def follows(self, connection: int) -> bool:
        return connection in self.everyone

    def seat_of(self, connection: int) -> int | None:
        return self._seat_of.get(connection)

    def follow(self, connection: int, seat: int | None) -> None:
        """Let a connection follow: with a seat, or as a spectator."""
        if connection in self.everyone:
            return
        self.everyone = (*self.everyone, connection)
        if seat is not None:
            self._seat_of[connection] = seat

    def unfollow(self, connection: int, at: int) -> int | None:
        """Let a connection go; the answer is the seat that has none any more, if that was its last."""
        self.everyone = tuple(other for other in self.everyone if other != connection)
        self.wants_legal.pop(connection, None)
        if not self.everyone:
            self._idle_since = at
        seat = self._seat_of.pop(connection, None)
        return None if seat in self._seat_of.values() else seat

    def flush(self, send: Send, at: int) -> bool:
        """Hand on what the match has to say; true when it has ended since the last time."""
        match = self.match
        numbered = False
        for receiver, message in match.outgoing:
            if receiver == EVERYONE:
                numbered = True
                send(Outgoing(self.everyone, message))
            else:
                send(Outgoing(self._connections_of(receiver), message))
        match.outgoing.clear()
        if numbered:
            for connection, seat in self.wants_legal.items():
                send(Outgoing((connection,), match.legal(seat)))
        if match.phase != "over" or self.over_at is not None:
            return False
        self.over_at = at
        return True

    def tell_watchers(self, send: Send) -> None:
        send(Outgoing(self.everyone, Watchers(table=self.key, count=self.watchers)))

    def snapshot(self) -> Snapshot:
        """The match's own, with the number of spectators, of which a match knows nothing."""
        return replace(self.match.snapshot(), watchers=self.watchers)

    def info(self) -> TableInfo:
        seats = self.match.table.seats if self.match.table else ()
        return TableInfo(
            table=self.key,
            game=self.match.setup.game,
            players=tuple(player.name for player in self.match.setup.players),
            scores=tuple(seat.score for seat in seats),
            seq=self.match.seq,
            watchers=self.watchers,
        )

    def put_away_at(self) -> int | None:
        """When nobody will miss this table any more: a while after its end, or after a solo player has left it."""
        if self.over_at is not None:
            return self.over_at + OVER_TABLE_KEPT_MS * _MS_NS
        if self.match.setup.code is not None and not self.everyone:
            return self._idle_since + LEFT_SOLO_KEPT_MS * _MS_NS
        return None

    def deadline(self) -> int | None:
        times = (self.match.deadline(), self.put_away_at())
        return min((time for time in times if time is not None), default=None)

    def _connections_of(self, seat: int) -> tuple[int, ...]:
        return tuple(connection for connection, own in self._seat_of.items() if own == seat)
