"""Whether a seat can still get anywhere: a proof by search, never a guess (RULES.md 7, D48).

Progress is (i) a card played to a foundation, (ii) a hidden card turned up, (iii) a waste card played to the
tableau. Between two of those the waste and the tableau do not touch each other: which cards the stock can offer
is a fixed set, and what remains to be searched are the arrangements of the seat's own columns.

When to ask again, exactly (:func:`may_change` says it of one play):

* *Blocked* holds for everything the seat can still do itself. Only another seat's foundation play can end it,
  or an undo.
* *Not blocked* can end by any foundation play, whoever made it (a slot may be lost as well as won), by the
  seat's own play to a column (a column given up cannot be had back), and by its own draw, if cards are drawn in
  threes or no recycle is left. Otherwise a draw leaves the offer as it is, and a recycle always does.
* Whatever another seat does apart from its foundation plays changes nothing.
"""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

from acerace_rules.cards import FACE, HIDDEN, KING, SUIT_SHIFT
from acerace_rules.moves import Kind
from acerace_rules.play import Played
from acerace_rules.table import Seat, Table
from acerace_rules.variant import ACCEPTED, FITS, Lift, Variant

BLOCKED_STATES_MAX: Final = 600
"""Arrangements a search may meet before it gives up; bench/rules.py says what that costs."""

Columns = tuple[bytes, ...]
"""The faces of each column, deepest first, the columns in sorted order: where a column stands decides nothing.
One ``HIDDEN`` stands below the face-up cards for all that lie face down."""

Heights = bytes
"""Cards on each foundation, by suit, the higher first: the slots of a suit are interchangeable."""

State = tuple[Columns, Heights]

_ALL_HIDDEN: Final = bytes([HIDDEN])
_ON_FOUNDATIONS: Final = frozenset({Kind.WASTE_TO_FOUNDATION, Kind.COLUMN_TO_FOUNDATION, Kind.FOUNDATION_TO_COLUMN})

_LANDING: Final = {build: tuple(sum(1 << face for face in faces) for faces in rows) for build, rows in ACCEPTED.items()}
"""``ACCEPTED`` as bits: by the face of a column's last card, the faces that may be laid on it."""


def is_blocked(table: Table, seat: int, *, states_max: int = BLOCKED_STATES_MAX) -> bool:
    """Whether it is proved that no sequence of this seat's own legal moves is ever progress (RULES.md 7, D48).

    Where cards may be taken back, the search runs over the foundations' heights too, and a foundation play is
    progress only if more cards of that face lie on the foundations than when the search began: returning
    what was taken back is none, nor is putting up the one of two identical cards for the other (D16).

    ``False`` also when more than ``states_max`` arrangements turn up, or when a card that counts is unknown:
    this is a question for the referee's own table. A seat that has no cards left is blocked; whether it has
    won is asked elsewhere.
    """
    offered = _offered(table, table.seats[seat])
    if offered & 1 << HIDDEN or _offers_progress(table, table.seats[seat], offered):
        return False
    search = _Search(table, seat, offered)
    states = [search.start]
    seen = {search.start}
    for state in states:  # grows while it is walked: breadth first, as progress is mostly near
        for found in search.moves(state):
            if found is None:
                return False
            if found not in seen:
                seen.add(found)
                states.append(found)
        if len(states) > states_max:
            return False
    return True


def may_change(table: Table, seat: int, played: Played, *, was_blocked: bool) -> bool:
    """Whether this play, the last one of the table, can have changed what :func:`is_blocked` said of ``seat``."""
    if played.seat != seat:
        return played.move.kind in _ON_FOUNDATIONS
    if was_blocked:
        return False
    if played.move.kind is Kind.DRAW:
        me = table.seats[seat]
        return me.draw > 1 or not _recycle_left(table, me)
    return played.move.kind is not Kind.RECYCLE


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


def _offers_progress(table: Table, me: Seat, offered: int) -> bool:
    """Whether a foundation or a column takes at once what the columns or the stock have to offer.

    The usual answer of a game under way, had without setting up a search.
    """
    row = _LANDING[table.variant.build]
    tops = landing = 0
    for column in me.columns:
        face = column[-1] & FACE if column else 0
        tops |= 1 << face
        landing |= row[face]
    if offered & landing:
        return True
    available = tops | offered
    return any(available >> face & 1 for face in table.wanted())


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
        self.start: State = _columns(table.seats[seat]), self._heights

    def moves(self, state: State) -> Iterator[State | None]:
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
        anywhere = reduce(or_, landing)
        for source, column in enumerate(columns):
            for at, face in self._lifts_of(column):
                if not anywhere >> face & 1:
                    continue
                left = column[:at]
                for target, row in enumerate(landing):
                    # A whole column on an empty one is the same arrangement again (D3).
                    if row >> face & 1 and target != source and (left or columns[target]):
                        grown = columns[target] + column[at:]
                        yield (
                            None
                            if left == _ALL_HIDDEN
                            else (
                                _with(columns, (source, left), (target, grown)),
                                heights,
                            )
                        )

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
    at = max(first_up, size - 1)
    if variant.lift is Lift.RUN:
        fits = FITS[variant.build]
        while at > first_up and column[at] in fits[column[at - 1]]:
            at -= 1
    return at  # a king's block (D10) is a whole column and goes to empty columns only: the same arrangement again


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
