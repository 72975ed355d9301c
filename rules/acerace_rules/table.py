"""The position: what lies where. Changed only by ``play``; read by everyone."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final, Self

from acerace_rules.cards import ACE, KING, RANK, SUIT_SHIFT, SUITS, copy_of, make_card
from acerace_rules.variant import Variant

FOUNDATION_BASE: Final = {
    copies: tuple(make_card(ACE, suit) for suit in SUITS for _ in range(copies)) for copies in (1, 2)
}
"""By copies of a card: the ace each foundation begins with."""


class Seat:
    """One seat's own piles and counters.

    Piles are lists of cards, the last one nearest the player: a column's last card is the one that can be
    played, the stock's last card is drawn next, the waste's last card is on top.
    """

    __slots__ = ("columns", "down", "draw", "moves", "recycles", "score", "stock", "strict", "ticks", "waste")

    def __init__(  # the four piles of a seat and its two constants; a fifth pile does not exist
        self,
        columns: list[list[int]],
        down: list[int],
        stock: list[int],
        waste: list[int],
        *,
        draw: int = 1,
        score: int = 0,
    ) -> None:
        self.columns = columns
        self.down = down
        """Face-down cards of each column; they lie under the face-up ones."""
        self.stock = stock
        self.waste = waste
        self.draw = draw
        """Cards turned up by one draw."""
        self.recycles = 0
        self.moves = 0
        """Accepted draws, recycles, moves and take-backs (D34)."""
        self.score = score
        self.strict = score
        """The score with each card's first arrival on a foundation counted once (RULES.md 9)."""
        self.ticks = 0
        """Full ten-second spans already charged to the score (D43)."""

    def copy(self) -> "Seat":
        twin = Seat(
            [column.copy() for column in self.columns],
            self.down.copy(),
            self.stock.copy(),
            self.waste.copy(),
            draw=self.draw,
        )
        twin.recycles, twin.moves = self.recycles, self.moves
        twin.score, twin.strict, twin.ticks = self.score, self.strict, self.ticks
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seat) and _OF_SEAT(self) == _OF_SEAT(other)

    __hash__ = None  # type: ignore[assignment]  # a position changes; only its text or its copy may be a key

    def cards(self) -> list[int]:
        """Every card in this seat's own piles, face down or up."""
        return [*(card for column in self.columns for card in column), *self.stock, *self.waste]


class Table:
    """A whole position of one game: the seats and the foundations they share."""

    __slots__ = ("arrived", "foundations", "seats", "variant")

    def __init__(self, variant: Variant, seats: Sequence[Seat], foundations: Sequence[list[int]] | None = None) -> None:
        self.variant = variant
        self.seats = tuple(seats)
        self.foundations: list[list[int]] = (
            list(foundations) if foundations else [[] for _ in range(4 * variant.copies)]
        )
        """By suit, then slot: suit ``s`` has the ``variant.copies`` piles from index ``s * copies``."""
        self.arrived = 0
        """Bit ``c`` is set when card ``c`` has ever lain on a foundation (strict scoring)."""

    @classmethod
    def deal(cls, variant: Variant, decks: Sequence[Sequence[int]]) -> Self:
        """Deal shuffled decks, one sequence of cards a seat, row by row.

        Each row gives one card to every column that still needs one, left to right; the rest is the stock,
        its first card drawn first (RULES.md 2-6; ``oracles`` use the same order).
        """
        return cls(variant, [_dealt_seat(variant, seat, deck) for seat, deck in enumerate(decks)])

    def copy(self) -> "Table":
        twin = Table(self.variant, [seat.copy() for seat in self.seats], [pile.copy() for pile in self.foundations])
        twin.arrived = self.arrived
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and _OF_TABLE(self) == _OF_TABLE(other)

    __hash__ = None  # type: ignore[assignment]  # as Seat

    def fitting_slot(self, card: int) -> int:
        """The foundation that takes this card now: the lowest slot of its suit that fits (D14, D15); -1, none."""
        copies = self.variant.copies
        below = (card & RANK) - 1
        first = (card >> SUIT_SHIFT & 0b11) * copies
        for slot in range(first, first + copies):
            if len(self.foundations[slot]) == below:
                return slot
        return -1

    def wanted(self) -> set[int]:
        """The faces that some foundation takes now. A full pile asks for rank 14, which no card has."""
        base = FOUNDATION_BASE[self.variant.copies]
        return {ace + len(pile) for ace, pile in zip(base, self.foundations, strict=True)}

    def contribution(self, seat: int) -> int:
        """Cards of this seat's own deck on the foundations (RULES.md 6)."""
        if len(self.seats) == 1:
            return sum(map(len, self.foundations))
        return sum(copy_of(card) == seat for pile in self.foundations for card in pile)

    @property
    def won(self) -> bool:
        """Whether every card of the table lies on a foundation."""
        return all(len(pile) == KING for pile in self.foundations)


_OF_SEAT: Final = attrgetter(*Seat.__slots__)
_OF_TABLE: Final = attrgetter(*Table.__slots__)
"""All there is to know of them, at once: two positions are compared after each move of a test."""


def _dealt_seat(variant: Variant, seat: int, deck: Sequence[int]) -> Seat:
    sizes = [column.down + column.up for column in variant.columns]
    columns: list[list[int]] = [[] for _ in sizes]
    cards = iter(deck)
    for row in range(max(sizes)):
        for column, size in zip(columns, sizes, strict=True):
            if row < size:
                column.append(next(cards))
    stock = list(cards)
    stock.reverse()
    down = [column.down for column in variant.columns]
    draw = variant.stock.draw[seat] if variant.stock else 0
    return Seat(columns, down, stock, [], draw=draw, score=variant.scoring.start)
