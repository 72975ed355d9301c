"""What a bot is shown, and what it has to be."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from acerace_rules.moves import Move
from acerace_rules.table import Seat, Table


@dataclass(frozen=True, slots=True)
class Position:
    """One moment at a table, seen from one seat."""

    table: Table
    """The view: what nobody may see is ``HIDDEN``. It changes after ``choose``: read it, and copy it to try moves."""
    seat: int
    """Own seat, 0 or 1."""
    legal: Sequence[Move]
    """All that may be played now, foundation plays first, draw and recycle last."""
    seq: int = 0
    """Number of the last event of the table."""
    turn: int | None = None
    """Whose turn it is, in alternating pace; a bot is only asked in its own."""

    done: Sequence[bool] = ()
    """By seat: who has said that it sees nothing more to play."""

    @property
    def me(self) -> Seat:
        """Own piles."""
        return self.table.seats[self.seat]

    @property
    def opponent(self) -> Seat | None:
        """The other seat's piles; ``None`` in a solo game."""
        return self.table.seats[1 - self.seat] if len(self.table.seats) > 1 else None

    @property
    def opponent_done(self) -> bool:
        """Whether the match is over once we see nothing to play either."""
        return len(self.done) > 1 and self.done[1 - self.seat]


class Bot(Protocol):
    """Anything with a ``choose``. It may remember what it saw: one bot plays one game."""

    def choose(self, view: Position) -> Move | None:
        """One of ``view.legal``; ``None``: nothing to do unless something changes.

        Asked again after each event, so that a bot that gave up goes on when the opponent opens something.
        """
        ...
