"""After a match: the next one of a series by itself, or another one if both want it (RULES.md 6, D53, D55)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from acerace_protocol.limits import REMATCH_MS, Fault
from acerace_protocol.messages import ServerMessage
from acerace_protocol.people import NextMatch, Rematch, RematchOffered, SeriesStands
from acerace_protocol.units import MS_NS
from acerace_server.core.connection import Connection
from acerace_server.core.desks.seating import Agreement, SeatingDesk
from acerace_server.core.hosted import Hosted
from acerace_server.core.match import Setup
from acerace_server.core.office import Handler, Office
from acerace_server.core.records import SequelTold
from acerace_server.core.refusal import RefusalError
from acerace_server.core.series import after, next_of, with_seats_exchanged
from acerace_server.core.session import Player


@dataclass(slots=True)
class _Offer:
    """A match that is over, and who wants another one."""

    until: int
    """In nanoseconds."""
    wanted_by: set[int] = field(default_factory=set[int])
    """Seats."""


class RematchDesk:
    """Seats the same two again, each in the other seat."""

    def __init__(self, office: Office, seating: SeatingDesk) -> None:
        self._office = office
        self._seating = seating
        self._offers: dict[str, _Offer] = {}
        """By table; the one that expires first is first."""
        office.when_over.append(self._over)
        office.when_back.append(self._remind)

    @property
    def answers(self) -> Mapping[type, Handler]:
        return {Rematch: self._rematch}

    def player_left(self, player: Player) -> None:
        """The last connection of a player is gone, and with it what the player wanted."""
        for table, seat in player.tables.items():
            if offer := self._offers.get(table):
                offer.wanted_by.discard(seat)

    # --- when a match is over ---

    def _over(self, hosted: Hosted) -> None:
        setup, ended, at = hosted.match.setup, hosted.match.ended, hosted.over_at
        if setup.code is not None or ended is None or at is None:
            return
        if any(info.player not in self._office.sessions for info in setup.players):
            return  # of an earlier run, and never seen in this one
        self._new_offer(hosted.key, at)
        self._series_goes_on(hosted, at)
        if ended.winner is None and not _has_gone_on(hosted):  # "a new deal is offered" (D53)
            self._tell_players(setup, RematchOffered(table=hosted.key))

    def _series_goes_on(self, hosted: Hosted, at: int) -> None:
        """Tell where the series stands, if there is one, and open the next match of it."""
        setup, ended = hosted.match.setup, hosted.match.ended
        if setup.series is None or ended is None:
            return
        stands = after(setup.series, ended)
        if not stands.over and not self._can_go_on(hosted):
            stands = replace(stands, over=True)
        told = SeriesStands(table=hosted.key, series=stands)
        hosted.tell_sequel(told, self._office.outgoing.append, at)
        self._office.tell(self._not_following(hosted), told)
        if stands.over:
            return
        agreed = Agreement(setup.game, with_seats_exchanged(setup.options), hosted.public, setup.rated, next_of(stands))
        self._play_on(hosted, agreed, at)

    def _can_go_on(self, hosted: Hosted) -> bool:
        """Whether there is a table for the next match, and anyone to play it: else two idlers would fill the night."""
        ended = hosted.match.ended
        there = any(player.connections for player in self._players(hosted.match.setup))
        active = ended is not None and (any(ended.moves) or ended.nonce is not None)
        return there and active and self._office.registry.has_room

    # --- when somebody wants another one ---

    def _remind(self, hosted: Hosted, connection: Connection, at: int) -> None:
        """Tell a player who is back what was offered meanwhile."""
        offer = self._offers.get(hosted.key)
        if offer is None or offer.until <= at or _has_gone_on(hosted) or hosted.key not in connection.player.tables:
            return
        drawn = hosted.match.ended is not None and hosted.match.ended.winner is None
        for seat in [None] * drawn + sorted(offer.wanted_by):
            self._office.send(connection, RematchOffered(table=hosted.key, seat=seat))

    def _rematch(self, connection: Connection, message: Rematch, at: int) -> None:
        player = self._office.player_with_room(connection)
        hosted = self._office.seen_table(connection, message.table)
        seat = player.tables.get(hosted.key)
        if seat is None:
            raise RefusalError(Fault.NOT_SEATED, f"you have no seat at {hosted.key!r}")
        offer = self._open_offer(hosted, at)
        offered = RematchOffered(table=hosted.key, seat=seat)
        if seat in offer.wanted_by:
            self._office.send(connection, offered)
            return
        if offer.wanted_by:
            self._seat_again(hosted, 1 - seat, at)
        else:
            offer.wanted_by.add(seat)
            self._tell_players(hosted.match.setup, offered)

    def _open_offer(self, hosted: Hosted, at: int) -> _Offer:
        """Raises :class:`RefusalError`: ``NOT_OVER``, ``NOT_ALLOWED``."""
        setup = hosted.match.setup
        if hosted.match.phase != "over":
            raise RefusalError(Fault.NOT_OVER, f"{hosted.key!r} is not over")
        if setup.code is not None:
            raise RefusalError(Fault.NOT_ALLOWED, "a solo game has no rematch")
        offer = self._offers.get(hosted.key)
        if offer is None and hosted.over_at is not None:  # of an earlier run, or expired
            offer = self._new_offer(hosted.key, hosted.over_at)
        if offer is None or offer.until <= at or _has_gone_on(hosted):
            raise RefusalError(Fault.NOT_ALLOWED, "it is too late for a rematch, or the next match is there already")
        return offer

    def _seat_again(self, hosted: Hosted, other: int, at: int) -> None:
        """Raises :class:`RefusalError` when it is not possible now; the offer stands."""
        setup = hosted.match.setup
        players = self._players(setup)
        if not self._office.seats_left(players[other]):
            raise RefusalError(Fault.TOO_MANY, "the other player has no seat left")
        agreed = Agreement(setup.game, with_seats_exchanged(setup.options), hosted.public, setup.rated)
        self._play_on(hosted, agreed, at)
        self._office.records.append(SequelTold(hosted.key, hosted.sequel))

    # --- ---

    def _play_on(self, hosted: Hosted, agreed: Agreement, at: int) -> None:
        """Seat the two again, each in the other's seat, and let their spectators know where. Raises as ``seat``."""
        first, second = self._players(hosted.match.setup)
        following = self._seating.seat((second, first), agreed, at)
        hosted.tell_sequel(NextMatch(table=hosted.key, next=following.key), self._office.outgoing.append, at)

    def _players(self, setup: Setup) -> tuple[Player, Player]:
        first, second = (self._office.sessions[info.player] for info in setup.players)
        return first, second

    def _tell_players(self, setup: Setup, message: ServerMessage) -> None:
        for player in self._players(setup):
            self._office.tell_player(player, message)

    def _not_following(self, hosted: Hosted) -> tuple[int, ...]:
        """The connections of the players that do not follow this table."""
        players = self._players(hosted.match.setup)
        return tuple(number for player in players for number in player.connections if not hosted.follows(number))

    def _new_offer(self, table: str, at: int) -> _Offer:
        """For a match that ended at ``at``; forgets those that have expired by then."""
        while self._offers and self._offers[first := next(iter(self._offers))].until <= at:
            del self._offers[first]
        offer = self._offers[table] = _Offer(at + REMATCH_MS * MS_NS)
        return offer


def _has_gone_on(hosted: Hosted) -> bool:
    """Whether the next match is there."""
    return any(isinstance(message, NextMatch) for message in hosted.sequel)
