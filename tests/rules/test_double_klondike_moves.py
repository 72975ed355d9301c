"""RULES.md 6, as far as single moves go: whose cards, which foundations."""

from random import Random

import pytest

from acerace_rules.cards import copy_of, full_deck
from acerace_rules.moves import Reason
from acerace_rules.play import check
from tests.rules.support import candidates, deal, do, moves, position, walk, why_not

GAME = "double-klondike"


def test_each_seat_has_its_own_deck_and_its_own_klondike() -> None:
    table = deal(GAME)
    for number, seat in enumerate(table.seats):
        assert sorted(seat.cards()) == [*full_deck(number)]
        assert [len(column) for column in seat.columns] == [1, 2, 3, 4, 5, 6, 7]
        assert seat.down == [0, 1, 2, 3, 4, 5, 6]
        assert (len(seat.stock), seat.waste) == (24, [])
    assert table.foundations == [[]] * 8


def test_a_card_of_either_seat_continues_a_pile_begun_by_the_other() -> None:
    table = position("""
        foundations  Ah
        seat 1
          waste  3h
        seat 2
          c1  2h
    """, GAME)  # fmt: skip
    do(table, "c1>f", seat=1)
    do(table, "w>f", seat=0)
    assert table == position("""
        foundations  Ah 2h' 3h
        seat 1
          counters  moves 1, score 1
        seat 2
          counters  moves 1, score 1
    """, GAME)  # fmt: skip


def test_who_comes_second_lands_on_the_other_slot_if_that_fits() -> None:
    # D62, D63
    table = position("foundations Ah | Ah'\nseat 1\nc1 2h\nseat 2\nc1 2h", GAME)
    [first] = do(table, "c1>f", seat=1)
    [second] = do(table, "c1>f", seat=0)
    assert (first.slot, second.slot) == (2, 3)


def test_who_comes_second_is_refused_if_no_slot_fits() -> None:
    table = position("foundations Ah\nseat 1\nc1 2h\nseat 2\nc1 2h", GAME)
    do(table, "c1>f", seat=1)
    assert why_not(table, "c1>f", seat=0) is Reason.FOUNDATION_WANTS_NEXT


def test_two_foundations_a_suit() -> None:
    table = position("seat 1\nc1 Ah\nseat 2\nc1 Ah\nc2 2h", GAME)
    do(table, "c1>f", seat=1)
    do(table, "c1>f", seat=0)
    do(table, "c2>f", seat=1)
    assert table.foundations == position("foundations Ah' 2h' | Ah", GAME).foundations


def test_nothing_is_ever_taken_back() -> None:
    # D13
    table = position("foundations Ah..5h\nseat 1\nc1 6h\nc2 6s\nseat 2\nc1 6h\nc2 6s", GAME)
    for seat in (0, 1):
        assert why_not(table, "f:h>c2", seat=seat) is Reason.NO_TAKE_BACK
        assert moves(table, seat) == {"c1>f"}


@pytest.mark.parametrize("mover", [0, 1])
def test_a_seat_touches_nothing_of_the_others(mover: int) -> None:
    table = deal(GAME, 5)
    other = 1 - mover
    random = Random(mover)
    for _ in range(200):
        before = table.seats[other].copy()
        legal = [move for move in candidates(table) if check(table, mover, move) is None]
        if not legal:
            break
        [played] = do(table, str(random.choice(legal)), seat=mover)
        assert table.seats[other] == before
        assert all(copy_of(card) == mover for card in played.cards)


def test_cards_of_the_two_decks_meet_on_the_foundations_only() -> None:
    table = deal(GAME, 2)
    walk(table, Random(1), 600)
    for number, seat in enumerate(table.seats):
        assert {copy_of(card) for card in seat.cards()} <= {number}


@pytest.mark.parametrize(
    ("options", "drawn"),
    [("draw=1", (1, 1)), ("draw=3", (3, 3)), ("second_draw=3", (1, 3)), ("draw=3,second_draw=1", (3, 1))],
)
def test_the_draw_is_one_value_for_both_or_a_declared_handicap(options: str, drawn: tuple[int, int]) -> None:
    # D28
    table = deal(f"{GAME}/{options}")
    for seat in (0, 1):
        [played] = do(table, "d", seat=seat)
        assert len(played.cards) == drawn[seat]


def test_a_seat_counts_its_own_passes() -> None:
    table = position("seat 1\nwaste 5h\nseat 2\nwaste 5h", GAME)
    do(table, "r", seat=1)
    assert [seat.recycles for seat in table.seats] == [0, 1]
    limited = position("seat 1\nwaste 5h\nseat 2\nstock (5h)", f"{GAME}/passes=1")
    assert why_not(limited, "r", seat=0) is Reason.NO_PASS_LEFT
