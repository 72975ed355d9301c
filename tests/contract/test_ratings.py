"""What every keeper of ratings keeps to."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

import pytest

from acerace_server.core.records import Rating
from acerace_server.ports import Accounts, Ranked, Ratings, Recovery
from tests.contract.stores import sql_store
from tests.contract.told import ADA, BRUNO, ROBOT, duel, duel_ended, made, played


@dataclass
class Rated:
    """Ratings, and the journal that writes them."""

    ratings: Ratings
    accounts: Accounts
    recovery: Recovery
    commit: Callable[[Sequence[object]], None]


@pytest.fixture
def rated() -> Generator[Rated]:
    with sql_store() as (store, _):
        store.journal.commit(made(ADA, BRUNO, ROBOT))
        yield Rated(store.ratings, store.accounts, store.recovery, store.journal.commit)


FAST = Rating("ada", "fast", mu=25.5, sigma=8.25, games=1, updated_seq=1)


def test_a_rating_comes_with_the_result_it_is_from(rated: Rated) -> None:
    rated.commit([*played(duel("t1"), duel_ended("t1")), FAST])
    assert rated.ratings.ratings_of("ada") == (FAST,)


def test_who_has_not_played_has_no_rating(rated: Rated) -> None:
    rated.commit([FAST])
    assert rated.ratings.ratings_of("bruno") == ()


def test_the_newest_value_is_the_rating(rated: Rated) -> None:
    newer = replace(FAST, mu=26.0, sigma=7.0, games=2, updated_seq=5)
    rated.commit([FAST])
    rated.commit([replace(FAST, mu=1.0), newer])
    assert rated.ratings.ratings_of("ada") == (newer,)


def test_pools_are_apart(rated: Rated) -> None:
    slow = replace(FAST, pool="slow", mu=10.0)
    rated.commit([slow, FAST, replace(FAST, player="bruno")])
    assert rated.ratings.ratings_of("ada") == (FAST, slow)


def test_the_best_are_those_who_are_surely_good(rated: Rated) -> None:
    sure = replace(FAST, player="bruno", mu=25.0, sigma=1.0)
    unsure = replace(FAST, player="robot", mu=40.0, sigma=12.0)
    rated.commit([unsure, sure, FAST, replace(FAST, pool="slow", mu=99.0)])
    assert rated.ratings.best("fast", 2) == (Ranked(sure, "Bruno", bot=False), Ranked(unsure, "Robot", bot=True))
    assert rated.ratings.best("fast", 9)[2:] == (Ranked(FAST, "Ada", bot=False),)


def test_a_player_is_found_with_all_ratings(rated: Rated) -> None:
    slow = replace(FAST, pool="slow", mu=10.0)
    rated.commit([slow, FAST])
    found = rated.accounts.find_player("ada:".ljust(64, "0"))
    assert found
    assert found.ratings == (FAST, slow)
    assert {player.player: player.ratings for player in rated.recovery.recover(0).players} == {
        "ada": (FAST, slow),
        "bruno": (),
        "robot": (),
    }
