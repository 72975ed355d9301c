"""Passwords, really hashed."""

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError

from acerace_server.adapters.argon2 import MEMORY_KIB, TIME_COST, Argon2Passwords

QUICK = Argon2Passwords(time_cost=1, memory_kib=8)


def test_a_password_is_right_for_its_own_hash_only() -> None:
    kept = QUICK.hash("correct horse")
    assert QUICK.verify(kept, "correct horse")
    assert not QUICK.verify(kept, "correct horsE")
    assert "horse" not in kept


def test_the_same_password_is_never_kept_the_same_way() -> None:
    assert QUICK.hash("correct horse") != QUICK.hash("correct horse")


def test_an_accented_letter_is_one_however_the_keyboard_composes_it() -> None:
    assert QUICK.verify(QUICK.hash("caf\u00e9 noir"), "cafe\u0301 noir")


def test_nobodys_password_is_always_wrong() -> None:
    assert not QUICK.verify(None, "correct horse")
    assert not QUICK.verify(None, "nobody has this one")


def test_a_damaged_hash_is_wrong_and_no_fault() -> None:
    assert not QUICK.verify("$argon2id$v=19$rubbish", "correct horse")
    assert not QUICK.verify("plain", "correct horse")


def test_the_cost_is_what_owasp_asks_for_and_the_same_for_nobody() -> None:
    passwords = Argon2Passwords()
    own = extract_parameters(passwords.hash("correct horse"))
    assert (own.time_cost, own.memory_cost, own.parallelism, own.type.name) == (TIME_COST, MEMORY_KIB, 1, "ID")
    assert extract_parameters(passwords.nobodys) == own


def test_what_is_compared_for_nobody_is_hashed_to_the_end() -> None:
    with pytest.raises(VerifyMismatchError):  # another one would come early, and tell that there is no such name
        PasswordHasher().verify(QUICK.nobodys, "correct horse")
