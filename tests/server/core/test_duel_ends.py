"""How a match ends, and who has won (RULES.md 6, D48-D55)."""

import pytest

from acerace_protocol.messages import Ended
from acerace_rules.moves import Reason
from acerace_server.core import match as match_module
from tests.server.core.support import A, B, Duel, reason

LAST_CARD = """
foundations As..Ks | Ah..Kh | Ad..Kd | Ac..Qc
seat 1
  c1 Kc
  counters score 51
seat 2
  c1 (4h) 9h
  c2 Ts
  stock (3h)
"""


def test_a_all_52_cards_played() -> None:
    # D50
    duel = Duel(LAST_CARD)
    duel.plays(A, "c1>f")
    assert (duel.ended.reason, duel.ended.winner, duel.ended.scores) == ("out", A, (52, 0))
    assert duel.ended.contributions == (52, 0)


def test_a_with_play_on_the_other_goes_on() -> None:
    # D52
    duel = Duel(LAST_CARD, play_on=True, passes=1)
    duel.plays(A, "c1>f")
    assert duel.match.phase == "playing"
    duel.plays(B, "c1:1>c2")  # turns up the four; now nothing goes anywhere, not the three of hearts either
    assert (duel.ended.reason, duel.ended.winner) == ("blocked", A)


def test_a_with_play_on_it_ends_when_both_are_out() -> None:
    both = """
    foundations As..Ks | As'..Ks' | Ah..Kh | Ah'..Kh' | Ad..Kd | Ad'..Kd' | Ac..Qc | Ac'..Qc'
    seat 1
      c1 Kc
      counters score 51
    seat 2
      c1 Kc
      counters score 51
    """
    duel = Duel(both, play_on=True)
    duel.plays(B, "c1>f")
    assert duel.match.phase == "playing"
    duel.plays(A, "c1>f")
    assert (duel.ended.reason, duel.ended.scores) == ("out", (52, 52))
    assert duel.ended.winner == A  # D53, to the letter: equal, and A made the last foundation play


def test_b_both_blocked() -> None:
    duel = Duel("seat 1\n c1 9h\n c2 Ts\n c3 Ad\nseat 2\n c1 9h")
    duel.plays(A, "c1:1>c2")
    assert duel.match.phase == "playing"  # the ace is still to be played
    duel.plays(A, "c3>f")
    assert (duel.ended.reason, duel.ended.winner, duel.ended.scores) == ("blocked", A, (1, 0))


def test_b_one_blocked_seat_is_not_enough() -> None:
    duel = Duel("seat 1\n c1 9h\nseat 2\n c1 Ad\n c2 2d\n c3 3h")
    duel.plays(B, "c1>f")
    assert duel.match.phase == "playing"
    duel.plays(B, "c2>f")
    assert (duel.ended.reason, duel.ended.winner) == ("blocked", B)


def test_b_a_foundation_play_of_the_other_may_free_a_blocked_seat() -> None:
    duel = Duel("seat 1\n c1 2d\nseat 2\n c1 Ad\n c2 3d")
    duel.plays(B, "c1>f")
    duel.plays(A, "c1>f")
    assert duel.match.phase == "playing"
    duel.plays(B, "c2>f")
    assert duel.ended.reason == "blocked"


def test_b_a_draw_can_be_what_blocks() -> None:
    duel = Duel("seat 1\n c1 9h\n stock (3h 4h 5d)\nseat 2\n c1 9h", draw=3, passes=1)
    duel.plays(A, "d")
    assert (duel.ended.reason, duel.ended.winner) == ("blocked", None)


def test_c_both_agree() -> None:
    duel = Duel(LAST_CARD)
    duel.done(B)
    duel.done(A)
    assert (duel.ended.reason, duel.ended.winner) == ("agreed", A)


@pytest.mark.parametrize("seat", [A, B])
def test_d_resignation_decides_whatever_the_counts(seat: int) -> None:
    duel = Duel("foundations As\nseat 1\n c1 2s\n counters score 1\nseat 2\n c1 9h\n stock (3h)")
    ended = duel.resign(seat)
    assert isinstance(ended, Ended)
    assert (ended.reason, ended.winner, ended.scores) == ("resigned", 1 - seat, (1, 0))
    assert reason(duel.resign(1 - seat)) == Reason.GAME_OVER


# --- the winner --------------------------------------------------------------------------------------------

BOTH_MAY_SCORE = "seat 1\n c1 Ad\n c2 9h\nseat 2\n c1 Ah\n c2 As\n c3 9h"


def test_the_higher_score_wins() -> None:
    duel = Duel(BOTH_MAY_SCORE)
    duel.plays(B, "c1>f", "c2>f")
    duel.plays(A, "c1>f")
    assert (duel.ended.winner, duel.ended.scores) == (B, (1, 2))


@pytest.mark.parametrize("last", [A, B])
def test_equal_scores_go_to_the_last_foundation_play(last: int) -> None:
    # D53
    duel = Duel(BOTH_MAY_SCORE)
    duel.plays(1 - last, "c1>f")
    duel.plays(last, "c1>f")
    duel.done(A)
    duel.done(B)
    assert (duel.ended.winner, duel.ended.scores) == (last, (1, 1))


def test_nobody_played_one_it_is_a_draw() -> None:
    duel = Duel(BOTH_MAY_SCORE)
    duel.done(A)
    duel.done(B)
    assert (duel.ended.winner, duel.ended.scores) == (None, (0, 0))


# --- the clear bonus ---------------------------------------------------------------------------------------

TABLEAU_OF_ONE = "foundations Ah\nseat 1\n c1 2h\n stock (9c)\nseat 2\n c1 3h\n c2 Ad\n c3 As\n c4 2s\n c5 9d"


def test_without_the_option_an_emptied_tableau_earns_nothing() -> None:
    duel = Duel(TABLEAU_OF_ONE)
    duel.plays(A, "c1>f")
    duel.resign(B)
    assert duel.ended.scores == (1, 0)


def test_who_empties_the_tableau_first_gets_the_bonus() -> None:
    # D54
    duel = Duel(TABLEAU_OF_ONE, clear_bonus="cards")
    duel.plays(A, "c1>f")
    duel.plays(B, "c1>f", "c2>f", "c3>f", "c4>f")
    duel.done(A)
    duel.done(B)
    assert (duel.ended.winner, duel.ended.scores, duel.ended.contributions) == (A, (11, 4), (2, 4))


def test_the_bonus_is_as_agreed_and_only_the_first_gets_it() -> None:
    duel = Duel("seat 1\n c1 Ah\n stock (9c)\nseat 2\n c1 Ad\n stock (9c)", clear_bonus="cards", clear_bonus_cards=3)
    duel.plays(B, "c1>f")
    duel.plays(A, "c1>f")
    duel.done(A)
    duel.done(B)
    assert (duel.ended.winner, duel.ended.scores) == (B, (1, 4))


def test_or_wins_outright() -> None:
    duel = Duel(TABLEAU_OF_ONE, clear_bonus="wins")
    duel.plays(B, "c2>f", "c3>f", "c4>f")
    duel.plays(A, "c1>f")
    assert (duel.ended.reason, duel.ended.winner, duel.ended.scores) == ("cleared", A, (1, 3))


# --- every end ---------------------------------------------------------------------------------------------


def test_a_match_that_will_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_module, "COMMANDS_PER_TABLE", 40)
    duel = Duel("foundations As\nseat 1\n c1 9h\n c2 Ts\n c3 Tc\n c4 2s\nseat 2\n c1 9h\n c2 3s", no_progress_s=3600)
    duel.plays(A, "c1:1>c2")
    while duel.match.phase == "playing":
        duel.plays(A, "c2:1>c3")
        duel.play(A, "c3:1>c2")
    assert (duel.ended.reason, len(duel.match.log)) == ("too_long", 40)


def test_a_table_ends_with_comings_and_goings_too_when_it_is_told_more_than_it_keeps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match_module, "COMMANDS_PER_TABLE", 40)
    duel = Duel(BOTH_MAY_SCORE, no_progress_s=3600)
    while len(duel.match.log) < 39:
        (duel.comes if duel.match.away[A] else duel.goes)(A)
    assert duel.match.phase == "playing"
    duel.goes(B)
    assert (duel.ended.reason, len(duel.match.log)) == ("too_long", 40)


def test_what_ends_the_match_as_the_last_that_a_table_keeps_ends_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    duel = Duel(BOTH_MAY_SCORE)
    monkeypatch.setattr(match_module, "COMMANDS_PER_TABLE", len(duel.match.log) + 1)
    duel.resign(A)
    assert (duel.ended.reason, duel.ends) == ("resigned", 1)


def test_the_end_says_how_long_it_took_and_what_each_did() -> None:
    duel = Duel(BOTH_MAY_SCORE)
    duel.wait(1.5)
    duel.plays(A, "c1>f")
    duel.refused(B, "r")
    duel.wait(0.75)
    duel.resign(B)
    ended = duel.ended
    assert (ended.duration_ms, ended.moves, ended.refusals) == (2250, (1, 0), (0, 1))


def test_there_is_one_end_and_nothing_after_it() -> None:
    duel = Duel(LAST_CARD)
    duel.plays(A, "c1>f")
    seq = duel.match.seq
    assert duel.wait(100_000) == []
    assert duel.goes(A) == []
    assert duel.match.deadline() is None
    assert duel.refused(B, "c1:1>c2") == Reason.GAME_OVER
    assert (duel.match.seq, duel.ends) == (seq, 1)
    assert duel.match.snapshot().ended == duel.ended
