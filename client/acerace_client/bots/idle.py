"""When to stop walking through the stock or pushing cards about: what keeps a bot from playing for ever."""

from acerace_client.bots.position import Position
from acerace_rules.moves import Move

Fingerprint = tuple[object, ...]


class PassMeter:
    """Notices when a whole walk through the stock went by in which nothing changed but the waste."""

    def __init__(self) -> None:
        self._last: Fingerprint | None = None
        self._recycles = 0
        self._from_the_top = False

    def look(self, view: Position) -> None:
        """Take note of a position; call it each time one is shown."""
        now = _all_but_the_waste(view)
        if now != self._last:
            self._last = now
            self._recycles = view.me.recycles
            self._from_the_top = not view.me.waste

    def exhausted(self, view: Position) -> bool:
        """Whether the stock is empty and each of its cards was offered since the last change, in vain."""
        me = view.me
        return not me.stock and (self._from_the_top or me.recycles > self._recycles)


class Patience:
    """Counts moves that lead to nothing, and runs out; any progress, also the opponent's, restores it."""

    def __init__(self, moves: int) -> None:
        self._moves = moves
        self._left = moves
        self._best: tuple[int, ...] = ()

    def look(self, view: Position) -> bool:
        """Take note of a position; whether some patience is left."""
        now = _still_to_do(view)
        # better than ever: a card that is taken back and put up again is no progress
        if not self._best or any(new < old for new, old in zip(now, self._best, strict=True)):
            self._left = self._moves
            self._best = tuple(map(min, now, self._best)) if self._best else now
        return self._left > 0

    def spend(self, move: Move | None) -> Move | None:
        """Count the move that is about to be made, and hand it on."""
        if move is not None:
            self._left -= 1
        return move


def _all_but_the_waste(view: Position) -> Fingerprint:
    me = view.me
    return (
        len(me.stock) + len(me.waste),
        *map(len, view.table.foundations),
        *((len(column), column[-1] if column else 0) for column in me.columns),
    )


def _still_to_do(view: Position) -> tuple[int, ...]:
    """Cards not yet played from stock and waste, not turned up, not on the foundations."""
    me = view.me
    return len(me.stock) + len(me.waste), sum(me.down), -sum(map(len, view.table.foundations))
