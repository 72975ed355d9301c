"""What every keeper of accounts keeps to; the journal of the same store writes them."""

from collections.abc import Generator

import pytest

from acerace_server.adapters.sql.store import SqlStore
from acerace_server.core.records import KnownPlayer, NameClaimed, TokenAdded, TokenRevoked
from acerace_server.ports import Account, JournalError
from tests.contract.stores import UtcClock, sql_store
from tests.contract.told import ADA, BRUNO, ROBOT, made

ROBOTS_FIRST = "robot:".ljust(64, "0")
LOST, NEW = "f" * 64, "e" * 64


@pytest.fixture(params=["disk", "memory"])
def store(request: pytest.FixtureRequest) -> Generator[SqlStore]:
    if request.param == "memory":
        with SqlStore.in_memory(utc_us=UtcClock()) as store:
            store.journal.commit(made(ADA, BRUNO, ROBOT))
            yield store
    else:
        with sql_store() as (store, _):
            store.journal.commit(made(ADA, BRUNO, ROBOT))
            yield store


def player(key: str, name: str) -> KnownPlayer:
    return KnownPlayer(key, name, bot=False, tokens_sha256=(f"{key}:".ljust(64, "0"),))


def claim(store: SqlStore, key: str, name: str, password_hash: str = "$argon2id$1") -> None:
    store.journal.commit([NameClaimed(key, name, password_hash)])


def test_a_claimed_name_is_found_with_its_password(store: SqlStore) -> None:
    claim(store, "ada", "Ada Lovelace")
    assert store.accounts.find_account("ada") == Account(player("ada", "Ada Lovelace"), "$argon2id$1")


def test_a_claimed_name_is_the_players_from_then_on(store: SqlStore) -> None:
    claim(store, "ada", "Ada Lovelace")
    assert store.accounts.find_player("ada:".ljust(64, "0")) == player("ada", "Ada Lovelace")
    recovered = store.recovery.recover(0)
    assert player("ada", "Ada Lovelace") in recovered.players
    assert recovered.names == {"ada": "Ada Lovelace"}


def test_a_player_without_a_claimed_name_has_no_account(store: SqlStore) -> None:
    claim(store, "ada", "Ada")
    assert store.accounts.find_account("bruno") is None
    assert store.accounts.find_account("zoe") is None


def test_names_come_back_as_they_are_written_those_claimed_first_first(store: SqlStore) -> None:
    """Which of them are one name is not the store's to know."""
    claim(store, "robot", "Tom")
    claim(store, "ada", "Torn")
    claim(store, "bruno", "Tom")
    assert [*store.recovery.recover(0).names.items()] == [("robot", "Tom"), ("ada", "Torn"), ("bruno", "Tom")]


def test_a_commit_in_which_one_claim_fails_changes_nothing(store: SqlStore) -> None:
    claim(store, "bruno", "Bruno", "2")
    with pytest.raises(JournalError):
        store.journal.commit([TokenAdded("bruno", NEW, "bot"), NameClaimed("zoe", "Zoe", "3")])
    assert store.accounts.find_account("bruno") == Account(player("bruno", "Bruno"), "2")
    assert store.accounts.find_player(NEW) is None


def test_the_same_name_again_is_a_new_password(store: SqlStore) -> None:
    claim(store, "ada", "Ada", "1")
    claim(store, "ada", "ADA", "2")
    assert store.accounts.find_account("ada") == Account(player("ada", "ADA"), "2")


def test_another_name_frees_the_one_before(store: SqlStore) -> None:
    claim(store, "ada", "Ada", "1")
    claim(store, "ada", "Lovelace", "1")
    assert store.recovery.recover(0).names == {"ada": "Lovelace"}


def test_nobody_claims_for_a_player_who_is_not_there(store: SqlStore) -> None:
    with pytest.raises(JournalError):
        claim(store, "zoe", "Zoe")


# --- tokens ---


def test_a_player_is_found_by_any_of_its_tokens(store: SqlStore) -> None:
    store.journal.commit([TokenAdded("robot", LOST, "the one at home")])
    robot = KnownPlayer("robot", "Robot", bot=True, tokens_sha256=(ROBOTS_FIRST, LOST))
    assert store.accounts.find_player(ROBOTS_FIRST) == robot
    assert store.accounts.find_player(LOST) == robot
    assert store.accounts.find_player(NEW) is None


def test_a_revoked_token_is_worth_nothing_and_the_others_stay(store: SqlStore) -> None:
    store.journal.commit([TokenAdded("robot", LOST, "lost"), TokenRevoked(LOST)])
    assert store.accounts.find_player(LOST) is None
    first_only = KnownPlayer("robot", "Robot", bot=True, tokens_sha256=(ROBOTS_FIRST,))
    assert store.accounts.find_player(ROBOTS_FIRST) == first_only


def test_a_token_is_revoked_once(store: SqlStore) -> None:
    store.journal.commit([TokenAdded("robot", LOST, "lost"), TokenRevoked(LOST)])
    before = store.accounts.list_tokens("robot", 10)
    store.journal.commit([TokenRevoked(LOST), TokenRevoked(NEW)])
    assert store.accounts.list_tokens("robot", 10) == before


def test_tokens_are_listed_the_valid_ones_first_and_each_the_newest_first(store: SqlStore) -> None:
    store.journal.commit([TokenAdded("robot", LOST, "lost")])
    store.journal.commit([TokenAdded("robot", NEW, "new")])
    store.journal.commit([TokenRevoked(LOST)])
    listed = store.accounts.list_tokens("robot", 10)
    assert [(token.label, token.revoked_us is None) for token in listed] == [("new", True), ("", True), ("lost", False)]
    lost, new = listed[2], listed[0]
    assert lost.made_us < new.made_us < (lost.revoked_us or 0)
    assert store.accounts.list_tokens("robot", 2) == listed[:2]
    assert store.accounts.list_tokens("zoe", 10) == ()


@pytest.mark.parametrize("key", ["robot", "ada"])
def test_a_token_is_one_players_for_ever(store: SqlStore, key: str) -> None:
    store.journal.commit([TokenAdded("robot", LOST, ""), TokenRevoked(LOST)])
    with pytest.raises(JournalError, match=r"(?i)unique"):
        store.journal.commit([TokenAdded(key, LOST, "")])
