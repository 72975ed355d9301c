"""Who comes in, and what needs no table and no opponent."""

from collections.abc import Mapping

from acerace_protocol.limits import GUESTS_PER_HOUR, Fault
from acerace_protocol.messages import Hello, ListGames, Ping, Pong, Welcome
from acerace_server.core.bucket import Buckets
from acerace_server.core.catalogue import GAMES_MESSAGE
from acerace_server.core.connection import Connection
from acerace_server.core.jobs import FindPlayer
from acerace_server.core.office import Handler, Office
from acerace_server.core.records import KnownPlayer, PlayerMade
from acerace_server.core.refusal import RefusalError
from acerace_server.core.session import Player, sha256_of

_HOUR_S = 3600


class FrontDesk:
    """Greets connections."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._guests = Buckets(GUESTS_PER_HOUR / _HOUR_S, GUESTS_PER_HOUR)
        """By address: nobody shall fill the server with guests, who are remembered for a day."""

    @property
    def answers(self) -> Mapping[type, Handler]:
        return {Hello: self._hello, Ping: self._ping, ListGames: self._list_games}

    def _hello(self, connection: Connection, message: Hello, at: int) -> None:
        office = self._office
        if connection.found:
            raise RefusalError(Fault.HELLO_TWICE, f"this connection is {connection.found.name}")
        if message.token is None and connection.source and not self._guests.take(connection.source, at):
            raise RefusalError(Fault.TOO_MANY, f"more than {GUESTS_PER_HOUR} new guests an hour from your address")
        greeted = office.sessions.greet(message)
        if greeted is None:
            self._look_up(connection, message.token or "")
            return
        player, token = greeted
        if message.token is None:
            player.name = office.names.shown(player.key, player.name)
            office.records.append(PlayerMade(player.key, sha256_of(token), player.name, player.bot))
        self.enter(connection, player, token)

    def _look_up(self, connection: Connection, token: str) -> None:
        """Ask the store for a player who has been away for long, or whom an earlier run knew."""
        office, sha256 = self._office, sha256_of(token)

        def found(result: object, at: int) -> None:
            del at
            player = office.sessions.know(result) if isinstance(result, KnownPlayer) else None
            if player is None or sha256 not in player.tokens_sha256:  # it may just have been revoked
                raise RefusalError(Fault.UNKNOWN_TOKEN, "nobody has this token; say hello without one as a new guest")
            if connection.found is None and connection.number in office.connections:
                self.enter(connection, player, token)

        office.look_up(connection, FindPlayer(sha256), found)

    def enter(self, connection: Connection, player: Player, token: str) -> None:
        """Let a connection speak for a player, and welcome it. Raises :class:`RefusalError` (``TOO_MANY``)."""
        office = self._office
        office.sessions.enter(connection.number, player, connection.source)
        player.name = office.names.shown(player.key, player.name)
        connection.found, connection.token_sha256 = player, sha256_of(token)
        welcome = Welcome(
            player=player.key,
            name=player.name,
            token=token,
            server=office.world.server,
            limits=office.limits,
            tables=tuple(player.tables),
        )
        office.send(connection, welcome)

    def _ping(self, connection: Connection, message: Ping, at: int) -> None:
        del at
        self._office.send(connection, Pong(nonce=message.nonce))

    def _list_games(self, connection: Connection, message: ListGames, at: int) -> None:
        del message, at
        self._office.send(connection, GAMES_MESSAGE)
