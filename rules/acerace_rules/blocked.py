"""Whether a seat can still get anywhere: a proof, never a guess (RULES.md 7, D48).

Progress is (i) a card played to a foundation, (ii) a hidden card turned up, (iii) a waste card played to the
tableau. Without it the waste and the tableau do not touch each other: the cards that the stock can offer are a
fixed set, and what remains are the arrangements of the seat's own columns.

Three questions, each dearer than the one before: is progress offered at once? Would it be possible in an easier
game? Is it met in a search of all arrangements?

What can change the answer, so that nobody need ask in vain:

* *Blocked* holds for whatever the seat can still do; only another seat's foundation play or an undo ends it.
  (Asked anew after a take-back the answer may be no, as the return counts from there. The proof stands.)
* *Not blocked* can end by any foundation play, whoever made it (a place may be lost as well as won), by the
  seat's own plays to a column (a space given up cannot be had back), and by its own draws, but only if cards are
  drawn in threes or no recycle is left. A recycle never changes what the stock offers.
* Nothing else that another seat does changes anything.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from acerace_rules.cards import FACE, HIDDEN, KING, RANK, SUIT_SHIFT
from acerace_rules.table import Seat, Table
from acerace_rules.variant import ACCEPTED, FITS, Lift, Variant

BLOCKED_STATES_MAX: Final = 1000
"""Arrangements a search may meet before it gives up; bench/rules.py says what that costs."""

Columns = tuple[bytes, ...]
"""The faces of each column, deepest first, the columns in sorted order: where a column stands decides nothing.
One ``HIDDEN`` stands below the face-up cards for all that lie face down."""

Heights = bytes
"""Cards on each foundation, by suit, the higher first: the slots of a suit are interchangeable."""

State = tuple[Columns, Heights]

_TURNED: Final = FACE + 1
"""Stands for the hidden card that turns up when the last card leaves it."""
_ALL_HIDDEN: Final = bytes([HIDDEN])

_LANDING: Final = {
    build: (*(sum(1 << face for face in faces) for faces in rows), 0) for build, rows in ACCEPTED.items()
}
"""``ACCEPTED`` as bits: by a column's last card, the faces that may be laid on it; none on ``_TURNED``."""


def is_blocked(table: Table, seat: int, *, states_max: int = BLOCKED_STATES_MAX) -> bool:
    """Whether it is proved that no sequence of this seat's own legal moves is ever progress (RULES.md 7, D48).

    Where cards may be taken back, a foundation play is progress only if more cards of its face then lie on the
    foundations than now: to return what was taken back is none, nor to change one of two identical cards for
    the other (D16).

    ``False`` also when the search meets more than ``states_max`` arrangements, or when a card that counts is
    unknown: this is a question for the referee's own table. A seat without cards is blocked; whether it has won is
    another question.
    """
    me = table.seats[seat]
    offered = _offered(table, me)
    places = _open_now(table, me)
    if offered & 1 << HIDDEN or _is_progress(table, offered, *places):
        return False
    if not _is_progress(table, offered, *_open_ever(table, me, *places)):
        return True
    return not _Search(table, seat, offered).may_find_progress(states_max)


# --- what the stock can offer ------------------------------------------------------------------------------


def _recycle_left(table: Table, me: Seat) -> bool:
    stock = table.variant.stock
    return stock is not None and (stock.passes is None or me.recycles < stock.passes - 1)


def _offered(table: Table, me: Seat) -> int:
    """The faces, as bits, that can become the last card of the waste while none is played from it (D18, D27)."""
    drawn_next = me.stock[::-1]
    cards = [*me.waste[-1:], *_turned_last(drawn_next, me.draw)]
    if _recycle_left(table, me):
        cards += _turned_last(me.waste + drawn_next, me.draw)  # the order of drawing stays the same (D19)
    bits = 0
    for card in cards:
        bits |= 1 << (card & FACE)
    return bits


def _turned_last(pile: list[int], draw: int) -> list[int]:
    """The last card of each draw from these cards, given in drawing order; the last draw may be short (D18)."""
    return [*pile[draw - 1 :: draw], *pile[-1:]] if pile else []


# --- an easier game ----------------------------------------------------------------------------------------


def _open_now(table: Table, me: Seat) -> tuple[int, int]:
    """The last cards of the columns (bit 0: an empty column), and the faces that may be laid on them."""
    row = _LANDING[table.variant.build]
    opened = landing = 0
    for column in me.columns:
        last = column[-1] & FACE if column else 0
        opened |= 1 << last
        landing |= row[last]
    return opened, landing


def _is_progress(table: Table, offered: int, opened: int, landing: int) -> bool:
    """Whether one of the foundations or of these places takes what is offered, or a hidden card turns up."""
    available = opened | offered
    return bool(landing & offered) or any(available >> face & 1 for face in (_TURNED, *table.wanted()))


def _open_ever(table: Table, me: Seat, opened: int, landing: int) -> tuple[int, int]:
    """The places that open in an easier game, in which a place that was once open stays open.

    There, what is laid on an open card neither covers it nor hinders its being lifted. Every move of the real
    game can be copied, so where the easier one knows no progress there is none. It needs no search, as open
    places only become more; nearly all blocked positions are proved by it, those with the most arrangements too.
    """
    row = _LANDING[table.variant.build]
    covered = _covered(table.variant, me)
    piles = [[card & FACE for card in pile] for pile in table.foundations] if table.variant.take_back else []
    before = -1
    while before != landing:
        before = landing
        whole = False
        for below, face, joined, leads in covered:
            is_open = bool(opened >> face & 1)
            whole = is_open or (joined and whole)
            if (is_open or (leads and whole)) and landing >> face & 1:
                opened |= 1 << below
                landing |= row[below]
        for pile in piles:
            while pile and landing >> pile[-1] & 1:
                landing |= row[pile.pop()]  # a place, but not a card whose return would be progress
    return opened, landing


def _covered(variant: Variant, me: Seat) -> list[tuple[int, int, bool, bool]]:
    """Each place with the card on it, whether that card holds together with the one above it, and whether it may
    lead a group.

    From the last card of a column down to its ground, which is ``_TURNED`` if cards lie there face down.
    """
    fits = FITS[variant.build]
    any_group, kings_only = variant.lift is Lift.FACE_UP, variant.lift is Lift.TOP_OR_KING_RUN
    covered: list[tuple[int, int, bool, bool]] = []
    for column, down in zip(me.columns, me.down, strict=True):
        above = 0
        for at in range(len(column) - 1, down - 1, -1):
            face = column[at] & FACE
            below = column[at - 1] & FACE if at > down else _TURNED if down else 0
            joined = above != 0 and (any_group or above in fits[face])
            covered.append((below, face, joined, not kings_only or face & RANK == KING))
            above = face
    return covered


# --- the arrangements --------------------------------------------------------------------------------------


class _Changes(NamedTuple):
    """What can be done to the foundations at some heights."""

    put_up: dict[int, Heights | None]
    """By face of a card they take: the heights after it; ``None``: that is progress."""
    take_back: list[tuple[int, Heights]]
    """The faces that can be taken back, each with the heights after it."""


class _Search:
    """The moves between arrangements of one seat."""

    def __init__(self, table: Table, seat: int, offered: int) -> None:
        self._variant = table.variant
        self._landing = _LANDING[table.variant.build]
        self._offered = offered
        self._lifts: dict[bytes, list[tuple[int, int]]] = {}
        self._changes: dict[Heights, _Changes] = {}
        self._heights = _heights(table)
        self._start: State = _columns(table.seats[seat]), self._heights

    def may_find_progress(self, states_max: int) -> bool:
        """Whether progress can be reached, or more than this many arrangements, so that it remains open."""
        seen = {self._start}
        states = [self._start]
        for state in states:  # grows while it is walked: breadth first, as progress is mostly near
            for found in self._moves(state):
                if found is None:
                    return True
                if found not in seen:
                    seen.add(found)
                    states.append(found)
            if len(states) > states_max:
                return True
        return False

    def _moves(self, state: State) -> Iterator[State | None]:
        """Where each move leads from here; ``None``: to progress."""
        columns, heights = state
        landing = [self._landing[column[-1] if column else 0] for column in columns]
        if any(row & self._offered for row in landing):
            yield None
        yield from self._put_ups(columns, heights)
        yield from self._column_moves(columns, heights, landing)
        if self._variant.take_back:
            yield from self._take_backs(columns, heights, landing)

    def _put_ups(self, columns: Columns, heights: Heights) -> Iterator[State | None]:
        put_up = self._changes_at(heights).put_up
        for source, column in enumerate(columns):
            if column and column[-1] in put_up:
                higher = put_up[column[-1]]
                left = column[:-1]
                yield (None if higher is None or left == _ALL_HIDDEN else (_with(columns, (source, left)), higher))

    def _column_moves(self, columns: Columns, heights: Heights, landing: list[int]) -> Iterator[State | None]:
        anywhere = 0
        for row in landing:
            anywhere |= row
        for source, column in enumerate(columns):
            for at, face in self._lifts_of(column):
                if not anywhere >> face & 1:
                    continue
                left = column[:at]
                for target, row in enumerate(landing):
                    # A whole column on an empty one is the same arrangement again (D3).
                    if row >> face & 1 and target != source and (left or columns[target]):
                        grown = columns[target] + column[at:]
                        moved = _with(columns, (source, left), (target, grown))
                        yield None if left == _ALL_HIDDEN else (moved, heights)

    def _take_backs(self, columns: Columns, heights: Heights, landing: list[int]) -> Iterator[State]:
        for face, lower in self._changes_at(heights).take_back:
            for target, row in enumerate(landing):
                if row >> face & 1:
                    yield _with(columns, (target, columns[target] + bytes([face]))), lower

    def _lifts_of(self, column: bytes) -> list[tuple[int, int]]:
        """Where a lift can divide this column, each with the face that leads the lifted cards."""
        lifts = self._lifts.get(column)
        if lifts is None:
            first = _first_lift(self._variant, column)
            lifts = self._lifts[column] = [(at, column[at]) for at in range(first, len(column))]
            if self._variant.lift is Lift.TOP_OR_KING_RUN:
                run = _run_start(self._variant, column)
                if run < first and column[run] & RANK == KING:
                    lifts.append((run, column[run]))  # it lands on empty columns only, as any king (D10)
        return lifts

    def _changes_at(self, heights: Heights) -> _Changes:
        changes = self._changes.get(heights)
        if changes is None:
            changes = self._changes[heights] = _changes(heights, self._heights, self._variant.copies)
        return changes


def _columns(me: Seat) -> Columns:
    return tuple(
        sorted(
            (_ALL_HIDDEN if down else b"") + bytes(card & FACE for card in column[down:])
            for column, down in zip(me.columns, me.down, strict=True)
        )
    )


def _heights(table: Table) -> Heights:
    copies = table.variant.copies
    heights = [len(pile) for pile in table.foundations]
    return bytes(
        height
        for first in range(0, len(heights), copies)
        for height in sorted(heights[first : first + copies], reverse=True)
    )


def _with(columns: Columns, *changes: tuple[int, bytes]) -> Columns:
    changed = list(columns)
    for index, column in changes:
        changed[index] = column
    changed.sort()
    return tuple(changed)


def _first_lift(variant: Variant, column: bytes) -> int:
    """The deepest place where a lift can divide this column (RULES.md 1-4)."""
    size = len(column)
    first_up = int(column[:1] == _ALL_HIDDEN)
    if variant.lift is Lift.FACE_UP:
        return max(first_up, size - variant.lift_max if variant.lift_max else 0)
    return _run_start(variant, column) if variant.lift is Lift.RUN else max(first_up, size - 1)


def _run_start(variant: Variant, column: bytes) -> int:
    """Where the run begins that ends this column."""
    fits = FITS[variant.build]
    first_up = int(column[:1] == _ALL_HIDDEN)
    at = max(first_up, len(column) - 1)
    while at > first_up and column[at] in fits[column[at - 1]]:
        at -= 1
    return at


def _changes(heights: Heights, start: Heights, copies: int) -> _Changes:
    put_up: dict[int, Heights | None] = {}
    take_back: list[tuple[int, Heights]] = []
    for slot, height in enumerate(heights):
        suit, of_suit = divmod(slot, copies)
        face = suit << SUIT_SHIFT | height  # of the top card
        if height < KING and not (of_suit and heights[slot - 1] == height):  # the first of equals: still sorted
            put_up[face + 1] = _at(heights, slot, height + 1) if height < start[slot] else None
        if height and not (of_suit < copies - 1 and heights[slot + 1] == height):  # the last of equals
            take_back.append((face, _at(heights, slot, height - 1)))
    return _Changes(put_up, take_back)


def _at(heights: Heights, slot: int, height: int) -> Heights:
    return heights[:slot] + bytes([height]) + heights[slot + 1 :]
