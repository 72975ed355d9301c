"""What a player knows of its own stock: after the first walk through it, everything."""

from acerace_rules.cards import HIDDEN
from acerace_rules.table import Seat


class StockMemory:
    """Remembers the order of one seat's stock. Show it each position before a move is chosen.

    The waste is turned over as it lies, and cards leave it only on its top: what was seen lying in it when the stock
    was empty is what is drawn in the next pass.
    """

    def __init__(self) -> None:
        self._waste: list[int] = []
        self._stock_empty = False
        self._recycles = -1
        self._order: list[int] = []
        """The pass that is being walked, in drawing order, as it was when it began; empty: not known."""

    def look(self, me: Seat) -> list[int]:
        """The cards of the stock in drawing order, the next one first; ``HIDDEN`` where not known."""
        if me.recycles != self._recycles:
            known = self._stock_empty and me.recycles == self._recycles + 1
            self._order = self._waste if known and len(self._waste) == len(me.stock) + len(me.waste) else []
            self._recycles = me.recycles
        self._stock_empty = not me.stock
        self._waste = me.waste.copy()
        left = len(me.stock)
        return self._order[len(self._order) - left :] if left <= len(self._order) else [HIDDEN] * left
