"""Stores for the contracts, and what is in them, read without the code that wrote it.

On disk, unless ``ACERACE_DATABASE_URL`` names a PostgreSQL database (CONTRIBUTING.md).
"""

import json
import os
import sqlite3
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from acerace_protocol.messages import Command, Ended, PlayerInfo, SeriesInfo
from acerace_server.adapters.sql.database import Database
from acerace_server.adapters.sql.store import SqlStore
from acerace_server.core.match import Entry, PresenceChange, Setup, Timeout
from acerace_server.core.records import (
    PlayerMade,
    Record,
    Sequel,
    SequelTold,
    TableOpened,
    TableOver,
    TablePutAway,
    TableTold,
)
from tests.contract.postgresql import store_in

Row = Mapping[str, Any] | sqlite3.Row
Read = Callable[[str], Sequence[Row]]
"""Runs an SQL query."""

UTC_US = 1_800_000_000_000_000


class UtcClock:
    """Each time it is asked a second later."""

    def __init__(self) -> None:
        self.now = UTC_US

    def __call__(self) -> int:
        self.now += 1_000_000
        return self.now


def open_store(directory: Path, busy_timeout_ms: int = 5_000) -> SqlStore:
    return SqlStore.open(directory, utc_us=UtcClock(), busy_timeout_ms=busy_timeout_ms)


@contextmanager
def sql_store() -> Generator[tuple[SqlStore, Callable[[], list[Record]]]]:
    """A new store, and a way to read what is in it."""
    url = os.environ.get("ACERACE_DATABASE_URL")
    if url:
        with store_in(url, UtcClock()) as (store, database):
            yield store, lambda: records_in(lambda text: _rows(database, text))
    else:
        with TemporaryDirectory(prefix="acerace-") as directory, open_store(Path(directory)) as store:
            yield store, lambda: records_on_disk(Path(directory))


def records_on_disk(directory: Path) -> list[Record]:
    """As :func:`records_in`."""
    with closing(sqlite3.connect(directory / "acerace.sqlite3")) as connection:
        connection.row_factory = sqlite3.Row
        return records_in(lambda text: connection.execute(text).fetchall())


def _rows(database: Database, text: str) -> list[Row]:
    with database.reading() as connection:
        return [dict(row) for row in connection.exec_driver_sql(text).mappings()]


def records_in(read: Read) -> list[Record]:
    """All players, then all tables, each with its records in order."""
    return [*_players(read), *_tables(read)]


def _players(read: Read) -> Iterator[Record]:
    for row in read("SELECT * FROM players JOIN tokens ON player = id WHERE label = '' ORDER BY players.made_us, id"):
        yield PlayerMade(row["id"], row["sha256"], row["name"], bool(row["bot"]))


def _tables(read: Read) -> Iterator[Record]:
    for row in read("SELECT * FROM tables ORDER BY number"):
        table, opened_at = row["id"], row["opened_ns"]
        number = row["number"]
        players = msgspec.json.decode(row["players"], type=tuple[PlayerInfo, ...])
        options = json.loads(row["options"])
        series = msgspec.json.decode(row["series"], type=SeriesInfo) if row["series"] else None
        made_of = (row["secret"], row["code"], bool(row["rated"]), series)
        setup = Setup(table, row["game"], options, players, opened_at, *made_of)
        yield TableOpened(setup, bool(row["public"]))
        for told in read(f"SELECT * FROM entries WHERE table_number = {number} ORDER BY number"):  # noqa: S608  # a number
            yield TableTold(table, Entry(opened_at + told["at_ns"], told["seat"], _told(told["told"])))
        for result in read(f"SELECT * FROM results WHERE table_number = {number} AND ended IS NOT NULL"):  # noqa: S608
            yield TableOver(table, msgspec.json.decode(result["ended"], type=Ended))
            if result["sequel"]:
                yield SequelTold(table, msgspec.json.decode(result["sequel"], type=tuple[Sequel, ...]))
        if row["state"] == "put away":
            yield TablePutAway(table)


def _told(kept: bytes) -> Any:
    fields = msgspec.msgpack.decode(kept)
    match fields.get("type"):
        case "timeout":
            return Timeout()
        case "presence":
            return PresenceChange(fields["away"])
        case _:
            return msgspec.convert(fields, Command)
