"""Two bots without a plan: one plays anything, one plays whatever comes first."""

from collections.abc import Callable

from acerace_client.bots.idle import PassMeter, Patience
from acerace_client.bots.position import Position
from acerace_rules.cards import HIDDEN
from acerace_rules.moves import Kind, Move
from acerace_rules.table import Seat

_PATIENCE_MOVES = 120
"""A walk through the largest stock, and as much again."""


class RandomBot:
    """Any legal move; ``below(n)`` is an even draw from 0 to n - 1."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self._below = below
        self._patience = Patience(_PATIENCE_MOVES)

    def choose(self, view: Position) -> Move | None:
        if not self._patience.look(view) or not view.legal:
            return None
        return self._patience.spend(view.legal[self._below(len(view.legal))])


class GreedyBot:
    """The first foundation play; else a move that turns a card up; else the waste card; else draw, or recycle."""

    def __init__(self) -> None:
        self._meter = PassMeter()

    def choose(self, view: Position) -> Move | None:
        self._meter.look(view)
        return min(
            (move for move in view.legal if self._rank(view, move) is not None),
            key=lambda move: self._rank(view, move) or 0,
            default=None,
        )

    def _rank(self, view: Position, move: Move) -> int | None:
        match move.kind:
            case Kind.COLUMN_TO_FOUNDATION | Kind.WASTE_TO_FOUNDATION:
                return 0
            case Kind.COLUMN_TO_COLUMN:
                return 1 if turns_up(view.me, move) else None
            case Kind.WASTE_TO_COLUMN:
                return 2
            case Kind.DRAW:
                return 3
            case Kind.RECYCLE:
                return None if self._meter.exhausted(view) else 4
            case Kind.FOUNDATION_TO_COLUMN:
                return None


def turns_up(me: Seat, move: Move) -> bool:
    """Whether this move of a column's cards turns a hidden one up."""
    left = len(me.columns[move.source]) - move.size
    return left > 0 and (left == me.down[move.source] or me.columns[move.source][left - 1] == HIDDEN)
