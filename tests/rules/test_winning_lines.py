"""Winning lines that other programs found are legal here, reach the win and score as RULES.md says."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from acerace_rules.cards import face_text
from acerace_rules.hints import finishing_moves
from acerace_rules.moves import IllegalMoveError, Kind, Move, Reason
from acerace_rules.play import Played, check, play
from acerace_rules.table import Table
from acerace_rules.variant import Variant
from tests.rules import oracle
from tests.rules.oracle import Line, faces, step_move
from tests.rules.support import rules

NAMES = {
    "draws": Kind.DRAW,
    "recycles": Kind.RECYCLE,
    "waste_to_column": Kind.WASTE_TO_COLUMN,
    "waste_to_foundation": Kind.WASTE_TO_FOUNDATION,
    "column_to_foundation": Kind.COLUMN_TO_FOUNDATION,
    "column_to_column": Kind.COLUMN_TO_COLUMN,
    "foundation_to_column": Kind.FOUNDATION_TO_COLUMN,
}


def _lines(lines: list[Line]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("line", [pytest.param(line, id=line.name) for line in lines])


def _replayed(line: Line, table: Table) -> Iterator[Played]:
    """Plays every step; checks the turned cards and the checkpoints on the way."""
    played: Played | None = None
    for number, step in enumerate(line.steps, 1):
        move = step_move(table, step)
        if move is None:
            assert played is not None
            assert played.turned
            assert played.move.source == step["column"] - 1
        else:
            assert not table.won
            played = play(table, 0, move)
            if "card" in step:
                assert face_text(played.cards[0]).upper() == step["card"]
                assert len(played.cards) == step["count"]
            yield played
        if number in line.checkpoints:
            _check_position(table, line.checkpoints[number])
    assert table.won


def _check_position(table: Table, point: dict[str, Any]) -> None:
    [seat] = table.seats
    assert [faces(column) for column in seat.columns] == [*map(oracle.cards, point["columns"])]
    # a column that has just lost its last face-up card shows here what a flip step says only next
    for column, down, text in zip(seat.columns, seat.down, point["columns"], strict=True):
        marked = text.count("-")
        assert down == marked or (marked == len(column) and down == marked - 1)
    assert faces(reversed(seat.stock)) == oracle.cards(point["stock"])
    assert faces(seat.waste) == oracle.cards(point["waste"])
    tops = sorted(face_text(pile[-1]).upper() for pile in table.foundations if pile)
    if "foundation_tops" in point:
        assert tops == sorted(point["foundation_tops"])
    else:
        assert tops == sorted(rank + suit for suit, rank in point["foundations"].items() if rank)


def _replay(line: Line, variant: Variant) -> tuple[Table, list[Played]]:
    table = line.table(variant)
    assert [faces(column) for column in table.seats[0].columns] == line.columns
    done = [*_replayed(line, table)]
    counted = Counter(played.move.kind for played in done)
    found = {name: counted[kind] for name, kind in NAMES.items()} | {"flips": sum(p.turned > 0 for p in done)}
    assert not line.counters or found == line.counters
    assert table.seats[0].moves == len(done)
    return table, done


def _literal_score(done: list[Played], *, recycle: int) -> int:
    """The seeds' arithmetic done again, the floor at 0 after every event."""
    score = 0
    for played in done:
        if played.slot >= 0 and played.move.kind is not Kind.FOUNDATION_TO_COLUMN:
            score += 10
        if played.move.kind is Kind.WASTE_TO_COLUMN:
            score += 5
        if played.turned:
            score += 5
        if played.move.kind is Kind.RECYCLE:
            score = max(0, score - recycle)
    return score


@_lines(oracle.klondike_lines())
def test_klondike(line: Line) -> None:
    variant = rules(f"klondike/draw={line.draw}")
    table, done = _replay(line, variant)
    assert table.seats[0].score == _literal_score(done, recycle=2)
    passes = line.counters["recycles"] + 1
    assert table.seats[0].recycles + 1 == passes


@_lines([line for line in oracle.klondike_lines() if not line.counters["recycles"]])
def test_a_line_of_one_pass_wins_the_single_pass_game_and_208_dollars(line: Line) -> None:
    assert not line.counters["foundation_to_column"]
    table, _ = _replay(line, rules(f"klondike-vegas/draw={line.draw}"))
    assert table.seats[0].score == 208


@_lines([line for line in oracle.klondike_lines() if line.counters["recycles"]])
def test_a_line_of_more_passes_is_refused_at_its_first_recycle_where_one_pass_is_the_limit(line: Line) -> None:
    variant = rules(f"klondike-single/draw={line.draw}")
    table = line.table(variant)
    with pytest.raises(IllegalMoveError) as refused:
        list(_replayed(line, table))
    assert refused.value.reason is Reason.NO_PASS_LEFT


@_lines(oracle.double_lines())
def test_double_solitaire(line: Line) -> None:
    table, done = _replay(line, rules(f"double-solitaire/draw={line.draw}"))
    assert table.seats[0].score == _literal_score(done, recycle=100)


@_lines(oracle.double_lines())
def test_strict_scoring_pays_each_card_of_double_solitaire_once(line: Line) -> None:
    variant = rules(f"double-solitaire/draw={line.draw}")
    free = replace(variant, scoring=replace(variant.scoring, recycle=0))
    table, _ = _replay(line, free)
    assert table.seats[0].strict == 1220 + 5 * line.counters["waste_to_column"]


@_lines(oracle.double_lines())
def test_vegas_with_two_decks_ends_at_416_dollars(line: Line) -> None:
    vegas = rules(f"double-solitaire/draw={line.draw},scoring=vegas")
    assert vegas.stock is not None
    unlimited = replace(vegas, stock=replace(vegas.stock, passes=None))
    table, _ = _replay(line, unlimited)
    assert table.seats[0].score == 416 + 5 * line.counters["foundation_to_column"]
    assert table.seats[0].strict == 416


@_lines(oracle.easy_harp_lines())
def test_easy_harp(line: Line) -> None:
    table, done = _replay(line, rules("easy-harp"))
    assert table.seats[0].score == _literal_score(done, recycle=0)
    assert table.seats[0].strict == 1220 + 5 * line.counters["waste_to_column"]


SMALL = [line for line in oracle.russian_lines() if line.largest_group <= 20]
LARGE = [line for line in oracle.russian_lines() if line.largest_group > 20]


@_lines(SMALL)
def test_russian_always_scores_625(line: Line) -> None:
    table, done = _replay(line, rules("russian"))
    assert table.seats[0].score == 625
    assert max(len(played.cards) for played in done) == line.largest_group


@_lines(LARGE)
def test_russian_refuses_exactly_the_groups_of_more_than_20(line: Line) -> None:
    free = line.table(replace(rules("russian"), lift_max=None))
    for step in line.steps:
        move = step_move(free, step)
        if move is None:
            continue
        limited = Table(rules("russian"), free.seats, free.foundations)
        expected = Reason.GROUP_TOO_LARGE if step["count"] > 20 else None
        assert check(limited, 0, move) is expected
        play(free, 0, move)
    assert free.won
    assert free.seats[0].score == 625


def test_both_kinds_of_russian_lines_are_there() -> None:
    assert SMALL
    assert LARGE


@_lines([line for line in oracle.klondike_lines() if line.name.startswith("worry-back")])
def test_a_card_taken_back_at_once_is_no_mistake(line: Line) -> None:
    # R24: a solver that forbids it calls this deal impossible
    _, done = _replay(line, rules(f"klondike/draw={line.draw}"))
    up, back = next(pair for pair in pairwise(done) if pair[1].move.kind is Kind.FOUNDATION_TO_COLUMN)
    assert up.cards == back.cards


@_lines(oracle.klondike_lines())
def test_the_finish_button_of_a_winning_line_wins(line: Line) -> None:
    table = line.table(rules(f"klondike/draw={line.draw}"))
    offered = 0
    for _ in _replayed(line, table):
        finish = finishing_moves(table, 0)
        if finish is None:
            continue
        offered += 1
        trial = table.copy()
        for move in finish:
            play(trial, 0, move)
        assert trial.won
        assert Move(Kind.FOUNDATION_TO_COLUMN) not in finish
    assert offered
