"""The write-ahead log: one transaction a commit."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from acerace_server.adapters.sql.database import Database, Writer
from acerace_server.adapters.sql.live import LiveTables
from acerace_server.adapters.sql.writers import WRITERS, Turn
from acerace_server.ports import JournalError


class SqlJournal:
    """Implements :class:`acerace_server.ports.Journal`, for any record that ``writers`` has a writer for."""

    def __init__(
        self,
        database: Database,
        live: LiveTables,
        utc_us: Callable[[], int],
        writers: Mapping[type, Callable[[Turn, Any], None]] = WRITERS,
    ) -> None:
        self._database = database
        self._writer = Writer(database)
        self._turn = Turn(self._writer, live, utc_us)
        self._writers = writers
        self._failure: str | None = None
        self.written = 0
        """Records, so far."""

    def commit(self, entries: Sequence[object]) -> None:
        """As the port says. After a failure every commit fails: what came later would follow on a gap."""
        if self._failure is not None:
            raise JournalError(f"an earlier commit failed: {self._failure}")
        if not entries:
            return
        try:
            self._write(entries)
        except self._database.driver_error as error:
            self._fail(self._database.why(error))
            raise JournalError(self._failure) from error
        except BaseException as error:
            self._fail(f"{type(error).__name__}: {error}")
            raise
        self.written += len(entries)

    def close(self) -> None:
        self._writer.close()

    def _write(self, entries: Sequence[object]) -> None:
        self._writer.begin()
        for kind, alike in itertools.groupby(entries, type):
            write = self._writers.get(kind)
            if write is None:
                raise JournalError(f"no writer for a record of type {kind.__name__}")
            write(self._turn, [*alike])
        self._writer.commit()

    def _fail(self, reason: str) -> None:
        self._failure = reason
        with suppress(self._database.driver_error):
            self._writer.rollback()
