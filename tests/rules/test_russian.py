"""RULES.md 3 and 5: Russian Solitaire and Yukon."""

import pytest

from acerace_rules.cards import card_text, full_deck
from acerace_rules.moves import Reason
from tests.rules.support import deal, do, moves, position, rules, why_not


@pytest.mark.parametrize("game", ["russian", "russian/rule=flexible", "yukon"])
def test_all_cards_are_dealt_in_seven_columns(game: str) -> None:
    [seat] = deal(game).seats
    assert [len(column) for column in seat.columns] == [1, 6, 7, 8, 9, 10, 11]
    assert seat.down == [0, 1, 2, 3, 4, 5, 6]
    assert (sum(seat.down), 52 - sum(seat.down)) == (21, 31)
    assert seat.stock == seat.waste == []


@pytest.mark.parametrize(("game", "on"), [("russian", "9h"), ("yukon", "9c"), ("russian/rule=flexible", "9d")])
def test_any_face_up_card_moves_with_all_that_lies_on_it_ordered_or_not(game: str, on: str) -> None:
    table = position(f"c1 (2c) 4s 8h Kd 3c Ah\nc2 {on}", game)
    do(table, "c1:4>c2")
    assert table == position(f"c1 (2c) 4s\nc2 {on} 8h Kd 3c Ah\ncounters moves 1", game)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("c1:4>c2", None),
        ("c1:3>c2", Reason.WRONG_SUIT),
        ("c1:1>c2", Reason.WRONG_RANK),
        ("c1:6>c2", Reason.HIDDEN_CARD),
    ],
)
def test_only_the_groups_first_card_must_fit(move: str, reason: Reason | None) -> None:
    assert why_not(position("c1 (2c) 4s 8h Kd 3c Ah\nc2 9h", "russian"), move) is reason


def test_a_king_goes_to_an_empty_column_with_all_that_lies_on_it() -> None:
    table = position("c1 4s 8h Kd 3c Ah", "russian")
    do(table, "c1:3>c5")
    assert table == position("c1 4s 8h\nc5 Kd 3c Ah\ncounters moves 1", "russian")


def test_another_card_does_not() -> None:
    assert why_not(position("c1 4s 8h Kd 3c Ah", "russian"), "c1:4>c5") is Reason.KINGS_ONLY


def test_classic_builds_in_the_same_suit_and_flexible_in_any_in_the_columns_only() -> None:
    # D9
    picture = "foundations As\nc1 8h\nc2 9s\nc3 9d\nc4 9h\nc5 9c\nc6 2h\nc7 Kd"
    assert moves(position(picture, "russian")) == {"c1:1>c4"}
    assert moves(position(picture, "russian/rule=flexible")) == {
        *(f"c1:1>c{target}" for target in (2, 3, 4, 5)),
        "f:s>c6",
    }


def _position_with_group(count: int, on: str) -> str:
    """The eight of hearts under ``count - 1`` cards in no order, and in the second column a card to move it to."""
    others = [text for text in map(card_text, full_deck()) if text not in {"8h", "9h", "9s"}]
    return f"c1 {' '.join(others[40:44])} 8h {' '.join(others[: count - 1])}\nc2 {on}"


@pytest.mark.parametrize("game", ["russian", "russian/rule=flexible"])
@pytest.mark.parametrize(("count", "reason"), [(19, None), (20, None), (21, Reason.GROUP_TOO_LARGE)])
def test_a_group_of_more_than_20_cards_is_refused(game: str, count: int, reason: Reason | None) -> None:
    # D7
    table = position(_position_with_group(count, on="9h"), game)
    assert why_not(table, f"c1:{count}>c2") is reason
    assert (f"c1:{count}>c2" in moves(table)) == (reason is None)


def test_yukon_has_no_group_limit() -> None:
    assert why_not(position(_position_with_group(30, on="9s"), "yukon"), "c1:30>c2") is None


def test_taking_back_costs_nothing_and_replaying_earns_10_again() -> None:
    table = position("foundations Ah..4h\nc1 5h\nc2 6h", "russian")
    do(table, "c1>f", "f:h>c2", "c2>f")
    assert table.seats[0].score == 20


def test_a_card_taken_back_needs_its_own_suit() -> None:
    table = position("foundations Ah..4h\nc1 5d\nc2 5h", "russian")
    assert why_not(table, "f:h>c1") is Reason.WRONG_SUIT
    assert why_not(table, "f:h>c2") is None


def test_undo_and_scores_are_russians_own_and_yukon_takes_them_over() -> None:
    assert rules("yukon").scoring == rules("russian").scoring
