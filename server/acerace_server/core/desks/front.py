"""Who comes in, and what needs no table and no opponent."""

import hashlib
from collections.abc import Mapping

from acerace_protocol.limits import Fault
from acerace_protocol.messages import Hello, ListGames, Ping, Pong, Welcome
from acerace_server.core.catalogue import GAMES_MESSAGE
from acerace_server.core.connection import Connection
from acerace_server.core.lobby import RefusalError
from acerace_server.core.office import Handler, Office
from acerace_server.core.records import PlayerMade


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
        player = connection.found = office.sessions.enter(connection.number, message)
        if message.token is None:
            digest = hashlib.sha256(player.token.encode()).hexdigest()
            office.records.append(PlayerMade(player.key, digest, player.name, player.bot))
        welcome = Welcome(
            player=player.key,
            name=player.name,
            token=player.token,
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
