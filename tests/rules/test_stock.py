"""RULES.md 1, stock and waste."""

import pytest

from acerace_rules.cards import HIDDEN
from acerace_rules.moves import IllegalMoveError, Reason
from acerace_rules.play import unplay
from acerace_rules.table import Table
from acerace_rules.view import view
from tests.rules.support import EVERY_MOVEMENT, deal, do, moves, position, rules, why_not

STOCK_SIZES = (24, 3, 2, 1)


@pytest.mark.parametrize("game", EVERY_MOVEMENT)
def test_the_waste_is_empty_at_the_start(game: str) -> None:
    # D23
    for seat in deal(game).seats:
        assert seat.waste == []
        stock = rules(game).stock
        assert len(seat.stock) == (stock.size if stock else 0)


def test_draw_1_turns_up_the_next_card() -> None:
    table = position("stock (2h 5c 9d)")
    do(table, "d")
    assert table == position("stock (2h 5c)\nwaste 9d\ncounters moves 1")


def test_draw_3_turns_them_up_one_after_another_and_the_last_is_on_top() -> None:
    table = position("stock (Kc 2h 5c 9d)\nc1 Ac", "klondike-three")
    do(table, "d")
    assert table == position("stock (Kc)\nwaste 9d 5c 2h\nc1 Ac\ncounters moves 1", "klondike-three")


def test_draw_3_turns_up_what_is_left() -> None:
    # D18
    table = position("stock (Kc)\nwaste 9d", "klondike-three")
    do(table, "d")
    assert table == position("waste 9d Kc\ncounters moves 1", "klondike-three")


def test_only_the_last_waste_card_is_playable() -> None:
    # D18, D20: whatever is shown of the others
    table = position("waste As 9h\nc1 Ts\nc2 2h", "klondike-three")
    assert moves(table) == {"w>c1", "r"}


def test_the_card_under_it_is_playable_next() -> None:
    table = position("waste As 9h\nc1 Ts", "klondike-three")
    do(table, "w>c1")
    assert moves(table) == {"w>f", "r"}


@pytest.mark.parametrize("game", ["russian", "yukon"])
def test_a_game_without_a_stock_has_no_draw_and_no_recycle(game: str) -> None:
    table = deal(game)
    assert why_not(table, "d") is Reason.NO_STOCK
    assert why_not(table, "r") is Reason.NO_STOCK


# --- recycling (D19, D21, D22, D27) ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("picture", "draw", "recycle"),
    [
        ("stock (5h)\nwaste 6h", None, Reason.STOCK_NOT_EMPTY),
        ("stock (5h)", None, Reason.STOCK_NOT_EMPTY),
        ("waste 6h", Reason.STOCK_EMPTY, None),
        ("c1 6h", Reason.STOCK_EMPTY, Reason.WASTE_EMPTY),
    ],
)
def test_recycling_is_legal_only_when_the_stock_is_empty_and_the_waste_is_not(
    picture: str, draw: Reason | None, recycle: Reason | None
) -> None:
    table = position(picture)
    assert why_not(table, "d") is draw
    assert why_not(table, "r") is recycle


@pytest.mark.parametrize("game", [name for name in EVERY_MOVEMENT if (s := rules(name).stock) and s.passes is None])
def test_the_second_pass_draws_in_the_order_of_the_first(game: str) -> None:
    # D19, R6
    table = deal(game)
    first = _walk_through_the_stock(table)
    do(table, "r")
    assert _walk_through_the_stock(table) == first
    [seat, *_] = table.seats
    assert seat.stock == []
    assert [card for cards in first for card in cards] == seat.waste


def _walk_through_the_stock(table: Table) -> list[tuple[int, ...]]:
    drawn: list[tuple[int, ...]] = []
    while table.seats[0].stock:
        [played] = do(table, "d")
        drawn.append(played.cards)
    return drawn


@pytest.mark.parametrize("draw", [1, 3])
def test_cards_taken_out_leave_the_order_of_the_others(draw: int) -> None:
    game = f"klondike/draw={draw}"
    table = position("stock (9c 8c 7c 6c As 4c 3c 2h)\nfoundations Ah", game)
    drawn: list[int] = []
    while table.seats[0].stock:
        [played] = do(table, "d")
        drawn += played.cards
        if "w>f" in moves(table):
            drawn.remove(do(table, "w>f")[0].cards[0])
    do(table, "r")
    again = [card for _ in range(8) if table.seats[0].stock for card in do(table, "d")[0].cards]
    assert again == drawn
    assert len(again) == {1: 6, 3: 8}[draw]


@pytest.mark.parametrize(
    ("game", "passes"),
    [
        ("klondike-single", 1),
        ("klondike-limited", 3),
        ("klondike-three", 3),
        ("klondike-vegas", 1),
        ("klondike-vegas/draw=3", 1),
        ("double-solitaire/scoring=vegas", 1),
        ("double-solitaire/draw=3,scoring=vegas", 1),
        ("double-klondike/passes=1", 1),
        ("double-klondike/draw=3,passes=1", 1),
    ],
)
def test_a_limit_of_n_passes_allows_n_minus_1_recycles(game: str, passes: int) -> None:
    # D25, D27
    table = deal(game)
    for _ in range(passes - 1):
        _walk_through_the_stock(table)
        do(table, "r")
    _walk_through_the_stock(table)
    assert why_not(table, "r") is Reason.NO_PASS_LEFT
    assert "r" not in moves(table)


@pytest.mark.parametrize(
    "game", ["klondike", "klondike-three-unlimited", "double-solitaire", "easy-harp", "double-klondike"]
)
def test_unlimited_passes_have_no_limit(game: str) -> None:
    table = deal(game)
    for _ in range(30):
        _walk_through_the_stock(table)
        do(table, "r")
    assert table.seats[0].recycles == 30


def test_a_refused_recycle_is_a_typed_error_that_changes_nothing() -> None:
    # R12
    table = position("waste 9h", "klondike-single")
    with pytest.raises(IllegalMoveError) as refused:
        do(table, "r")
    assert refused.value.reason is Reason.NO_PASS_LEFT
    assert table == position("waste 9h", "klondike-single")


# --- taking a draw back (D37) ------------------------------------------------------------------------------


@pytest.mark.parametrize("draw", [1, 3])
@pytest.mark.parametrize("size", STOCK_SIZES)
@pytest.mark.parametrize("recycled", [False, True])
def test_a_draw_taken_back_and_made_again_shows_the_same_cards(draw: int, size: int, *, recycled: bool) -> None:
    # R4
    table = deal(f"klondike/draw={draw}")
    seat = table.seats[0]
    del seat.stock[size:]
    if recycled:
        _walk_through_the_stock(table)
        do(table, "r")
    before = table.copy()
    [first] = do(table, "d")
    after = table.copy()
    unplay(table, first)
    assert table == before
    [second] = do(table, "d")
    assert table == after
    assert first == second


@pytest.mark.parametrize("draw", [1, 3])
def test_a_recycle_taken_back_restores_the_waste(draw: int) -> None:
    table = deal(f"klondike/draw={draw}")
    _walk_through_the_stock(table)
    before = table.copy()
    [played] = do(table, "r")
    unplay(table, played)
    assert table == before


@pytest.mark.parametrize("draw", [1, 3])
def test_the_cards_of_a_draw_taken_back_are_hidden_and_cannot_be_played(draw: int) -> None:
    # R5
    table = position("stock (As Ac Ad)", f"klondike/draw={draw}")
    [played] = do(table, "d")
    assert "w>f" in moves(table)
    unplay(table, played)
    assert moves(table) == {"d"}
    assert view(table).seats[0].stock == [HIDDEN] * 3
    assert view(table).seats[0].waste == []


def test_no_move_has_the_stock_for_its_source() -> None:
    assert moves(position("stock (As)\nc1 2h")) == {"d"}
