"""Who comes in, and what needs no table and no opponent."""

from collections.abc import Mapping

from acerace_protocol.limits import Fault
from acerace_protocol.messages import Hello, ListGames, Ping, Pong, Problem, Welcome
from acerace_server.core.catalogue import GAMES_MESSAGE
from acerace_server.core.connection import Connection
from acerace_server.core.jobs import FindPlayer
from acerace_server.core.lobby import RefusalError
from acerace_server.core.office import Handler, Office
from acerace_server.core.records import KnownPlayer, PlayerMade
from acerace_server.core.session import Player, sha256_of


class FrontDesk:
    """Greets connections."""

    def __init__(self, office: Office) -> None:
        self._office = office

    @property
    def answers(self) -> Mapping[type, Handler]:
        return {Hello: self._hello, Ping: self._ping, ListGames: self._list_games}

    def _hello(self, connection: Connection, message: Hello, at: int) -> None:
        del at
        office = self._office
        if connection.found:
            raise RefusalError(Fault.HELLO_TWICE, f"this connection is {connection.found.name}")
        greeted = office.sessions.greet(message)
        if greeted is None:
            self._look_up(connection, message.token or "")
            return
        player, token = greeted
        if message.token is None:
            office.records.append(PlayerMade(player.key, sha256_of(token), player.name, player.bot))
        self._enter(connection, player, token)

    def _look_up(self, connection: Connection, token: str) -> None:
        """Ask the store for a player who has been away for long, or whom an earlier run knew."""

        def found(result: object, at: int) -> None:
            del at
            try:
                if not isinstance(result, KnownPlayer):
                    detail = "nobody has this token; say hello without one to be a new guest"
                    raise RefusalError(Fault.UNKNOWN_TOKEN, detail)  # noqa: TRY301  # answered like any refusal
                if connection.found is None:
                    self._enter(connection, self._office.sessions.know(result), token)
            except RefusalError as refusal:
                self._office.send(connection, Problem(code=refusal.fault, detail=refusal.detail))

        self._office.jobs.ask(FindPlayer(sha256_of(token)), found)

    def _enter(self, connection: Connection, player: Player, token: str) -> None:
        office = self._office
        office.sessions.enter(connection.number, player)
        connection.found = player
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
