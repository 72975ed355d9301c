"""What the desks of the hub share: who is connected, which tables there are, and the way to tell somebody something."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from acerace_protocol.limits import (
    COMMANDS_BURST,
    LIMITS,
    TABLES_PER_PLAYER,
    WATCHED_PER_CONNECTION,
    Fault,
)
from acerace_protocol.messages import Closing, Problem, Seated, ServerMessage
from acerace_server.core.connection import Connection
from acerace_server.core.hosted import Hosted, Outgoing
from acerace_server.core.jobs import Job, Jobs, Then
from acerace_server.core.match import Setup
from acerace_server.core.names import Names
from acerace_server.core.records import LiveTable, Record, SequelTold
from acerace_server.core.refusal import RefusalError
from acerace_server.core.registry import Registry
from acerace_server.core.replay import replay
from acerace_server.core.session import Player, Sessions

_TABLE_KEY_BYTES: Final = 10

Handler = Callable[[Connection, Any, int], None]
"""Answers one message of a connection, which arrived at a time in nanoseconds.

Raises :class:`RefusalError`, which becomes a ``problem``.
"""


class Desk(Protocol):
    """Answers some types of messages."""

    @property
    def answers(self) -> Mapping[type, Handler]: ...


@dataclass(frozen=True, slots=True)
class World:
    """What the core needs of the world, as values and functions."""

    entropy: Callable[[int], bytes]
    today: Callable[[], str]
    """The UTC date as ``2026-11-30``."""
    server: str
    seed: bytes | None = None
    """If set, every deal can be foretold from it: for tests."""
    limits: Mapping[str, int] = field(default_factory=dict[str, int])
    """Those that are other than in :data:`LIMITS`; those of the shell too, to be told."""
    house_secret: str | None = None
    """What house bots show to be taken for such; none: there are none."""


class Office:
    """The state between connections and tables, with the few things that every desk does with it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.outgoing: list[Outgoing] = []
        self.registry = Registry(self.outgoing)
        self.sessions = Sessions(world.entropy)
        self.connections: dict[int, Connection] = {}
        self.jobs = Jobs()
        self.names = Names()
        self.closing = False
        self.when_over: list[Callable[[Hosted], None]] = []
        """What desks do about a match that has ended."""
        self.when_back: list[Callable[[Hosted, Connection, int], None]] = []
        """What desks tell a connection that follows a table, or does so again, whose match has ended."""
        self.limits = {**LIMITS, **world.limits}
        self.limits["commands_burst"] = max(COMMANDS_BURST, 2 * self.limits["commands_per_second"])

    @property
    def records(self) -> list[Record]:
        """For the journal."""
        return self.registry.accepted

    # --- telling ---

    def send(self, connection: Connection, message: ServerMessage) -> None:
        self.outgoing.append(Outgoing((connection.number,), message))

    def tell(self, receivers: tuple[int, ...], message: ServerMessage) -> None:
        self.outgoing.append(Outgoing(receivers, message))

    def tell_player(self, player: Player, message: ServerMessage) -> None:
        self.tell(tuple(player.connections), message)

    # --- slow work ---

    def ask(
        self,
        connection: Connection,
        job: Job,
        go_on: Then,
        *,
        nonce: int | None = None,
        settled: Callable[[], None] = lambda: None,
    ) -> None:
        """Have a job done for a connection, which may be gone when ``go_on`` is called with the result.

        What ``go_on`` refuses becomes a problem, and so does a job that failed. ``settled`` is called before, in
        either case. Raises :class:`RefusalError` (``TOO_MANY``).
        """
        self.jobs.ask(job, self._then(connection, go_on, nonce, settled))

    def look_up(self, connection: Connection, job: Job, go_on: Then) -> None:
        """As :meth:`ask`, for a connection that has said hello and nothing else; it is never one too many.

        After a restart everybody comes at once. Raises :class:`RefusalError` (``TOO_FAST``) while it waits.
        """
        if connection.looked_up:
            raise RefusalError(Fault.TOO_FAST, "one hello at a time; wait for the answer")

        def wanted() -> bool:
            return connection.number in self.connections

        def settled() -> None:
            connection.looked_up = False

        connection.looked_up = True
        self.jobs.queue(job, self._then(connection, go_on, None, settled), wanted)

    def _then(self, connection: Connection, go_on: Then, nonce: int | None, settled: Callable[[], None]) -> Then:
        def then(result: object, at: int) -> None:
            settled()
            try:
                if isinstance(result, Exception):
                    raise RefusalError(Fault.STORE_FAILED, "the server could not look it up")  # noqa: TRY301
                go_on(result, at)
            except RefusalError as refusal:
                if connection.number in self.connections:
                    self.send(connection, Problem(code=refusal.fault, detail=refusal.detail, nonce=nonce))

        return then

    # --- tables ---

    def require_open(self) -> None:
        """Raises :class:`RefusalError` when no new table is opened."""
        if self.closing:
            raise RefusalError(Fault.SERVER_CLOSING, "the server stops; no new table is opened")
        self.registry.require_room()

    def seats_left(self, player: Player) -> int:
        """How many more seats this player may get."""
        return max(0, TABLES_PER_PLAYER - self.registry.live_among(player.tables))

    def player_with_room(self, connection: Connection) -> Player:
        """The connection's player, who may get one more seat. Raises :class:`RefusalError`."""
        self.require_open()
        player = connection.player
        if not self.seats_left(player):
            raise RefusalError(Fault.TOO_MANY, f"you have {TABLES_PER_PLAYER} tables; end or leave one first")
        return player

    def new_table_key(self) -> str:
        while True:
            key = self.world.entropy(_TABLE_KEY_BYTES).hex()
            if key not in self.registry:
                return key

    def open_table(self, setup: Setup, players: Iterable[Player], *, public: bool) -> Hosted:
        """Open a table; all connections of its players follow it and are told of it."""
        hosted = self.registry.open(setup, public=public)
        for seat, player in enumerate(players):
            player.tables[hosted.key] = seat
            for number in player.connections:
                connection = self.connections[number]
                self.send(connection, Seated(table=hosted.key, seat=seat))
                self.follow(hosted, connection, setup.opened_at)
        self.tell(hosted.everyone, hosted.snapshot(setup.opened_at))
        return hosted

    def restore_table(self, table: LiveTable, at: int) -> None:
        """Bring a table back to where its log ends; nobody follows it yet. One that fails does so alone."""
        try:
            match = replay(table.setup, table.log)
        except Exception as fault:  # noqa: BLE001  # whatever it is, it must not keep the other tables away
            self.registry.give_up(table.setup.table, fault)
            return
        hosted = Hosted(match, public=table.public, now=at)
        hosted.logged = len(match.log)
        if match.ended:
            hosted.over_at = at  # its end was followed up before
            hosted.sequel = table.sequel
        self.registry.restore(hosted)
        for seat, info in enumerate(table.setup.players):
            if info.player in self.sessions:
                self.sessions[info.player].tables[hosted.key] = seat
            self.registry.away(hosted, seat, at)

    def seen_table(self, connection: Connection, key: str) -> Hosted:
        """A table this connection may follow: one in the open, or one of its own.

        Raises :class:`RefusalError` (``NO_SUCH_TABLE``).
        """
        hosted = self.registry.get(key)
        solo = hosted is not None and hosted.match.setup.code is not None
        if hosted is None or (solo and key not in connection.player.tables):
            raise RefusalError(Fault.NO_SUCH_TABLE, f"{key!r}: it is over and put away, or never was")
        return hosted

    def followed_table(self, connection: Connection, key: str) -> Hosted:
        """A table this connection follows. Raises :class:`RefusalError` (``NO_SUCH_TABLE``, ``NOT_WATCHING``)."""
        hosted = self.seen_table(connection, key)
        if not hosted.follows(connection.number):
            raise RefusalError(Fault.NOT_WATCHING, f"you do not follow {key!r}; watch it first")
        return hosted

    def seat(self, connection: Connection, key: str, at: int) -> tuple[Hosted, int]:
        """The table and this connection's seat there. It follows from now on: only followers get answers.

        Raises :class:`RefusalError` (``NO_SUCH_TABLE``, ``NOT_SEATED``).
        """
        hosted = self.seen_table(connection, key)
        seat = connection.player.tables.get(key)
        if seat is None:
            raise RefusalError(Fault.NOT_SEATED, f"you have no seat at {key!r}")
        self.follow(hosted, connection, at)
        return hosted, seat

    def follow(self, hosted: Hosted, connection: Connection, at: int) -> None:
        """Let a connection follow a table. Raises :class:`RefusalError` (``TOO_MANY``) for a spectator of too many."""
        if hosted.key in connection.tables:
            return
        seat = connection.player.tables.get(hosted.key)
        if seat is None:
            self._require_room_to_watch(connection)
        connection.tables.add(hosted.key)
        self.registry.follow(hosted, connection.number, seat, at)

    def follow_late(self, hosted: Hosted, connection: Connection, delay_s: int, at: int) -> None:
        """Let a spectator follow a table ``delay_s`` after everybody else. Raises as :meth:`follow`."""
        self._unfollow(hosted, connection, at)
        self._require_room_to_watch(connection)
        connection.tables.add(hosted.key)
        self.registry.follow_late(hosted, connection.number, delay_s, at)

    def tell_sequel(self, hosted: Hosted, connection: Connection, at: int) -> None:
        """Tell a connection again what the table was told after its end: that is no event, and may have been missed."""
        for message in hosted.sequel:
            self.send(connection, message)
        if hosted.over_at is not None:
            for follow_up in self.when_back:
                follow_up(hosted, connection, at)

    def stop_being_late(self, hosted: Hosted, connection: Connection, at: int) -> None:
        """Let a connection that follows late follow no more; it may follow like everybody else then."""
        if hosted.delay_ns_of(connection.number) is not None:
            self._unfollow(hosted, connection, at)

    def leave_late(self, connection: Connection, key: str) -> bool:
        """Whether a connection was still told of a table that is put away; it is not any more."""
        if key not in connection.tables or key in self.registry:
            return False
        connection.tables.discard(key)
        self.registry.late.drop(key, connection.number)
        return True

    def unfollow_all(self, connection: Connection, at: int) -> None:
        for key in (*connection.tables,):
            hosted = self.registry.get(key)
            if hosted:
                self.registry.unfollow(hosted, connection.number, at)
            else:
                self.leave_late(connection, key)

    def tick_late(self, at: int) -> None:
        """Tell those who follow late what is due."""
        self.registry.late.tick(at, self._closed_late)

    def _closed_late(self, number: int, key: str) -> None:
        if number in self.connections:
            self.connections[number].tables.discard(key)

    def _unfollow(self, hosted: Hosted, connection: Connection, at: int) -> None:
        if hosted.key in connection.tables:
            connection.tables.discard(hosted.key)
            self.registry.unfollow(hosted, connection.number, at)

    @staticmethod
    def _require_room_to_watch(connection: Connection) -> None:
        watched = connection.tables - connection.player.tables.keys()
        if len(watched) >= WATCHED_PER_CONNECTION:
            raise RefusalError(Fault.TOO_MANY, f"a connection watches {WATCHED_PER_CONNECTION} tables at most")

    def sweep(self) -> None:
        """Follow up on what has happened at tables: matches that ended, and tables that were put away."""
        over = self.registry.over.copy()
        self.registry.over.clear()
        for hosted in over:
            for follow_up in self.when_over:
                follow_up(hosted)
            if hosted.sequel:
                self.records.append(SequelTold(hosted.key, hosted.sequel))
        for hosted in self.registry.put_away:
            closing = Closing(detail="the table is put away", table=hosted.key)
            followers = [number for number in hosted.everyone if number in self.connections]  # some may have just gone
            self.tell(tuple(followers), closing)
            for group in hosted.late.values():
                group.hold(closing, 0)  # right after all else that is held
            for number in followers:
                self.connections[number].tables.discard(hosted.key)
            for info in hosted.match.setup.players:
                if info.player in self.sessions:
                    self.sessions[info.player].tables.pop(hosted.key, None)
        self.registry.put_away.clear()
