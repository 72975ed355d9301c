"""Disk full, locked, damaged, in use: refused or stopped with the reason, and nothing half-written."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import event

from acerace_server.adapters.sql.migrate import migrate
from acerace_server.adapters.sql.sqlite import DirectoryLock, open_database
from acerace_server.adapters.sql.store import SqlStore
from acerace_server.core.records import Record, TableOpened
from acerace_server.ports import JournalError, StoreError
from tests.contract.stores import UtcClock, open_store, records_on_disk
from tests.contract.told import ADA, duel, entries, made
from tests.server.adapters.sql.support import HURRY_MS, Disk
from tests.small_disk import on_small_disk

ROOT = Path(__file__).parents[4]


# --- disk full ---


def small_store(directory: Path, pages: int) -> SqlStore:
    """A store whose database may not become greater than this."""
    database = open_database(directory, synchronous="normal", busy_timeout_ms=50)
    migrate(database)
    database.engine.dispose()

    def limit(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(database.engine, "connect", limit)
    return SqlStore(database, UtcClock(), DirectoryLock.take(directory), look_every_s=60)


def test_a_full_disk_stops_the_journal_at_the_last_whole_commit(tmp_path: Path) -> None:
    written: list[Record] = [TableOpened(duel("t1"), public=True)]
    failure: JournalError | None = None
    with small_store(tmp_path, pages=60) as store:
        store.journal.commit(written)
        while failure is None and len(written) < 100_000:
            first = len(written) - 1
            turn = entries("t1", *range(first, first + 10), first=first)
            try:
                store.journal.commit(turn)
                written += turn
            except JournalError as error:
                failure = error
        assert "the disk is full" in str(failure)
        with pytest.raises(JournalError, match="an earlier commit failed: the disk is full"):
            store.journal.commit(entries("t1", 1))
        assert records_on_disk(tmp_path) == written
    with open_store(tmp_path) as again:
        (table,) = again.recovery.recover(0).tables
        assert len(table.log) == len(written) - 1


FILL = """
import sys, itertools
from pathlib import Path
from acerace_server.core.records import Record, TableOpened
from acerace_server.ports import JournalError
from tests.contract.stores import open_store
from tests.contract.told import duel, entries
in_the_way = Path(sys.argv[1] + ".something else")
in_the_way.write_bytes(bytes(300_000))
store = open_store(Path(sys.argv[1]))
store.journal.commit([TableOpened(duel("t1"), public=True)])
for number in itertools.count():
    try:
        store.journal.commit(entries("t1", number, first=number))
    except JournalError as error:
        print(number, error)
        break
store.close()
in_the_way.unlink()
with open_store(Path(sys.argv[1])) as again:
    print(len(again.recovery.recover(0).tables[0].log))
"""


def test_a_file_system_that_is_full(tmp_path: Path) -> None:
    command = [*on_small_disk(tmp_path, "2m"), sys.executable, "-c", FILL, str(tmp_path / "data")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    failed, recovered = done.stdout.splitlines()
    acknowledged, reason = failed.split(maxsplit=1)
    assert "the disk is full" in reason
    assert int(acknowledged) > 100
    assert recovered == acknowledged


# --- locked ---


def test_a_commit_does_not_wait_for_ever_for_another_program(disk: Disk) -> None:
    store = disk.hurry()
    with disk.locked(), pytest.raises(JournalError, match="another program keeps the database locked"):
        store.journal.commit(made(ADA))
    assert records_on_disk(disk.directory) == []


WRITES: list[Callable[[SqlStore], object]] = [
    lambda store: store.recovery.recover(0),
]


@pytest.mark.parametrize("write", WRITES)
def test_nor_does_anything_else_that_writes(disk: Disk, write: Callable[[SqlStore], object]) -> None:
    store = disk.hurry()
    with disk.locked(), pytest.raises(StoreError, match="another program keeps the database locked"):
        write(store)


def test_an_old_schema_that_is_locked_is_not_migrated(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    disk.store.close()
    disk.change("DELETE FROM alembic_version")
    with disk.locked(), pytest.raises(StoreError, match="another program keeps the database locked"):
        open_store(tmp_path, HURRY_MS)


# --- in use ---


def test_a_directory_has_one_server(disk: Disk) -> None:
    with pytest.raises(StoreError, match="is in use by another server"):
        open_store(disk.directory)
    disk.restart().journal.commit(made(ADA))


def test_a_server_in_another_process_is_another_server(disk: Disk) -> None:
    code = "import sys, pathlib; from tests.contract.stores import open_store; open_store(pathlib.Path(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(disk.directory)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert f"StoreError: {disk.directory} is in use by another server" in done.stderr


def test_a_store_that_cannot_be_opened_leaves_the_directory_free(tmp_path: Path) -> None:
    (tmp_path / "acerace.sqlite3").write_bytes(b"no database" * 1000)
    for _ in range(2):
        with pytest.raises(StoreError, match="the database is damaged, or is not one"):
            open_store(tmp_path)
    (tmp_path / "acerace.sqlite3").unlink()
    open_store(tmp_path).close()


# --- damaged, or no place at all ---


def filled(directory: Path) -> Path:
    with open_store(directory) as store:
        store.journal.commit([*made(ADA), TableOpened(duel("t1"), public=True), *entries("t1", *range(5000))])
    return directory / "acerace.sqlite3"


@pytest.mark.parametrize(
    ("start", "end"), [(0.0, 0.001), (0.0, 1.0), (0.3, 1.0)], ids=["header", "everything", "most pages"]
)
def test_a_damaged_file_is_refused_with_the_reason(tmp_path: Path, start: float, end: float) -> None:
    file = filled(tmp_path)
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(int(size * start))
        opened.write(b"\xa5" * int(size * (end - start)))
    with pytest.raises(StoreError, match="the database is damaged"), open_store(tmp_path) as store:
        store.recovery.recover(0)


def test_a_file_cut_short_is_refused_with_the_reason(tmp_path: Path) -> None:
    file = filled(tmp_path)
    os.truncate(file, file.stat().st_size // 2)
    with pytest.raises(StoreError, match="the database is damaged"), open_store(tmp_path) as store:
        store.recovery.recover(0)


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "acerace.sqlite3")
    connection.execute("CREATE TABLE players (shirt_number)")
    connection.close()
    with pytest.raises(StoreError, match="table players already exists"):
        open_store(tmp_path)
    assert records_in_schema(tmp_path) == ["players"]


def records_in_schema(directory: Path) -> list[str]:
    connection = sqlite3.connect(directory / "acerace.sqlite3")
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    connection.close()
    return names


def test_a_file_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with pytest.raises(StoreError, match="File exists"):
        open_store(tmp_path / "data")


def test_a_new_directory_is_its_owners_alone(tmp_path: Path) -> None:
    open_store(tmp_path / "some" / "data").close()
    assert (tmp_path / "some" / "data").stat().st_mode & 0o777 == 0o700
