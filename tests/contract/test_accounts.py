"""What every keeper of accounts keeps to."""

from collections.abc import Generator

import pytest

from acerace_server.core.records import KnownPlayer
from acerace_server.ports import Account, AccountError, Accounts, NameTakenError
from tests.contract.stores import sql_store
from tests.contract.told import ADA, BRUNO, ROBOT, made


@pytest.fixture
def accounts() -> Generator[Accounts]:
    with sql_store() as (store, _):
        store.journal.commit(made(ADA, BRUNO, ROBOT))
        yield store.accounts


def test_a_claimed_name_is_found_with_its_password(accounts: Accounts) -> None:
    accounts.claim_name("ada", "Ada Lovelace", "$argon2id$1")
    assert accounts.find_account("Ada Lovelace") == Account("ada", "Ada Lovelace", "$argon2id$1")


def test_a_name_that_nobody_has_claimed_is_not_found(accounts: Accounts) -> None:
    assert accounts.find_account("Ada") is None


@pytest.mark.parametrize("alike", ["ada straße", "ADA STRASSE", " Ada  Straße", "\uff21\uff44\uff41 Straße"])
def test_a_name_is_one_players_however_it_is_written(accounts: Accounts, alike: str) -> None:
    accounts.claim_name("ada", "Ada Straße", "1")
    with pytest.raises(NameTakenError, match="another player"):
        accounts.claim_name("bruno", alike, "2")
    assert accounts.find_account(alike) == Account("ada", "Ada Straße", "1")


def test_who_claims_a_name_that_is_taken_keeps_the_old_one(accounts: Accounts) -> None:
    accounts.claim_name("ada", "Ada", "1")
    accounts.claim_name("bruno", "Bruno", "2")
    with pytest.raises(NameTakenError):
        accounts.claim_name("bruno", "ada", "3")
    assert accounts.find_account("bruno") == Account("bruno", "Bruno", "2")


def test_the_same_name_again_is_a_new_password(accounts: Accounts) -> None:
    accounts.claim_name("ada", "Ada", "1")
    accounts.claim_name("ada", "ADA", "2")
    assert accounts.find_account("ada") == Account("ada", "ADA", "2")


def test_another_name_frees_the_one_before(accounts: Accounts) -> None:
    accounts.claim_name("ada", "Ada", "1")
    accounts.claim_name("ada", "Lovelace", "1")
    assert accounts.find_account("ada") is None
    accounts.claim_name("bruno", "Ada", "2")


def test_nobody_claims_for_a_player_who_is_not_there(accounts: Accounts) -> None:
    with pytest.raises(AccountError, match="no player 'zoe'"):
        accounts.claim_name("zoe", "Zoe", "1")


def test_a_player_is_found_by_any_of_its_tokens(accounts: Accounts) -> None:
    first = "robot:".ljust(64, "0")
    accounts.add_token("robot", "f" * 64, "the one at home")
    robot = KnownPlayer("robot", "Robot", bot=True, tokens_sha256=(first, "f" * 64))
    assert accounts.find_player(first) == robot
    assert accounts.find_player("f" * 64) == robot
    assert accounts.find_player("e" * 64) is None


def test_a_revoked_token_is_worth_nothing_and_the_others_stay(accounts: Accounts) -> None:
    first = "robot:".ljust(64, "0")
    accounts.add_token("robot", "f" * 64, "lost")
    assert accounts.revoke_token("f" * 64)
    assert not accounts.revoke_token("f" * 64)
    assert not accounts.revoke_token("e" * 64)
    assert accounts.find_player("f" * 64) is None
    assert accounts.find_player(first) == KnownPlayer("robot", "Robot", bot=True, tokens_sha256=(first,))


def test_all_tokens_are_listed_with_what_became_of_them(accounts: Accounts) -> None:
    accounts.add_token("robot", "f" * 64, "lost")
    accounts.add_token("robot", "e" * 64, "new")
    accounts.revoke_token("f" * 64)
    listed = accounts.list_tokens("robot")
    assert [(token.label, token.revoked_us is None) for token in listed] == [("", True), ("lost", False), ("new", True)]
    assert [token.made_us for token in listed] == sorted(token.made_us for token in listed)
    assert accounts.list_tokens("zoe") == ()


def test_a_token_is_one_players_for_ever(accounts: Accounts) -> None:
    accounts.add_token("robot", "f" * 64, "")
    accounts.revoke_token("f" * 64)
    for player in ("robot", "ada"):
        with pytest.raises(AccountError, match="there already"):
            accounts.add_token(player, "f" * 64, "")
    with pytest.raises(AccountError, match="no player 'zoe'"):
        accounts.add_token("zoe", "d" * 64, "")
