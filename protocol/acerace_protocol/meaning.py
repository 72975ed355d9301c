"""What a ``play`` command means: which move, and which card."""

from acerace_protocol.from_client import Play
from acerace_rules.cards import face_text
from acerace_rules.moves import IllegalMoveError, Kind, Move, Reason
from acerace_rules.play import filled_slots
from acerace_rules.table import Table


def meant_card(table: Table, seat: int, move: Move) -> int | None:
    """The deepest card a move would take up now; ``None`` if it takes none up, or the pile shows too few.

    Never a face-down card: whether a guess at one was right must not be told.
    """
    me = table.seats[seat]
    match move.kind:
        case Kind.WASTE_TO_COLUMN | Kind.WASTE_TO_FOUNDATION:
            pile, depth = me.waste, 1
        case Kind.COLUMN_TO_COLUMN | Kind.COLUMN_TO_FOUNDATION if move.source < len(me.columns):
            pile, depth = me.columns[move.source][me.down[move.source] :], move.size
        case Kind.FOUNDATION_TO_COLUMN:
            slots = filled_slots(table, move)
            pile, depth = (table.foundations[slots[0]], 1) if slots else ([], 1)
        case _:
            return None
    return pile[-depth] if depth <= len(pile) else None


def read_move(table: Table, seat: int, command: Play) -> Move:
    """The move a command names.

    Raises :class:`IllegalMoveError`: unreadable, or ``OTHER_CARD`` when the sender meant another card than
    the one that lies there now.
    """
    move = Move.parse(command.move)
    if command.card is not None:
        card = meant_card(table, seat, move)
        there = command.card if card is None else face_text(card)
        if there != command.card and there.lower() != command.card.lower():
            raise IllegalMoveError(Reason.OTHER_CARD, f"{there} lies there, not {command.card}")
    return move
