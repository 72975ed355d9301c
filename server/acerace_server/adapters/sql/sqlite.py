"""All that is true of SQLite only: its file, its settings, its locks, its error codes, its write-ahead log."""

import sqlite3
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Self

from sqlalchemy import URL, Connection, create_engine, event
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool, QueuePool

from acerace_server.adapters.sql.database import Database
from acerace_server.ports import StoreError

Synchronous = Literal["normal", "full"]
"""``normal``: what was committed outlives the process, not always a loss of power; ``full``: that too, for a wait for
the disk with every commit."""

_FILE: Final = "acerace.sqlite3"
_LOCK: Final = "acerace.lock"
_CACHE_KIB: Final = 16_384
_MEMORY_BUSY_TIMEOUT_MS: Final = 10_000  # in memory whoever reads makes whoever commits wait
_REASONS: Final = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_BUSY": "another program keeps the database locked",
    "SQLITE_LOCKED": "another program keeps the database locked",
    "SQLITE_CORRUPT": "the database is damaged",
    "SQLITE_NOTADB": "the database is damaged, or is not one",
    "SQLITE_READONLY": "the database may not be written to",
    "SQLITE_CANTOPEN": "the database cannot be opened",
    "SQLITE_IOERR": "the disk cannot be read or written",
}


def database_file(directory: Path) -> Path:
    """Where a data directory has its database."""
    return directory / _FILE


def open_database(directory: Path, *, synchronous: Synchronous, busy_timeout_ms: int) -> Database:
    """The database in this directory, made if there is none. Raises :class:`StoreError`."""
    url = URL.create("sqlite+pysqlite", database=str(directory / _FILE))
    database = _database(url, synchronous, busy_timeout_ms)
    try:
        _switch_to_wal(database)
    except (DBAPIError, sqlite3.Error) as error:
        database.engine.dispose()
        raise StoreError(f"{directory / _FILE}: {why(error)}") from error
    return database


@contextmanager
def reading_only(file: Path) -> Generator[Connection]:
    """A connection that cannot write: a server may be running. Raises :class:`StoreError` for what is damaged."""
    uri = f"{file.absolute().as_uri()}?mode=ro"
    engine = create_engine("sqlite+pysqlite://", creator=lambda: sqlite3.connect(uri, uri=True), poolclass=NullPool)
    try:
        with engine.connect() as connection:
            yield connection
    except (DBAPIError, sqlite3.Error) as error:
        raise StoreError(f"{file}: {why(error)}") from error


def faults(connection: Connection) -> list[str]:
    """Every fault of the pages, or if there is none every reference to a row that is not there."""
    pages = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check") if row[0] != "ok"]
    if pages:
        return pages
    nowhere = connection.exec_driver_sql("PRAGMA foreign_key_check")
    return [f"row {row} of {table} refers to no row of {parent}" for table, row, parent, _ in nowhere]


def memory_database() -> Database:
    """A new database that is nowhere but in memory, and gone with its engine.

    SQLite's ``memdb``: unlike ``:memory:`` it has many connections, which wait for each other; no commit is durable.
    """
    name = f"file:/acerace-{uuid.uuid4().hex}"
    url = URL.create("sqlite+pysqlite", database=name, query={"vfs": "memdb", "uri": "true"})
    return _database(url, "normal", _MEMORY_BUSY_TIMEOUT_MS)


def _database(url: URL, synchronous: Synchronous, busy_timeout_ms: int) -> Database:
    # Not "begin" by the driver: it would begin none for DDL, and one that reads first and may fail when it writes.
    # Any thread may use a connection, one at a time: the pool sees to that.
    connect_args: dict[str, Any] = {
        "timeout": busy_timeout_ms / 1000,
        "isolation_level": None,
        "check_same_thread": False,
    }
    engine = create_engine(url, connect_args=connect_args, paramstyle="qmark", poolclass=QueuePool)

    def configure(connection: sqlite3.Connection, entry: ConnectionPoolEntry) -> None:
        del entry
        for pragma in (
            f"synchronous = {synchronous}",
            # The automatic checkpoint would stall whoever commits; checkpoint.py does it beside the loop.
            "wal_autocheckpoint = 0",
            f"cache_size = -{_CACHE_KIB}",
            "foreign_keys = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", configure)
    event.listen(engine, "begin", begin)
    return Database(engine, "BEGIN IMMEDIATE", why)


def _switch_to_wal(database: Database) -> None:
    """The file remembers it."""
    connection = database.engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


def why(error: Exception) -> str:
    """What went wrong, in one line, for an exception of SQLite's or SQLAlchemy's."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    name = str(getattr(cause, "sqlite_errorname", ""))
    reason = _REASONS.get("_".join(name.split("_")[:2]), "the database refused")
    return f"{reason} ({cause}{f', {name}' if name else ''})"


Mode = Literal["PASSIVE", "RESTART", "TRUNCATE"]
"""Of a checkpoint; see :func:`checkpoint`."""


class Checkpoint(NamedTuple):
    """What a checkpoint found: pages in the write-ahead log, and how many of them are in the database now.

    Both as of its beginning: what was written meanwhile is in neither.
    """

    pages: int
    done: int


def checkpoint(cursor: DBAPICursor, mode: Mode) -> Checkpoint:
    """Bring the write-ahead log into the database.

    ``PASSIVE`` never makes anyone wait, but the log's file can be used anew only if it got to the very end;
    the other two make those who write wait for that. Raises ``sqlite3.Error``.
    """
    # They would wait for readers with writers waiting for them: one slow query, and the loop stands still.
    cursor.execute("PRAGMA busy_timeout = 0")
    cursor.execute(f"PRAGMA wal_checkpoint({mode})")
    ((_, pages, done),) = cursor.fetchall()
    return Checkpoint(int(pages), int(done))


class DirectoryLock:
    """Held by the one server that uses a data directory, until it closes it or dies.

    It is an SQLite lock on a file of its own: SQLite locks in the way of each operating system, and a lock on the
    database itself would keep out our own other connections as well.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def take(cls, directory: Path) -> Self:
        """Raises :class:`StoreError` when another server holds it."""
        connection: sqlite3.Connection | None = None
        try:
            connection = sqlite3.connect(directory / _LOCK, timeout=0, isolation_level=None, check_same_thread=False)
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            if getattr(error, "sqlite_errorname", "") == "SQLITE_BUSY":
                raise StoreError(f"{directory} is in use by another server") from error
            raise StoreError(f"{directory / _LOCK}: {why(error)}") from error
        return cls(connection)

    def release(self) -> None:
        self._connection.close()
