"""TV: which of the live tables to show to who does not know what to watch."""

from collections.abc import Iterable
from dataclasses import dataclass

from acerace_protocol.messages import PlayerInfo
from acerace_server.core.ratings import NEW_RATING

_RATING_STEP = 100
"""Ratings nearer to each other than about this are alike."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A table that may be shown."""

    table: str
    players: tuple[PlayerInfo, ...]
    contributions: tuple[int, ...]
    """By seat: cards of its own deck on the foundations."""


class Tv:
    """The featured table. It stays the same while it can be shown, however good another one becomes."""

    def __init__(self) -> None:
        self.featured: str | None = None

    def turn(self, candidates: Iterable[Candidate]) -> str | None:
        """Choose another table, if there is one; called when the featured one cannot be shown (any more)."""
        best = min(candidates, key=_rank, default=None)
        self.featured = best.table if best else None
        return self.featured


def _rank(candidate: Candidate) -> tuple[int, int, int, int]:
    """The least is the best: people before bots, then the best rated, then the closest, then who has come furthest."""
    ratings = [player.rating for player in candidate.players]
    known = [NEW_RATING if rating is None else rating for rating in ratings] if any(ratings) else []
    rating = sum(known) // len(candidate.players)
    gap = max(candidate.contributions) - min(candidate.contributions)
    bots = sum(player.bot for player in candidate.players)
    return bots, -(rating // _RATING_STEP), gap, -sum(candidate.contributions)
