"""What a commit of the journal costs the loop's thread, and how long it can stand still for one.

    python -m bench.journal [seconds]

First commits one after the other, beside the same rows through sqlite3 alone. Then turns of ten entries at a steady
pace, as a loop makes them, with the checkpoint where SQLite has it by default, in its own thread, and nowhere; beside
them an empty loop of the same length, for what this machine does to anyone. On a busy machine read the ratios only.
"""

import sqlite3
import sys
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from acerace_protocol.messages import Play, PlayerInfo
from acerace_server.adapters.sql import told
from acerace_server.adapters.sql.checkpoint import LOOK_EVERY_S
from acerace_server.adapters.sql.sqlite import Synchronous
from acerace_server.adapters.sql.store import SqlStore
from acerace_server.core.match import Entry, Setup
from acerace_server.core.records import PlayerMade, TableOpened, TableTold

TABLES = 200
TURNS_PER_S = 200
NEVER_S = 1e6
Commit = Callable[[list[TableTold]], None]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    print(f"commits one after the other, us{'':22}entries   median      p99      max")
    for synchronous in ("normal", "full"):
        for entries in (1, 10, 50):
            for name, journal in (("sqlite3", raw), ("journal", ours)):
                with journal(synchronous, NEVER_S) as commit:
                    report(f"{name}, {synchronous}", entries, back_to_back(commit, entries, seconds / 5))
    print(f"\n{TURNS_PER_S} turns a second, us")
    report("nothing (the machine)", 0, paced(lambda _: spin(), 0, seconds))
    for name, look_every_s, pages in (
        ("no checkpoint", NEVER_S, 0),
        ("automatic checkpoint", NEVER_S, 1000),
        ("own thread", LOOK_EVERY_S, 0),
    ):
        for entries in (1, 10):
            with raw("normal", look_every_s, pages) if pages else ours("normal", look_every_s) as commit:
                report(name, entries, paced(commit, entries, seconds))


@contextmanager
def ours(synchronous: Synchronous, look_every_s: float) -> Generator[Commit]:
    with (
        TemporaryDirectory(dir=Path.cwd()) as directory,  # on a disk; /tmp may be none
        SqlStore.open(
            Path(directory),
            utc_us=lambda: time.time_ns() // 1000,
            synchronous=synchronous,
            look_every_s=look_every_s,
        ) as store,
    ):
        players = (PlayerInfo("ada", "Ada"), PlayerInfo("bruno", "Bruno"))
        store.journal.commit([PlayerMade(player.player, player.player, player.name, bot=False) for player in players])
        setups = [Setup(str(table), "double-klondike", {}, players, 0, b"") for table in range(TABLES)]
        store.journal.commit([TableOpened(setup, public=True) for setup in setups])
        yield store.journal.commit


@contextmanager
def raw(synchronous: Synchronous, _: float = 0, checkpoint_pages: int = 0) -> Generator[Commit]:
    """The same table by hand: what Python and SQLite cost without us."""
    with (
        TemporaryDirectory(dir=Path.cwd()) as directory,
        closing(sqlite3.connect(f"{directory}/x.sqlite3")) as database,
    ):
        database.isolation_level = None
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(f"PRAGMA synchronous = {synchronous}")
        database.execute(f"PRAGMA wal_autocheckpoint = {checkpoint_pages}")
        database.execute("CREATE TABLE entries (t INT, n INT, at INT, seat INT, told BLOB, PRIMARY KEY (t, n))")
        numbers = [0] * TABLES

        def commit(records: list[TableTold]) -> None:
            rows: list[tuple[int, int, int, int, bytes]] = []
            for record in records:
                table, entry = int(record.table), record.entry
                rows.append((table, numbers[table], entry.at, entry.seat, told.encode(entry.told)))
                numbers[table] += 1
            database.execute("BEGIN IMMEDIATE")
            database.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)
            database.commit()

        yield commit


def turn(number: int, entries: int) -> list[TableTold]:
    first = number * entries
    return [
        TableTold(str(nonce % TABLES), Entry(nonce * 1000, nonce % 2, play(nonce)))
        for nonce in range(first, first + entries)
    ]


def play(nonce: int) -> Play:
    return Play(table="0123456789ab", nonce=nonce, move="c3:4>c5", seen=nonce, card="Th")


def spin() -> None:
    """As long as a commit takes."""
    end = time.perf_counter_ns() + 30_000
    while time.perf_counter_ns() < end:
        pass


def back_to_back(commit: Commit, entries: int, seconds: float) -> list[int]:
    end, took = time.perf_counter() + seconds, list[int]()
    while time.perf_counter() < end:
        took.append(timed(commit, turn(len(took), entries)))
    return took


def paced(commit: Commit, entries: int, seconds: float) -> list[int]:
    begin, took = time.perf_counter(), list[int]()
    while len(took) < seconds * TURNS_PER_S:
        records = turn(len(took), entries)
        time.sleep(max(0.0, begin + len(took) / TURNS_PER_S - time.perf_counter()))
        took.append(timed(commit, records))
    return took


def timed(commit: Commit, records: list[TableTold]) -> int:
    begin = time.perf_counter_ns()
    commit(records)
    return time.perf_counter_ns() - begin


def report(name: str, entries: int, took_ns: list[int]) -> None:
    took = sorted(nanoseconds / 1000 for nanoseconds in took_ns)
    print(f"{name:44}{entries:12}{median(took):9.0f}{took[len(took) * 99 // 100]:9.0f}{took[-1]:9.0f}", flush=True)


if __name__ == "__main__":
    main()
