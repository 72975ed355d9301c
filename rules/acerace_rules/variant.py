"""The vocabulary of the games: what a game must say of itself to be dealt, played and scored."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from acerace_rules.cards import DECK_SIZE, FACE, KING, RANKS, SUITS, is_red, make_card, rank_of, suit_of


class Build(Enum):
    """How a column is built down: which card may lie on which (one rank lower in all three)."""

    ALTERNATE = "alternate"
    SAME_SUIT = "same-suit"
    ANY_SUIT = "any-suit"

    __hash__ = object.__hash__  # members are equal only to themselves; Enum's own hash is Python code on the hot path

    def fits(self, below: int, card: int) -> bool:
        """Whether ``card`` may be laid on ``below``."""
        if rank_of(below) != rank_of(card) + 1:
            return False
        if self is Build.ALTERNATE:
            return is_red(below) != is_red(card)
        return self is Build.ANY_SUIT or suit_of(below) == suit_of(card)


class Lift(Enum):
    """Which cards of a column may be taken up together."""

    RUN = "run"
    """Any suffix that obeys the building rule (RULES.md 1, D1, D2)."""
    FACE_UP = "face-up"
    """Any face-up card with all that lies on it (RULES.md 3)."""
    TOP_OR_KING_RUN = "top-or-king-run"
    """One card; or a king with everything on it, a proper run, to an empty column only (RULES.md 4, D10)."""

    __hash__ = object.__hash__  # as Build


@dataclass(frozen=True, slots=True)
class Column:
    """How one column is dealt: ``down`` cards face down, then ``up`` face up."""

    down: int
    up: int


@dataclass(frozen=True, slots=True)
class Stock:
    """The stock of each seat: its size at the deal, the cards of a draw (one number a seat), the talon passes."""

    size: int
    draw: tuple[int, ...] = (1,)
    passes: int | None = None
    """Walks through the stock, recycles + 1; ``None``: unlimited (D27)."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """What each event is worth, in points. The default, all zero, is a game without a score."""

    key: str = "none"
    start: int = 0
    foundation: int = 0
    waste_to_column: int = 0
    turn_up: int = 0
    take_back: int = 0
    recycle: int = 0
    recycles_free: int = 0
    """Recycles that cost nothing before ``recycle`` applies."""
    per_ten_seconds: int = 0
    win_bonus_points: int = 0
    """On a win after ``win_bonus_from_s`` or later: this number // seconds (D43)."""
    win_bonus_from_s: int = 30
    floor: int | None = 0
    """The score is clamped to this after each event (D31); ``None``: no floor."""
    dollars: bool = False


@dataclass(frozen=True, slots=True)
class Variant:
    """One game. States only what differs from the defaults; refuses a deal that does not add up.

    Raises ``ValueError`` when the columns and the stock do not hold exactly the cards of a seat's decks.
    """

    key: str
    name: str
    columns: tuple[Column, ...]
    stock: Stock | None = None
    seats: int = 1
    decks: int = 1
    """Decks of each seat, shuffled together."""
    build: Build = Build.ALTERNATE
    lift: Lift = Lift.RUN
    lift_max: int | None = None
    take_back: bool = True
    scoring: Scoring = Scoring()
    undo_depth: int = 0
    """Commands that can be undone; 0: the game has no undo."""

    def __post_init__(self) -> None:
        dealt = sum(column.down + column.up for column in self.columns)
        stock = self.stock.size if self.stock else 0
        if dealt + stock != DECK_SIZE * self.decks:
            message = (
                f"{self.key}: the columns take {dealt} cards and the stock {stock}, together {dealt + stock}; "
                f"{self.decks} deck(s) have {DECK_SIZE * self.decks}"
            )
            raise ValueError(message)
        if self.stock and (len(self.stock.draw) != self.seats or min(self.stock.draw) < 1):
            message = f"{self.key}: expected one draw of at least 1 for each of {self.seats} seat(s): {self.stock.draw}"
            raise ValueError(message)

    @property
    def copies(self) -> int:
        """How often each card exists, and so how many foundations a suit has."""
        return self.seats * self.decks


Faces = tuple[int, ...]

KINGS: Final[Faces] = tuple(make_card(KING, suit) for suit in SUITS)


def _accepted_on(build: Build) -> tuple[Faces, ...]:
    faces = [make_card(rank, suit) for suit in SUITS for rank in RANKS]
    rows: list[Faces] = [()] * (FACE + 1)
    rows[0] = KINGS
    for below in faces:
        rows[below] = tuple(card for card in faces if build.fits(below, card))
    return tuple(rows)


ACCEPTED: Final = {build: _accepted_on(build) for build in Build}
"""By building rule, then by the face of a column's last card: the faces that may be laid on it.

Row 0 is the empty column, which takes the kings: 0 is no card, so the empty column needs no special case.
"""

FITS: Final = {build: tuple(frozenset(row) for row in rows) for build, rows in ACCEPTED.items()}
