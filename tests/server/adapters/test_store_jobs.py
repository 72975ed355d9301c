"""Jobs that only ask the store, from threads beside the one that commits; on a disk and in memory."""

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from acerace_server.adapters.jobs import jobs_of, performing
from acerace_server.adapters.sql.store import SqlStore
from acerace_server.core.jobs import FindPlayer
from acerace_server.core.records import KnownPlayer, PlayerMade, TableOpened
from tests.contract.stores import UtcClock, open_store
from tests.contract.told import ADA, duel, entries, made


@pytest.fixture(params=["disk", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[SqlStore]:
    with open_store(tmp_path) if request.param == "disk" else SqlStore.in_memory(utc_us=UtcClock()) as opened:
        yield opened


def test_a_player_is_found_by_what_the_token_hashes_to(store: SqlStore) -> None:
    (ada,) = made(ADA)
    assert isinstance(ada, PlayerMade)
    store.journal.commit([ada])
    perform = performing(jobs_of(store))
    found = perform(FindPlayer(ada.token_sha256))
    assert isinstance(found, KnownPlayer)
    assert found.player == "ada"
    assert perform(FindPlayer("0" * 64)) is None


def test_who_asks_and_who_commits_do_not_get_into_each_others_way(store: SqlStore) -> None:
    (ada,) = made(ADA)
    assert isinstance(ada, PlayerMade)
    store.journal.commit([ada, TableOpened(duel("t1"), public=True)])
    perform = performing(jobs_of(store))
    with ThreadPoolExecutor(2) as threads:
        asked = [threads.submit(perform, FindPlayer(ada.token_sha256)) for _ in range(300)]
        for number in range(300):
            store.journal.commit(entries("t1", number, first=number))
        assert all(isinstance(found.result(), KnownPlayer) for found in asked)
    (table,) = store.recovery.recover(0).tables
    assert len(table.log) == 300


def test_two_stores_in_memory_are_two() -> None:
    with SqlStore.in_memory(utc_us=UtcClock()) as one, SqlStore.in_memory(utc_us=UtcClock()) as other:
        one.journal.commit(made(ADA))
        assert [player.player for player in one.recovery.recover(0).players] == ["ada"]
        assert other.recovery.recover(0).players == ()
