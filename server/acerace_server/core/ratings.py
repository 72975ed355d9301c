"""Which pool a match is rated in, what a player is worth there, and how a result changes it (docs/adr/0008-ratings.md).

A rating is a belief: strength ``mu`` with the uncertainty ``sigma``. People are shown a number like chess players have:
1500 for the average, and 30 for each unit of ``mu``, so that about 400 more win ten times as often.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from openskill.models import BradleyTerryFull

from acerace_protocol.limits import Fault
from acerace_protocol.people import RatingInfo
from acerace_rules.options import Value
from acerace_server.core.records import Rating
from acerace_server.core.refusal import RefusalError
from acerace_server.core.session import Player

NEW_RATING: Final = 1500
"""What is expected of one without a rated match."""
_SCALE: Final = 30
_MODEL: Final = BradleyTerryFull()
_PROVISIONAL_SIGMA: Final = 5.0
"""Reached after about 20 matches; before, a rating says little."""


def pool_of(options: Mapping[str, Value], *, bot: bool) -> str:
    """People and bots are rated apart, and so are the paces."""
    return f"{'bots' if bot else 'people'}-{options['pace']}"


POOLS: Final = tuple(
    pool_of({"pace": pace}, bot=bot) for bot in (False, True) for pace in ("simultaneous", "alternating")
)


def rating_of(player: Player, pool: str) -> int | None:
    """As people are shown it; ``None``: no rated match in this pool yet."""
    rating = player.ratings.get(pool)
    return shown(rating).rating if rating else None


def new_rating(player: str, pool: str) -> Rating:
    """Of one who has not played a rated match in this pool."""
    return Rating(player, pool, mu=_MODEL.mu, sigma=_MODEL.sigma, games=0, updated_seq=0)


def shown(rating: Rating) -> RatingInfo:
    """A rating as people are shown it."""
    return RatingInfo(
        pool=rating.pool,
        rating=round(NEW_RATING + _SCALE * (rating.mu - _MODEL.mu)),
        deviation=round(_SCALE * rating.sigma),
        games=rating.games,
        provisional=rating.sigma > _PROVISIONAL_SIGMA,
    )


def rate(before: Sequence[Rating], winner: int | None) -> tuple[Rating, ...]:
    """The ratings after a match of two; ``winner`` is an index into ``before``, ``None``: a draw.

    How much the winner won by changes nothing: see the decision for what the library makes of it.
    """
    ranks = [1.0 if winner is None or winner == seat else 2.0 for seat in range(len(before))]
    beliefs = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    seq = 1 + max(rating.updated_seq for rating in before)
    return tuple(
        Rating(rating.player, rating.pool, belief.mu, belief.sigma, rating.games + 1, seq)
        for rating, (belief,) in zip(before, _MODEL.rate(beliefs, ranks=ranks), strict=True)
    )


def require_pool(pool: str) -> str:
    """Raises :class:`RefusalError` (``MALFORMED``) for a pool that there is not."""
    if pool not in POOLS:
        raise RefusalError(Fault.MALFORMED, f"there is no pool {pool!r}; expected one of {', '.join(POOLS)}")
    return pool
