"""The journal and the records as they lie in the SQLite file: read with ``sqlite3``, ``json`` and ``msgpack`` alone."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack

Json = dict[str, Any]
FILE = "acerace.sqlite3"


@dataclass(frozen=True)
class Entry:
    """One thing a table was told."""

    at: int
    """Nanoseconds since the table was opened."""
    seat: int
    """-1: the clock."""
    raw: bytes

    @property
    def told(self) -> Json:
        told: Json = msgpack.unpackb(self.raw)
        return told


@dataclass(frozen=True)
class TableRow:
    """What a table was made of, and all that it was told."""

    number: int
    id: str
    game: str
    options_text: str
    players_text: str
    opened_us: int
    secret: bytes
    code: str | None
    state: str
    rated: bool
    series_text: str | None
    entries: tuple[Entry, ...]

    @property
    def options(self) -> Json:
        options: Json = json.loads(self.options_text)
        return options

    @property
    def players(self) -> list[Json]:
        players: list[Json] = json.loads(self.players_text)
        return players

    @property
    def series(self) -> Json | None:
        series: Json | None = json.loads(self.series_text or "null")
        return series


@dataclass(frozen=True)
class Ledger:
    """All of it. The journal is ``tables``; the rest are records that follow from it."""

    tables: tuple[TableRow, ...]
    results: tuple[Json, ...]
    """In the order of their numbers, each with ``seats``."""
    ratings: tuple[Json, ...]
    names: dict[str, str]
    """Claimed names by player."""
    players: dict[str, Json]


def read(directory: Path) -> Ledger:
    """Read while no server runs. Raises ``LookupError`` when an entry is missing."""
    with closing(sqlite3.connect(directory / FILE)) as database:
        database.row_factory = sqlite3.Row
        return Ledger(
            tables=tuple(_table(row, _entries(database, row["number"])) for row in _rows(database, "tables", "number")),
            results=_results(database),
            ratings=tuple(_rows(database, "ratings", "player, pool")),
            names={row["player"]: row["name"] for row in _rows(database, "accounts", "player")},
            players={row["id"]: row for row in _rows(database, "players", "id")},
        )


def _rows(database: sqlite3.Connection, table: str, order: str) -> list[Json]:
    return [dict(row) for row in database.execute(f"SELECT * FROM {table} ORDER BY {order}")]  # noqa: S608  # our own


def _table(row: Json, entries: tuple[Entry, ...]) -> TableRow:
    kept = ("number", "id", "game", "opened_us", "secret", "code", "state")
    return TableRow(
        **{key: row[key] for key in kept},
        options_text=row["options"],
        players_text=row["players"],
        rated=bool(row["rated"]),
        series_text=row["series"],
        entries=entries,
    )


def _entries(database: sqlite3.Connection, number: int) -> tuple[Entry, ...]:
    rows = database.execute(
        "SELECT number, at_ns, seat, told FROM entries WHERE table_number = ? ORDER BY number", (number,)
    ).fetchall()
    if [row["number"] for row in rows] != [*range(len(rows))]:
        raise LookupError(f"entries of table {number} are missing")
    return tuple(Entry(row["at_ns"], row["seat"], row["told"]) for row in rows)


def _results(database: sqlite3.Connection) -> tuple[Json, ...]:
    results = _rows(database, "results", "number")
    seats = _rows(database, "result_seats", "result_number, seat")
    if not {seat["result_number"] for seat in seats} <= {result["number"] for result in results}:
        raise LookupError("a result of which there are seats is missing")
    return tuple(
        result | {"seats": [seat for seat in seats if seat["result_number"] == result["number"]]} for result in results
    )
