"""What may be seen of a position: the only place where hidden cards are taken out (RULES.md 6, D65).

What is face up is public and what is face down is known to nobody, players included, so there is one view for
everyone. A view is a :class:`Table` whose hidden cards are ``HIDDEN``: the rules read it as they read any other.
"""

from collections.abc import Callable

from acerace_rules.cards import FACE, HIDDEN
from acerace_rules.table import Seat, Table


def view(table: Table) -> Table:
    """A copy without anything secret: face-down cards, the stock's order, the referee's own bookkeeping.

    In a solo game with two decks, which of two identical cards is which stays with the referee too (D16).
    """
    seen = list[int].copy if len(table.seats) > 1 else _faces
    return Table(
        table.variant, [_seen_seat(seat, seen) for seat in table.seats], [seen(pile) for pile in table.foundations]
    )


def _faces(cards: list[int]) -> list[int]:
    return [card & FACE for card in cards]


def _seen_seat(seat: Seat, seen: Callable[[list[int]], list[int]]) -> Seat:
    columns = [[HIDDEN] * down + seen(column[down:]) for column, down in zip(seat.columns, seat.down, strict=True)]
    view = Seat(columns, seat.down.copy(), [HIDDEN] * len(seat.stock), seen(seat.waste), draw=seat.draw)
    view.recycles, view.moves = seat.recycles, seat.moves
    view.score, view.strict = seat.score, 0
    return view
