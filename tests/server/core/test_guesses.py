"""Passwords are looked at slowly, whoever asks and however many there are."""

import pytest

from acerace_protocol.limits import Fault
from acerace_server.core.guesses import Guesses, Share
from acerace_server.core.refusal import RefusalError
from tests.server.core.support import SECOND, START

ADA, ZOE = Share("ada", 6, "for Ada"), Share("zoe", 6, "for Zoe")
EVERYBODY = Share("all", 60, "in all")


def test_so_many_a_minute_and_no_more() -> None:
    guesses = Guesses()
    for _ in range(6):
        guesses.pay([ADA], START)
    with pytest.raises(RefusalError, match="more than 6 passwords a minute for Ada") as refused:
        guesses.pay([ADA], START + 9 * SECOND)
    assert refused.value.fault == Fault.TOO_FAST
    guesses.pay([ZOE], START)
    guesses.pay([ADA], START + 11 * SECOND)


@pytest.mark.parametrize("shares", [[ADA, EVERYBODY], [EVERYBODY, ADA]])
def test_what_is_too_much_for_one_is_counted_for_none(shares: list[Share]) -> None:
    guesses = Guesses()
    for _ in range(6):
        guesses.pay(shares, START)
    for _ in range(1000):
        with pytest.raises(RefusalError):
            guesses.pay(shares, START)
    for _ in range(60 - 6):
        guesses.pay([EVERYBODY], START)
    with pytest.raises(RefusalError):
        guesses.pay([EVERYBODY], START)


def test_in_an_hour_of_trying_no_more_than_the_rate_lets_through() -> None:
    guesses = Guesses()
    taken = 0
    for second in range(3600):
        try:
            guesses.pay([ADA], START + second * SECOND)
        except RefusalError:
            continue
        taken += 1
    assert taken == 6 + 6 * 60 - 1


def test_who_has_not_tried_for_a_minute_is_forgotten() -> None:
    guesses = Guesses()
    for second in range(600):
        guesses.pay([Share(f"name {second}", 6, "for it")], START + second * SECOND)
        assert len(guesses) <= 61


def test_one_who_tries_all_the_time_does_not_keep_the_others_from_being_forgotten() -> None:
    guesses = Guesses()
    for tries in range(500):
        guesses.pay([EVERYBODY, Share(f"name {tries}", 6, "for it")], START + tries * SECOND * 9 // 10)
        assert len(guesses) <= 1 + 12
