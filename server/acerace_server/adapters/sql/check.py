"""Looking over a whole database: what a start does not do, as it takes seconds for each gigabyte."""

from pathlib import Path
from typing import Final

from sqlalchemy import ColumnElement, Connection, Table, func, select

from acerace_server.adapters.sql.schema import LIVE, entries, players, results, tables
from acerace_server.adapters.sql.sqlite import database_file, faults, reading_only
from acerace_server.ports import StoreError

_SHOWN: Final = 3
"""Faults that are told in full."""


def look_over(directory: Path) -> str:
    """Read every page and every reference of the database in this directory, and say in one line what there is.

    Only reads, so a server may be running on it. Raises :class:`StoreError` for what is damaged, or not there.
    """
    file = database_file(directory)
    if not file.exists():
        raise StoreError(f"{file}: there is no such file")
    with reading_only(file) as connection:
        if found := faults(connection):
            raise StoreError(f"{file}: the database is damaged: {_shortened(found)}")
        return f"{file}: {_contents(connection)}; no fault found"


def _shortened(found: list[str]) -> str:
    more = len(found) - _SHOWN
    told = [" ".join(fault.split()) for fault in found[:_SHOWN]]
    return "; ".join([*told, f"and {more} more"] if more > 0 else told)


def _contents(connection: Connection) -> str:
    def count(table: Table, *which: ColumnElement[bool]) -> int:
        return connection.execute(select(func.count()).select_from(table).where(*which)).scalar_one()

    return (
        f"{count(players)} players, {count(tables)} tables ({count(tables, tables.c.state == LIVE)} live), "
        f"{count(entries)} entries of their logs, {count(results)} results"
    )
