"""A table with the connections that follow it."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from acerace_protocol.limits import LEFT_SOLO_KEPT_MS, OVER_TABLE_KEPT_MS
from acerace_protocol.messages import ServerMessage, Snapshot, TableInfo, Watchers
from acerace_protocol.people import Said
from acerace_protocol.units import MS_NS
from acerace_server.core.inbox import Inbox
from acerace_server.core.late import LateGroup
from acerace_server.core.match import Match
from acerace_server.core.records import Sequel
from acerace_server.core.tally import Tally
from acerace_server.core.voice import EVERYONE

_WATCHERS_EVERY_NS = 500 * MS_NS
"""How often the number of spectators is told, at most: a crowd that comes and goes costs the players little."""


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
        self.late: dict[int, LateGroup] = {}
        """By delay: those who are told later than everyone."""
        self.muted: set[int] = set()
        """Connections that are spared emotes."""
        self.said_at: dict[int, deque[int]] = {}
        """By seat: when it showed its last emotes."""
        self.watchers_due: int | None = None
        """When the number of spectators is told, which has changed."""
        self._watchers_told_at = now - _WATCHERS_EVERY_NS
        self._seat_of: dict[int, int] = {}
        self._idle_since = now
        self.over_at: int | None = None
        self.sequel: tuple[Sequel, ...] = ()
        """What was told after the end."""

    @property
    def key(self) -> str:
        return self.match.setup.table

    @property
    def watchers(self) -> int:
        return len(self.everyone) - len(self._seat_of) + sum(map(len, self.late.values()))

    def follows(self, connection: int) -> bool:
        return connection in self.everyone or self.delay_ns_of(connection) is not None

    def delay_ns_of(self, connection: int) -> int | None:
        """How late this connection is told; ``None``: it is not among the late ones."""
        return next((delay for delay, group in self.late.items() if connection in group), None)

    def seat_of(self, connection: int) -> int | None:
        return self._seat_of.get(connection)

    def follow(self, connection: int, seat: int | None) -> None:
        """Let a connection follow: with a seat, or as a spectator."""
        if connection in self.everyone:
            return
        self.everyone = (*self.everyone, connection)
        if seat is not None:
            self._seat_of[connection] = seat

    def follow_late(self, group: LateGroup, connection: int, at: int) -> None:
        """Let a spectator follow with the delay of this group."""
        self.late[group.delay_ns] = group
        group.join(connection, (self.snapshot(at), *self.sequel), at)

    def unfollow(self, connection: int, at: int) -> int | None:
        """Let a connection go; the answer is the seat that has none any more, if that was its last."""
        self.everyone = tuple(other for other in self.everyone if other != connection)
        self.wants_legal.pop(connection, None)
        self.muted.discard(connection)
        delay_ns = self.delay_ns_of(connection)
        if delay_ns is not None:
            self.late[delay_ns].drop(connection)
            if not self.late[delay_ns]:
                del self.late[delay_ns]
            return None
        self._idle_since = at
        seat = self._seat_of.pop(connection, None)
        return None if seat in self._seat_of.values() else seat

    def flush(self, send: Send, at: int, tally: Tally) -> bool:
        """Hand on what the match has to say; true when it has ended since the last time."""
        match = self.match
        numbered = False
        for receiver, message in match.outgoing:
            tally.note(message, to_all=receiver == EVERYONE)
            if receiver == EVERYONE:
                numbered = True
                self.tell(message, send, at)
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

    def tell(self, message: ServerMessage, send: Send, at: int) -> None:
        """Tell everyone, now or later."""
        receivers = self.everyone
        if self.muted and isinstance(message, Said):
            receivers = tuple(number for number in receivers if number not in self.muted)
        send(Outgoing(receivers, message))
        for group in self.late.values():
            if group.is_full:
                group.thin((self.snapshot(at), *self.sequel), at)  # they say what the message says
            else:
                group.hold(message, at)

    def tell_sequel(self, message: Sequel, send: Send, at: int) -> None:
        """Tell everyone what follows the end, and keep it for those who come later."""
        self.sequel += (message,)
        self.tell(message, send, at)

    def watchers_changed(self, send: Send, at: int) -> None:
        """Tell the number of spectators; not now, if it was told just before."""
        if at >= self._watchers_told_at + _WATCHERS_EVERY_NS:
            self._tell_watchers(send, at)
        elif self.watchers_due is None:
            self.watchers_due = self._watchers_told_at + _WATCHERS_EVERY_NS

    def tick(self, send: Send, at: int) -> None:
        """Tell what has waited for this time."""
        if self.watchers_due is not None and self.watchers_due <= at:
            self._tell_watchers(send, at)

    def _tell_watchers(self, send: Send, at: int) -> None:
        self._watchers_told_at, self.watchers_due = at, None
        self.tell(Watchers(table=self.key, count=self.watchers), send, at)

    def snapshot(self, at: int) -> Snapshot:
        """The match's own, with the number of spectators, of which a match knows nothing."""
        return replace(self.match.snapshot(at), watchers=self.watchers)

    @property
    def contributions(self) -> tuple[int, ...]:
        """By seat: cards of its own deck on the foundations."""
        table = self.match.table
        return tuple(table.contribution(seat) for seat in range(len(table.seats))) if table else ()

    def info(self) -> TableInfo:
        seats = self.match.table.seats if self.match.table else ()
        return TableInfo(
            table=self.key,
            game=self.match.setup.game,
            players=tuple(player.name for player in self.match.setup.players),
            scores=tuple(seat.score for seat in seats),
            seq=self.match.seq,
            watchers=self.watchers,
            rated=self.match.setup.rated,
        )

    def put_away_at(self) -> int | None:
        """When nobody will miss this table any more: a while after its end, or after a solo player has left it."""
        if self.over_at is not None:
            return self.over_at + OVER_TABLE_KEPT_MS * MS_NS
        if self.match.setup.code is not None and not self.everyone:
            return self._idle_since + LEFT_SOLO_KEPT_MS * MS_NS
        return None

    def deadline(self) -> int | None:
        times = (self.match.deadline(), self.put_away_at(), self.watchers_due)
        return min((time for time in times if time is not None), default=None)

    def _connections_of(self, seat: int) -> tuple[int, ...]:
        return tuple(connection for connection, own in self._seat_of.items() if own == seat)
