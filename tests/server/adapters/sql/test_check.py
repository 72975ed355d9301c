"""Looking over a whole database: what is damaged anywhere in it is said in one line."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from acerace_server.adapters.sql.check import look_over
from acerace_server.core.records import TableOpened
from acerace_server.ports import StoreError
from tests.contract.stores import open_store
from tests.contract.told import ADA, BRUNO, duel, duel_ended, entries, made, played
from tests.server.adapters.sql.support import Disk


@pytest.fixture
def file(tmp_path: Path) -> Path:
    with open_store(tmp_path) as store:
        store.journal.commit([*made(ADA, BRUNO), *played(duel("t1"), duel_ended("t1"))])
        store.journal.commit([TableOpened(duel("t2"), public=True), *entries("t2", *range(5000))])
    return tmp_path / "acerace.sqlite3"


def damage(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(statement)


def test_a_whole_database_is_described(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        (kept,) = connection.execute("SELECT count(*) FROM entries").fetchone()
    found = look_over(file.parent)
    assert found == f"{file}: 2 players, 2 tables (1 live), {kept} entries of their logs, 1 results; no fault found"


def test_a_server_may_run_on_it(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    disk.store.journal.commit(made(ADA))
    assert ": 1 players, 0 tables" in look_over(tmp_path)
    disk.store.journal.commit(made(BRUNO))
    assert ": 2 players, 0 tables" in look_over(tmp_path)
    disk.store.close()


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_one_damaged_page_is_found_wherever_it_is(file: Path, share: float) -> None:
    with file.open("r+b") as opened:
        opened.seek(int(file.stat().st_size * share) // 4096 * 4096)
        opened.write(b"\xa5" * 4096)
    with pytest.raises(StoreError, match="the database is damaged") as refused:
        look_over(file.parent)
    assert "\n" not in str(refused.value)


def test_a_reference_to_nowhere_is_found(file: Path) -> None:
    damage(file, "DELETE FROM tables WHERE id = 't2'")
    with pytest.raises(StoreError, match=r"damaged: row \d+ of entries refers to no row of tables; .* and 4997 more"):
        look_over(file.parent)


def test_an_index_that_does_not_fit_is_found(file: Path) -> None:
    damage(file, "CREATE INDEX wrong ON players (name)")
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = 'CREATE INDEX wrong ON players (id)' WHERE name = 'wrong'")
    with pytest.raises(StoreError, match=r"damaged: row \d missing from index wrong"):
        look_over(file.parent)


def test_nothing_is_made_where_nothing_is(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no such file"):
        look_over(tmp_path)
    assert not [*tmp_path.iterdir()]


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "acerace.sqlite3").write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match="the database is damaged, or is not one"):
        look_over(tmp_path)
