"""Whose turn it is in alternating play (RULES.md 6, D49, D58-D61). In simultaneous play there is no such thing."""

from acerace_rules.moves import WASTE_PLAYS, Kind, Move, Reason
from acerace_rules.play import Played, check
from acerace_rules.table import Table
from acerace_rules.variant import Variant

_IDLE_ROUNDS: int = 2
"""Rounds of nothing but draws and passes after which the match is over (D49)."""


class Turns:
    """The turn, and what has been done in it."""

    def __init__(self, first: int, at: int, *, bicycle: bool) -> None:
        self.seat = first
        self.since = at
        """When this turn began, in nanoseconds."""
        self._bicycle = bicycle
        self._recycled = False
        self._must_play_drawn = False
        self._played = False
        """Whether this turn has had a play that was neither a draw nor a recycle."""
        self._idle_turns = [0, 0]
        self._drawn = [0, 0]
        """Cards drawn since the last play that was neither a draw nor a recycle."""

    def why_not(self, seat: int, move: Move) -> Reason | None:
        """Why a move is not this seat's to make now, whatever lies on the table; ``None``: it is."""
        if seat != self.seat:
            return Reason.NOT_YOUR_TURN
        if self._must_play_drawn and move.kind not in WASTE_PLAYS:
            return Reason.ONLY_DRAWN_CARD
        if self._recycled and move.kind is Kind.RECYCLE:
            return Reason.RECYCLED_THIS_TURN
        return None

    def after(self, table: Table, played: Played, at: int) -> None:
        """Take note of an accepted move; a draw ends the turn, unless the drawn card may still be played."""
        kind = played.move.kind
        if kind is Kind.RECYCLE:
            self._recycled = True
        elif kind is Kind.DRAW:
            self._drawn[played.seat] += len(played.cards)
            if self._bicycle and _waste_plays(table, played.seat):
                self._must_play_drawn = True
            else:
                self.finish(at)
        else:
            self._must_play_drawn = False
            self._played = True
            self._idle_turns = [0, 0]
            self._drawn = [0, 0]

    def finish(self, at: int) -> None:
        """End the turn: by a draw or a pass."""
        if not self._played:
            self._idle_turns[self.seat] += 1
        self._played = False
        self.seat = 1 - self.seat
        self.since = at
        self._recycled = self._must_play_drawn = False

    def exhausted(self, table: Table) -> bool:
        """Whether two full rounds of draws and passes have gone by in which both saw their whole stock (D49)."""
        return all(
            self._idle_turns[seat] >= _IDLE_ROUNDS
            and (
                self._drawn[seat] >= len(me.stock) + len(me.waste)
                or _cannot_draw(table.variant, len(me.stock), me.recycles)
            )
            for seat, me in enumerate(table.seats)
        )


def _waste_plays(table: Table, seat: int) -> bool:
    columns = len(table.seats[seat].columns)
    return check(table, seat, Move(Kind.WASTE_TO_FOUNDATION)) is None or any(
        check(table, seat, Move(Kind.WASTE_TO_COLUMN, target=target)) is None for target in range(columns)
    )


def _cannot_draw(variant: Variant, stock: int, recycles: int) -> bool:
    passes = variant.stock.passes if variant.stock else 1
    return stock == 0 and passes is not None and recycles >= passes - 1
