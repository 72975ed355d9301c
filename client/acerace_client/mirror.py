"""A local copy of one table, kept by the events the server numbers: what a client sees, and nothing else.

The copy is a view (:mod:`acerace_rules.view`): a ``Table`` whose hidden cards are ``HIDDEN``. An event names the cards
it reveals; they are written where they lie, and then the very same ``play_checked`` runs here as on the server. The
event's ``check`` says whether the two still agree, and its number whether one is missing.
"""

from acerace_protocol.digest import RunningDigest
from acerace_protocol.messages import (
    Dealt,
    Ended,
    Event,
    Passed,
    Phase,
    Played,
    PlayerInfo,
    Presence,
    RaceInfo,
    Readied,
    SaidDone,
    Snapshot,
    Undone,
    Warned,
    Watchers,
)
from acerace_protocol.state import TableState, owned_card
from acerace_rules import play as rules
from acerace_rules.cards import HIDDEN
from acerace_rules.catalogue import GAMES, variant_of
from acerace_rules.legal import legal_moves
from acerace_rules.moves import FOUNDATION_PLAYS, STOCK_MOVES, WASTE_PLAYS, IllegalMoveError, Kind, Move
from acerace_rules.table import Seat, Table
from acerace_rules.terms import Terms
from acerace_rules.variant import Variant


class MirrorError(Exception):
    """The mirror cannot follow; ``table`` and ``seen`` (its last event) are what a ``resume`` needs."""

    def __init__(self, table: str, seen: int, detail: str) -> None:
        super().__init__(f"table {table} after event {seen}: {detail}")
        self.table = table
        self.seen = seen


class GapError(MirrorError):
    """An event is missing before the one that came. Nothing has changed here: ``resume`` from ``seen``."""


class DriftError(MirrorError):
    """The position here is not the server's, or an event makes no sense in it: only a fresh snapshot helps."""


class Mirror:
    """One table as it is known here. Give it the first snapshot, then each message about the table in turn."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Raises as :meth:`restore`."""
        self.id = snapshot.table
        self.restore(snapshot)

    def restore(self, snapshot: Snapshot) -> None:
        """Forget everything and begin again from a snapshot.

        Raises :class:`DriftError` when its position is no position of the game, or not the one its ``check`` says;
        ``acerace_rules.options.UnknownChoiceError`` for a game that does not exist here.
        """
        self.seq = snapshot.seq
        self.game = snapshot.game
        self.options = snapshot.options
        self.variant: Variant = variant_of(snapshot.game, snapshot.options)
        self.terms = _terms(snapshot)
        self.players: tuple[PlayerInfo, ...] = snapshot.players
        self.phase: Phase = snapshot.phase
        self.commitment = snapshot.commitment
        self.code = snapshot.code
        seats = self.variant.seats
        self.ready = list(snapshot.ready or (False,) * seats)
        self.turn = snapshot.turn
        self.done = list(snapshot.done or (False,) * seats)
        self.away = list(snapshot.away or (False,) * seats)
        self.races: tuple[RaceInfo, ...] = snapshot.races
        self.blocked = snapshot.blocked
        self.watchers = snapshot.watchers
        self.ended: Ended | None = snapshot.ended
        self.warned_ms: int | None = None
        """After a warning: how long without progress is left; ``None`` once there was progress."""
        self.recycled = False
        """Alternating pace: whether whose turn it is has recycled in it, as far as is known here."""
        self.only_drawn = False
        """Alternating pace with ``turn=bicycle``: whether only the card just drawn may be played (as above)."""
        self.view: Table | None = None
        """The position; ``None`` before the deal. Read it, or copy it; never play on it."""
        if snapshot.state is not None:
            self._begin(snapshot.state, snapshot.check)

    def apply(self, message: Event | Snapshot | Watchers) -> bool:
        """Take one message about this table; ``False`` when it is a repeat and changed nothing.

        Raises :class:`GapError` or :class:`DriftError`; after the latter only :meth:`restore` helps.
        """
        if isinstance(message, Snapshot):
            self.restore(message)
            return True
        if isinstance(message, Watchers):
            self.watchers = message.count
            return True
        if message.seq <= self.seq:
            return False
        if message.seq != self.seq + 1:
            raise GapError(self.id, self.seq, f"event {message.seq} came next")
        self._take(message)
        self.seq = message.seq
        return True

    def may_move(self, seat: int) -> bool:
        """Whether it is this seat's to move: the cards are dealt, the match goes on, and nobody else has the turn."""
        return self.phase == "playing" and self.view is not None and self.turn in {None, seat}

    def legal(self, seat: int) -> list[Move]:
        """The moves the server would accept from this seat now, as far as can be known; none out of turn."""
        if self.view is None or not self.may_move(seat):
            return []
        moves = legal_moves(self.view, seat)
        if self.only_drawn:
            return [move for move in moves if move.kind in WASTE_PLAYS]
        if self.recycled:
            return [move for move in moves if move.kind is not Kind.RECYCLE]
        return moves

    def _take(self, event: Event) -> None:
        match event:
            case Readied():
                self.ready[event.seat] = True
            case Dealt():
                self.phase = "playing"
                self.turn = event.turn
                self._begin(event.state, event.check)
            case Played():
                self._played(event)
            case Undone():
                self._undone(event)
            case Passed():
                self._turn_is(event.turn)
            case SaidDone():
                self.done[event.seat] = True
            case Presence():
                self.away[event.seat] = event.away
            case Warned():
                self.warned_ms = event.ends_in_ms
            case Ended():
                self.phase, self.ended, self.races = "over", event, event.races

    # --- the position --------------------------------------------------------------------------------------

    def _begin(self, state: TableState, check: int | None) -> None:
        try:
            self.view = state.table(self.variant)
        except (ValueError, IndexError) as error:
            raise DriftError(self.id, self.seq, str(error)) from None
        self._digest = RunningDigest(self.view)
        if check is not None and check != self._digest.value:
            raise DriftError(self.id, self.seq, f"check {check} is not of this position, {self._digest.value}")

    def _played(self, event: Played) -> None:
        view, me = self._seat(event.seat)
        try:
            move = Move.parse(event.move)
            if reason := rules.check(view, event.seat, move):
                raise IllegalMoveError(reason, event.move)
            self._reveal(me, event, move)
            done = rules.play_checked(view, event.seat, move)
        except (ValueError, IndexError) as error:
            raise DriftError(self.id, self.seq, f"{event.move}: {error}") from None
        if move.kind is Kind.RECYCLE:
            me.stock = [HIDDEN] * len(me.stock)
        self._settle(me, event.score)
        self._agree(done, event)
        if event.blocked is True or event.blocked is False:
            self.blocked = event.blocked
        self._after_move(event, move)

    def _reveal(self, me: Seat, event: Played, move: Move) -> None:
        """Write the cards that this move shows where they lie, so that the rules find them there."""
        if move.kind is Kind.DRAW:
            drawn = [self._card(event.seat, text) for text in event.cards]
            if len(drawn) != min(me.draw, len(me.stock)):
                raise ValueError(f"{len(drawn)} cards drawn of {len(me.stock)}")
            me.stock[-len(drawn) :] = drawn[::-1]
        elif event.turned is not None:
            me.columns[move.source][me.down[move.source] - 1] = self._card(event.seat, event.turned)

    def _undone(self, event: Undone) -> None:
        view, me = self._seat(event.seat)
        try:
            gone = self._gone(event)
            move = gone.move
            if move.kind is Kind.RECYCLE:
                self._know_stock(me, event)
            rules.unplay(view, gone)
        except (ValueError, IndexError) as error:
            raise DriftError(self.id, self.seq, f"undo of {event.move}: {error}") from None
        if move.kind is Kind.DRAW:
            me.stock[-len(gone.cards) :] = [HIDDEN] * len(gone.cards)
        elif gone.turned:
            me.columns[move.source][me.down[move.source] - 1] = HIDDEN
        me.moves = event.moves
        self._settle(me, event.score)
        self._agree(gone, event)
        if event.blocked is True or event.blocked is False:
            self.blocked = event.blocked

    def _gone(self, event: Undone) -> rules.Played:
        cards = tuple(self._card(event.seat, text) for text in event.cards)
        turned = self._card(event.seat, event.turned) if event.turned else 0
        slot = -1 if event.slot is None else event.slot
        return rules.Played(event.seat, Move.parse(event.move), cards, slot, turned, event.score, 0, 0, 0)

    def _know_stock(self, me: Seat, event: Undone) -> None:
        """A recycle that is taken back shows the waste again."""
        if len(event.cards) != len(me.stock):
            raise ValueError(f"{len(event.cards)} cards in the waste that was a stock of {len(me.stock)}")
        me.stock = [self._card(event.seat, text) for text in reversed(event.cards)]

    def _settle(self, me: Seat, score: int) -> None:
        """A view has none of the referee's own bookkeeping, and its scores are those the events tell."""
        me.score, me.strict, me.ticks = score, 0, 0
        if self.view is not None:
            self.view.arrived = 0

    def _agree(self, done: rules.Played, event: Played | Undone) -> None:
        if self._digest.after(done) != event.check:
            raise DriftError(self.id, self.seq, f"after {event.move} the position here is not the server's")

    def _card(self, seat: int, text: str) -> int:
        return owned_card(text, seat if self.variant.seats > 1 else 0)

    def _seat(self, number: int) -> tuple[Table, Seat]:
        if self.view is None or not 0 <= number < len(self.view.seats):
            raise DriftError(self.id, self.seq, f"a move of seat {number} before the deal, or of no seat")
        return self.view, self.view.seats[number]

    # --- around it -----------------------------------------------------------------------------------------

    def _after_move(self, event: Played, move: Move) -> None:
        self.done[event.seat] = False
        if move.kind in FOUNDATION_PLAYS:
            self.done = [False] * len(self.done)
        if move.kind not in STOCK_MOVES:
            self.warned_ms = None
        if self.turn is not None:
            self.recycled = self.recycled or move.kind is Kind.RECYCLE
            turn = self.turn if event.turn is None else event.turn
            self.only_drawn = move.kind is Kind.DRAW and turn == event.seat
            self._turn_is(turn)

    def _turn_is(self, turn: int) -> None:
        if turn != self.turn:
            self.recycled = self.only_drawn = False
        self.turn = turn


def _terms(snapshot: Snapshot) -> Terms | None:
    game = GAMES.get(snapshot.game)
    if game is None or game.seats == 1:
        return None
    return Terms.of(game.chosen(snapshot.options))
