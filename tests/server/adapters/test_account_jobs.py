"""The slow work about accounts: an unknown name costs what a wrong password costs."""

from collections.abc import Iterator
from typing import Literal

import pytest
from argon2 import Parameters, PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError

from acerace_server.adapters import argon2
from acerace_server.adapters.jobs import account_jobs
from acerace_server.adapters.sql.store import SqlStore
from acerace_server.core.jobs import CheckPassword, HashPassword, ListTokens
from acerace_server.core.records import NameClaimed, Owner
from tests.contract.stores import UtcClock
from tests.contract.told import ADA, BRUNO, made

PASSWORDS = argon2.Argon2Passwords(time_cost=2, memory_kib=4096)


@pytest.fixture
def store() -> Iterator[SqlStore]:
    with SqlStore.in_memory(utc_us=UtcClock()) as store:
        kept = PASSWORDS.hash("correct horse")
        store.journal.commit([*made(ADA), NameClaimed("ada", "Ada", kept)])
        yield store


def test_the_owner_comes_with_the_tokens(store: SqlStore) -> None:
    check = account_jobs(store.accounts, PASSWORDS)[CheckPassword]
    owner = check(CheckPassword(("ada",), "correct horse"))
    assert isinstance(owner, Owner)
    assert owner.player.name == "Ada"
    assert [token.sha256 for token in owner.tokens] == ["ada:".ljust(64, "0")]
    assert check(CheckPassword(("ada",), "battery staple")) is None
    assert check(CheckPassword((), "correct horse")) is None


def test_of_two_with_the_same_name_the_password_says_who_it_is(store: SqlStore) -> None:
    store.journal.commit([*made(BRUNO), NameClaimed("bruno", "Ada", PASSWORDS.hash("battery staple"))])
    check = account_jobs(store.accounts, PASSWORDS)[CheckPassword]
    found = [check(CheckPassword(("ada", "bruno"), password)) for password in ("correct horse", "battery staple")]
    assert [owner.player.player for owner in found if isinstance(owner, Owner)] == ["ada", "bruno"]
    assert check(CheckPassword(("ada", "bruno"), "something else")) is None


def test_a_hash_is_text_that_the_password_fits(store: SqlStore) -> None:
    kept = account_jobs(store.accounts, PASSWORDS)[HashPassword](HashPassword("battery staple"))
    assert isinstance(kept, str)
    assert PASSWORDS.verify(kept, "battery staple")


def test_tokens_are_listed(store: SqlStore) -> None:
    listed = account_jobs(store.accounts, PASSWORDS)[ListTokens](ListTokens("ada"))
    assert listed == store.accounts.list_tokens("ada", 100)


def test_an_unknown_name_takes_as_long_as_a_wrong_password(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told by the hashing that is done, not by a clock, which counts what else the machine does too."""
    hashed: list[Parameters] = []

    class Noted(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002  # its name there
            with pytest.raises(VerifyMismatchError) as wrong:  # all else would come early
                super().verify(hash, password)
            hashed.append(extract_parameters(str(hash)))
            raise wrong.value

    monkeypatch.setattr(argon2, "PasswordHasher", Noted)
    passwords = argon2.Argon2Passwords(time_cost=2, memory_kib=4096)
    check = account_jobs(store.accounts, passwords)[CheckPassword]
    assert check(CheckPassword(("ada",), "battery staple")) is None
    known = hashed.copy()
    assert check(CheckPassword((), "battery staple")) is None
    assert len(known) == 1
    assert hashed == known * 2
