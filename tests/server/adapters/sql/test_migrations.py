"""Any older schema becomes this one, with all that is in it; a newer one is refused."""

import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext

from acerace_server.adapters.sql import migrations
from acerace_server.adapters.sql.database import Database
from acerace_server.adapters.sql.migrate import MIGRATIONS, migrate
from acerace_server.adapters.sql.schema import METADATA
from acerace_server.adapters.sql.sqlite import open_database
from acerace_server.core.names import Names, guest_name
from acerace_server.ports import StoreError
from tests.contract.stores import open_store, records_on_disk
from tests.contract.told import ADA, BRUNO, duel, duel_ended, entries, made, played, solo
from tests.server.adapters.sql.support import Disk

PACKAGE = Path(str(migrations.__file__)).parent
OLD_SCHEMAS = sorted((Path(__file__).parent / "old").glob("*.sql"))
NEXT = '''"""A column more."""
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{head}"


def upgrade() -> None:
    op.add_column("players", sa.Column("shoe_size", sa.Integer))
    {more}
'''


@pytest.fixture
def database(tmp_path: Path) -> Generator[Database]:
    opened = open_database(tmp_path, synchronous="normal", busy_timeout_ms=50)
    yield opened
    opened.engine.dispose()


def next_version(directory: Path, more: str = "") -> str:
    """The migrations of a version after this one."""
    shutil.copytree(PACKAGE, directory, ignore=shutil.ignore_patterns("__pycache__"))
    (directory / "versions" / "v9999_more.py").write_text(NEXT.format(head=head(), more=more))
    return str(directory)


def head() -> str:
    newest = max((PACKAGE / "versions").glob("v*.py"))
    return newest.name[1:5]


def schema(directory: Path) -> str:
    with closing(sqlite3.connect(directory / "acerace.sqlite3")) as connection:
        return "\n".join(sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))


def test_the_migrations_lead_to_the_schema_of_the_code(database: Database) -> None:
    migrate(database)
    with database.reading() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, METADATA) == []
        assert context.get_current_revision() == head()


def test_a_schema_that_is_up_to_date_is_not_touched(database: Database, tmp_path: Path) -> None:
    migrate(database)
    before = (tmp_path / "acerace.sqlite3-wal").stat().st_size
    migrate(database)
    assert (tmp_path / "acerace.sqlite3-wal").stat().st_size == before


def test_an_older_schema_is_migrated_with_all_that_is_in_it(tmp_path: Path) -> None:
    disk = Disk(tmp_path / "data")
    records = [*made(ADA, BRUNO), *played(duel("t1"), duel_ended("t1"))]
    disk.store.journal.commit(records)
    disk.store.close()
    database = open_database(disk.directory, synchronous="normal", busy_timeout_ms=50)
    migrate(database, next_version(tmp_path / "next"))
    database.engine.dispose()
    assert "shoe_size" in schema(disk.directory)
    assert records_on_disk(disk.directory) == records


def test_a_newer_schema_is_refused_and_left_alone(database: Database, tmp_path: Path) -> None:
    migrate(database, next_version(tmp_path / "next"))
    database.engine.dispose()
    before = schema(tmp_path)
    with pytest.raises(StoreError, match=f"has schema 9999, and this version .* up to {head()}: .* newer version"):
        open_store(tmp_path)
    assert schema(tmp_path) == before


def test_a_migration_that_fails_changes_nothing(database: Database, tmp_path: Path) -> None:
    migrate(database)
    before = schema(tmp_path)
    with pytest.raises(StoreError, match="no such table: shoes"):
        migrate(database, next_version(tmp_path / "next", more='op.execute("DELETE FROM shoes")'))
    assert schema(tmp_path) == before


def test_every_migration_can_be_taken_back(database: Database) -> None:
    migrate(database)
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    with database.reading() as connection:
        left = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars().all()
    assert left == ["alembic_version"]
    migrate(database)


def test_every_earlier_schema_has_its_file() -> None:
    """Before a new migration is written: ``sqlite3 acerace.sqlite3 .dump`` of what the newest schema keeps."""
    assert [old.stem for old in OLD_SCHEMAS] == [f"schema_{number:04}" for number in range(1, int(head()))]


@pytest.mark.parametrize("old", OLD_SCHEMAS, ids=lambda path: str(path.stem))
def test_a_database_of_an_earlier_release_opens(tmp_path: Path, old: Path) -> None:
    """Each file is what ``sqlite3 acerace.sqlite3 .dump`` said under that schema, of the same few games."""
    with closing(sqlite3.connect(tmp_path / "acerace.sqlite3")) as connection:
        connection.executescript(old.read_text())
    with open_store(tmp_path) as store:
        assert records_on_disk(tmp_path) == old_records()
        (table,) = store.recovery.recover(0).tables
        assert table.setup.table == "live"
        assert [game.table for game in store.records.games_of("ada", 9)] == ["left", "over"]
        assert store.recovery.recover(0).names == {"ada": "Ada"}
        assert store.accounts.find_account("ada") is not None
        assert store.ratings.best("fast", 9)[0].rating.player == "ada"


@pytest.mark.parametrize("old", OLD_SCHEMAS[:3], ids=lambda path: str(path.stem))
def test_names_that_earlier_releases_took_for_two_stay_two_players(tmp_path: Path, old: Path) -> None:
    """As they were folded under that schema, before look-alikes within a script and then between scripts were one."""
    claimed = [("bruno", "Torn", "torn"), ("carla", "Tom", "tom"), ("dario", "\u0410d\u0430", "\u0430d\u0430")]
    with closing(sqlite3.connect(tmp_path / "acerace.sqlite3", isolation_level=None)) as connection:
        connection.executescript(old.read_text())
        connection.executemany(
            "INSERT OR IGNORE INTO players VALUES(?, ?, 0, 9)", [(one, name) for one, name, _ in claimed]
        )
        connection.executemany("INSERT INTO accounts VALUES(?, ?, ?, '$', 9)", claimed)
    with open_store(tmp_path) as store:
        names = Names()
        names.restore(store.recovery.recover(0).names)
    assert names.owners("Tom") == ("bruno", "carla")
    assert names.owners("Ada") == ("dario", "ada")
    assert [names.shown(player, name) for player, name, _ in claimed] == ["Torn", "Tom", guest_name("dario")]


def old_records() -> list[object]:
    return [
        *made(ADA, BRUNO),
        *played(duel("over"), duel_ended("over")),
        *played(solo("left"), None),
        *played(duel("live"), None)[:-1],
        *entries("live", 3, 4, first=2),
    ]
