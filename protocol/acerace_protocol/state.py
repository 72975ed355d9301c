"""The position on the wire, and the way from a view to it and back."""

from typing import Self

from msgspec import Struct

from acerace_rules.cards import FACE, HIDDEN, SUIT_LETTERS, copy_of, face_text, make_card, parse_card
from acerace_rules.table import Seat, Table
from acerace_rules.variant import Variant


class ColumnState(Struct, frozen=True):
    """One column: how many cards lie face down, then the face-up cards, the last one nearest the player."""

    down: int
    up: tuple[str, ...]


class SeatState(Struct, frozen=True):
    """What anyone may see of one seat."""

    columns: tuple[ColumnState, ...]
    stock: int
    """Cards left in the stock; their order is secret."""
    waste: tuple[str, ...]
    """The whole waste, the last one on top."""
    draw: int
    """Cards turned up by one draw; 0: no stock."""
    recycles: int
    moves: int
    score: int


class FoundationState(Struct, frozen=True):
    """One foundation: ace upwards, ``owners[i]`` is the seat whose deck the card of rank ``i + 1`` came from."""

    suit: str
    owners: tuple[int, ...]


class TableState(Struct, frozen=True):
    """A whole position: a view, written down."""

    seats: tuple[SeatState, ...]
    foundations: tuple[FoundationState, ...]
    """Suit by suit (s, h, d, c); with two decks each suit has two, one after the other."""

    @classmethod
    def of(cls, view: Table) -> Self:
        """Write down a view. Never give it the referee's own table."""
        copies = view.variant.copies
        return cls(
            tuple(_seat_state(seat) for seat in view.seats),
            tuple(
                FoundationState(SUIT_LETTERS[index // copies], tuple(copy_of(card) for card in pile))
                for index, pile in enumerate(view.foundations)
            ),
        )

    def table(self, variant: Variant) -> Table:
        """The view that was written down: a table whose hidden cards are ``HIDDEN``.

        Raises ``ValueError`` for a card or a suit that does not exist.
        """
        two_seats = variant.seats > 1
        return Table(
            variant,
            [_read_seat(state, number if two_seats else 0) for number, state in enumerate(self.seats)],
            [
                [make_card(rank, SUIT_LETTERS.index(pile.suit), owner) for rank, owner in enumerate(pile.owners, 1)]
                for pile in self.foundations
            ],
        )


def _seat_state(seat: Seat) -> SeatState:
    return SeatState(
        columns=tuple(
            ColumnState(down, tuple(map(face_text, column[down:])))
            for column, down in zip(seat.columns, seat.down, strict=True)
        ),
        stock=len(seat.stock),
        waste=tuple(map(face_text, seat.waste)),
        draw=seat.draw,
        recycles=seat.recycles,
        moves=seat.moves,
        score=seat.score,
    )


def _read_seat(state: SeatState, copy: int) -> Seat:
    columns = [[HIDDEN] * column.down + [owned_card(text, copy) for text in column.up] for column in state.columns]
    down = [column.down for column in state.columns]
    waste = [owned_card(text, copy) for text in state.waste]
    seat = Seat(columns, down, [HIDDEN] * state.stock, waste, draw=state.draw, score=state.score)
    seat.strict, seat.recycles, seat.moves = 0, state.recycles, state.moves
    return seat


def owned_card(text: str, copy: int) -> int:
    """The card this text means in the piles of the seat that owns the deck ``copy``."""
    return make_card(0, 0, copy) | parse_card(text) & FACE
