"""perft: how many sequences of n legal moves there are from a numbered deal, as chess programs count them.

The count begins where two draws empty the stock, so that recycles and their limits are met.
Any change to what may move changes one of these numbers. They were computed with this engine, once all positions and
lines of ``oracles/`` agreed with it; draws and recycles count as moves, and in a two-seat game either seat may move.
"""

import pytest

from acerace_rules.legal import legal_moves
from acerace_rules.play import play_checked, unplay
from acerace_rules.table import Table
from tests.rules.support import EVERY_MOVEMENT, deal, do

PERFT = {
    "klondike": [6, 32, 157, 729, 3281, 14637],
    "double-solitaire": [4, 14, 51, 190, 733, 2964, 12461],
    "russian": [4, 14, 46, 153, 507, 1552, 4270, 10584, 23716],
    "yukon": [6, 32, 161, 795, 3963, 19998],
    "easy-harp": [4, 12, 38, 116, 370, 1235, 4278, 15307],
    "double-klondike": [6, 33, 166, 769, 3304, 13192],
    "klondike-three": [4, 15, 55, 194, 657, 2260, 8211, 31891],
    "klondike-single": [6, 32, 156, 714, 3151, 13718],
    "klondike-thoughtful": [6, 32, 157, 729, 3281, 14640],
    "klondike/take_back=False": [6, 31, 142, 595, 2358, 9158, 35609],
    "double-solitaire/draw=3": [4, 13, 41, 140, 518, 2019, 8186, 34269],
    "double-solitaire/scoring=vegas": [4, 14, 50, 175, 619, 2266, 8478, 32194],
    "russian/rule=flexible": [15, 212, 2874, 37965],
    "double-klondike/draw=3": [8, 56, 346, 1929, 10034],
    "double-klondike/second_draw=3": [7, 44, 250, 1307, 6479, 31354],
}


def perft(table: Table, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for seat in range(len(table.seats)):
        legal = legal_moves(table, seat)
        if depth == 1:
            count += len(legal)
            continue
        for move in legal:
            played = play_checked(table, seat, move)
            count += perft(table, depth - 1)
            unplay(table, played)
    return count


def _start(game: str) -> Table:
    # deal 58 tells Klondike's options apart, deal 7 has enough to do in the other games
    table = deal(game, 58 if game.startswith("klondike") else 7)
    for seat, me in enumerate(table.seats):
        while len(me.stock) > 2 * me.draw:
            do(table, "d", seat=seat)
    return table


def test_every_game_and_option_is_pinned() -> None:
    assert {*PERFT} == {*EVERY_MOVEMENT}


@pytest.mark.parametrize("game", PERFT)
def test_perft(game: str) -> None:
    table = _start(game)
    assert [perft(table, depth) for depth in range(1, len(PERFT[game]) + 1)] == PERFT[game]
    assert table == _start(game)
