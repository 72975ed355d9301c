"""Playing at the same time: what is accepted, what is refused, and what stays secret (RULES.md 6)."""

import pytest

from acerace_protocol.messages import Ended, Play, Refused, SaidDone
from acerace_rules.moves import Reason
from tests.server.core.support import TABLE, A, B, Duel, SoloDriver, reason

BOTH_HAVE_ACES = """
seat 1
  c1 (9h 3c) Ah
  c2 9s
  c3 8d
  stock (4c 5c)
seat 2
  c1 Ah
  c2 Th
  stock (4c 5c)
"""


def test_both_play_as_fast_as_they_like() -> None:
    duel = Duel(BOTH_HAVE_ACES)
    duel.plays(A, "d", "c3:1>c2")
    duel.plays(B, "c1>f")
    duel.plays(A, "c1>f")
    assert duel.match.dealt.contribution(A) == duel.match.dealt.contribution(B) == 1


def test_an_event_says_what_moved_where_and_what_turned_up() -> None:
    event = Duel(BOTH_HAVE_ACES).plays(A, "c1>f")
    assert (event.seat, event.move, event.cards, event.slot, event.turned, event.score) == (
        A,
        "c1>f",
        ("Ah",),
        2,
        "3c",
        1,
    )


def test_a_seat_plays_its_own_cards_only() -> None:
    """A move names piles of one's own; there is no way to write one of the other seat's."""
    duel = Duel(BOTH_HAVE_ACES)
    before = duel.match.dealt.seats[B].copy()
    duel.plays(A, "c1>f", "c3:1>c2", "d")
    assert duel.match.dealt.seats[B] == before


def test_a_card_never_comes_back_from_a_foundation() -> None:
    # D13
    duel = Duel("foundations Ah 2h\nseat 1\n c1 3s\nseat 2\n c1 Th")
    assert duel.refused(A, "f:h>c1") == Reason.NO_TAKE_BACK


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("c2>f", Reason.FOUNDATION_WANTS_ACE),
        ("c2:1>c3", Reason.WRONG_RANK),
        ("c1:2>c4", Reason.HIDDEN_CARD),
        ("c2:1>c4", Reason.KINGS_ONLY),
        ("c4:1>c2", Reason.COLUMN_EMPTY),
        ("w>f", Reason.WASTE_EMPTY),
        ("r", Reason.STOCK_NOT_EMPTY),
        ("f>f", Reason.FOUNDATION_TO_FOUNDATION),
        ("c8:1>c1", Reason.NO_SUCH_PILE),
        ("c1:1>c9", Reason.NO_SUCH_PILE),
        ("nonsense", Reason.UNREADABLE_MOVE),
    ],
)
def test_an_illegal_play_is_refused_counted_and_never_reaches_the_table(move: str, why: Reason) -> None:
    # D64
    duel = Duel(BOTH_HAVE_ACES)
    before, seq = duel.match.dealt.copy(), duel.match.seq
    assert duel.refused(A, move) == why
    assert duel.match.dealt == before
    assert duel.match.seq == seq
    assert duel.match.refusals == [1, 0]


def test_refusals_are_told_to_their_sender_alone_and_counted_in_the_end() -> None:
    duel = Duel(BOTH_HAVE_ACES)
    command = Play(table=TABLE, nonce=1, move="r")
    duel.match.receive(A, command, duel.now)
    assert [receiver for receiver, _ in duel.match.outgoing] == [A]
    duel.match.outgoing.clear()
    duel.refused(A, "r")
    duel.refused(B, "r")
    duel.resign(A)
    assert duel.ended.refusals == (2, 1)


def test_nothing_is_accepted_when_it_is_over() -> None:
    duel = Duel(BOTH_HAVE_ACES)
    duel.resign(B)
    assert duel.refused(A, "c1>f") == Reason.GAME_OVER
    assert reason(duel.done(B)) == Reason.GAME_OVER
    assert reason(duel.claim(A)) == Reason.GAME_OVER
    assert duel.match.legal(A).moves == ()
    assert duel.ends == 1


def test_passing_is_for_alternating_play() -> None:
    assert reason(Duel(BOTH_HAVE_ACES).passes(A)) == Reason.NOT_ALTERNATING


# --- done --------------------------------------------------------------------------------------------------


def test_done_is_told_once() -> None:
    duel = Duel(BOTH_HAVE_ACES)
    assert isinstance(duel.done(A), SaidDone)
    assert duel.match.snapshot().done == (True, False)
    assert reason(duel.done(A)) == Reason.ALREADY_DONE


@pytest.mark.parametrize("move", ["d", "c3:1>c2", "c1>f"])
def test_ones_own_move_clears_ones_done(move: str) -> None:
    duel = Duel(BOTH_HAVE_ACES)
    duel.done(A)
    duel.plays(A, move)
    assert duel.match.snapshot().done == (False, False)


def test_a_foundation_play_clears_both() -> None:
    duel = Duel(BOTH_HAVE_ACES)
    duel.done(A)
    duel.plays(B, "c1>f")
    assert duel.match.snapshot().done == (False, False)


def test_the_others_other_moves_do_not() -> None:
    duel = Duel(BOTH_HAVE_ACES)
    duel.done(A)
    duel.plays(B, "d")
    assert duel.match.snapshot().done == (True, False)


def test_a_refused_move_clears_nothing() -> None:
    duel = Duel(BOTH_HAVE_ACES)
    duel.done(A)
    duel.refused(A, "r")
    assert duel.match.snapshot().done == (True, False)


def test_both_done_ends_the_match() -> None:
    duel = Duel(BOTH_HAVE_ACES)
    duel.done(A)
    duel.done(B)
    assert duel.ended.reason == "agreed"


# --- the card that is meant --------------------------------------------------------------------------------


def test_a_command_may_name_the_card_it_means() -> None:
    duel = Duel(BOTH_HAVE_ACES)
    assert duel.refused(A, "c3:1>c2", card="7d") == Reason.OTHER_CARD
    duel.play(A, "c3:1>c2", card="8d")
    assert duel.match.dealt.seats[A].moves == 1


def test_it_is_the_deepest_of_those_that_move() -> None:
    duel = Duel("seat 1\n c1 9s 8d\n c2 Th\nseat 2\n c1 Th\n stock (Ah)")
    assert duel.refused(A, "c1:2>c2", card="8d") == Reason.OTHER_CARD
    assert not isinstance(duel.play(A, "c1:2>c2", card="9s"), Refused)


@pytest.mark.parametrize("guess", ["3c", "9h", "Kd"])
@pytest.mark.parametrize("move", ["c1:2>c2", "c1:3>c2"])
def test_a_guess_at_a_face_down_card_is_neither_confirmed_nor_denied(guess: str, move: str) -> None:
    duel = Duel(BOTH_HAVE_ACES)
    answer = duel.play(A, move, card=guess)
    assert isinstance(answer, Refused)
    assert (answer.reason, answer.detail) == (Reason.HIDDEN_CARD, move)


@pytest.mark.parametrize("guess", ["5c", "Kd"])
def test_nor_is_one_at_the_stock(guess: str) -> None:
    assert not isinstance(Duel(BOTH_HAVE_ACES).play(A, "d", card=guess), Refused)


def test_a_take_back_in_a_solo_game_may_name_its_card_too() -> None:
    solo = SoloDriver("foundations Ah 2h\nc1 3s\nc2 Kd")
    assert solo.refused(A, "f:h>c1", card="3h") == Reason.OTHER_CARD
    solo.plays(A, "f:h>c1")


def test_the_last_card_decides_in_the_same_step() -> None:
    duel = Duel("foundations As..Ks | Ah..Kh | Ad..Kd | Ac..Qc\nseat 1\n c1 Kc\n counters score 51\nseat 2\n c1 Kc")
    said = duel.send(A, Play(table=TABLE, nonce=1, move="c1>f"))
    assert isinstance(said[-1], Ended)
    assert len(said) == 2
