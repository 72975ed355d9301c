"""The whole server without wires: connections' messages and times in, messages for connections out.

The shell calls :meth:`Hub.receive` for each message as it arrives and :meth:`Hub.settle` once at the end of the loop
turn. Table commands only wait in their table's inbox until then; everything else is done at once.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, cast

from acerace_protocol.codec import MalformedMessageError
from acerace_protocol.limits import (
    COMMANDS_BURST,
    COMMANDS_PER_SECOND,
    LIMITS,
    LISTED_MAX,
    MALFORMED_PER_CONNECTION,
    RESUMED_EVENTS_PER_MESSAGE,
    TABLES_PER_PLAYER,
    WATCHED_PER_CONNECTION,
    CloseCode,
    Fault,
)
from acerace_protocol.messages import (
    Accept,
    Ask,
    ClientMessage,
    Closing,
    Command,
    Hello,
    Leave,
    Legal,
    ListGames,
    ListSeeks,
    ListTables,
    Ping,
    Pong,
    Problem,
    Refused,
    Resume,
    Seated,
    Seek,
    Seeking,
    Seeks,
    ServerMessage,
    Solo,
    TableCommand,
    Tables,
    Unseek,
    Unsought,
    Watch,
    Welcome,
)
from acerace_rules.moves import IllegalMoveError
from acerace_server.core.catalogue import GAMES_MESSAGE
from acerace_server.core.connection import Connection
from acerace_server.core.deals import Deals
from acerace_server.core.hosted import Hosted, Outgoing
from acerace_server.core.lobby import Lobby, Pairing, RefusalError
from acerace_server.core.match import Setup
from acerace_server.core.records import PlayerMade, Record
from acerace_server.core.registry import Registry
from acerace_server.core.session import Player, Sessions

_TABLE_KEY_BYTES: Final = 6


class Hub:
    """Everything that holds between connections, seeks and tables."""

    def __init__(
        self,
        *,
        entropy: Callable[[int], bytes],
        server: str,
        today: Callable[[], str],
        seed: bytes | None = None,
        commands_per_second: int = COMMANDS_PER_SECOND,
    ) -> None:
        self.outgoing: list[Outgoing] = []
        """For the shell to drain, in order."""
        self._registry = Registry(self.outgoing)
        self._entropy = entropy
        self._server = server
        self._deals = Deals(entropy, today, seed)
        self._commands_per_second = commands_per_second
        self._commands_burst = max(COMMANDS_BURST, 2 * commands_per_second)
        self._connections: dict[int, Connection] = {}
        self._sessions = Sessions(entropy)
        self._lobby = Lobby(entropy)
        self._closing = False

    @property
    def accepted(self) -> list[Record]:
        """For the journal to commit, and to clear, before anything in ``outgoing`` is sent."""
        return self._registry.accepted

    @property
    def faults(self) -> list[tuple[str, Exception]]:
        """Tables that had to be closed, and why: for the shell to log, and to clear."""
        return self._registry.faults

    # --- connections ---

    def connect(self, conn: int, at: int) -> None:
        per_second, burst = self._commands_per_second, self._commands_burst
        self._connections[conn] = Connection(conn, burst, at, per_second, burst)

    def disconnect(self, conn: int, at: int) -> None:
        """Forget a connection; its player's seats and seek stay until the player's last connection is gone."""
        connection = self._connections.pop(conn, None)
        if connection is None:
            return
        for hosted in self._followed(connection):
            self._registry.unfollow(hosted, conn, at)
        player = connection.found
        if player:
            self._sessions.leave(conn, player, at)
            if not player.connections:
                self._lobby.withdraw(player.key)

    def receive(self, conn: int, message: ClientMessage, at: int) -> None:
        """Take one message in. It is answered in this call, or by :meth:`settle` if it is a table command."""
        connection = self._connections[conn]
        try:
            connection.pay(at)
            if isinstance(message, Hello):
                self._hello(connection, message)
            elif connection.player and isinstance(message, TableCommand):
                self._enqueue(connection, message, at)
            else:
                self._ANSWERS[type(message)](self, connection, message, at)
        except RefusalError as refusal:
            nonce = getattr(message, "nonce", None)
            self._send(conn, Problem(code=refusal.fault, detail=refusal.detail, nonce=nonce))

    def malformed(self, conn: int, error: MalformedMessageError, at: int) -> None:
        """Say what was wrong with a frame; close the connection when it is one too many."""
        del at
        connection = self._connections[conn]
        connection.malformed += 1
        if connection.malformed > MALFORMED_PER_CONNECTION + 1:
            return  # it has been closed; this came in the same read
        close = CloseCode.TOO_MANY_MALFORMED if connection.malformed > MALFORMED_PER_CONNECTION else None
        self.outgoing.append(Outgoing((conn,), Problem(code=error.fault, detail=error.detail), close))

    def settle(self) -> None:
        """Judge all commands that wait, in the order of their arrival."""
        self._registry.settle()
        self._sweep()

    # --- time ---

    def deadline(self) -> int | None:
        """When :meth:`tick` has something to do next, in nanoseconds."""
        return self._registry.deadline()

    def tick(self, at: int) -> None:
        """Carry out all timers that have run out, after what arrived before they did."""
        self._registry.settle()
        self._registry.tick(at)
        self._sessions.forget_absent(at)
        self._sweep()

    def close(self, at: int) -> None:
        """Tell everyone that the server stops; nothing new begins after this."""
        self.settle()
        self.tick(at)
        self._closing = True
        self.outgoing.append(Outgoing((*self._connections,), Closing(detail="the server stops"), CloseCode.GOING_AWAY))

    def health(self) -> dict[str, int]:
        return {
            "connections": len(self._connections),
            "players": len(self._sessions),
            "seeks": len(self._lobby),
            "tables": len(self._registry),
            "tables_live": self._registry.live,
        }

    # --- one method a message ---

    def _hello(self, connection: Connection, message: Hello) -> None:
        if connection.found:
            raise RefusalError(Fault.HELLO_TWICE, f"this connection is {connection.found.name}")
        player = connection.found = self._sessions.enter(connection.number, message)
        if message.token is None:
            digest = hashlib.sha256(player.token.encode()).hexdigest()
            self.accepted.append(PlayerMade(player.key, digest, player.name, player.bot))
        self._send(
            connection.number,
            Welcome(
                player=player.key,
                name=player.name,
                token=player.token,
                server=self._server,
                limits=LIMITS
                | {"commands_per_second": self._commands_per_second, "commands_burst": self._commands_burst},
                tables=tuple(player.tables),
            ),
        )

    def _ping(self, connection: Connection, message: Ping, at: int) -> None:
        del at
        self._send(connection.number, Pong(nonce=message.nonce))

    def _list_games(self, connection: Connection, message: ListGames, at: int) -> None:
        del message, at
        self._send(connection.number, GAMES_MESSAGE)

    def _list_seeks(self, connection: Connection, message: ListSeeks, at: int) -> None:
        del message, at
        self._send(connection.number, Seeks(seeks=self._lobby.listed()))

    def _list_tables(self, connection: Connection, message: ListTables, at: int) -> None:
        del message, at
        self._send(connection.number, Tables(tables=self._registry.listed(LISTED_MAX)))

    def _seek(self, connection: Connection, message: Seek, at: int) -> None:
        player = self._player_with_room(connection)
        found = self._lobby.seek(
            player.key, player.name, message.game, message.options, bot=player.bot, private=message.private
        )
        if isinstance(found, Pairing):
            self._pair(found, at)
        else:
            self._tell_player(player, Seeking(seek=found.key, private=found.private))

    def _unseek(self, connection: Connection, message: Unseek, at: int) -> None:
        del message, at
        player = connection.player
        seek = self._lobby.withdraw(player.key)
        if seek is None:
            raise RefusalError(Fault.NO_SUCH_SEEK, "you have no open seek")
        self._tell_player(player, Unsought(seek=seek.key))

    def _accept(self, connection: Connection, message: Accept, at: int) -> None:
        player = self._player_with_room(connection)
        self._pair(self._lobby.accept(player.key, message.seek), at)

    def _solo(self, connection: Connection, message: Solo, at: int) -> None:
        player = self._player_with_room(connection)
        deal = self._deals.solo(message)
        setup = Setup(
            table=self._new_key(),
            game=deal.game,
            options=deal.options,
            players=(player.info,),
            opened_at=at,
            code=deal.code,
        )
        self._open(setup, (player,), public=False, at=at)

    def _watch(self, connection: Connection, message: Watch, at: int) -> None:
        hosted = self._seen_table(connection, message.table)
        self._follow(hosted, connection, at)
        self._send(connection.number, hosted.snapshot())

    def _resume(self, connection: Connection, message: Resume, at: int) -> None:
        hosted = self._seen_table(connection, message.table)
        self._follow(hosted, connection, at)
        missed = hosted.match.history.since(message.seen)
        for event in [hosted.snapshot()] if missed is None else missed:
            self._send(connection.number, event)
        connection.charge(len(missed or ()) // RESUMED_EVENTS_PER_MESSAGE)

    def _leave(self, connection: Connection, message: Leave, at: int) -> None:
        hosted = self._followed_table(connection, message.table)
        self._registry.settle()  # what this connection sent before is still answered
        seat = hosted.seat_of(connection.number)
        connection.tables.discard(hosted.key)
        self._registry.unfollow(hosted, connection.number, at)
        if seat is not None and hosted.match.setup.code is not None:
            self._registry.remove(hosted)
            self._sweep()

    def _legal(self, connection: Connection, message: Legal, at: int) -> None:
        hosted, seat = self._seat(connection, message.table, at)
        if message.on:
            hosted.wants_legal[connection.number] = seat
            self._send(connection.number, hosted.match.legal(seat))
        else:
            hosted.wants_legal.pop(connection.number, None)

    def _ask(self, connection: Connection, message: Ask, at: int) -> None:
        hosted, seat = self._seat(connection, message.table, at)
        try:
            self._send(connection.number, hosted.match.advise(seat, message))
        except IllegalMoveError as error:
            refused = Refused(table=hosted.key, nonce=message.nonce, reason=error.reason, detail=error.detail)
            self._send(connection.number, refused)

    _ANSWERS: ClassVar[Mapping[type, Callable[[Any, Connection, Any, int], None]]] = {
        Ping: _ping,
        ListGames: _list_games,
        ListSeeks: _list_seeks,
        ListTables: _list_tables,
        Seek: _seek,
        Unseek: _unseek,
        Accept: _accept,
        Solo: _solo,
        Watch: _watch,
        Resume: _resume,
        Leave: _leave,
        Legal: _legal,
        Ask: _ask,
    }

    # --- what they are made of ---

    def _enqueue(self, connection: Connection, message: TableCommand, at: int) -> None:
        hosted, seat = self._seat(connection, message.table, at)
        self._registry.enqueue(hosted, seat, cast("Command", message), at)

    def _player_with_room(self, connection: Connection) -> Player:
        if self._closing:
            raise RefusalError(Fault.SERVER_CLOSING, "the server stops; no new table is opened")
        self._registry.require_room()
        player = connection.player
        if self._registry.live_among(player.tables) >= TABLES_PER_PLAYER:
            raise RefusalError(Fault.TOO_MANY, f"you have {TABLES_PER_PLAYER} tables; end or leave one first")
        return player

    def _pair(self, pairing: Pairing, at: int) -> None:
        players = tuple(self._sessions[key] for key in pairing.players)
        for player in players:
            seek = self._lobby.withdraw(player.key)
            if seek:  # who is seated has found an opponent
                self._tell_player(player, Unsought(seek=seek.key))
        setup = Setup(
            table=self._new_key(),
            game=pairing.game,
            options=pairing.options,
            players=tuple(player.info for player in players),
            opened_at=at,
            secret=self._deals.secret(),
        )
        self._open(setup, players, public=not pairing.seek.private, at=at)

    def _open(self, setup: Setup, players: tuple[Player, ...], *, public: bool, at: int) -> None:
        hosted = self._registry.open(setup, public=public)
        for seat, player in enumerate(players):
            player.tables[hosted.key] = seat
            for conn in player.connections:
                self._send(conn, Seated(table=hosted.key, seat=seat))
                self._follow(hosted, self._connections[conn], at)
        self._tell(hosted.everyone, hosted.snapshot())

    def _new_key(self) -> str:
        while True:
            key = self._entropy(_TABLE_KEY_BYTES).hex()
            if key not in self._registry:
                return key

    def _seen_table(self, connection: Connection, key: str) -> Hosted:
        """A table this connection may follow: one in the open, or one of its own."""
        hosted = self._registry.get(key)
        solo = hosted is not None and hosted.match.setup.code is not None
        if hosted is None or (solo and key not in connection.player.tables):
            raise RefusalError(Fault.NO_SUCH_TABLE, f"{key!r}: it is over and put away, or never was")
        return hosted

    def _followed_table(self, connection: Connection, key: str) -> Hosted:
        hosted = self._seen_table(connection, key)
        if not hosted.follows(connection.number):
            raise RefusalError(Fault.NOT_WATCHING, f"you do not follow {key!r}; watch it first")
        return hosted

    def _seat(self, connection: Connection, key: str, at: int) -> tuple[Hosted, int]:
        """The table and this connection's seat there. It follows from now on: only followers get answers."""
        hosted = self._seen_table(connection, key)
        seat = connection.player.tables.get(key)
        if seat is None:
            raise RefusalError(Fault.NOT_SEATED, f"you have no seat at {key!r}")
        self._follow(hosted, connection, at)
        return hosted, seat

    def _follow(self, hosted: Hosted, connection: Connection, at: int) -> None:
        if hosted.key in connection.tables:
            return
        seat = connection.player.tables.get(hosted.key)
        if seat is None and len(connection.tables) >= WATCHED_PER_CONNECTION:
            raise RefusalError(Fault.TOO_MANY, f"a connection follows {WATCHED_PER_CONNECTION} tables at most")
        connection.tables.add(hosted.key)
        self._registry.follow(hosted, connection.number, seat, at)

    def _followed(self, connection: Connection) -> list[Hosted]:
        return [hosted for key in connection.tables if (hosted := self._registry.get(key))]

    def _sweep(self) -> None:
        """Forget what was put away wherever it is still known."""
        for hosted in self._registry.put_away:
            self._tell(hosted.everyone, Closing(detail="the table is put away", table=hosted.key))
            for conn in hosted.everyone:
                self._connections[conn].tables.discard(hosted.key)
            for info in hosted.match.setup.players:
                if info.player in self._sessions:
                    self._sessions[info.player].tables.pop(hosted.key, None)
        self._registry.put_away.clear()

    def _tell_player(self, player: Player, message: ServerMessage) -> None:
        self._tell(tuple(player.connections), message)

    def _tell(self, receivers: tuple[int, ...], message: ServerMessage) -> None:
        self.outgoing.append(Outgoing(receivers, message))

    def _send(self, conn: int, message: ServerMessage) -> None:
        self.outgoing.append(Outgoing((conn,), message))
