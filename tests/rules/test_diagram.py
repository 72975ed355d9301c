"""Text pictures of positions: what was drawn is read again, and a slip of the pen is named."""

from random import Random

import pytest

from acerace_rules.cards import HEARTS, HIDDEN, parse_card
from acerace_rules.diagram import draw_table, read_table
from acerace_rules.view import view
from tests.rules.support import EVERY_MOVEMENT, deal, position, rules, walk


@pytest.mark.parametrize("game", EVERY_MOVEMENT)
def test_a_picture_is_read_as_it_was_drawn(game: str) -> None:
    table = deal(game, 6)
    for number in range(12):
        assert read_table(draw_table(table), rules(game)) == table
        assert read_table(draw_table(view(table)), rules(game)) == view(table)
        walk(table, Random(number), 30)


@pytest.mark.parametrize(
    ("game", "picture"),
    [
        (
            "klondike",
            """\
foundations  As 2s | Ah..4h
  stock     (7h 8h)
  waste     Th 9c
  c1        Kh
  c2        -
  c3        (2d 4d) 9h
  c4        -
  c5        -
  c6        -
  c7        -
  counters  recycles 1, moves 12, score 35, strict 25
""",
        ),
        (
            "double-klondike",
            """\
foundations  - | - | - | Ah' 2h | - | - | Ac'..3c' 4c | -
seat 1
  stock     -
  waste     Th
  c1        Kh
  c2        -
  c3        -
  c4        -
  c5        -
  c6        -
  c7        (2d 4d) 9h
seat 2
  stock     -
  waste     Th
  c1        Kh
  c2        -
  c3        -
  c4        -
  c5        -
  c6        -
  c7        -
""",
        ),
    ],
)
def test_a_picture_as_it_is_drawn(game: str, picture: str) -> None:
    assert draw_table(read_table(picture, rules(game))) == picture


def test_a_small_position_says_only_what_it_needs() -> None:
    table = position("c3 (2s 4d) 9h  # the rest is empty")
    assert table.seats[0].columns[2] == [parse_card(text) for text in ("2s", "4d", "9h")]
    assert table.seats[0].down == [0, 0, 2, 0, 0, 0, 0]
    assert table.seats[0].score == rules("klondike").scoring.start
    assert position("") == position("seat 1") == position("foundations -\n\nstock -\n c1 -")


def test_a_seats_piles_hold_its_own_deck() -> None:
    table = position("seat 1\nc1 9h\nseat 2\nc1 9h\nc2 9s'", "double-klondike")
    [first, second] = table.seats
    assert first.columns[0] == [parse_card("9h")]
    assert second.columns[:2] == [[parse_card("9h'")], [parse_card("9s'")]]


def test_hidden_cards_are_counted() -> None:
    table = position("stock (??*24)\nc2 (??) 9h\nc3 (?? ??) 8h")
    assert table.seats[0].stock == [HIDDEN] * 24
    assert table.seats[0].down == [0, 1, 2, 0, 0, 0, 0]
    assert "(??*2) 8h" in draw_table(table)


def test_cards_that_once_lay_on_a_foundation_are_written() -> None:
    table = position("foundations Ah\narrived Ah 2h\nc1 2h")
    assert "arrived      Ah 2h" in draw_table(table)
    assert position("foundations Ah").arrived == 1 << parse_card("Ah")


def test_foundations_are_found_by_their_suit() -> None:
    table = position("foundations Ac 2c | Ah'..3h' 4h | Ah", "double-solitaire")
    assert [len(pile) for pile in table.foundations] == [0, 0, 4, 1, 0, 0, 2, 0]
    assert table.foundations[2 * HEARTS][0] == parse_card("Ah'")


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("c1 9x", "line 1, 'c1 9x': '9x' is no card"),
        ("\nc8 9h", "line 2, 'c8 9h': expected a column from 1 to 7, not '8'"),
        ("cx 9h", "expected a column from 1 to 7, not 'x'"),
        ("c1 9h (2s)", "face-down ones before the others"),
        ("c1 (2s", "face-down ones before the others"),
        ("c1 (2s)", "expected a face-up card on the face-down ones"),
        ("waste (2s) 3s", "expected no face-down card in the waste"),
        ("c1 9h\nc1 8h", "line 2, 'c1 8h': expected 'c1' only once"),
        ("reserve 9h", "expected foundations, arrived, seat, counters or a pile"),
        ("seat 2", "expected a seat from 1 to 1, not '2'"),
        ("counters moves", "with a number, as in 'moves 12, score 35', not 'moves'"),
        ("counters luck 7", "expected draw, recycles, moves, score, strict, ticks"),
        ("foundations 2h", "expected 'Ah' next on this foundation, not '2h'"),
        ("foundations Ah 3h", "expected '2h' next on this foundation, not '3h'"),
        ("foundations Ah 2s", "expected '2h' next on this foundation, not '2s'"),
        ("foundations Ah'", "expected 'Ah' next on this foundation"),
        ("foundations Ah..5s", "expected a range of one suit and copy going up"),
        ("foundations Ah..3h..5h", "is no card"),
        ("foundations Ah | Ah", "expected at most 1 foundation(s) of a suit"),
        ("foundations Ah | -", "expected all 4 foundations if an empty one is written, not 2"),
        ("foundations Ah | - | - | -", "expected foundation 1 to be of another suit"),
        ("foundations Ah |", "expected foundations from the ace up"),
        ("arrived 5x", "is no card"),
        ("c1 9h\nc2 9h", "9h is there 2 times; expected it at most 1"),
    ],
)
def test_a_slip_of_the_pen_is_named(picture: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".*") as refused:
        position(picture)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("c1 9h", "expected 'seat 1' or 'seat 2' before a seat's piles"),
        ("seat 1\nc1 9h'", "is of the other seat's deck"),
        ("seat 1\nseat 1", "expected 'seat 1' only once"),
        ("foundations Ah\nseat 1\nc1 Ah", "Ah is there 2 times"),
    ],
)
def test_a_slip_of_the_pen_is_named_with_two_seats(picture: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".*") as refused:
        position(picture, "double-klondike")
    assert message in str(refused.value)


def test_a_game_without_a_stock_has_no_pile_for_it() -> None:
    with pytest.raises(ValueError, match=r"a pile of this game: c1"):
        position("stock (9h)", "russian")
