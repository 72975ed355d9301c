"""The thread that brings the write-ahead log into the database, so that whoever commits need not wait for it."""

import logging
import threading
from collections.abc import Callable
from typing import Final

from sqlalchemy.engine.interfaces import DBAPICursor

from acerace_server.adapters.sql.database import Database
from acerace_server.adapters.sql.sqlite import Checkpoint, Mode, checkpoint

LOOK_EVERY_S: Final = 1.0
EVERY_ENTRIES: Final = 2_000  # 4 to 16 MiB of log
_LOOKS_MOST: Final = 10
"""As soon as there have been so many, however little is written."""
_LOG: Final = logging.getLogger(__name__)
RESTART_PAGES: Final = 32_768  # 128 MiB; a start that finds as much reads it in less than a second


def tidy(database: Database) -> None:
    """Bring what a run that was killed has left in the log into the database, before the next one adds to it.

    Else runs that are too short for a checkpoint would each leave more, and each start would read all of it. If it
    cannot be done nothing is lost.
    """
    connection = database.engine.raw_connection()
    connection.detach()  # a checkpoint leaves it with settings that are good for checkpoints only
    try:
        checkpoint(connection.cursor(), "TRUNCATE")
    except database.driver_error as error:
        _LOG.warning("no checkpoint: %s", database.why(error))
    finally:
        connection.close()


class Checkpointer:
    """Checkpoints on a connection of its own, until it is closed.

    Not more often than it must: each one makes the disk busy for a moment, which whoever commits may feel.
    """

    def __init__(
        self,
        database: Database,
        written: Callable[[], int],
        *,
        look_every_s: float = LOOK_EVERY_S,
        every_entries: int = EVERY_ENTRIES,
        restart_pages: int = RESTART_PAGES,
        checkpoint: Callable[[DBAPICursor, Mode], Checkpoint] = checkpoint,
    ) -> None:
        """``written`` says how much the journal has written so far."""
        self._database = database
        self._checkpoint = checkpoint
        self._written = written
        self._look_every_s = look_every_s
        self._every_entries = every_entries
        self._restart_pages = restart_pages
        self._connection = database.engine.raw_connection()
        self._cursor = self._connection.cursor()
        self._closing = threading.Event()
        self.error: str | None = None
        """Why the last one failed. That loses nothing: the log only grows until one succeeds."""
        self._thread = threading.Thread(target=self._run, name="acerace-checkpoint", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop, after a last checkpoint that leaves an empty log."""
        self._closing.set()
        self._thread.join()
        try:
            self._checkpoint(self._cursor, "TRUNCATE")
        except self._database.driver_error as error:
            self._failed(error)  # the log stays, and the next start reads it
        self._connection.close()

    def _run(self) -> None:
        done, looks = 0, 0
        while not self._closing.wait(self._look_every_s):
            written, looks = self._written(), looks + 1
            if written == done or (written - done < self._every_entries and looks < _LOOKS_MOST):
                continue
            try:
                self._once()
            except self._database.driver_error as error:
                self._failed(error)
            else:
                self.error, done, looks = None, written, 0

    def _once(self) -> None:
        if self._checkpoint(self._cursor, "PASSIVE").pages > self._restart_pages:
            # Under a steady load something is always written meanwhile, so the passive one never gets to the very end,
            # and the log would grow for ever. One more leaves so little that writers wait as shortly as can be.
            self._checkpoint(self._cursor, "PASSIVE")
            self._checkpoint(self._cursor, "RESTART")

    def _failed(self, error: Exception) -> None:
        reason = self._database.why(error)
        if reason != self.error:
            _LOG.warning("no checkpoint: %s", reason)
        self.error = reason
