"""Looking ahead: the best short line of one's own moves, by what it gains less what it costs.

The search plays on a copy in which every unknown card is ``UNKNOWN``, a face that fits nothing and that nothing fits:
so it promises only what the cards that were seen can keep.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from acerace_rules.cards import FACE, HIDDEN, KING, RANK
from acerace_rules.legal import legal_moves
from acerace_rules.moves import FOUNDATION_PLAYS, STOCK_MOVES, WASTE_PLAYS, Kind, Move
from acerace_rules.play import Played, check, play_checked, unplay
from acerace_rules.table import Seat, Table
from acerace_rules.variant import FITS

UNKNOWN: Final = 15
"""Rank 15 of spades: no game has it, no pile takes it."""

_NEVER: Final = STOCK_MOVES | {Kind.FOUNDATION_TO_COLUMN}
_DRAW: Final = Move(Kind.DRAW)
_RECYCLE: Final = Move(Kind.RECYCLE)


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth, in tenths of a card on a foundation; measured, not derived."""

    foundation: float = 10.0
    gift: float = 4.0
    """Taken off a foundation play whose next card the opponent has ready: what does not hurry can wait."""
    turn_up: float = 7.0
    turn_up_deep: float = 0.5
    """More for each card that lies hidden under the one turned up."""
    waste: float = 3.0
    """A card played from the waste to a column."""
    waste_last: float = 7.0
    """The same when the waste will not be turned over again: what is covered then is lost."""
    join: float = 0.2
    """A card that lies on one it fits."""
    space: float = 0.5
    """An empty column that a king waits for."""
    unknown: float = 4.0
    """A card of the stock that was never seen."""
    move: float = 1.0
    """What a move costs."""
    draw: float = 0.25


class Line(NamedTuple):
    """A plan: its worth and the move it begins with."""

    worth: float
    first: Move | None


_NOTHING: Final = Line(0.0, None)


def known_table(view: Table, seat: int, stock: list[int]) -> Table:
    """A copy to search on; ``stock`` in drawing order, ``HIDDEN`` where not known."""
    table = view.copy()
    me = table.seats[seat]
    me.stock = [card or UNKNOWN for card in reversed(stock)]
    for column, down in zip(me.columns, me.down, strict=True):
        column[:down] = [card or UNKNOWN for card in column[:down]]
    return table


def ready_faces(table: Table, seat: int) -> frozenset[int]:
    """The faces that this seat could put on a foundation at once, if one wanted them."""
    me = table.seats[seat]
    return frozenset(pile[-1] & FACE for pile in (*me.columns, me.waste) if pile)


class Search:
    """The lines of one seat from one position; the position is changed while it thinks and is whole afterwards."""

    def __init__(self, table: Table, seat: int, weights: Weights, nodes: int) -> None:
        self._table = table
        self._seat = seat
        self._me: Seat = table.seats[seat]
        self._weights = weights
        self._nodes = nodes
        self._fits = FITS[table.variant.build]
        stock = table.variant.stock
        last = stock is not None and stock.passes is not None and self._me.recycles >= stock.passes - 1
        self._waste = weights.waste_last if last else weights.waste
        self._theirs = ready_faces(table, 1 - seat) if len(table.seats) > 1 else frozenset[int]()

    def best(self, depth: int) -> Line:
        """The best line of at most ``depth`` moves, none of them a draw."""
        best = _NOTHING
        if depth == 0 or self._nodes <= 0:
            return best
        for move in legal_moves(self._table, self._seat):
            if move.kind in _NEVER or (move.kind is Kind.COLUMN_TO_COLUMN and self._changes_nothing(move)):
                continue
            self._nodes -= 1
            played, worth = self._try(move)
            worth += self.best(depth - 1).worth
            unplay(self._table, played)
            if worth > best.worth:
                best = Line(worth, move)
        return best

    def walk(self, depth: int, steps: int, again: int = 0) -> Line:
        """The best that the stock has to offer within ``steps`` draws, and the draw or recycle that leads to it.

        ``again``: how many more walks may follow on what the first one found, for plans that need two of its cards.
        """
        done: list[Played] = []
        best = _NOTHING
        while len(done) < steps and self._nodes > 0 and (move := self._step(done)) is not None:
            done.append(play_checked(self._table, self._seat, move))
            if move.kind is Kind.RECYCLE:
                continue
            unknown = self._me.waste[-1] == UNKNOWN
            worth = self._weights.unknown if unknown else self._worth_of_waste(depth, steps, again)
            worth -= len(done) * self._weights.draw
            if worth > best.worth:
                best = Line(worth, done[0].move)
            if unknown:
                break
        for played in reversed(done):
            unplay(self._table, played)
        return best

    def _step(self, done: list[Played]) -> Move | None:
        """The next draw or recycle; one recycle shows all there is."""
        me = self._me
        if me.stock:
            return _DRAW
        if not me.waste or any(played.move.kind is Kind.RECYCLE for played in done):
            return None
        return _RECYCLE if check(self._table, self._seat, _RECYCLE) is None else None

    def _worth_of_waste(self, depth: int, steps: int, again: int) -> float:
        """What the card on the waste brings, with what follows on it."""
        best = 0.0
        for move in legal_moves(self._table, self._seat):
            if move.kind not in WASTE_PLAYS:
                continue
            self._nodes -= 1
            played, worth = self._try(move)
            after = self.best(depth - 1).worth
            if again and after < self._weights.turn_up:
                after = max(after, self.walk(depth, steps, again - 1).worth)
            unplay(self._table, played)
            best = max(best, worth + after)
        return best

    def _try(self, move: Move) -> tuple[Played, float]:
        """Make a move on the copy; what it brings by itself."""
        before = self._worth_of_leaving(move)
        played = play_checked(self._table, self._seat, move)
        return played, before + self._gain(played) - self._weights.move

    # --- what a move is worth ------------------------------------------------------------------------------

    def _changes_nothing(self, move: Move) -> bool:
        """A whole column to an empty one (D3)."""
        return not self._me.columns[move.target] and move.size == len(self._me.columns[move.source])

    def _worth_of_leaving(self, move: Move) -> float:
        """What is lost where the cards come from, and where they go; asked before the move."""
        worth = 0.0
        if move.kind in {Kind.COLUMN_TO_COLUMN, Kind.COLUMN_TO_FOUNDATION}:
            column = self._me.columns[move.source]
            at = len(column) - move.size
            if at == 0:
                worth += self._space()
            elif at > self._me.down[move.source] and column[at] & FACE in self._fits[column[at - 1] & FACE]:
                worth -= self._weights.join
        if move.kind in {Kind.COLUMN_TO_COLUMN, Kind.WASTE_TO_COLUMN}:
            if self._me.columns[move.target]:
                worth += self._weights.join
            else:
                worth -= self._space()
        return worth

    def _gain(self, played: Played) -> float:
        weights = self._weights
        worth = 0.0
        if played.move.kind in FOUNDATION_PLAYS:
            worth += weights.foundation
            if (played.cards[-1] & FACE) + 1 in self._theirs:
                worth -= weights.gift
        elif played.move.kind is Kind.WASTE_TO_COLUMN:
            worth += self._waste
        if played.turned:
            worth += weights.turn_up + weights.turn_up_deep * self._me.down[played.move.source]
        return worth

    def _space(self) -> float:
        """An empty column is worth something only while a king waits for one."""
        return self._weights.space if self._king_waits else 0.0

    @property
    def _king_waits(self) -> bool:
        me = self._me
        return any(card & RANK == KING for card in me.waste) or any(
            card & RANK == KING or card == HIDDEN for column in me.columns for card in column[1:]
        )
