"""Stores on disk for the contracts, and what is on that disk, read without the code that wrote it."""

import json
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from acerace_protocol.messages import Command, Ended, PlayerInfo, SeriesInfo
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

UTC_US = 1_800_000_000_000_000


class UtcClock:
    """Each time it is asked a second later."""

    def __init__(self) -> None:
        self.now = UTC_US

    def __call__(self) -> int:
        self.now += 1_000_000
        return self.now


def open_store(directory: Path) -> SqlStore:
    return SqlStore.open(directory, utc_us=UtcClock(), busy_timeout_ms=50)


@contextmanager
def sql_store() -> Generator[tuple[SqlStore, Path]]:
    """A new store, and its directory."""
    with TemporaryDirectory(prefix="acerace-") as directory, open_store(Path(directory)) as store:
        yield store, Path(directory)


def records_on_disk(directory: Path) -> list[Record]:
    """All players, then all tables, each with its records in order."""
    with closing(sqlite3.connect(directory / "acerace.sqlite3")) as connection:
        connection.row_factory = sqlite3.Row
        return [*_players(connection), *_tables(connection)]


def _players(connection: sqlite3.Connection) -> Iterator[Record]:
    for row in connection.execute(
        "SELECT * FROM players JOIN tokens ON player = id WHERE label = '' ORDER BY players.rowid"
    ):
        yield PlayerMade(row["id"], row["sha256"], row["name"], bool(row["bot"]))


def _tables(connection: sqlite3.Connection) -> Iterator[Record]:
    for row in connection.execute("SELECT * FROM tables ORDER BY number").fetchall():
        table, number, opened_at = row["id"], (row["number"],), row["opened_ns"]
        players = msgspec.json.decode(row["players"], type=tuple[PlayerInfo, ...])
        options = json.loads(row["options"])
        series = msgspec.json.decode(row["series"], type=SeriesInfo) if row["series"] else None
        made_of = (row["secret"], row["code"], bool(row["rated"]), series)
        setup = Setup(table, row["game"], options, players, opened_at, *made_of)
        yield TableOpened(setup, bool(row["public"]))
        for told in connection.execute("SELECT * FROM entries WHERE table_number = ? ORDER BY number", number):
            yield TableTold(table, Entry(opened_at + told["at_ns"], told["seat"], _told(told["told"])))
        for result in connection.execute("SELECT * FROM results WHERE table_number = ? AND ended NOT NULL", number):
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
