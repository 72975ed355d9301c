"""The embedded store: one directory, one server."""

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from acerace_server.adapters.sql.accounts import SqlAccounts
from acerace_server.adapters.sql.archive import SqlArchive
from acerace_server.adapters.sql.checkpoint import LOOK_EVERY_S, Checkpointer, tidy
from acerace_server.adapters.sql.database import Database
from acerace_server.adapters.sql.journal import SqlJournal
from acerace_server.adapters.sql.live import LiveTables
from acerace_server.adapters.sql.migrate import migrate
from acerace_server.adapters.sql.ratings import SqlRatings
from acerace_server.adapters.sql.records import SqlRecords
from acerace_server.adapters.sql.recovery import SqlRecovery
from acerace_server.adapters.sql.schema import METADATA
from acerace_server.adapters.sql.sqlite import DirectoryLock, Synchronous, memory_database, open_database
from acerace_server.ports import StoreError

BUSY_TIMEOUT_MS: Final = 2_000
"""How long a commit waits for another program that has the database locked; the loop stands still for as long."""


class SqlStore:
    """Implements :class:`acerace_server.ports.Store` over one SQL database."""

    def __init__(
        self,
        database: Database,
        utc_us: Callable[[], int],
        lock: DirectoryLock | None = None,
        look_every_s: float = LOOK_EVERY_S,
    ) -> None:
        """Over a database that has the schema; :meth:`open` and :meth:`in_memory` make one of SQLite's.

        ``utc_us`` says the time in microseconds of UTC since 1970. ``lock``: of the data directory, if there is one.
        """
        self._database = database
        self._lock = lock
        live: LiveTables = {}
        self.journal = SqlJournal(database, live, utc_us)
        self.recovery = SqlRecovery(database, live)
        self.archive = SqlArchive(database)
        self.records = SqlRecords(database)
        self.accounts = SqlAccounts(database)
        self.ratings = SqlRatings(database)
        self._checkpointer = (
            Checkpointer(database, lambda: self.journal.written, look_every_s=look_every_s) if lock else None
        )

    @classmethod
    def open(
        cls,
        directory: Path,
        *,
        utc_us: Callable[[], int],
        synchronous: Synchronous = "normal",
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        look_every_s: float = LOOK_EVERY_S,
    ) -> Self:
        """Open a data directory, which is made if it is not there, and bring its schema up to date.

        Raises :class:`StoreError`: in use by another server, locked, damaged, of a newer schema, no place to write.
        ``look_every_s``: how often checkpoint.py looks.
        """
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)  # it will have secrets of running games in it
        except OSError as error:
            raise StoreError(f"{directory}: {error.strerror}") from error
        lock = DirectoryLock.take(directory)
        try:
            database = open_database(directory, synchronous=synchronous, busy_timeout_ms=busy_timeout_ms)
            try:
                tidy(database)
                migrate(database)
                return cls(database, utc_us, lock, look_every_s)
            except BaseException:
                database.engine.dispose()
                raise
        except BaseException:
            lock.release()
            raise

    @classmethod
    def in_memory(cls, *, utc_us: Callable[[], int]) -> Self:
        """A store that can do all that one on a disk can, and is gone when it is closed."""
        database = memory_database()
        with database.writing() as connection:
            METADATA.create_all(connection)  # the same as all migrations, and a test compares them
        return cls(database, utc_us)

    def close(self) -> None:
        """Close it all; no method may be called after this."""
        self.journal.close()
        if self._checkpointer:
            self._checkpointer.close()
        self._database.engine.dispose()
        if self._lock:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
