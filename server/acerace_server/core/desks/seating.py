"""From seeks, invitations and wishes to a seat at a table."""

from collections.abc import Mapping

from acerace_protocol.limits import Fault
from acerace_protocol.messages import Accept, ListSeeks, Seek, Seeking, Seeks, Solo, Unseek, Unsought
from acerace_server.core.connection import Connection
from acerace_server.core.deals import Deals
from acerace_server.core.lobby import Lobby, Pairing, RefusalError
from acerace_server.core.match import Setup
from acerace_server.core.office import Handler, Office
from acerace_server.core.session import Player


class SeatingDesk:
    """Gives seats."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._deals = Deals(office.world.entropy, office.world.today, office.world.seed)
        self.lobby = Lobby(office.world.entropy)

    @property
    def answers(self) -> Mapping[type, Handler]:
        return {
            ListSeeks: self._list_seeks,
            Seek: self._seek,
            Unseek: self._unseek,
            Accept: self._accept,
            Solo: self._solo,
        }

    def player_left(self, player: Player) -> None:
        """The last connection of a player is gone, and with it the player's seek."""
        self.lobby.withdraw(player.key)

    def _list_seeks(self, connection: Connection, message: ListSeeks, at: int) -> None:
        del message, at
        self._office.send(connection, Seeks(seeks=self.lobby.listed()))

    def _seek(self, connection: Connection, message: Seek, at: int) -> None:
        player = self._office.player_with_room(connection)
        found = self.lobby.seek(
            player.key, player.name, message.game, message.options, bot=player.bot, private=message.private
        )
        if isinstance(found, Pairing):
            self._pair(found, at)
        else:
            self._office.tell_player(player, Seeking(seek=found.key, private=found.private))

    def _unseek(self, connection: Connection, message: Unseek, at: int) -> None:
        del message, at
        if not self._withdraw(connection.player):
            raise RefusalError(Fault.NO_SUCH_SEEK, "you have no open seek")

    def _accept(self, connection: Connection, message: Accept, at: int) -> None:
        player = self._office.player_with_room(connection)
        self._pair(self.lobby.accept(player.key, message.seek), at)

    def _solo(self, connection: Connection, message: Solo, at: int) -> None:
        player = self._office.player_with_room(connection)
        deal = self._deals.solo(message)
        setup = Setup(
            table=self._office.new_table_key(),
            game=deal.game,
            options=deal.options,
            players=(player.info,),
            opened_at=at,
            code=deal.code,
        )
        self._office.open_table(setup, (player,), public=False)

    def _pair(self, pairing: Pairing, at: int) -> None:
        office = self._office
        players = tuple(office.sessions[key] for key in pairing.players)
        for player in players:  # who is seated has found an opponent
            self._withdraw(player)
        setup = Setup(
            table=office.new_table_key(),
            game=pairing.game,
            options=pairing.options,
            players=tuple(player.info for player in players),
            opened_at=at,
            secret=self._deals.secret(),
        )
        office.open_table(setup, players, public=not pairing.seek.private)

    def _withdraw(self, player: Player) -> bool:
        seek = self.lobby.withdraw(player.key)
        if seek:
            self._office.tell_player(player, Unsought(seek=seek.key))
        return seek is not None
