"""The ratings of players: a rated match changes them, and anyone may ask who is best."""

from collections.abc import Mapping
from typing import cast

from acerace_protocol.people import GetRanking, RankedPlayer, Ranking, Rated, RatedSeat
from acerace_server.core.archive_requests import ArchiveRequests
from acerace_server.core.connection import Connection
from acerace_server.core.hosted import Hosted
from acerace_server.core.jobs import FindRanking
from acerace_server.core.office import Handler, Office
from acerace_server.core.ratings import new_rating, pool_of, rate, require_pool, shown
from acerace_server.core.records import Rating


class RatingDesk:
    """Keeps the ratings."""

    def __init__(self, office: Office, requests: ArchiveRequests) -> None:
        self._office = office
        self._requests = requests
        office.when_over.append(self._rate)

    @property
    def answers(self) -> Mapping[type, Handler]:
        return {GetRanking: self._get_ranking}

    def _rate(self, hosted: Hosted) -> None:
        """Change the players' ratings by a result; both go into the journal with it, in one commit."""
        setup, ended = hosted.match.setup, hosted.match.ended
        if not setup.rated or ended is None:
            return
        players = [self._office.sessions[info.player] for info in setup.players]
        pool = pool_of(setup.options, bot=players[0].bot)
        before = [player.ratings.get(pool) or new_rating(player.key, pool) for player in players]
        after = rate(before, ended.winner)
        self._office.records.extend(after)
        for player, rating in zip(players, after, strict=True):
            player.ratings[pool] = rating
        rated = Rated(table=hosted.key, seats=_seats(before, after))
        hosted.tell_sequel(rated, self._office.outgoing.append, hosted.over_at or 0)

    def _get_ranking(self, connection: Connection, message: GetRanking, at: int) -> None:
        del at
        pool = require_pool(message.pool)

        def answer(found: object) -> Ranking:
            players = cast("tuple[RankedPlayer, ...]", found)
            return Ranking(pool=pool, players=players, nonce=message.nonce)

        self._requests.ask(connection, message.nonce, FindRanking(pool), answer)


def _seats(before: list[Rating], after: tuple[Rating, ...]) -> tuple[RatedSeat, ...]:
    return tuple(
        RatedSeat(seat=seat, before=shown(old).rating, after=shown(new))
        for seat, (old, new) in enumerate(zip(before, after, strict=True))
    )
