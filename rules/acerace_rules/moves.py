"""Moves, their text form, and the reasons for which one is refused.

======================  ============================================================
``d``                   draw
``r``                   recycle: turn the waste over and make it the stock
``w>c3``                waste to column 3
``w>f``                 waste to the foundations
``c3:4>c5``             the last 4 cards of column 3 to column 5
``c3>f``                last card of column 3 to the foundations
``f:h>c1``              take the top heart back to column 1
``f:h2>c1``             the same, from the second foundation of hearts
======================  ============================================================

A move names piles, never cards; columns count from 1 in text and from 0 in values.
"""

import re
from enum import IntEnum, StrEnum, unique
from functools import cache
from typing import Final, NamedTuple

from acerace_rules.cards import SUIT_LETTERS


@unique
class Reason(StrEnum):
    """Which rule a refused command breaks. Texts for people are in ``acerace_protocol.texts``."""

    # stock and waste (RULES.md 1, D18-D27)
    NO_STOCK = "no_stock"
    STOCK_EMPTY = "stock_empty"
    STOCK_NOT_EMPTY = "stock_not_empty"
    WASTE_EMPTY = "waste_empty"
    NO_PASS_LEFT = "no_pass_left"  # noqa: S105  # a talon pass
    # what is lifted (RULES.md 1-4, D1, D2, D7, D10)
    NO_SUCH_PILE = "no_such_pile"
    COLUMN_EMPTY = "column_empty"
    TOO_MANY_CARDS = "too_many_cards"
    HIDDEN_CARD = "hidden_card"
    NOT_A_RUN = "not_a_run"
    ONE_CARD_ONLY = "one_card_only"
    GROUP_TOO_LARGE = "group_too_large"
    # where it is laid
    SAME_COLUMN = "same_column"
    KINGS_ONLY = "kings_only"
    WRONG_COLOUR = "wrong_colour"
    WRONG_SUIT = "wrong_suit"
    WRONG_RANK = "wrong_rank"
    # where it goes up: D4 to D6, D13 to D17
    FOUNDATION_WANTS_ACE = "foundation_wants_ace"
    FOUNDATION_WANTS_NEXT = "foundation_wants_next"
    FOUNDATION_EMPTY = "foundation_empty"
    FOUNDATION_TO_FOUNDATION = "foundation_to_foundation"
    WHICH_FOUNDATION = "which_foundation"
    NO_TAKE_BACK = "no_take_back"
    # the command around the move: RULES.md 1, D30 to D39
    UNREADABLE_MOVE = "unreadable_move"
    OTHER_CARD = "other_card"
    NO_UNDO = "no_undo"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOTHING_TO_REDO = "nothing_to_redo"
    # the match (RULES.md 6)
    NOT_DEALT = "not_dealt"
    ALREADY_DEALT = "already_dealt"
    GAME_OVER = "game_over"
    LOST_RACE = "lost_race"
    NOT_YOUR_TURN = "not_your_turn"
    RECYCLED_THIS_TURN = "recycled_this_turn"
    ONLY_DRAWN_CARD = "only_drawn_card"
    NOT_ALTERNATING = "not_alternating"
    TWO_PLAYERS_ONLY = "two_players_only"
    SOLO_ONLY = "solo_only"
    ALREADY_DONE = "already_done"
    NOT_ABSENT = "not_absent"


class IllegalMoveError(ValueError):
    """A command that the rules refuse; ``reason`` names the rule, ``detail`` what was found."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.reason = reason
        self.detail = detail


class Kind(IntEnum):
    """From which sort of pile to which."""

    DRAW = 0
    RECYCLE = 1
    WASTE_TO_COLUMN = 2
    WASTE_TO_FOUNDATION = 3
    COLUMN_TO_COLUMN = 4
    COLUMN_TO_FOUNDATION = 5
    FOUNDATION_TO_COLUMN = 6


FOUNDATION_PLAYS: Final = frozenset({Kind.WASTE_TO_FOUNDATION, Kind.COLUMN_TO_FOUNDATION})
WASTE_PLAYS: Final = frozenset({Kind.WASTE_TO_COLUMN, Kind.WASTE_TO_FOUNDATION})
STOCK_MOVES: Final = frozenset({Kind.DRAW, Kind.RECYCLE})
"""The moves that are no progress, in whatever number (RULES.md 6, f)."""


class Move(NamedTuple):
    """One move of one seat. Piles that ``kind`` does not speak of stay 0; ``size`` stays 1."""

    kind: Kind
    source: int = 0
    """Column, from 0; for a take-back the suit."""
    target: int = 0
    """Column, from 0."""
    size: int = 1
    """Cards that a column move takes up."""
    slot: int = 0
    """For a take-back: 1 or 2, the foundation of that suit; 0, not named."""

    def __str__(self) -> str:
        match self.kind:
            case Kind.DRAW:
                return "d"
            case Kind.RECYCLE:
                return "r"
            case Kind.WASTE_TO_COLUMN:
                return f"w>c{self.target + 1}"
            case Kind.WASTE_TO_FOUNDATION:
                return "w>f"
            case Kind.COLUMN_TO_COLUMN:
                return f"c{self.source + 1}:{self.size}>c{self.target + 1}"
            case Kind.COLUMN_TO_FOUNDATION:
                return f"c{self.source + 1}>f"
            case Kind.FOUNDATION_TO_COLUMN:
                return f"f:{SUIT_LETTERS[self.source]}{self.slot or ''}>c{self.target + 1}"

    @staticmethod
    @cache  # there are some thousand texts that can be read; others raise, and are not kept
    def parse(text: str) -> "Move":
        """Read a move's text form.

        Raises :class:`IllegalMoveError`: ``FOUNDATION_TO_FOUNDATION`` for a move the notation has no
        value for (D6), ``UNREADABLE_MOVE`` for anything else.

        >>> Move.parse("c3:4>c5")
        Move(kind=<Kind.COLUMN_TO_COLUMN: 4>, source=2, target=4, size=4, slot=0)
        """
        if found := _TO_COLUMN.fullmatch(text):
            target = int(found["target"]) - 1
            if found["waste"]:
                return Move(Kind.WASTE_TO_COLUMN, target=target)
            if found["suit"]:
                suit = SUIT_LETTERS.index(found["suit"])
                return Move(Kind.FOUNDATION_TO_COLUMN, suit, target, slot=int(found["slot"] or 0))
            return Move(Kind.COLUMN_TO_COLUMN, int(found["column"]) - 1, target, int(found["count"]))
        if found := _TO_FOUNDATION.fullmatch(text):
            return Move(Kind.COLUMN_TO_FOUNDATION, int(found["column"]) - 1)
        if text in _PLAIN:
            return Move(_PLAIN[text])
        if _FOUNDATION_TO_FOUNDATION.fullmatch(text):
            raise IllegalMoveError(Reason.FOUNDATION_TO_FOUNDATION)
        raise IllegalMoveError(Reason.UNREADABLE_MOVE, f"{text[:20]!r}; expected one like 'd', 'c3:4>c5' or 'w>f'")


_TO_COLUMN: Final = re.compile(
    r"(?:(?P<waste>w)|c(?P<column>[1-9]):(?P<count>[1-9][0-9]?)|f:(?P<suit>[shdc])(?P<slot>[12])?)>c(?P<target>[1-9])"
)
_TO_FOUNDATION: Final = re.compile(r"c(?P<column>[1-9])>f")
_FOUNDATION_TO_FOUNDATION: Final = re.compile(r"f(?::[shdc][12]?)?>f")
_PLAIN: Final = {"d": Kind.DRAW, "r": Kind.RECYCLE, "w>f": Kind.WASTE_TO_FOUNDATION}
