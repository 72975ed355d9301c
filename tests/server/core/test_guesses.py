"""Passwords are looked at slowly, whoever asks and however many there are."""

import pytest

from acerace_protocol.limits import Fault
from acerace_server.core.guesses import Guesses
from acerace_server.core.lobby import RefusalError
from tests.server.core.support import SECOND, START


def test_so_many_a_minute_and_no_more() -> None:
    guesses = Guesses(per_minute=6)
    for _ in range(6):
        guesses.pay("ada", START)
    with pytest.raises(RefusalError) as refused:
        guesses.pay("ada", START + 9 * SECOND)
    assert refused.value.fault == Fault.TOO_FAST
    guesses.pay("zoe", START)
    guesses.pay("ada", START + 11 * SECOND)


def test_in_an_hour_of_trying_no_more_than_the_rate_lets_through() -> None:
    guesses = Guesses(per_minute=6)
    taken = 0
    for second in range(3600):
        try:
            guesses.pay("ada", START + second * SECOND)
        except RefusalError:
            continue
        taken += 1
    assert taken == 6 + 6 * 60 - 1


def test_who_has_not_tried_for_a_minute_is_forgotten() -> None:
    guesses = Guesses(per_minute=6)
    for second in range(600):
        guesses.pay(f"name {second}", START + second * SECOND)
        assert len(guesses) <= 61
