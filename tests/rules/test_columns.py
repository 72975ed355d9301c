"""RULES.md 1, the tableau: columns, runs, empty columns, take-backs to them."""

from random import Random

import pytest

from acerace_rules.cards import ACE, HEARTS, KING, RANKS, SUITS, full_deck, is_red, make_card, rank_of, suit_of
from acerace_rules.legal import legal_moves
from acerace_rules.moves import Kind, Move, Reason
from acerace_rules.play import check
from acerace_rules.table import Table
from tests.rules.support import ALL_GAMES, deal, do, moves, position, rules, walk, why_not


def _bare(game: str) -> Table:
    return position("seat 1", game)


# --- nothing moves by itself (D57) -------------------------------------------------------------------------


def _piles(table: Table) -> dict[str, tuple[int, ...]]:
    piles = {f"f{slot}": pile for slot, pile in enumerate(table.foundations)}
    for number, seat in enumerate(table.seats):
        piles |= {f"{number} w": seat.waste, f"{number} stock": seat.stock}
        piles |= {f"{number} c{column}": pile for column, pile in enumerate(seat.columns, 1)}
    return {name: tuple(pile) for name, pile in piles.items()}


@pytest.mark.parametrize("game", [*ALL_GAMES])
def test_nothing_moves_by_itself(game: str) -> None:
    random = Random(57)
    table = deal(game)
    for _ in range(300):
        before = _piles(table)
        walked = walk(table, random, 1)
        if not walked:
            break
        [played] = walked
        source, _, target = str(played.move).partition(">")
        named = {source.partition(":")[0], target} - {"", "d", "r", "f"}
        named |= {"w", "stock"} if source in {"d", "r"} else set()
        may_change = {f"{played.seat} {pile}" for pile in named} | {f"f{played.slot}"}
        after = _piles(table)
        assert {name for name in after if after[name] != before[name]} <= may_change


# --- turning up (D0) ---------------------------------------------------------------------------------------


def test_a_face_down_card_that_becomes_last_turns_up_by_itself() -> None:
    table = position("""
        c1  (2s 9d) 5h
        c2  6c
    """)
    [played] = do(table, "c1:1>c2")
    assert table == position("""
        c1  (2s) 9d
        c2  6c 5h
        counters  moves 1, score 5
    """)
    assert played.turned == make_card(9, suit=2)


def test_it_turns_up_too_when_the_card_on_it_goes_to_a_foundation() -> None:
    table = position("c1  (Kd) As")
    do(table, "c1>f")
    assert table == position("""
        foundations  As
        c1  Kd
        counters  moves 1, score 15
    """)


def test_the_cards_under_it_stay_face_down() -> None:
    table = position("c1 (2s 3s 4s) Ad")
    do(table, "c1>f")
    assert table.seats[0].down[0] == 2


# --- empty columns -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [game for game in ALL_GAMES if rules(game).stock])
def test_every_empty_column_takes_the_kings_and_no_other_card_from_the_waste(game: str) -> None:
    # R1
    table = _bare(game)
    for column in range(len(table.seats[0].columns)):
        for card in full_deck():
            table.seats[0].waste[:] = [card]
            expected = None if rank_of(card) == KING else Reason.KINGS_ONLY
            assert check(table, 0, Move(Kind.WASTE_TO_COLUMN, target=column)) is expected


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_empty_column_takes_the_kings_and_no_other_card_from_a_column(game: str) -> None:
    # R1
    table = _bare(game)
    columns = range(len(table.seats[0].columns))
    for target in columns:
        for source in columns:
            if source == target:
                continue
            for card in full_deck():
                table.seats[0].columns[source] = [card]
                expected = None if rank_of(card) == KING else Reason.KINGS_ONLY
                assert check(table, 0, Move(Kind.COLUMN_TO_COLUMN, source, target)) is expected
            table.seats[0].columns[source] = []


@pytest.mark.parametrize("game", [game for game in ALL_GAMES if rules(game).take_back])
def test_every_empty_column_takes_the_kings_and_no_other_card_from_a_foundation(game: str) -> None:
    # R1, D4
    table = _bare(game)
    for target in range(len(table.seats[0].columns)):
        for suit in SUITS:
            slot = suit * table.variant.copies
            for height in RANKS:
                table.foundations[slot] = [make_card(rank, suit) for rank in range(1, height + 1)]
                expected = None if height == KING else Reason.KINGS_ONLY
                assert check(table, 0, Move(Kind.FOUNDATION_TO_COLUMN, suit, target)) is expected
            table.foundations[slot] = []


def test_a_king_moves_to_an_empty_column_with_what_lies_on_it() -> None:
    table = position("c7  (4c) Kd Qs Jh")
    do(table, "c7:3>c1")
    assert table == position("""
        c1  Kd Qs Jh
        c7  4c
        counters  moves 1, score 5
    """)


def test_a_part_of_a_king_run_does_not() -> None:
    assert why_not(position("c7  Kd Qs Jh"), "c7:2>c1") is Reason.KINGS_ONLY


def test_a_king_run_that_is_a_whole_column_may_go_to_another_empty_column() -> None:
    # D3
    table = position("c7  Kd Qs Jh")
    do(table, "c7:3>c1")
    assert table == position("""
        c1  Kd Qs Jh
        counters  moves 1
    """)


# --- building ----------------------------------------------------------------------------------------------


def _other_colour(below: int, card: int) -> bool:
    return is_red(below) != is_red(card)


def _same_suit(below: int, card: int) -> bool:
    return suit_of(below) == suit_of(card)


def _any_suit(_below: int, _card: int) -> bool:
    return True


BUILDING = {
    "klondike": _other_colour,
    "double-solitaire": _other_colour,
    "easy-harp": _other_colour,
    "double-klondike": _other_colour,
    "yukon": _other_colour,
    "russian": _same_suit,
    "russian/rule=flexible": _any_suit,
}


@pytest.mark.parametrize("game", BUILDING)
def test_a_card_is_laid_on_one_of_the_next_rank_that_the_building_rule_allows(game: str) -> None:
    table = _bare(game)
    move = Move(Kind.COLUMN_TO_COLUMN, 0, 1)
    for below in full_deck():
        for card in full_deck():
            table.seats[0].columns[:2] = [card], [below]
            fits = rank_of(below) == rank_of(card) + 1 and BUILDING[game](below, card)
            assert (check(table, 0, move) is None) == fits
            assert (move in legal_moves(table)) == fits


@pytest.mark.parametrize(
    ("game", "card", "reason"),
    [
        ("klondike", "8s", None),
        ("klondike", "8d", Reason.WRONG_COLOUR),
        ("klondike", "7s", Reason.WRONG_RANK),
        ("klondike", "Ts", Reason.WRONG_RANK),
        ("russian", "8h", None),
        ("russian", "8s", Reason.WRONG_SUIT),
        ("russian", "7h", Reason.WRONG_RANK),
        ("russian/rule=flexible", "8s", None),
        ("russian/rule=flexible", "7h", Reason.WRONG_RANK),
    ],
)
def test_a_refusal_says_which_part_of_the_rule_is_broken(game: str, card: str, reason: Reason | None) -> None:
    assert why_not(position(f"c1 {card}\nc2 9h", game), "c1:1>c2") is reason


def test_nothing_is_laid_on_an_ace() -> None:
    table = _bare("klondike")
    for card in full_deck():
        table.seats[0].columns[:2] = [card], [make_card(ACE, HEARTS)]
        assert why_not(table, "c1:1>c2") is not None


# --- runs (D1, D2) -----------------------------------------------------------------------------------------

RUN = """
    c1  (3c) 9h 8s 7d 6c
    c2  Ts
    c3  9d
    c4  8c
    c5  7h
"""


@pytest.mark.parametrize("move", ["c1:4>c2", "c1:3>c3", "c1:2>c4", "c1:1>c5"])
def test_any_suffix_of_a_run_may_be_moved(move: str) -> None:
    assert move in moves(position(RUN))


def test_the_hidden_card_under_a_run_may_not() -> None:
    assert why_not(position(RUN), "c1:5>c2") is Reason.HIDDEN_CARD


@pytest.mark.parametrize("picture", ["c1 9h 8s 6d", "c1 9h 8d 7s", "c1 9h 7s 6d"])
def test_in_the_klondike_family_a_group_must_be_a_run(picture: str) -> None:
    assert why_not(position(picture + "\nc2 Ts"), "c1:3>c2") is Reason.NOT_A_RUN


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("c1:1>c1", Reason.SAME_COLUMN),
        ("c2:1>c1", Reason.COLUMN_EMPTY),
        ("c2>f", Reason.COLUMN_EMPTY),
        ("c1:2>c2", Reason.TOO_MANY_CARDS),
        ("c1:99>c2", Reason.TOO_MANY_CARDS),
        ("c8:1>c1", Reason.NO_SUCH_PILE),
        ("c1:1>c8", Reason.NO_SUCH_PILE),
        ("c8>f", Reason.NO_SUCH_PILE),
        ("w>c8", Reason.NO_SUCH_PILE),
        ("w>c1", Reason.WASTE_EMPTY),
        ("f:h>c8", Reason.NO_SUCH_PILE),
    ],
)
def test_what_cannot_be_lifted_or_laid_is_refused_with_its_reason(move: str, reason: Reason) -> None:
    assert why_not(position("c1 5h"), move) is reason


@pytest.mark.parametrize("source", [-1, 7, 100])
def test_a_column_that_is_not_there_is_refused_in_values_too(source: int) -> None:
    table = position("c1 5h\nc7 6s")
    for kind in (Kind.COLUMN_TO_COLUMN, Kind.COLUMN_TO_FOUNDATION):
        assert check(table, 0, Move(kind, source)) is Reason.NO_SUCH_PILE
    assert check(table, 0, Move(Kind.COLUMN_TO_COLUMN, 0, source)) is Reason.NO_SUCH_PILE


@pytest.mark.parametrize("count", [0, -1])
def test_a_group_of_no_cards_is_refused(count: int) -> None:
    table = position("c1 5h\nc7 6s")
    assert check(table, 0, Move(Kind.COLUMN_TO_COLUMN, 0, 6, count)) is Reason.TOO_MANY_CARDS
