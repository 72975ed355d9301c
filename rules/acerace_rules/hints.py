"""Help for people: where a lifted card may go, taps, hints, the finish button (RULES.md 1).

All of it answers with legal moves and plays none. Nothing here looks at a face-down card, so a view does as
well as the referee's own table; only :func:`finishing_moves` reads the stock.
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from acerace_rules.cards import ACE, FACE, HIDDEN, SUIT_LETTERS, rank_of, suit_of
from acerace_rules.legal import legal_moves
from acerace_rules.moves import FOUNDATION_PLAYS, WASTE_PLAYS, IllegalMoveError, Kind, Move, Reason
from acerace_rules.play import check, filled_slots, play_checked
from acerace_rules.table import Seat, Table
from acerace_rules.variant import ACCEPTED, FITS

# --- where a lifted card may go ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Lifted:
    kinds: frozenset[Kind]
    """What a move of these cards can be."""
    source: int = 0
    count: int = 1
    slot: int = 0


_PILE: Final = re.compile(
    r"(?P<waste>w)|c(?P<column>[1-9])(?::(?P<count>[1-9][0-9]?))?|f:(?P<suit>[shdc])(?P<slot>[12])?"
)
_FROM_COLUMN: Final = frozenset({Kind.COLUMN_TO_COLUMN, Kind.COLUMN_TO_FOUNDATION})
_FROM_FOUNDATION: Final = frozenset({Kind.FOUNDATION_TO_COLUMN})
_INTO_SPACE: Final = frozenset({Kind.WASTE_TO_COLUMN, Kind.COLUMN_TO_COLUMN})


def _lifted(text: str) -> _Lifted:
    found = _PILE.fullmatch(text)
    if found is None:
        raise IllegalMoveError(Reason.UNREADABLE_MOVE, f"{text[:20]!r}; expected a pile like 'w', 'c3:4' or 'f:h'")
    if found["waste"]:
        return _Lifted(WASTE_PLAYS)
    if found["suit"]:
        return _Lifted(_FROM_FOUNDATION, SUIT_LETTERS.index(found["suit"]), slot=int(found["slot"] or 0))
    return _Lifted(_FROM_COLUMN, int(found["column"]) - 1, int(found["count"] or 1))


def places(table: Table, seat: int, source_text: str) -> list[Move]:
    """The legal moves of what is lifted: ``w``, ``c3`` (its last card), ``c3:4`` (its last four), ``f:h2``.

    Raises :class:`IllegalMoveError` (``UNREADABLE_MOVE``) for text that names no pile.
    """
    lifted = _lifted(source_text)
    return [move for move in legal_moves(table, seat) if _is_of(table, move, lifted)]


def _is_of(table: Table, move: Move, lifted: _Lifted) -> bool:
    if move.kind not in lifted.kinds or move.source != lifted.source or move.size != lifted.count:
        return False
    if move.kind is not Kind.FOUNDATION_TO_COLUMN or move.slot == lifted.slot:
        return True
    # a slot may be named though only one has a top, and the legal move then leaves it out (D17)
    if move.slot or lifted.slot > table.variant.copies:
        return False
    return filled_slots(table, move) == filled_slots(table, move._replace(slot=lifted.slot))


# --- taps --------------------------------------------------------------------------------------------------


def tap(table: Table, seat: int, pile: str) -> Move | None:
    """The move of one tap on a pile: its last card to a foundation that takes it.

    ``c3:4`` is a tap on a card under three others, which no foundation takes. Raises as :func:`places`.
    """
    return _up(places(table, seat, pile))


def _up(moves: list[Move]) -> Move | None:
    return next((move for move in moves if move.kind in FOUNDATION_PLAYS), None)


def double_tap(table: Table, seat: int, pile: str) -> Move | None:
    """The move of a second tap, and where automatic placement sends what was lifted from this pile (D73-D75).

    A foundation first (as :func:`tap`); then the longest column that takes it, its hidden cards counted and
    ties to the left; then, for a king, the leftmost empty column, but not if it leaves another empty (D3).
    ``c3:4`` names the depth tapped: that card moves with all that lies on it. Raises as :func:`places`.
    """
    moves = places(table, seat, pile)
    if move := _up(moves):
        return move
    me = table.seats[seat]
    worth = [move for move in moves if not _worthless(me, move)]
    return max(worth, key=lambda move: (len(me.columns[move.target]), -move.target), default=None)


def _worthless(me: Seat, move: Move) -> bool:
    """A whole column, so a king or king-run, to another empty column (D3)."""
    return (
        move.kind is Kind.COLUMN_TO_COLUMN and not me.columns[move.target] and move.size == len(me.columns[move.source])
    )


# --- hints -------------------------------------------------------------------------------------------------


class _Worth(IntEnum):
    """What a hint is for, the best first; the numbers only rank."""

    SAFE_FOUNDATION = 9
    TURN_UP = 8
    KING_TO_SPACE = 7
    JOIN = 6
    MAKE_SPACE = 5
    FROM_WASTE = 4
    FOUNDATION = 3
    FREE_FOR_FOUNDATION = 2
    DRAW = 1
    RECYCLE = 0


def hint(table: Table, seat: int) -> Move | None:
    """A move worth making, or ``None``: nothing to recommend (no proof that all is lost: see ``blocked``).

    In this order:

    1. a foundation play that nobody regrets: all cards that might be laid on this one are up, or it is an ace
       or a two; in a race for shared foundations, any;
    2. a move that turns a card up, from the column with the most hidden cards;
    3. a king to an empty column from the waste or from on top of other cards;
    4. a column move that joins what lay on a card it does not fit to one that it fits;
    5. a move that empties a column for a king that goes there next;
    6. the waste card to the longest column that takes it;
    7. any other foundation play;
    8. a column move that bares a card which a foundation takes;
    9. draw;
    10. recycle, if the new pass offers a card that has a place now.

    Followed from hint to hint this ends: 1-4, 6 and 7 can each happen only finitely often, and the others
    lead to one of them. Take-backs and D3's king move are never among them.
    """
    best: tuple[int, int] | None = None
    choice: Move | None = None
    for move in legal_moves(table, seat):
        worth = _worth(table, seat, move)
        if worth is not None and (best is None or worth > best):
            best, choice = worth, move
    return choice


def _worth(table: Table, seat: int, move: Move) -> tuple[_Worth, int] | None:
    """The purpose of this move and, among moves of the same purpose, its weight."""
    me = table.seats[seat]
    match move.kind:
        case Kind.COLUMN_TO_FOUNDATION:
            return _worth_of_putting_up(table, me, move)
        case Kind.WASTE_TO_FOUNDATION:
            return (_Worth.SAFE_FOUNDATION if _is_safe(table, me.waste[-1]) else _Worth.FOUNDATION), 0
        case Kind.COLUMN_TO_COLUMN:
            return _worth_of_column_move(table, seat, move)
        case Kind.WASTE_TO_COLUMN:
            target = me.columns[move.target]
            return (_Worth.FROM_WASTE if target else _Worth.KING_TO_SPACE), len(target)
        case Kind.DRAW:
            return _Worth.DRAW, 0
        case Kind.RECYCLE:
            return (_Worth.RECYCLE, 0) if _new_pass_offers(table, me) else None
        case Kind.FOUNDATION_TO_COLUMN:
            return None


def _worth_of_putting_up(table: Table, me: Seat, move: Move) -> tuple[_Worth, int]:
    column, down = me.columns[move.source], me.down[move.source]
    if _is_safe(table, column[-1]):
        return _Worth.SAFE_FOUNDATION, down
    return (_Worth.TURN_UP if 0 < down == len(column) - 1 else _Worth.FOUNDATION), down


def _worth_of_column_move(table: Table, seat: int, move: Move) -> tuple[_Worth, int] | None:
    me = table.seats[seat]
    column, down, target = me.columns[move.source], me.down[move.source], me.columns[move.target]
    left = len(column) - move.size
    if not left:
        return (_Worth.MAKE_SPACE, len(target)) if target and _makes_space_for_king(table, seat, move) else None
    if left == down:
        return _Worth.TURN_UP, down
    if not target:
        return _Worth.KING_TO_SPACE, -move.target
    bared, first = column[left - 1] & FACE, column[left] & FACE
    if first not in FITS[table.variant.build][bared]:
        return _Worth.JOIN, len(target)
    return (_Worth.FREE_FOR_FOUNDATION, len(target)) if bared in table.wanted() else None


def _is_safe(table: Table, card: int) -> bool:
    below_rank = rank_of(card) - 1
    if len(table.seats) > 1 or below_rank <= ACE:
        return True
    copies = table.variant.copies
    might_be_laid_on_it = {suit_of(face) for face in ACCEPTED[table.variant.build][card & FACE]}
    return all(
        len(pile) >= below_rank
        for suit in might_be_laid_on_it
        for pile in table.foundations[suit * copies : (suit + 1) * copies]
    )


def _makes_space_for_king(table: Table, seat: int, move: Move) -> bool:
    """Whether, this whole column gone, a king that is no whole column itself can take its place."""
    if not all(table.seats[seat].columns):
        return False  # there is a space already, and no king for it
    after = table.copy()
    play_checked(after, seat, move)
    me = after.seats[seat]
    return any(
        move.kind in _INTO_SPACE and not me.columns[move.target] and not _worthless(me, move)
        for move in legal_moves(after, seat)
    )


def _new_pass_offers(table: Table, me: Seat) -> bool:
    """Whether a walk through the turned waste comes to a card that a foundation or a column takes now."""
    fits = FITS[table.variant.build]
    places_now = table.wanted().union(*(fits[column[-1] & FACE if column else 0] for column in me.columns))
    offered = {*me.waste[me.draw - 1 :: me.draw], me.waste[-1]}
    return any(card & FACE in places_now for card in offered)


# --- the finish button -------------------------------------------------------------------------------------


def finishing_moves(table: Table, seat: int) -> list[Move] | None:
    """The moves of the finish button: foundation plays, draws and recycles that surely win; or ``None``.

    Only in a solo game, and only when no face-down card lies in a column: the button must not tell what is
    under there. It plays up whatever it can, columns before waste, and gives up after a walk through the
    stock that put nothing up. A view whose stock is hidden promises nothing.
    """
    me = table.seats[seat]
    if len(table.seats) > 1 or any(me.down) or table.won or HIDDEN in me.stock:
        return None
    trial = table.copy()
    moves: list[Move] = []
    walked = False
    while not trial.won:
        move = _finishing_move(trial, seat)
        if move is None or (move.kind is Kind.RECYCLE and walked):
            return None
        walked = move.kind is Kind.RECYCLE or (walked and move.kind is Kind.DRAW)
        play_checked(trial, seat, move)
        moves.append(move)
    return moves


def _finishing_move(table: Table, seat: int) -> Move | None:
    tries = [Move(Kind.COLUMN_TO_FOUNDATION, source) for source in range(len(table.seats[seat].columns))]
    tries += [Move(Kind.WASTE_TO_FOUNDATION), Move(Kind.DRAW), Move(Kind.RECYCLE)]
    return next((move for move in tries if check(table, seat, move) is None), None)
