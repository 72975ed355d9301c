"""What a move is worth. Every game's numbers are in one ``Scoring`` value; here they are applied.

Literal scoring follows the documents word by word, so that a card taken back and replayed pays twice; strict
scoring, kept beside it, pays for each card's first arrival on a foundation once (RULES.md 9, D12).
"""

from dataclasses import replace
from typing import Final

from acerace_rules.table import Seat, Table
from acerace_rules.variant import Scoring

NONE: Final = Scoring()
NORMAL: Final = Scoring("normal", foundation=10, waste_to_column=5, turn_up=5, recycle=-100)
EASY_HARP: Final = replace(NORMAL, key="easy-harp", recycle=0)
RUSSIAN: Final = Scoring("russian", foundation=10, turn_up=5)
VEGAS_TWO_DECKS: Final = Scoring("vegas", start=-104, foundation=5, floor=None, dollars=True)
VEGAS: Final = replace(VEGAS_TWO_DECKS, start=-52)
MICROSOFT: Final = replace(NORMAL, key="microsoft", recycle=-2)
WINDOWS_DRAW_ONE: Final = replace(
    NORMAL, key="windows", take_back=-15, per_ten_seconds=-2, win_bonus_points=700_000, recycle=-100
)
WINDOWS_DRAW_THREE: Final = replace(WINDOWS_DRAW_ONE, recycle=-20, recycles_free=2)
CONTRIBUTION: Final = Scoring("contribution", foundation=1)

TICK_S: Final = 10


def _award(me: Seat, floor: int | None, points: int, strict_points: int) -> None:
    me.score += points
    me.strict += strict_points
    if floor is not None:
        me.score = max(me.score, floor)
        me.strict = max(me.strict, floor)


def award(table: Table, me: Seat, points: int) -> None:
    """Add points of one event and clamp to the floor (D31)."""
    if points:
        _award(me, table.variant.scoring.floor, points, points)


def award_foundation(table: Table, me: Seat, card: int) -> None:
    """Pay for a card put on a foundation; strict scoring pays only for its first arrival."""
    scoring = table.variant.scoring
    arrived = table.arrived
    table.arrived = arrived | 1 << card
    if points := scoring.foundation:
        _award(me, scoring.floor, points, 0 if arrived >> card & 1 else points)


def award_recycle(table: Table, me: Seat) -> None:
    """Charge the recycle that has just been counted in ``me.recycles``."""
    if me.recycles > table.variant.scoring.recycles_free:
        award(table, me, table.variant.scoring.recycle)


def charge_time(table: Table, me: Seat, elapsed_s: int) -> None:
    """Charge the full ten-second spans of ``elapsed_s`` that were not charged yet (D43)."""
    due = elapsed_s // TICK_S - me.ticks
    if due > 0 and table.variant.scoring.per_ten_seconds:
        me.ticks += due
        award(table, me, due * table.variant.scoring.per_ten_seconds)


def win_bonus(scoring: Scoring, elapsed_s: int) -> int:
    """Points for a win after this many seconds (D43)."""
    return scoring.win_bonus_points // elapsed_s if elapsed_s >= scoring.win_bonus_from_s else 0


def score_text(scoring: Scoring, score: int) -> str:
    """The score as people read it: ``625``, or ``-104 $`` (D40)."""
    return f"{score} $" if scoring.dollars else str(score)
