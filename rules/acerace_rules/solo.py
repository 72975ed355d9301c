"""A solo game in progress: the table with its undo, redo and clock (RULES.md 1, D30-D38)."""

from collections import deque

from acerace_rules.moves import IllegalMoveError, Move, Reason
from acerace_rules.play import Played, check, play_checked, unplay
from acerace_rules.scoring import charge_time, win_bonus
from acerace_rules.table import Table


class SoloGame:
    """One seat playing against the deal. Times are whole seconds since the first accepted command."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._undo: deque[Played] = deque(maxlen=table.variant.undo_depth)  # the oldest falls off silently (D35)
        self._redo: list[Move] = []

    @property
    def won(self) -> bool:
        return self.table.won

    @property
    def can_undo(self) -> bool:
        return bool(self._undo) and not self.won

    @property
    def can_redo(self) -> bool:
        return bool(self._redo) and not self.won

    def play(self, move: Move, elapsed_s: int) -> Played:
        """Make a move. Raises :class:`IllegalMoveError`, and then changes nothing."""
        self._refuse_when_won()
        if reason := check(self.table, 0, move):
            raise IllegalMoveError(reason, str(move))
        self._redo.clear()
        return self._carry_out(move, elapsed_s)

    def undo(self, elapsed_s: int) -> Played:
        """Take the last accepted move back, all of it, and say what it had been.

        The move counter does not go down (D34); the time that has passed since stays charged.
        Raises :class:`IllegalMoveError` with ``GAME_OVER``, ``NO_UNDO`` or ``NOTHING_TO_UNDO``.
        """
        self._refuse_when_won()
        if not self.table.variant.undo_depth:
            raise IllegalMoveError(Reason.NO_UNDO)
        if not self._undo:
            raise IllegalMoveError(Reason.NOTHING_TO_UNDO)
        me = self.table.seats[0]
        moves = me.moves
        played = self._undo.pop()
        unplay(self.table, played)
        me.moves = moves
        charge_time(self.table, me, elapsed_s)
        self._redo.append(played.move)
        return played

    def redo(self, elapsed_s: int) -> Played:
        """Make the move again that was undone last.

        Raises :class:`IllegalMoveError` with ``GAME_OVER`` or ``NOTHING_TO_REDO``.
        """
        self._refuse_when_won()
        if not self._redo:
            raise IllegalMoveError(Reason.NOTHING_TO_REDO)
        return self._carry_out(self._redo.pop(), elapsed_s)

    def _refuse_when_won(self) -> None:
        if self.won:
            raise IllegalMoveError(Reason.GAME_OVER)

    def _carry_out(self, move: Move, elapsed_s: int) -> Played:
        me = self.table.seats[0]
        charge_time(self.table, me, elapsed_s)
        played = play_checked(self.table, 0, move)
        self._undo.append(played)
        if self.won:
            bonus = win_bonus(self.table.variant.scoring, elapsed_s)
            me.score += bonus
            me.strict += bonus
        return played
