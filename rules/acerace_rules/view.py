"""What may be seen of a position: the only place where hidden cards are taken out (RULES.md 6, D65).

What is face up is public and what is face down is known to nobody, players included, so there is one view for
everyone. A view is a :class:`Table` whose hidden cards are ``HIDDEN``: the rules read it as they read any other.
"""

from acerace_rules.cards import FACE, HIDDEN
from acerace_rules.table import Seat, Table


def view(table: Table) -> Table:
    """A copy without anything secret: face-down cards, the stock's order, the referee's own bookkeeping.

    In a solo game with two decks, which of two identical cards is which stays with the referee too (D16).
    """
    mask = ~0 if len(table.seats) > 1 else FACE
    return Table(
        table.variant,
        [_seen_seat(seat, mask) for seat in table.seats],
        [[card & mask for card in pile] for pile in table.foundations],
    )


def _seen_seat(seat: Seat, mask: int) -> Seat:
    columns = [
        [HIDDEN] * down + [card & mask for card in column[down:]]
        for column, down in zip(seat.columns, seat.down, strict=True)
    ]
    seen = Seat(
        columns,
        seat.down.copy(),
        [HIDDEN] * len(seat.stock),
        [card & mask for card in seat.waste],
        draw=seat.draw,
    )
    seen.recycles, seen.moves = seat.recycles, seat.moves
    seen.score, seen.strict = seat.score, 0
    return seen
