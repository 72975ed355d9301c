"""The legal moves of 480 positions are those on which two or three other programs agree."""

from collections import Counter
from dataclasses import replace

import pytest

from acerace_rules.legal import legal_moves
from acerace_rules.moves import Kind
from tests.rules.oracle import Golden, golden_positions, oracle_move
from tests.rules.support import rules

POSITIONS = [*golden_positions()]
GAMES = {
    "klondike": rules("klondike"),
    "double": rules("double-solitaire"),
    # the other programs forbid take-backs in these two
    "russian": replace(rules("russian"), take_back=False),
    "yukon": replace(rules("yukon"), take_back=False),
}


def test_there_are_120_positions_of_each_game() -> None:
    assert Counter(golden.game for golden in POSITIONS) == dict.fromkeys(GAMES, 120)


@pytest.mark.parametrize("game", GAMES)
def test_the_legal_moves_are_those_of_the_other_programs(game: str) -> None:
    differing = [golden for golden in POSITIONS if golden.game == game and _moves(golden) ^ golden.legal]
    assert not differing


def _moves(golden: Golden) -> set[tuple[str | int, ...]]:
    table = golden.table(GAMES[golden.game])
    carried = [move for move in legal_moves(table) if move.kind not in {Kind.DRAW, Kind.RECYCLE}]
    return {oracle_move(table, move) for move in carried}
