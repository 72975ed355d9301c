"""The write-ahead log is brought into the database beside the loop, and neither grows for ever nor keeps anyone."""

import shutil
import sqlite3
import time
from collections.abc import Callable, Generator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy.engine.interfaces import DBAPICursor

from acerace_server.adapters.sql.checkpoint import Checkpointer
from acerace_server.adapters.sql.database import Database
from acerace_server.adapters.sql.journal import SqlJournal
from acerace_server.adapters.sql.migrate import migrate
from acerace_server.adapters.sql.sqlite import Checkpoint, Mode, checkpoint, open_database
from acerace_server.core.records import TableOpened
from tests.contract.stores import UtcClock, open_store
from tests.contract.told import duel, entries
from tests.server.adapters.sql.support import Disk

PAGE = 4096


@pytest.fixture
def database(tmp_path: Path) -> Generator[Database]:
    opened = open_database(tmp_path, synchronous="normal", busy_timeout_ms=500)
    migrate(opened)
    yield opened
    opened.engine.dispose()


def write(database: Database, turns: int) -> None:
    """So many loop turns, at the pace of a busy server."""
    journal = SqlJournal(database, {}, UtcClock())
    journal.commit([TableOpened(duel("t1"), public=True)])
    for number in range(turns):
        journal.commit(entries("t1", number, first=number))
        time.sleep(0.0002)
    journal.close()


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 100
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_log_does_not_grow_for_ever_under_a_steady_load(database: Database, tmp_path: Path) -> None:
    checkpointer = Checkpointer(database, count().__next__, look_every_s=0.01, every_entries=1, restart_pages=50)
    write(database, 1500)
    log_bytes = (tmp_path / "acerace.sqlite3-wal").stat().st_size
    checkpointer.close()
    assert log_bytes < 1500 * PAGE
    assert checkpointer.error is None
    assert (tmp_path / "acerace.sqlite3").stat().st_size > 20 * PAGE


def test_without_it_nothing_reaches_the_database(database: Database, tmp_path: Path) -> None:
    before = (tmp_path / "acerace.sqlite3").stat().st_size
    write(database, 1500)
    assert (tmp_path / "acerace.sqlite3").stat().st_size == before
    assert (tmp_path / "acerace.sqlite3-wal").stat().st_size > 1500 * PAGE


def test_a_slow_reader_keeps_neither_the_log_nor_the_journal(disk: Disk) -> None:
    database = open_database(disk.directory, synchronous="normal", busy_timeout_ms=0)
    with disk.reader() as reading:
        reading.execute("SELECT count(*) FROM entries").fetchall()
        checkpointer = Checkpointer(database, count().__next__, look_every_s=0.001, every_entries=1, restart_pages=1)
        write(database, 300)
        checkpointer.close()
    database.engine.dispose()


def test_after_the_close_the_log_is_gone(tmp_path: Path) -> None:
    log = tmp_path / "acerace.sqlite3-wal"
    with open_store(tmp_path) as store:
        store.journal.commit([TableOpened(duel("t1"), public=True), *entries("t1", *range(100))])
        assert log.stat().st_size > 0
    assert not log.exists()


class BadDisk:
    """Where every checkpoint fails until it is mended."""

    mended = False

    def checkpoint(self, cursor: DBAPICursor, mode: Mode) -> Checkpoint:
        if self.mended:
            return checkpoint(cursor, mode)
        raise sqlite3.OperationalError("no space")


def test_a_checkpoint_that_fails_is_reported_once_and_tried_again(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    disk = BadDisk()
    checkpointer = Checkpointer(
        database, count(1).__next__, look_every_s=0.01, every_entries=1, checkpoint=disk.checkpoint
    )
    until(lambda: checkpointer.error is not None)
    assert checkpointer.error == "the database refused (no space)"
    time.sleep(0.05)
    disk.mended = True
    until(lambda: checkpointer.error is None)
    checkpointer.close()
    assert [record.getMessage() for record in caplog.records] == ["no checkpoint: the database refused (no space)"]
    assert checkpointer.error is None


def test_a_last_checkpoint_that_fails_does_not_keep_the_store_from_closing(database: Database) -> None:
    checkpointer = Checkpointer(database, lambda: 1, look_every_s=60, checkpoint=BadDisk().checkpoint)
    checkpointer.close()
    assert checkpointer.error == "the database refused (no space)"


class Counted:
    """Counts checkpoints that are not the last one."""

    def __init__(self) -> None:
        self.times = 0

    def checkpoint(self, cursor: DBAPICursor, mode: Mode) -> Checkpoint:
        self.times += mode == "PASSIVE"
        return checkpoint(cursor, mode)


def test_nothing_written_is_nothing_to_do(database: Database) -> None:
    counted = Counted()
    checkpointer = Checkpointer(database, lambda: 0, look_every_s=0.001, checkpoint=counted.checkpoint)
    time.sleep(0.1)
    checkpointer.close()
    assert counted.times == 0


def test_little_waits_for_more_but_not_for_ever(database: Database) -> None:
    counted = Counted()
    checkpointer = Checkpointer(database, lambda: 1, look_every_s=0.005, checkpoint=counted.checkpoint)
    begin = time.monotonic()
    until(lambda: counted.times == 1)
    assert time.monotonic() - begin > 0.04
    time.sleep(0.2)
    checkpointer.close()
    assert counted.times == 1, "once is enough for what was written"


def test_what_a_killed_run_has_left_is_not_left_to_the_run_after_the_next(database: Database, tmp_path: Path) -> None:
    write(database, 300)
    left = tmp_path / "as a killed server leaves it"
    left.mkdir()
    for name in ("acerace.sqlite3", "acerace.sqlite3-wal"):
        shutil.copy(tmp_path / name, left)
    assert (left / "acerace.sqlite3-wal").stat().st_size > 300 * PAGE
    with open_store(left) as store:
        assert (left / "acerace.sqlite3-wal").stat().st_size < 100 * PAGE
        (table,) = store.recovery.recover(0).tables
        assert len(table.log) == 300
