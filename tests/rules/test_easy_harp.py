"""RULES.md 4: Easy Harp."""

import pytest

from acerace_rules.legal import legal_moves
from acerace_rules.moves import Kind, Reason
from tests.rules.support import deal, do, moves, position, rules, why_not


def test_it_is_dealt_like_double_solitaire() -> None:
    mine, other = deal("easy-harp"), deal("double-solitaire")
    assert (mine.seats, mine.foundations) == (other.seats, other.foundations)


def test_one_card_moves_at_a_time() -> None:
    table = position("c1 9h 8s 7d\nc2 Ts\nc3 9d\nc4 8c", "easy-harp")
    assert why_not(table, "c1:3>c2") is Reason.ONE_CARD_ONLY
    assert why_not(table, "c1:2>c3") is Reason.ONE_CARD_ONLY
    assert why_not(table, "c1:1>c4") is None


def test_a_run_is_taken_apart_card_by_card() -> None:
    table = position("c1 9h 8s 7d\nc2 Ts\nc3 9d\nc4 8c", "easy-harp")
    do(table, "c1:1>c4", "c1:1>c3", "c1:1>c2")
    assert table == position("c2 Ts 9h\nc3 9d 8s\nc4 8c 7d\ncounters moves 3", "easy-harp")


@pytest.mark.parametrize(
    "run", ["Kh Qs", "Kh Qs Jd", "Ks Qh Js Th 9s 8h 7s 6h 5s 4h 3s 2h As"], ids=["2 cards", "3 cards", "13 cards"]
)
def test_a_king_with_everything_on_it_moves_as_a_block_to_an_empty_column(run: str) -> None:
    # D10
    count = len(run.split())
    table = position(f"c4 {run}", "easy-harp")
    do(table, f"c4:{count}>c9")
    assert table == position(f"c9 {run}\ncounters moves 1", "easy-harp")


def test_the_card_under_the_king_turns_up() -> None:
    # seed 002: "una sequenza che inizia con un re ... si sposta in blocco verso una colonna vuota"
    table = position("c4 (3c 9d) Kh Qs Jd", "easy-harp")
    assert "c4:3>c1" in moves(table)
    do(table, "c4:3>c1")
    assert table == position("c1 Kh Qs Jd\nc4 (3c) 9d\ncounters moves 1, score 5", "easy-harp")


def test_a_part_of_the_king_run_does_not_move_as_a_block() -> None:
    table = position("c4 Kh Qs Jd\nc5 Kd", "easy-harp")
    assert why_not(table, "c4:2>c5") is Reason.ONE_CARD_ONLY
    assert why_not(table, "c4:2>c1") is Reason.ONE_CARD_ONLY


@pytest.mark.parametrize("pile", ["Kh Qd", "Kh Js", "Kh Qs Jc"])
def test_what_lies_on_the_king_must_be_a_proper_run(pile: str) -> None:
    count = len(pile.split())
    assert why_not(position(f"c4 {pile}", "easy-harp"), f"c4:{count}>c1") is Reason.NOT_A_RUN


def test_a_king_run_goes_nowhere_else() -> None:
    table = position("c4 Kh Qs\nc5 Ac", "easy-harp")
    assert why_not(table, "c4:2>c5") is Reason.ONE_CARD_ONLY


def test_a_run_without_a_king_does_not_go_to_an_empty_column() -> None:
    assert why_not(position("c4 Qs Jd", "easy-harp"), "c4:2>c1") is Reason.ONE_CARD_ONLY


def test_a_king_alone_moves_as_any_card() -> None:
    assert moves(position("c1 (2c) Kh\nc2 5h\nc3 5d\nc4 5h'\nc5 5d'\nc6 9h\nc7 9d\nc8 9h'", "easy-harp")) == {"c1:1>c9"}


def test_a_cards_block_is_never_more_than_a_king_run() -> None:
    table = deal("easy-harp", 3)
    for _ in range(300):
        choices = legal_moves(table)
        for move in choices:
            if move.kind is Kind.COLUMN_TO_COLUMN and move.size > 1:
                assert not table.seats[0].columns[move.target]
        do(table, str(choices[len(choices) // 2]))


def test_passes_are_unlimited_and_free() -> None:
    table = position("waste 5h\ncounters score 20", "easy-harp")
    do(table, *["r", "d"] * 20)
    assert table.seats[0].score == 20


def test_it_draws_one() -> None:
    assert (stock := rules("easy-harp").stock) is not None
    assert stock.draw == (1,)
