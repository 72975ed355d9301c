"""The contracts by hand against PostgreSQL, which one SQL library is to speak one day (CONTRIBUTING.md)."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from sqlalchemy import create_engine

from acerace_server.adapters.sql.database import Database
from acerace_server.adapters.sql.migrate import migrate
from acerace_server.adapters.sql.schema import METADATA
from acerace_server.adapters.sql.store import SqlStore


@contextmanager
def store_in(url: str, utc_us: Callable[[], int]) -> Generator[tuple[SqlStore, Database]]:
    """A new store in the database at this SQLAlchemy URL, from which all of ours is dropped first."""
    engine = create_engine(url, paramstyle="format", isolation_level="REPEATABLE READ")
    database = Database(engine, None, str)
    with engine.begin() as connection:
        METADATA.drop_all(connection)
        connection.exec_driver_sql("DROP TABLE IF EXISTS alembic_version")
    migrate(database)
    with SqlStore(database, utc_us) as store:
        yield store, database
