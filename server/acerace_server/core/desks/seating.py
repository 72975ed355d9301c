"""From seeks, invitations and wishes to a seat at a table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from acerace_protocol.limits import WISHES_REMEMBERED, Fault
from acerace_protocol.messages import (
    Accept,
    ListSeeks,
    PlayerInfo,
    Problem,
    Seated,
    Seek,
    Seeking,
    Seeks,
    SeriesInfo,
    Solo,
    Unseek,
    Unsought,
)
from acerace_rules.options import Value
from acerace_server.core.catalogue import chosen_options
from acerace_server.core.connection import Connection
from acerace_server.core.deals import Deals
from acerace_server.core.hosted import Hosted
from acerace_server.core.lobby import Lobby, OpenSeek, Pairing, Seeker, Wish
from acerace_server.core.match import Setup
from acerace_server.core.office import Handler, Office
from acerace_server.core.ratings import NEW_RATING, pool_of, rating_of
from acerace_server.core.refusal import RefusalError
from acerace_server.core.series import first_of
from acerace_server.core.session import Player

_SEATS = 2


@dataclass(frozen=True, slots=True)
class Agreement:
    """What two players have agreed to play."""

    game: str
    options: Mapping[str, Value]
    public: bool
    rated: bool = False
    series: SeriesInfo | None = None
    """Where it stands, if this is not the first match."""


class SeatingDesk:
    """Gives seats."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._deals = Deals(office.world.entropy, office.world.today, office.world.seed)
        self.lobby = Lobby(office.world.entropy)
        self.when_sought: list[Callable[[OpenSeek], None]] = []
        """What other desks do about a seek that nobody took at once."""

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

    def deadline(self) -> int | None:
        return self.lobby.deadline()

    def tick(self, at: int) -> None:
        """Pair those who have waited long enough for each other."""
        while pairing := self.lobby.due(at):
            try:
                self._office.require_open()
            except RefusalError as refusal:
                self._part(pairing, refusal)
            else:
                self._pair(pairing, at)

    def seat(
        self,
        players: tuple[Player, Player],
        agreed: Agreement,
        at: int,
        nonces: tuple[int | None, int | None] = (None, None),
    ) -> Hosted:
        """Open a table for two, who seek no longer; ``nonces`` of the messages in which they wished for it.

        Raises :class:`RefusalError` when the server has no room for it.
        """
        office = self._office
        office.registry.require_room()
        for player in players:
            self._withdraw(player)
        setup = Setup(
            table=office.new_table_key(),
            game=agreed.game,
            options=agreed.options,
            players=tuple(_info(player, agreed) for player in players),
            opened_at=at,
            secret=self._deals.secret(),
            rated=agreed.rated,
            series=agreed.series or first_of(agreed.options),
        )
        hosted = office.open_table(setup, players, public=agreed.public)
        for player, nonce in zip(players, nonces, strict=True):
            _remember(player, nonce, hosted)
        for seat, player in enumerate(players):
            if not player.connections:
                office.registry.away(hosted, seat, at)
        return hosted

    def was_fulfilled(self, connection: Connection, nonce: int | None, at: int) -> bool:
        """Whether this very wish has led to a seat before, which is told again then.

        A client whose line has broken cannot know whether its wish was heard, and sends it again. Raises
        :class:`RefusalError` (``NO_SUCH_TABLE``) if the table is put away.
        """
        office, player = self._office, connection.player
        if nonce is None or nonce not in player.wishes:
            return False
        hosted = office.seen_table(connection, player.wishes[nonce])
        office.send(connection, Seated(table=hosted.key, seat=player.tables[hosted.key]))
        if not hosted.follows(connection.number):
            office.follow(hosted, connection, at)
            office.send(connection, hosted.snapshot(at))
        return True

    def _list_seeks(self, connection: Connection, message: ListSeeks, at: int) -> None:
        del message, at
        self._office.send(connection, Seeks(seeks=self.lobby.listed()))

    def _seek(self, connection: Connection, message: Seek, at: int) -> None:
        if self.was_fulfilled(connection, message.nonce, at):
            return
        open_seek = self.lobby.sought(connection.player.key)
        if open_seek and message.nonce is not None and open_seek.seeker.nonce == message.nonce:
            self._office.send(connection, Seeking(seek=open_seek.key, private=open_seek.private))
            return
        player = self._office.player_with_room(connection)
        game, options = chosen_options(message.game, message.options, seats=_SEATS)
        wish = Wish(game, options, message.private, message.rated, message.house)
        rating = rating_of(player, pool_of(options, bot=player.bot))
        seeker = Seeker(player.key, player.name, player.bot, rating, message.nonce)
        found = self.lobby.seek(seeker, wish, NEW_RATING if rating is None else rating, at)
        if isinstance(found, Pairing):
            self._pair(found, at)
            return
        self._office.tell_player(player, Seeking(seek=found.key, private=found.private))
        for follow_up in self.when_sought:
            follow_up(found)

    def _unseek(self, connection: Connection, message: Unseek, at: int) -> None:
        del message, at
        if not self._withdraw(connection.player):
            raise RefusalError(Fault.NO_SUCH_SEEK, "you have no open seek")

    def _accept(self, connection: Connection, message: Accept, at: int) -> None:
        if self.was_fulfilled(connection, message.nonce, at):
            return
        player = self._office.player_with_room(connection)
        self._pair(self.lobby.accept(player.key, message.seek, bot=player.bot, nonce=message.nonce), at)

    def _solo(self, connection: Connection, message: Solo, at: int) -> None:
        if self.was_fulfilled(connection, message.nonce, at):
            return
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
        _remember(player, message.nonce, self._office.open_table(setup, (player,), public=False))
        if not self._office.seats_left(player):
            self._withdraw(player)  # there is no seat left for the opponent one had sought

    def _pair(self, pairing: Pairing, at: int) -> None:
        first, second = (self._office.sessions[key] for key in pairing.players)
        wish = pairing.seek.wish
        agreed = Agreement(wish.game, wish.options, not wish.private, wish.rated)
        self.seat((first, second), agreed, at, pairing.nonces)

    def _part(self, pairing: Pairing, refusal: RefusalError) -> None:
        """Tell those who have met that there is no table for them, and that they seek no longer."""
        for seek in pairing.seeks:
            player = self._office.sessions[seek.player]
            self._office.tell_player(player, Unsought(seek=seek.key))
            problem = Problem(code=refusal.fault, detail=refusal.detail, nonce=seek.seeker.nonce)
            self._office.tell_player(player, problem)

    def _withdraw(self, player: Player) -> bool:
        seek = self.lobby.withdraw(player.key)
        if seek:
            self._office.tell_player(player, Unsought(seek=seek.key))
        return seek is not None


def _remember(player: Player, nonce: int | None, hosted: Hosted) -> None:
    if nonce is not None:
        player.wishes[nonce] = hosted.key
        if len(player.wishes) > WISHES_REMEMBERED:
            del player.wishes[next(iter(player.wishes))]


def _info(player: Player, agreed: Agreement) -> PlayerInfo:
    if not agreed.rated:
        return player.info
    return replace(player.info, rating=rating_of(player, pool_of(agreed.options, bot=player.bot)))
