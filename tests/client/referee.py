"""A small server's side of one table for tests: it plays with the rules and tells events as PROTOCOL.md says."""

from collections.abc import Sequence
from typing import Any, TypeVar

from acerace_protocol.digest import digest
from acerace_protocol.messages import (
    Dealt,
    Ended,
    Event,
    Passed,
    Phase,
    Played,
    PlayerInfo,
    Presence,
    SaidDone,
    Snapshot,
    Undone,
)
from acerace_protocol.state import TableState
from acerace_rules.cards import face_text, full_deck
from acerace_rules.catalogue import GAMES, variant_of
from acerace_rules.moves import Kind, Move
from acerace_rules.options import Value
from acerace_rules.play import Played as PlayedMove
from acerace_rules.play import play, unplay
from acerace_rules.shuffle import shuffled
from acerace_rules.table import Table
from acerace_rules.view import view

E = TypeVar("E", bound=Event)

SOLO_VARIANTS: list[tuple[str, dict[str, Value]]] = [
    ("klondike", {}),
    ("klondike", {"draw": 3, "passes": 3}),
    ("klondike", {"thoughtful": True, "scoring": "vegas", "passes": 1}),
    ("klondike", {"take_back": False, "scoring": "windows"}),
    ("double-solitaire", {}),
    ("double-solitaire", {"draw": 3, "scoring": "vegas"}),
    ("russian", {}),
    ("russian", {"rule": "flexible"}),
    ("easy-harp", {}),
    ("yukon", {}),
]
DUEL_VARIANTS: list[tuple[str, dict[str, Value]]] = [
    ("double-klondike", {}),
    ("double-klondike", {"draw": 3}),
    ("double-klondike", {"passes": 1, "second_draw": 3}),
    ("double-klondike", {"pace": "alternating"}),
    ("double-klondike", {"pace": "alternating", "draw": 3, "passes": 1}),
]
VARIANTS = SOLO_VARIANTS + DUEL_VARIANTS


def dealt_table(game: str, options: dict[str, Value], number: int) -> Table:
    """The position at the start of a numbered deal, of any game."""
    variant = variant_of(game, options)
    label = b"test/%d/" % number
    decks = [
        [card for copy in range(variant.decks) for card in full_deck(copy if variant.seats == 1 else seat)]
        for seat in range(variant.seats)
    ]
    return Table.deal(variant, [shuffled(deck, b"tests", label + b"%d/" % seat) for seat, deck in enumerate(decks)])


class Referee:
    """The real table, and the events of what is done to it."""

    def __init__(self, game: str, options: dict[str, Value], number: int = 1, *, dealt: bool = True) -> None:
        self.game = game
        self.options = dict(GAMES[game].chosen(options))
        self.table = dealt_table(game, options, number)
        self.seq = 0
        self.phase: Phase = "playing" if dealt else "waiting"
        self.done = [False] * len(self.table.seats)
        self.ended: Ended | None = None
        self.history: list[Event] = []
        self._undo: list[PlayedMove] = []
        self._redo: list[Move] = []

    @property
    def seats(self) -> range:
        return range(len(self.table.seats))

    @property
    def undoable(self) -> bool:
        return bool(self._undo) and self.table.variant.undo_depth > 0

    @property
    def redoable(self) -> bool:
        return bool(self._redo)

    def snapshot(self) -> Snapshot:
        playing = self.phase != "waiting"
        return Snapshot(
            table="t1",
            seq=self.seq,
            at_us=self.seq,
            game=self.game,
            options=self.options,
            players=tuple(PlayerInfo(player=f"p{seat}", name=f"P{seat}") for seat in self.seats),
            phase=self.phase,
            state=TableState.of(view(self.table)) if playing else None,
            check=digest(self.table) if playing else None,
            turn=0 if self.options.get("pace") == "alternating" else None,
            done=tuple(self.done),
            ended=self.ended,
        )

    def deal(self) -> Dealt:
        self.phase = "playing"
        return self._told(Dealt, state=TableState.of(view(self.table)), check=digest(self.table))

    def play(self, seat: int, move: Move, nonce: int = 0, *, turn: int | None = None) -> Played:
        """Raises ``IllegalMoveError``."""
        played = play(self.table, seat, move)
        self._undo.append(played)
        self._redo.clear()
        self.done[seat] = False
        if move.kind in {Kind.COLUMN_TO_FOUNDATION, Kind.WASTE_TO_FOUNDATION}:
            self.done = [False] * len(self.done)
        return self._played(played, nonce, turn)

    def redo(self) -> Played:
        move = self._redo.pop()
        played = play(self.table, 0, move)
        self._undo.append(played)
        return self._played(played, 0, None)

    def undo(self) -> Undone:
        played = self._undo.pop()
        me = self.table.seats[played.seat]
        moves = me.moves
        unplay(self.table, played)
        me.moves = moves
        self._redo.append(played.move)
        fields = self._fields(played)
        if played.move.kind is Kind.RECYCLE:
            fields["cards"] = tuple(map(face_text, me.waste))
        return self._told(Undone, score=me.score, moves=moves, nonce=0, **fields)

    def say_done(self, seat: int, nonce: int = 0) -> SaidDone:
        self.done[seat] = True
        return self._told(SaidDone, seat=seat, nonce=nonce)

    def pass_turn(self, seat: int, nonce: int = 0) -> Passed:
        return self._told(Passed, seat=seat, nonce=nonce, turn=1 - seat)

    def comes(self, seat: int) -> Presence:
        return self._told(Presence, seat=seat, away=False)

    def end(self, reason: Any = "agreed", nonce: int | None = None) -> Ended:
        contributions = tuple(self.table.contribution(seat) for seat in self.seats)
        self.phase = "over"
        ended = self.ended = self._told(
            Ended,
            reason=reason,
            scores=contributions,
            contributions=contributions,
            moves=tuple(seat.moves for seat in self.table.seats),
            refusals=(0,) * len(self.table.seats),
            duration_ms=1,
            nonce=nonce,
        )
        return ended

    def since(self, seen: int) -> Sequence[Event]:
        return self.history[seen:]

    def _played(self, played: PlayedMove, nonce: int, turn: int | None) -> Played:
        score = self.table.seats[played.seat].score
        return self._told(Played, nonce=nonce, score=score, turn=turn, **self._fields(played))

    def _fields(self, played: PlayedMove) -> dict[str, Any]:
        return {
            "seat": played.seat,
            "move": str(played.move),
            "cards": tuple(map(face_text, played.cards)),
            "slot": played.slot if played.slot >= 0 else None,
            "turned": face_text(played.turned) if played.turned else None,
            "check": digest(self.table),
        }

    def _told(self, kind: type[E], **fields: Any) -> E:
        self.seq += 1
        event = kind(table="t1", seq=self.seq, at_us=self.seq, **fields)
        self.history.append(event)
        return event
