"""RULES.md 2 and 5: the deals of Double Solitaire and Klondike, and Klondike's options."""

import pytest

from acerace_rules.cards import HIDDEN, full_deck
from acerace_rules.view import view
from tests.rules.support import deal, do, moves, position, rules


@pytest.mark.parametrize(
    ("game", "columns", "stock", "foundations", "decks"),
    [("klondike", 7, 24, 4, 1), ("double-solitaire", 9, 59, 8, 2), ("easy-harp", 9, 59, 8, 2)],
)
def test_the_deal(game: str, columns: int, stock: int, foundations: int, decks: int) -> None:
    table = deal(game)
    [seat] = table.seats
    assert [len(column) for column in seat.columns] == [*range(1, columns + 1)]
    assert seat.down == [*range(columns)]
    assert len(seat.stock) == stock
    assert table.foundations == [[]] * foundations
    assert sorted(seat.cards()) == sorted(card for copy in range(decks) for card in full_deck(copy))


@pytest.mark.parametrize(
    ("preset", "draw", "passes"),
    [
        ("klondike", 1, None),
        ("klondike-three", 3, 3),
        ("klondike-three-unlimited", 3, None),
        ("klondike-limited", 1, 3),
        ("klondike-single", 1, 1),
        ("klondike-thoughtful", 1, None),
        ("klondike-vegas", 1, 1),
    ],
)
def test_the_presets(preset: str, draw: int, passes: int | None) -> None:
    stock = rules(preset).stock
    assert stock is not None
    assert (stock.draw, stock.passes) == ((draw,), passes)


def test_thoughtful_has_all_tableau_cards_face_up_and_the_stock_hidden() -> None:
    # D45
    seen = view(deal("klondike-thoughtful")).seats[0]
    assert [len(column) for column in seen.columns] == [1, 2, 3, 4, 5, 6, 7]
    assert HIDDEN not in {card for column in seen.columns for card in column}
    assert seen.stock == [HIDDEN] * 24


def test_thoughtful_runs_may_include_once_hidden_cards_and_nothing_turns_up() -> None:
    # D45
    table = position("c1 2c 9h 8s\nc2 Ts", "klondike-thoughtful")
    [played] = do(table, "c1:2>c2")
    assert played.turned == 0
    assert table == position("c1 2c\nc2 Ts 9h 8s\ncounters moves 1", "klondike-thoughtful")


def test_the_strict_game_takes_nothing_back() -> None:
    picture = "foundations Ah..5h\nc1 6s"
    assert "f:h>c1" in moves(position(picture))
    assert "f:h>c1" not in moves(position(picture, "klondike/take_back=False"))


@pytest.mark.parametrize("game", ["klondike", "double-solitaire"])
def test_identical_cards_may_both_be_meant(game: str) -> None:
    # seed 000: a black six has up to four places
    table = position("waste 6s\nc1 7h\nc2 7d", game)
    assert {move for move in moves(table) if move.startswith("w>c")} == {"w>c1", "w>c2"}


def test_a_black_six_has_four_places_with_two_decks() -> None:
    table = position("waste 6s\nc1 7h\nc2 7d\nc3 7h'\nc4 7d'\nc5 7c", "double-solitaire")
    assert {move for move in moves(table) if move.startswith("w>c")} == {f"w>c{column}" for column in (1, 2, 3, 4)}
