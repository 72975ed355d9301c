"""All legal moves of a seat, fast: those of :func:`acerace_rules.play.check`, without asking it once a candidate."""

from typing import Final

from acerace_rules.cards import FACE, KING, RANK
from acerace_rules.moves import Kind, Move
from acerace_rules.play import check
from acerace_rules.table import Seat, Table
from acerace_rules.variant import ACCEPTED, FITS, Lift, Variant

_COLUMNS_MAX: Final = 9
_COUNT_MAX: Final = 52
_SUITS: Final = 4

# Every move there is, made once: a search asks for the same few hundred values again and again.
_DRAW: Final = Move(Kind.DRAW)
_RECYCLE: Final = Move(Kind.RECYCLE)
_WASTE_TO_FOUNDATION: Final = Move(Kind.WASTE_TO_FOUNDATION)
_WASTE_TO: Final = [Move(Kind.WASTE_TO_COLUMN, target=t) for t in range(_COLUMNS_MAX)]
_PUT_UP: Final = [Move(Kind.COLUMN_TO_FOUNDATION, s) for s in range(_COLUMNS_MAX)]
_TO_COLUMN: Final = [
    [[Move(Kind.COLUMN_TO_COLUMN, s, t, n) for n in range(_COUNT_MAX + 1)] for t in range(_COLUMNS_MAX)]
    for s in range(_COLUMNS_MAX)
]
_TAKE_BACK: Final = [
    [[Move(Kind.FOUNDATION_TO_COLUMN, suit, t, slot=slot) for t in range(_COLUMNS_MAX)] for slot in range(3)]
    for suit in range(_SUITS)
]
_BIT: Final = [1 << i for i in range(_COLUMNS_MAX)]
_BITS: Final = [tuple(i for i in range(_COLUMNS_MAX) if mask >> i & 1) for mask in range(1 << _COLUMNS_MAX)]


def legal_moves(table: Table, seat: int = 0) -> list[Move]:
    """Every legal move of this seat: foundation plays first, then columns, waste, take-backs, draw, recycle.

    Needs no face-down card, so it works on a view as well as on the referee's own table.
    """
    variant = table.variant
    me = table.seats[seat]
    columns = me.columns
    landing = [0] * (FACE + 1)
    """By face: the columns, as bits, where this card may be laid."""
    accepted = ACCEPTED[variant.build]
    for bit, column in zip(_BIT, columns, strict=False):
        for face in accepted[column[-1] & FACE if column else 0]:
            landing[face] |= bit
    wanted = table.wanted()
    moves = [move for move, column in zip(_PUT_UP, columns, strict=False) if column and column[-1] & FACE in wanted]
    waste = me.waste
    if waste and waste[-1] & FACE in wanted:
        moves.append(_WASTE_TO_FOUNDATION)
    _COLUMN_MOVES[variant.lift](variant, me, landing, moves)
    if waste:
        moves += [_WASTE_TO[t] for t in _BITS[landing[waste[-1] & FACE]]]
    if variant.take_back:
        _add_take_backs(table, landing, moves)
    if me.stock:
        moves.append(_DRAW)
    elif waste and check(table, seat, _RECYCLE) is None:
        moves.append(_RECYCLE)
    return moves


def _add_run_moves(variant: Variant, me: Seat, landing: list[int], moves: list[Move]) -> None:
    fits = FITS[variant.build]
    for source, column in enumerate(me.columns):
        if not column:
            continue
        elsewhere = ~(1 << source)
        count = 1
        face = column[-1] & FACE
        for card in column[-2 : me.down[source] - len(column) - 1 : -1]:
            if mask := landing[face] & elsewhere:
                moves += [_TO_COLUMN[source][t][count] for t in _BITS[mask]]
            below = card & FACE
            if face not in fits[below]:
                break
            face = below
            count += 1
        else:
            if mask := landing[face] & elsewhere:
                moves += [_TO_COLUMN[source][t][count] for t in _BITS[mask]]


def _add_group_moves(variant: Variant, me: Seat, landing: list[int], moves: list[Move]) -> None:
    for source, column in enumerate(me.columns):
        size = len(column)
        first = me.down[source]
        if variant.lift_max is not None:
            first = max(first, size - variant.lift_max)
        for at in range(size - 1, first - 1, -1):
            if mask := landing[column[at] & FACE] & ~(1 << source):
                moves += [_TO_COLUMN[source][t][size - at] for t in _BITS[mask]]


def _add_single_moves(variant: Variant, me: Seat, landing: list[int], moves: list[Move]) -> None:
    fits = FITS[variant.build]
    for source, column in enumerate(me.columns):
        if not column:
            continue
        if mask := landing[column[-1] & FACE] & ~(1 << source):
            moves += [_TO_COLUMN[source][t][1] for t in _BITS[mask]]
        first = len(column) - 1
        while first > me.down[source] and column[first] & FACE in fits[column[first - 1] & FACE]:
            first -= 1
        if first < len(column) - 1 and column[first] & RANK == KING:
            moves += [_TO_COLUMN[source][t][len(column) - first] for t in _BITS[landing[column[first] & FACE]]]


def _add_take_backs(table: Table, landing: list[int], moves: list[Move]) -> None:
    copies = table.variant.copies
    for suit in range(_SUITS):
        filled = [slot for slot in range(copies) if table.foundations[suit * copies + slot]]
        for slot in filled:
            named = slot + 1 if len(filled) > 1 else 0
            top = table.foundations[suit * copies + slot][-1]
            moves += [_TAKE_BACK[suit][named][t] for t in _BITS[landing[top & FACE]]]


_COLUMN_MOVES: Final = {
    Lift.RUN: _add_run_moves,
    Lift.FACE_UP: _add_group_moves,
    Lift.TOP_OR_KING_RUN: _add_single_moves,
}
