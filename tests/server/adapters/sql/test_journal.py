"""What the journal on disk does besides the contract: all or none, and nothing after a gap."""

from dataclasses import dataclass
from typing import cast

import pytest

from acerace_server.adapters.sql.database import Database, Prepared, Writer
from acerace_server.adapters.sql.schema import players
from acerace_server.adapters.sql.sqlite import open_database
from acerace_server.core.match import Entry, Setup, Timeout
from acerace_server.core.records import PlayerMade, TableOpened, TablePutAway, TableTold
from acerace_server.ports import JournalError
from tests.contract.stores import records_on_disk
from tests.contract.told import ADA, BRUNO, duel, entries, made
from tests.server.adapters.sql.support import Disk


@dataclass(frozen=True)
class Weather:
    """A record that nobody writes."""

    rain: bool


def test_two_tables_of_one_turn_keep_their_own_numbers(disk: Disk) -> None:
    ones, others = entries("t1", 1, 2, 3), entries("t2", 1, 2, 3)
    mixed = [record for pair in zip(ones, others, strict=True) for record in pair]
    disk.store.journal.commit([TableOpened(duel("t1"), public=True), TableOpened(duel("t2"), public=True)])
    disk.store.journal.commit(mixed)
    told = [record for record in records_on_disk(disk.directory) if isinstance(record, TableTold)]
    assert told == [*ones, *others]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (Weather(rain=True), "no writer for a record of type Weather"),
        (TableTold("t9", Entry(1, 0, Timeout())), "table 't9', which is not open"),
        (TablePutAway("t9"), "table 't9', which is not open"),
        (TableOpened(duel("t1"), public=True), "UNIQUE constraint failed: tables.id"),
        (PlayerMade("other", "ada:".ljust(64, "0"), "x", bot=False), "UNIQUE constraint failed: tokens.sha256"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_commit_that_fails_leaves_nothing_behind(disk: Disk, bad: object, reason: str) -> None:
    before = [*made(ADA), TableOpened(duel("t1"), public=True)]
    disk.store.journal.commit(before)
    with pytest.raises(JournalError, match=reason):
        disk.store.journal.commit([*made(BRUNO), *entries("t1", 1), bad, *entries("t1", 2)])
    assert records_on_disk(disk.directory) == before


def test_after_a_failure_nothing_is_written_any_more(disk: Disk) -> None:
    with pytest.raises(JournalError):
        disk.store.journal.commit([TablePutAway("t9")])
    with pytest.raises(JournalError, match=r"an earlier commit failed: .*'t9'"):
        disk.store.journal.commit(made(ADA))
    assert records_on_disk(disk.directory) == []


def test_a_fault_of_our_own_is_not_taken_for_the_disks(disk: Disk) -> None:
    with pytest.raises(AttributeError):
        disk.store.journal.commit([*made(ADA), TableOpened(cast("Setup", None), public=True)])
    with pytest.raises(JournalError, match="AttributeError"):
        disk.store.journal.commit(made(ADA))


def test_readers_do_not_hinder_the_journal(disk: Disk) -> None:
    disk.store.journal.commit(made(ADA))
    with disk.reader() as reading:
        assert reading.execute("SELECT count(*) FROM players").fetchall() == [(1,)]
        disk.store.journal.commit(made(BRUNO))
        assert reading.execute("SELECT count(*) FROM players").fetchall() == [(1,)], "one moment's state"


def test_names_of_parameters_in_the_wrong_order_are_noticed(disk: Disk) -> None:
    database = _second_database(disk)
    writer = Writer(database)
    with pytest.raises(TypeError, match="takes"):
        writer.run(Prepared(players.insert(), "name", "id", "bot", "made_us"), ("a", "b", False, 1))
    writer.close()
    database.engine.dispose()


def _second_database(disk: Disk) -> Database:
    return open_database(disk.directory, synchronous="normal", busy_timeout_ms=50)
