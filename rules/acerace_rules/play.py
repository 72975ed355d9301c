"""The one place that knows what a move does and when it is allowed.

``check`` names the broken rule, ``play`` refuses what ``check`` refuses, ``unplay`` takes back exactly what
``play`` returned. ``legal_moves`` is a second, fast statement of ``check``; a property test holds them equal.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

from acerace_rules.cards import ACE, FACE, KING, is_red, rank_of, suit_of
from acerace_rules.moves import IllegalMoveError, Kind, Move, Reason
from acerace_rules.scoring import award, award_foundation, award_recycle
from acerace_rules.table import Seat, Table
from acerace_rules.variant import FITS, Build, Lift, Variant


class Played(NamedTuple):
    """What one accepted move did: enough to undo it exactly and to tell a client of it."""

    seat: int
    move: Move
    cards: tuple[int, ...]
    """The cards that moved or were drawn, deepest first; none for a recycle."""
    slot: int
    """The foundation that was played to or taken from; -1, none."""
    turned: int
    """The card that turned up, or 0."""
    score: int
    """The seat's score before the move."""
    strict: int
    ticks: int
    arrived: int


T = TypeVar("T")


def by_kind(handlers: Mapping[Kind, T]) -> tuple[T, ...]:
    """Handlers in the order of :class:`Kind`: indexing a tuple spares the hash of an enum member on the hot path."""
    return tuple(handlers[kind] for kind in Kind)


# --- when a move is allowed --------------------------------------------------------------------------------


def check(table: Table, seat: int, move: Move) -> Reason | None:
    """Why the rules refuse this move now, or ``None`` when it is legal."""
    me = table.seats[seat]
    columns = len(me.columns)
    if not (0 <= move.source < max(columns, 4) and 0 <= move.target < columns):
        return Reason.NO_SUCH_PILE
    return _CHECKS[move.kind](table, me, move)


def _check_draw(table: Table, me: Seat, _move: Move) -> Reason | None:
    if table.variant.stock is None:
        return Reason.NO_STOCK
    return None if me.stock else Reason.STOCK_EMPTY


def _check_recycle(table: Table, me: Seat, _move: Move) -> Reason | None:
    stock = table.variant.stock
    if stock is None:
        return Reason.NO_STOCK
    if me.stock:
        return Reason.STOCK_NOT_EMPTY
    if not me.waste:
        return Reason.WASTE_EMPTY
    if stock.passes is not None and me.recycles >= stock.passes - 1:
        return Reason.NO_PASS_LEFT
    return None


def _check_waste_to_column(table: Table, me: Seat, move: Move) -> Reason | None:
    if not me.waste:
        return Reason.WASTE_EMPTY
    return _check_landing(table.variant, me.columns[move.target], me.waste[-1])


def _check_waste_to_foundation(table: Table, me: Seat, _move: Move) -> Reason | None:
    if not me.waste:
        return Reason.WASTE_EMPTY
    return _check_foundation(table, me.waste[-1])


def _check_column_to_foundation(table: Table, me: Seat, move: Move) -> Reason | None:
    if move.source >= len(me.columns):
        return Reason.NO_SUCH_PILE
    column = me.columns[move.source]
    return _check_foundation(table, column[-1]) if column else Reason.COLUMN_EMPTY


def _check_column_to_column(table: Table, me: Seat, move: Move) -> Reason | None:
    variant = table.variant
    if move.source >= len(me.columns):
        return Reason.NO_SUCH_PILE
    if move.source == move.target:
        return Reason.SAME_COLUMN
    if reason := _check_lift(variant, me, move.source, move.size):
        return reason
    column, target = me.columns[move.source], me.columns[move.target]
    king_to_space = not target and rank_of(column[-move.size]) == KING  # hidden cards may be left under it (D10)
    if variant.lift is Lift.TOP_OR_KING_RUN and move.size > 1 and not king_to_space:
        return Reason.ONE_CARD_ONLY
    return _check_landing(variant, target, column[-move.size])


def _check_lift(variant: Variant, me: Seat, source: int, count: int) -> Reason | None:
    column = me.columns[source]
    if not column:
        return Reason.COLUMN_EMPTY
    if not 1 <= count <= len(column):
        return Reason.TOO_MANY_CARDS
    if count > len(column) - me.down[source]:
        return Reason.HIDDEN_CARD
    if variant.lift_max is not None and count > variant.lift_max:
        return Reason.GROUP_TOO_LARGE
    if count > 1 and variant.lift is not Lift.FACE_UP and not is_run(variant.build, column[-count:]):
        return Reason.NOT_A_RUN
    return None


def _check_take_back(table: Table, me: Seat, move: Move) -> Reason | None:
    if not table.variant.take_back:
        return Reason.NO_TAKE_BACK
    copies = table.variant.copies
    if move.source * copies >= len(table.foundations) or not 0 <= move.slot <= copies:
        return Reason.NO_SUCH_PILE
    match filled_slots(table, move):
        case []:
            return Reason.FOUNDATION_EMPTY
        case [slot]:
            return _check_landing(table.variant, me.columns[move.target], table.foundations[slot][-1])
        case _:
            return Reason.WHICH_FOUNDATION


def filled_slots(table: Table, move: Move) -> list[int]:
    """The foundations with a top card that a take-back can mean (D17): one, or it is refused."""
    copies = table.variant.copies
    first = move.source * copies
    named = range(copies) if move.slot == 0 else range(move.slot - 1, min(move.slot, copies))
    return [first + slot for slot in named if table.foundations[first + slot]]


def _check_landing(variant: Variant, column: list[int], card: int) -> Reason | None:
    if not column:
        return None if rank_of(card) == KING else Reason.KINGS_ONLY
    below = column[-1]
    if (card & FACE) in FITS[variant.build][below & FACE]:
        return None
    if variant.build is Build.ALTERNATE and is_red(card) == is_red(below):
        return Reason.WRONG_COLOUR
    if variant.build is Build.SAME_SUIT and suit_of(card) != suit_of(below):
        return Reason.WRONG_SUIT
    return Reason.WRONG_RANK


def _check_foundation(table: Table, card: int) -> Reason | None:
    if table.fitting_slot(card) >= 0:
        return None
    copies = table.variant.copies
    first = suit_of(card) * copies
    begun = any(table.foundations[first : first + copies])
    return Reason.FOUNDATION_WANTS_NEXT if begun or rank_of(card) == ACE else Reason.FOUNDATION_WANTS_ACE


def is_run(build: Build, cards: list[int]) -> bool:
    """Whether these cards, deepest first, are a run under this building rule (RULES.md 1)."""
    fits = FITS[build]
    return all((card & FACE) in fits[below & FACE] for below, card in pairwise(cards))


_CHECKS: Final = by_kind(
    {
        Kind.DRAW: _check_draw,
        Kind.RECYCLE: _check_recycle,
        Kind.WASTE_TO_COLUMN: _check_waste_to_column,
        Kind.WASTE_TO_FOUNDATION: _check_waste_to_foundation,
        Kind.COLUMN_TO_COLUMN: _check_column_to_column,
        Kind.COLUMN_TO_FOUNDATION: _check_column_to_foundation,
        Kind.FOUNDATION_TO_COLUMN: _check_take_back,
    }
)


# --- what a move does --------------------------------------------------------------------------------------


def play(table: Table, seat: int, move: Move) -> Played:
    """Carry out a legal move and say what it did.

    Raises :class:`IllegalMoveError` with the reason of :func:`check`, and then changes nothing.
    """
    if reason := check(table, seat, move):
        raise IllegalMoveError(reason, str(move))
    return play_checked(table, seat, move)


def play_checked(table: Table, seat: int, move: Move) -> Played:
    """As :func:`play`, for a move already known to be legal."""
    me = table.seats[seat]
    before = (me.score, me.strict, me.ticks, table.arrived)
    cards, slot, turned = _PLAYS[move.kind](table, me, move)
    me.moves += 1
    return Played(seat, move, cards, slot, turned, *before)


Effect = tuple[tuple[int, ...], int, int]
"""Cards, slot and turned card, as in :class:`Played`."""


def _play_draw(table: Table, me: Seat, move: Move) -> Effect:
    del table, move
    drawn = me.stock[: -me.draw - 1 : -1]  # what is left, if that is less (D18); turned one after another
    del me.stock[-me.draw :]
    me.waste += drawn
    return tuple(drawn), -1, 0


def _play_recycle(table: Table, me: Seat, move: Move) -> Effect:
    del move
    me.stock, me.waste = me.waste[::-1], []  # the order of drawing stays the same (D19)
    me.recycles += 1
    award_recycle(table, me)
    return (), -1, 0


def _play_waste_to_column(table: Table, me: Seat, move: Move) -> Effect:
    card = me.waste.pop()
    me.columns[move.target].append(card)
    award(table, me, table.variant.scoring.waste_to_column)
    return (card,), -1, 0


def _play_waste_to_foundation(table: Table, me: Seat, move: Move) -> Effect:
    del move
    card = me.waste.pop()
    return (card,), _put_up(table, me, card), 0


def _play_column_to_column(table: Table, me: Seat, move: Move) -> Effect:
    column = me.columns[move.source]
    group = column[-move.size :]
    del column[-move.size :]
    me.columns[move.target] += group
    return tuple(group), -1, _turn_up(table, me, move.source)


def _play_column_to_foundation(table: Table, me: Seat, move: Move) -> Effect:
    card = me.columns[move.source].pop()
    slot = _put_up(table, me, card)
    return (card,), slot, _turn_up(table, me, move.source)


def _play_take_back(table: Table, me: Seat, move: Move) -> Effect:
    [slot] = filled_slots(table, move)
    card = table.foundations[slot].pop()
    me.columns[move.target].append(card)
    award(table, me, table.variant.scoring.take_back)
    return (card,), slot, 0


def _put_up(table: Table, me: Seat, card: int) -> int:
    slot = table.fitting_slot(card)
    table.foundations[slot].append(card)
    award_foundation(table, me, card)
    return slot


def _turn_up(table: Table, me: Seat, index: int) -> int:
    """Turn the column's last card if it lies face down (D0); return it, or 0."""
    column = me.columns[index]
    if not column or me.down[index] < len(column):
        return 0
    me.down[index] -= 1
    award(table, me, table.variant.scoring.turn_up)
    return column[-1]


_PLAYS: Final = by_kind(
    {
        Kind.DRAW: _play_draw,
        Kind.RECYCLE: _play_recycle,
        Kind.WASTE_TO_COLUMN: _play_waste_to_column,
        Kind.WASTE_TO_FOUNDATION: _play_waste_to_foundation,
        Kind.COLUMN_TO_COLUMN: _play_column_to_column,
        Kind.COLUMN_TO_FOUNDATION: _play_column_to_foundation,
        Kind.FOUNDATION_TO_COLUMN: _play_take_back,
    }
)


# --- taking it back ----------------------------------------------------------------------------------------


def unplay(table: Table, played: Played) -> None:
    """Undo exactly the last :func:`play` of this table: faces, order, counters and scores."""
    me = table.seats[played.seat]
    if played.turned:
        me.down[played.move.source] += 1
    _UNPLAYS[played.move.kind](table, me, played)
    me.moves -= 1
    me.score, me.strict, me.ticks, table.arrived = played.score, played.strict, played.ticks, played.arrived


def _unplay_draw(table: Table, me: Seat, played: Played) -> None:
    del table
    del me.waste[-len(played.cards) :]
    me.stock += played.cards[::-1]


def _unplay_recycle(table: Table, me: Seat, played: Played) -> None:
    del table, played
    me.stock, me.waste = [], me.stock[::-1]
    me.recycles -= 1


def _unplay_to_column(table: Table, me: Seat, played: Played) -> None:
    target = me.columns[played.move.target]
    del target[-len(played.cards) :]
    _source_of(table, me, played).extend(played.cards)


def _unplay_to_foundation(table: Table, me: Seat, played: Played) -> None:
    table.foundations[played.slot].pop()
    _source_of(table, me, played).extend(played.cards)


def _source_of(table: Table, me: Seat, played: Played) -> list[int]:
    match played.move.kind:
        case Kind.WASTE_TO_COLUMN | Kind.WASTE_TO_FOUNDATION:
            return me.waste
        case Kind.FOUNDATION_TO_COLUMN:
            return table.foundations[played.slot]
        case _:
            return me.columns[played.move.source]


_UNPLAYS: Final = by_kind(
    {
        Kind.DRAW: _unplay_draw,
        Kind.RECYCLE: _unplay_recycle,
        Kind.WASTE_TO_COLUMN: _unplay_to_column,
        Kind.WASTE_TO_FOUNDATION: _unplay_to_foundation,
        Kind.COLUMN_TO_COLUMN: _unplay_to_column,
        Kind.COLUMN_TO_FOUNDATION: _unplay_to_foundation,
        Kind.FOUNDATION_TO_COLUMN: _unplay_to_column,
    }
)
