"""What the desks of the hub share: who is connected, which tables there are, and the way to tell somebody something."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from acerace_protocol.limits import (
    COMMANDS_BURST,
    COMMANDS_PER_SECOND,
    LIMITS,
    TABLES_PER_PLAYER,
    WATCHED_PER_CONNECTION,
    Fault,
)
from acerace_protocol.messages import Closing, Seated, ServerMessage
from acerace_server.core.connection import Connection
from acerace_server.core.hosted import Hosted, Outgoing
from acerace_server.core.jobs import Jobs
from acerace_server.core.lobby import RefusalError
from acerace_server.core.match import Setup
from acerace_server.core.records import LiveTable, Record
from acerace_server.core.registry import Registry
from acerace_server.core.replay import replay
from acerace_server.core.session import Player, Sessions

_TABLE_KEY_BYTES: Final = 6

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
    commands_per_second: int = COMMANDS_PER_SECOND


class Office:
    """The state between connections and tables, with the few things that every desk does with it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.outgoing: list[Outgoing] = []
        self.registry = Registry(self.outgoing)
        self.sessions = Sessions(world.entropy)
        self.connections: dict[int, Connection] = {}
        self.jobs = Jobs()
        self.closing = False
        self.when_over: list[Callable[[Hosted], None]] = []
        """What desks do about a match that has ended."""
        burst = max(COMMANDS_BURST, 2 * world.commands_per_second)
        self.limits = LIMITS | {"commands_per_second": world.commands_per_second, "commands_burst": burst}

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

    # --- tables ---

    def player_with_room(self, connection: Connection) -> Player:
        """The connection's player, who may get one more seat. Raises :class:`RefusalError`."""
        if self.closing:
            raise RefusalError(Fault.SERVER_CLOSING, "the server stops; no new table is opened")
        self.registry.require_room()
        player = connection.player
        if self.registry.live_among(player.tables) >= TABLES_PER_PLAYER:
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
        self.tell(hosted.everyone, hosted.snapshot())
        return hosted

    def restore_table(self, table: LiveTable, at: int) -> None:
        """Bring a table back to where its log ends; nobody follows it yet."""
        match = replay(table.setup, table.log)
        hosted = Hosted(match, public=table.public, now=at)
        hosted.logged = len(match.log)
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
        if seat is None and len(connection.tables) >= WATCHED_PER_CONNECTION:
            raise RefusalError(Fault.TOO_MANY, f"a connection follows {WATCHED_PER_CONNECTION} tables at most")
        connection.tables.add(hosted.key)
        self.registry.follow(hosted, connection.number, seat, at)

    def unfollow_all(self, connection: Connection, at: int) -> None:
        for key in connection.tables:
            if hosted := self.registry.get(key):
                self.registry.unfollow(hosted, connection.number, at)

    def sweep(self) -> None:
        """Follow up on what has happened at tables: matches that ended, and tables that were put away."""
        over = self.registry.over.copy()
        self.registry.over.clear()
        for hosted in over:
            for follow_up in self.when_over:
                follow_up(hosted)
        for hosted in self.registry.put_away:
            self.tell(hosted.everyone, Closing(detail="the table is put away", table=hosted.key))
            for number in hosted.everyone:
                self.connections[number].tables.discard(hosted.key)
            for info in hosted.match.setup.players:
                if info.player in self.sessions:
                    self.sessions[info.player].tables.pop(hosted.key, None)
        self.registry.put_away.clear()
