"""The ratings as they are. The journal writes them (``writers.py``)."""

from sqlalchemy import Select, select

from acerace_server.adapters.sql.database import Database
from acerace_server.adapters.sql.schema import ratings
from acerace_server.ports import Rating

_ALL = select(
    ratings.c.player, ratings.c.pool, ratings.c.mu, ratings.c.sigma, ratings.c.games, ratings.c.updated_seq
)  # in the order of Rating's fields


class SqlRatings:
    """Implements :class:`acerace_server.ports.Ratings`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def rating(self, player: str, pool: str) -> Rating | None:
        found = self._found(_ALL.where(ratings.c.player == player, ratings.c.pool == pool))
        return found[0] if found else None

    def ratings_of(self, player: str) -> tuple[Rating, ...]:
        return self._found(_ALL.where(ratings.c.player == player).order_by(ratings.c.pool))

    def best(self, pool: str, limit: int) -> tuple[Rating, ...]:
        surest = (ratings.c.mu - 3 * ratings.c.sigma).desc()
        return self._found(_ALL.where(ratings.c.pool == pool).order_by(surest, ratings.c.player).limit(limit))

    def _found(self, query: Select[str, str, float, float, int, int]) -> tuple[Rating, ...]:
        with self._database.reading() as connection:
            return tuple(Rating(*row) for row in connection.execute(query))
