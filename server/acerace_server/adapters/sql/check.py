"""Looking over a whole database: what a start does not do, as it takes seconds for each gigabyte."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import ColumnElement, Table, func, select
from sqlalchemy.dialects import sqlite as dialect

from acerace_server.adapters.sql.schema import LIVE, entries, players, results, tables
from acerace_server.adapters.sql.sqlite import database_file, why
from acerace_server.ports import StoreError

_SHOWN: Final = 3
"""Faults of each kind that are told in full."""


def look_over(directory: Path) -> str:
    """Read every page and every reference of the database in this directory, and say in one line what there is.

    Only reads, so a server may be running on it. Raises :class:`StoreError` for what is damaged, or not there.
    """
    file = database_file(directory)
    if not file.exists():
        raise StoreError(f"{file}: there is no such file")
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            faults = _faults(connection)
            if faults:
                raise StoreError(f"{file}: the database is damaged: {'; '.join(faults)}")
            return _contents(connection, file)
    except sqlite3.Error as error:
        raise StoreError(f"{file}: {why(error)}") from error


def _faults(connection: sqlite3.Connection) -> list[str]:
    pages = [str(row[0]) for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
    if pages:
        return _shortened(pages)
    nowhere = connection.execute("PRAGMA foreign_key_check").fetchall()
    return _shortened([f"row {row} of {table} refers to no row of {parent}" for table, row, parent, _ in nowhere])


def _shortened(faults: list[str]) -> list[str]:
    more = len(faults) - _SHOWN
    return [" ".join(fault.split()) for fault in faults[:_SHOWN]] + ([f"and {more} more"] if more > 0 else [])


def _contents(connection: sqlite3.Connection, file: Path) -> str:
    def count(table: Table, *which: ColumnElement[bool]) -> int:
        query = select(func.count()).select_from(table).where(*which)
        text = query.compile(dialect=dialect.dialect(), compile_kwargs={"literal_binds": True})
        return int(connection.execute(str(text)).fetchone()[0])

    return (
        f"{file}: {count(players)} players, {count(tables)} tables ({count(tables, tables.c.state == LIVE)} live), "
        f"{count(entries)} entries of their logs, {count(results)} results; no fault found"
    )
