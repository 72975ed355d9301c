"""What every archive keeps to."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

import pytest

from acerace_server.core.records import Record, TableTold
from acerace_server.ports import Archive
from tests.contract.stores import UTC_US, sql_store
from tests.contract.told import ADA, BRUNO, duel, duel_ended, made, played, solo, solo_ended


@dataclass
class Told:
    """An archive, and the journal that writes it."""

    archive: Archive
    commit: Callable[[Sequence[Record]], None]


@pytest.fixture
def told() -> Generator[Told]:
    with sql_store() as (store, _):
        store.journal.commit(made(ADA, BRUNO))
        yield Told(store.archive, store.journal.commit)


def test_a_game_that_is_over_is_found_whole(told: Told) -> None:
    records = played(solo("t1"), solo_ended("t1"))
    told.commit([*records, *played(solo("t2"), solo_ended("t2"))])
    found = told.archive.find("t1")
    assert found
    assert (found.setup, found.ended) == (solo("t1"), solo_ended("t1"))
    assert [*found.log] == [record.entry for record in records if isinstance(record, TableTold)]
    assert UTC_US < found.opened_us < UTC_US + 60_000_000


def test_what_is_not_over_is_not_found(told: Told) -> None:
    told.commit([*played(duel("t1"), duel_ended("t1"))[:-2], *played(solo("left"), None)])
    assert [told.archive.find(table) for table in ("t1", "left", "nothing")] == [None, None, None]


@pytest.mark.parametrize("rated", [False, True])
def test_whether_a_match_was_rated_is_kept(told: Told, *, rated: bool) -> None:
    told.commit(played(replace(duel("t1"), rated=rated), duel_ended("t1")))
    found = told.archive.find("t1")
    assert found
    assert found.setup.rated is rated
