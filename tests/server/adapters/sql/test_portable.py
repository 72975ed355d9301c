"""What is written here is SQL that PostgreSQL understands as well; ``sqlite.py`` is for what it does not."""

from pathlib import Path

import pytest
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.schema import CreateTable
from sqlalchemy.sql.compiler import SQLCompiler

from acerace_server.adapters import sql
from acerace_server.adapters.sql import writers
from acerace_server.adapters.sql.database import Prepared
from acerace_server.adapters.sql.schema import METADATA
from acerace_server.adapters.sql.sqlite import Synchronous, open_database

POSTGRESQL = PGDialect(paramstyle="format")  # type: ignore[no-untyped-call]  # SQLAlchemy left it untyped
PREPARED = {name: value for name, value in vars(writers).items() if isinstance(value, Prepared)}


@pytest.mark.parametrize("name", PREPARED)
def test_the_journals_statements_take_the_same_rows_there(name: str) -> None:
    prepared = PREPARED[name]
    compiled = prepared.statement.compile(dialect=POSTGRESQL, column_keys=[*prepared.names])
    assert isinstance(compiled, SQLCompiler)
    assert tuple(compiled.positiontup or ()) == prepared.names


def test_the_schema_has_numbers_of_64_bits_there() -> None:
    text = "\n".join(str(CreateTable(table).compile(dialect=POSTGRESQL)) for table in METADATA.sorted_tables)
    assert "number BIGSERIAL NOT NULL" in text
    assert "table_number BIGINT NOT NULL" in text


def test_only_one_module_speaks_sqlite() -> None:
    sources = Path(str(sql.__file__)).parent.rglob("*.py")
    speak = {
        source.name for source in sources if "PRAGMA" in source.read_text() or "import sqlite3" in source.read_text()
    }
    assert speak == {"sqlite.py"}


@pytest.mark.parametrize(("synchronous", "level"), [("normal", 1), ("full", 2)])
def test_what_is_synchronous_is_a_setting(tmp_path: Path, synchronous: Synchronous, level: int) -> None:
    database = open_database(tmp_path, synchronous=synchronous, busy_timeout_ms=50)
    with database.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == level
        assert connection.exec_driver_sql("PRAGMA wal_autocheckpoint").scalar() == 0
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    database.engine.dispose()
