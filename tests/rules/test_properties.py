"""What holds in every position of every game, on positions reached by random play."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acerace_rules.cards import card_text, full_deck, parse_card
from acerace_rules.diagram import draw_table, read_table
from acerace_rules.legal import legal_moves
from acerace_rules.moves import IllegalMoveError, Kind, Move, Reason
from acerace_rules.play import check, play, unplay
from acerace_rules.table import Table
from acerace_rules.view import view
from tests.rules.support import EVERY_MOVEMENT, candidates, deal, rules, walk

GAMES = st.sampled_from(EVERY_MOVEMENT)
NUMBERS = st.integers(0, 2**32)
STEPS = st.integers(0, 300)

FEW = settings(max_examples=60)
MANY = settings(max_examples=150)


def _cards(table: Table) -> list[int]:
    piles = [seat.cards() for seat in table.seats] + table.foundations
    return sorted(card for pile in piles for card in pile)


@FEW
@given(GAMES, NUMBERS)
def test_no_card_is_lost_or_made_by_any_command(game: str, number: int) -> None:
    # R29
    table = deal(game, number)
    variant = table.variant
    deck = sorted(card for copy in range(variant.copies) for card in full_deck(copy))
    random = Random(number)
    for _ in range(120):
        walk(table, random, 1)
        assert _cards(table) == deck
        for seat in table.seats:
            assert all(down < len(column) or not column for down, column in zip(seat.down, seat.columns, strict=True))


@MANY
@given(GAMES, NUMBERS, STEPS)
def test_the_legal_moves_are_the_candidates_that_check_accepts(game: str, number: int, steps: int) -> None:
    table = deal(game, number)
    walk(table, Random(number), steps)
    for seat in range(len(table.seats)):
        legal = legal_moves(table, seat)
        assert len(legal) == len(set(legal))
        accepted = {move for move in candidates(table) if check(table, seat, move) is None}
        assert set(legal) == {_shortest(table, move) for move in accepted}


def _shortest(table: Table, move: Move) -> Move:
    """A slot may be named though the suit says enough; the legal moves leave it out then (D17)."""
    if move.kind is Kind.FOUNDATION_TO_COLUMN and move.slot:
        copies = table.variant.copies
        piles = table.foundations[move.source * copies : (move.source + 1) * copies]
        if sum(map(bool, piles)) == 1:
            return move._replace(slot=0)
    return move


@MANY
@given(GAMES, NUMBERS, STEPS)
def test_every_legal_move_can_be_played_and_undone_exactly(game: str, number: int, steps: int) -> None:
    table = deal(game, number)
    walk(table, Random(number), steps)
    seats = range(len(table.seats))
    before = table.copy()
    legal = [legal_moves(table, seat) for seat in seats]
    for seat in seats:
        for move in legal[seat]:
            played = play(table, seat, move)
            assert table != before
            unplay(table, played)
            assert table == before
    assert [legal_moves(table, seat) for seat in seats] == legal


@FEW
@given(GAMES, NUMBERS, STEPS)
def test_undoing_everything_gives_the_deal_and_replaying_everything_the_position(
    game: str, number: int, steps: int
) -> None:
    start = deal(game, number)
    table = start.copy()
    done = walk(table, Random(number), steps)
    end = table.copy()
    for played in reversed(done):
        unplay(table, played)
    assert table == start
    for played in done:
        assert play(table, played.seat, Move.parse(str(played.move))) == played
    assert table == end


@FEW
@given(GAMES, NUMBERS, STEPS)
def test_a_refused_move_changes_nothing_and_says_why(game: str, number: int, steps: int) -> None:
    table = deal(game, number)
    walk(table, Random(number), steps)
    before = table.copy()
    refused = [move for move in candidates(table) if check(table, 0, move) is not None]
    for move in Random(number).sample(refused, 40):
        with pytest.raises(IllegalMoveError) as error:
            play(table, 0, move)
        assert error.value.reason is check(table, 0, move)
        assert str(move) in str(error.value)
    assert table == before


@MANY
@given(GAMES, NUMBERS, STEPS)
def test_a_picture_of_a_position_is_read_as_it_was_drawn(game: str, number: int, steps: int) -> None:
    table = deal(game, number)
    walk(table, Random(number), steps)
    assert read_table(draw_table(table), rules(game)) == table
    assert read_table(draw_table(view(table)), rules(game)) == view(table)


@MANY
@given(GAMES, NUMBERS, STEPS)
def test_a_view_has_the_same_legal_moves(game: str, number: int, steps: int) -> None:
    table = deal(game, number)
    walk(table, Random(number), steps)
    for seat in range(len(table.seats)):
        assert legal_moves(view(table), seat) == legal_moves(table, seat)


@FEW
@given(GAMES, NUMBERS, STEPS)
def test_a_copy_and_its_original_go_their_own_ways(game: str, number: int, steps: int) -> None:
    table = deal(game, number)
    walk(table, Random(number), steps)
    twin = table.copy()
    picture = draw_table(table)
    walk(twin, Random(number), 20)
    assert draw_table(table) == picture


@pytest.mark.parametrize("game", EVERY_MOVEMENT)
def test_every_candidate_is_read_as_it_is_written(game: str) -> None:
    moves = candidates(deal(game))
    assert [Move.parse(str(move)) for move in moves] == moves
    assert len({str(move) for move in moves}) == len(moves)


@given(st.text(max_size=12) | st.from_regex(r"(c[0-9]:?[0-9]{0,3}|f:[shdcx][0-9]?|w)>(c[0-9]|f)", fullmatch=True))
def test_any_text_is_a_move_or_a_typed_refusal(text: str) -> None:
    try:
        move = Move.parse(text)
    except IllegalMoveError as error:
        assert error.reason in {Reason.UNREADABLE_MOVE, Reason.FOUNDATION_TO_FOUNDATION}  # noqa: PT017
    else:
        assert str(move) == text


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6), st.integers(-9, 9))
def test_a_move_of_any_numbers_is_judged_and_never_an_accident(source: int, target: int, count: int, slot: int) -> None:
    table = deal("double-solitaire")
    for kind in Kind:
        reason = check(table, 0, Move(kind, source, target, count, slot))
        assert reason is None or isinstance(reason, Reason)


@given(st.sampled_from([card for copy in (0, 1) for card in full_deck(copy)]))
def test_a_card_is_read_as_it_is_written(card: int) -> None:
    assert parse_card(card_text(card)) == card
    assert parse_card(card_text(card).lower()) == card


@pytest.mark.parametrize("text", ["", "T", "1h", "10h", "hT", "Thh", "Th''", "??'", " Th", "Tx", "0s"])
def test_any_other_text_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="is no card; expected a rank"):
        parse_card(text)
