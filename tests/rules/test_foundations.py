"""RULES.md 1, the foundations: what they take, from where, and what comes back."""

import pytest

from acerace_rules.cards import ACE, KING, RANKS, SUITS, full_deck, make_card, rank_of, suit_of
from acerace_rules.legal import legal_moves
from acerace_rules.moves import IllegalMoveError, Kind, Move, Reason
from acerace_rules.play import check
from acerace_rules.table import Table
from tests.rules.support import ALL_GAMES, do, moves, position, rules, why_not

PUT_UP = Move(Kind.COLUMN_TO_FOUNDATION)


def _passing(table: Table) -> set[int]:
    """The cards that a foundation takes now, each tried from the first column."""
    passing: set[int] = set()
    for card in full_deck():
        table.seats[0].columns[0] = [card]
        allowed = check(table, 0, PUT_UP) is None
        assert allowed == (PUT_UP in legal_moves(table))
        if allowed:
            passing.add(card)
    return passing


@pytest.mark.parametrize("game", ALL_GAMES)
def test_an_empty_foundation_takes_the_ace_of_its_suit_and_no_other_card(game: str) -> None:
    # R2: with all other suits complete, only this suit's slot can be meant
    for suit in SUITS:
        table = position("seat 1", game)
        copies = table.variant.copies
        for other in SUITS:
            for slot in range(copies):
                if other != suit:
                    table.foundations[other * copies + slot] = [make_card(rank, other) for rank in RANKS]
        assert _passing(table) == {make_card(ACE, suit)}


@pytest.mark.parametrize("game", ALL_GAMES)
def test_a_foundation_takes_the_next_rank_of_its_suit_and_no_other_card(game: str) -> None:
    # R3: the aces stay welcome where a suit has a second slot
    for suit in SUITS:
        for height in RANKS:
            table = position("seat 1", game)
            copies = table.variant.copies
            table.foundations[suit * copies] = [make_card(rank, suit) for rank in range(ACE, height + 1)]
            aces = {make_card(ACE, other) for other in SUITS if other != suit or copies == 2}
            following = {make_card(height + 1, suit)} if height < KING else set[int]()
            assert _passing(table) == aces | following


@pytest.mark.parametrize(
    ("picture", "reason"),
    [
        ("c1 2h", Reason.FOUNDATION_WANTS_ACE),
        ("c1 Kh", Reason.FOUNDATION_WANTS_ACE),
        ("foundations Ah\nc1 3h", Reason.FOUNDATION_WANTS_NEXT),
        ("foundations Ah..5h\nc1 5h'", Reason.FOUNDATION_WANTS_NEXT),
        ("foundations Ah | Ah'\nc1 3h", Reason.FOUNDATION_WANTS_NEXT),
    ],
)
def test_a_refusal_says_what_the_foundation_waits_for(picture: str, reason: Reason) -> None:
    assert why_not(position(picture, "double-solitaire"), "c1>f") is reason


def test_only_the_last_card_of_a_pile_goes_up() -> None:
    table = position("""
        stock  (Ac)
        waste  Ad 5d
        c1     (Ah) 9s
        c2     As 9d
    """)
    assert not {move for move in moves(table) if move.endswith(">f")}


def test_the_referee_picks_the_lowest_slot_of_the_suit_that_fits() -> None:
    # D14
    table = position("""
        foundations  Ah..3h | Ah' 2h'
        c1  3h'
        c2  4h
    """, "double-solitaire")  # fmt: skip
    [third, fourth] = do(table, "c1>f", "c2>f")
    copies = table.variant.copies
    assert third.slot == 1 * copies + 1
    assert fourth.slot == 1 * copies


def test_an_ace_begins_the_lowest_empty_slot_of_its_suit() -> None:
    # D15
    table = position("c1 Ah\nc2 Ah'\nc3 Ad", "double-solitaire")
    assert [played.slot for played in do(table, "c2>f", "c3>f", "c1>f")] == [2, 4, 3]


def test_an_ace_fills_the_first_slot_again_when_it_has_become_empty() -> None:
    table = position("""
        foundations  - | - | - | Ah' | - | - | - | -
        c1  Ah
    """, "double-solitaire")  # fmt: skip
    [played] = do(table, "c1>f")
    assert played.slot == 2


# --- take-backs (D4, D5, D6, D17) --------------------------------------------------------------------------


def test_a_king_comes_back_to_an_empty_column_and_an_ace_to_a_two() -> None:
    table = position("""
        foundations  As..Ks | Ah
        c1  2c
        c2  3h
        c3  4c
        c4  5h
        c5  6c
        c6  7h
    """)
    assert {move for move in moves(table) if move[0] == "f"} == {"f:s>c7", "f:h>c1"}


def test_a_card_comes_back_only_where_it_fits() -> None:
    table = position("foundations Ah..5h\nc1 6h\nc2 6s\nc3 5s")
    assert why_not(table, "f:h>c1") is Reason.WRONG_COLOUR
    assert why_not(table, "f:h>c2") is None
    assert why_not(table, "f:h>c3") is Reason.WRONG_RANK
    assert why_not(table, "f:h>c4") is Reason.KINGS_ONLY
    assert why_not(table, "f:d>c2") is Reason.FOUNDATION_EMPTY


def test_the_card_that_came_back_may_go_up_again() -> None:
    table = position("foundations Ah..5h\nc2 6s")
    do(table, "f:h>c2", "c2>f")
    assert table.foundations == position("foundations Ah..5h").foundations


@pytest.mark.parametrize("text", ["f:h>f", "f:h2>f", "f>f"])
def test_foundation_to_foundation_is_refused(text: str) -> None:
    # D6: an ace too
    with pytest.raises(IllegalMoveError) as refused:
        Move.parse(text)
    assert refused.value.reason is Reason.FOUNDATION_TO_FOUNDATION


TWO_TOPS = "foundations Ah..5h | Ah'..3h'\nc1 6s\nc2 4c"


def test_a_take_back_names_the_slot_when_both_slots_of_the_suit_have_tops() -> None:
    # D17
    table = position(TWO_TOPS, "double-solitaire")
    assert why_not(table, "f:h>c1") is Reason.WHICH_FOUNDATION
    assert {move for move in moves(table) if move[0] == "f"} == {"f:h1>c1", "f:h2>c2"}


def test_the_suit_is_enough_when_one_slot_has_a_top() -> None:
    table = position("foundations Ah..5h\nc1 6s", "double-solitaire")
    assert "f:h>c1" in moves(table)
    assert why_not(table, "f:h1>c1") is None
    assert why_not(table, "f:h2>c1") is Reason.FOUNDATION_EMPTY


def test_the_suit_is_enough_for_the_second_slot_too() -> None:
    table = position("foundations -|-|-|Ah' 2h'|-|-|-|-\nc1 3s", "double-solitaire")
    [played] = do(table, "f:h>c1")
    assert played.slot == 3


def test_a_suit_with_one_foundation_has_no_second_slot() -> None:
    assert why_not(position("foundations Ah..5h\nc1 6s"), "f:h2>c1") is Reason.NO_SUCH_PILE


@pytest.mark.parametrize("game", ["klondike/take_back=False", "double-klondike"])
def test_without_take_backs_nothing_comes_back(game: str) -> None:
    table = position("foundations Ah..5h\nseat 1\nc1 6s", game)
    assert why_not(table, "f:h>c1") is Reason.NO_TAKE_BACK
    assert not {move for move in moves(table) if move[0] == "f"}


# --- the last card -----------------------------------------------------------------------------------------


def _one_card_left(game: str, last: str) -> Table:
    variant = rules(game)
    table = Table(variant, position("seat 1", game).seats)
    for index in range(4 * variant.copies):
        suit, copy = divmod(index, variant.copies)
        table.foundations[index] = [make_card(rank, suit, copy) for rank in RANKS]
    card = table.foundations[-1].pop()
    seat = table.seats[-1]
    (seat.waste if last == "w" else seat.columns[6]).append(card)
    return table


@pytest.mark.parametrize(
    ("game", "last"),
    [(game, last) for game in ALL_GAMES for last in ("w", "c7") if last == "c7" or rules(game).stock],
)
def test_the_last_card_wins_from_wherever_it_comes(game: str, last: str) -> None:
    # R14
    table = _one_card_left(game, last)
    seat = len(table.seats) - 1
    assert not table.won
    do(table, f"{last}>f", seat=seat)
    assert table.won
    assert all(suit_of(pile[-1]) == slot // table.variant.copies for slot, pile in enumerate(table.foundations))
    assert all(rank_of(pile[-1]) == KING for pile in table.foundations)
