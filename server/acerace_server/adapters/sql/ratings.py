"""The ratings as they are. The journal writes them (``writers.py``)."""

import itertools
from collections.abc import Iterator
from operator import attrgetter

from sqlalchemy import ColumnElement, Connection, select

from acerace_server.adapters.sql.database import Database
from acerace_server.adapters.sql.schema import players, ratings
from acerace_server.core.records import Rating
from acerace_server.ports import Ranked

_COLUMNS = (
    ratings.c.player,
    ratings.c.pool,
    ratings.c.mu,
    ratings.c.sigma,
    ratings.c.games,
    ratings.c.updated_seq,
)  # in the order of Rating's fields
_ALL = select(*_COLUMNS)


class SqlRatings:
    """Implements :class:`acerace_server.ports.Ratings`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ratings_of(self, player: str) -> tuple[Rating, ...]:
        query = _ALL.where(ratings.c.player == player).order_by(ratings.c.pool)
        with self._database.reading() as connection:
            return tuple(Rating(*row) for row in connection.execute(query))

    def best(self, pool: str, limit: int) -> tuple[Ranked, ...]:
        surest = (ratings.c.mu - 3 * ratings.c.sigma).desc()
        query = select(*_COLUMNS, players.c.name, players.c.bot).join(players).where(ratings.c.pool == pool)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(surest, ratings.c.player).limit(limit))
            return tuple(Ranked(Rating(*row[:-2]), row.name, row.bot) for row in rows)


def ratings_by_player(connection: Connection, which: ColumnElement[bool]) -> Iterator[tuple[str, tuple[Rating, ...]]]:
    """The ratings of these players, one pair for each who has any."""
    query = _ALL.join(players).where(which).order_by(ratings.c.player, ratings.c.pool)
    found = [Rating(*row) for row in connection.execute(query)]
    for player, of_player in itertools.groupby(found, attrgetter("player")):
        yield player, tuple(of_player)
