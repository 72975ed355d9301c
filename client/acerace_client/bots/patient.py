"""The bot that thinks: it plans, it remembers its stock, and it hurries only where somebody else would be first."""

from typing import Final

from acerace_client.bots.idle import Patience
from acerace_client.bots.memory import StockMemory
from acerace_client.bots.plan import Search, Weights, known_table, ready_faces
from acerace_client.bots.position import Position
from acerace_rules.cards import FACE
from acerace_rules.moves import STOCK_MOVES, Kind, Move

_DEPTH: Final = 3
_WALK_DEPTH: Final = 2
_NODES: Final = 400
_WALK_NODES: Final = 600
_LAST_DEPTH: Final = 5
_LAST_NODES: Final = 3000
_STEPS: Final = 70
_PATIENCE_MOVES: Final = 160


class PatientBot:
    """Plans a few moves ahead; the arguments are there to be measured."""

    def __init__(self, weights: Weights | None = None, *, depth: int = _DEPTH, last_depth: int = _LAST_DEPTH) -> None:
        self._weights = weights or Weights()
        self._depth = depth
        self._last_depth = last_depth
        self._memory = StockMemory()
        self._patience = Patience(_PATIENCE_MOVES)
        self._given_up: object = None
        """The position that was found to offer nothing; it still does as long as it is the same."""

    def choose(self, view: Position) -> Move | None:
        stock = self._memory.look(view.me)
        if not self._patience.look(view) or not view.legal or wins_by_stopping(view):
            return None
        now = _what_counts(view)
        if now == self._given_up:
            return None
        move = contested(view) or self._planned(view, stock)
        if move is None:
            self._given_up = now
        return self._patience.spend(move)

    def _planned(self, view: Position, stock: list[int]) -> Move | None:
        table = known_table(view.table, view.seat, stock)
        line = Search(table, view.seat, self._weights, _NODES).best(self._depth)
        if line.worth < self._weights.turn_up and view.legal[-1].kind in STOCK_MOVES:
            walk = Search(table, view.seat, self._weights, _WALK_NODES).walk(_WALK_DEPTH, _STEPS)
            line = max(line, walk, key=lambda found: found.worth)
        if line.first is None:  # before giving up, think harder
            line = Search(table, view.seat, self._weights, _LAST_NODES).best(self._last_depth)
        return line.first if line.first in view.legal else None


def _what_counts(view: Position) -> object:
    me = view.me
    columns = [column.copy() for column in me.columns]
    return columns, len(me.stock), me.waste.copy(), me.recycles, [len(pile) for pile in view.table.foundations]


def wins_by_stopping(view: Position) -> bool:
    """Whether the opponent sees nothing more to play and is behind: to say the same now wins."""
    other = view.opponent
    return other is not None and view.opponent_done and view.me.score > other.score


def contested(view: Position) -> Move | None:
    """A foundation play that the opponent could make too, with its copy of the same card, and only one of us."""
    if view.opponent is None:
        return None
    theirs = ready_faces(view.table, 1 - view.seat)
    for move in view.legal:
        if move.kind is Kind.COLUMN_TO_FOUNDATION:
            card = view.me.columns[move.source][-1]
        elif move.kind is Kind.WASTE_TO_FOUNDATION:
            card = view.me.waste[-1]
        else:
            break  # foundation plays come first
        if card & FACE in theirs:
            return move
    return None
