"""The arbiter of a solo game: the same table with one seat, and an undo (RULES.md 1-5)."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from acerace_protocol.meaning import read_move
from acerace_protocol.messages import (
    Ask,
    Command,
    LegalMoves,
    Play,
    RaceInfo,
    Redo,
    Resign,
    Undo,
    Undone,
)
from acerace_protocol.messages import Played as PlayedEvent
from acerace_protocol.units import SECOND_NS
from acerace_rules.blocked import is_blocked
from acerace_rules.cards import face_text
from acerace_rules.deal import read_code
from acerace_rules.hints import double_tap, finishing_moves, hint, tap
from acerace_rules.moves import Kind, Move, Reason
from acerace_rules.play import Played, unplay
from acerace_rules.solo import SoloGame
from acerace_server.core.match import Match, Setup, Timer


class SoloMatch(Match):
    """One solo game, dealt as soon as it is opened."""

    foreign = Reason.TWO_PLAYERS_ONLY

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.game = SoloGame(read_code(setup.code or "").table())
        self.deal(self.game.table)
        self._first_at: int | None = None
        self._blocked = is_blocked(self.game.table, 0)
        self._unasked: list[Played] = []
        """In a replay: moves after each of which it was not asked whether the player is blocked."""

    def _play(self, seat: int, command: Play, at: int) -> None:
        move = read_move(self.game.table, seat, command)
        self._played(self.game.play(move, self._elapsed_s(at)), command.nonce, at)

    def _redo(self, seat: int, command: Redo, at: int) -> None:
        del seat
        self._played(self.game.redo(self._elapsed_s(at)), command.nonce, at)

    def _undo(self, seat: int, command: Undo, at: int) -> None:
        played = self.game.undo(self._elapsed_s(at))
        me = self.game.table.seats[seat]
        fields: dict[str, Any] = self._blocked_field(played, undone=True)
        if played.move.kind is Kind.RECYCLE:  # the waste lies open again; who came after the recycle never saw it
            fields["cards"] = tuple(map(face_text, me.waste))
        self.tell_move(Undone, played, command.nonce, score=me.score, moves=me.moves, **fields)

    handlers = {  # noqa: RUF012  # never changed; a Mapping by its declared type
        Play: _play,
        Undo: _undo,
        Redo: _redo,
        Resign: Match._resign,  # noqa: SLF001  # our own base class
    }

    def _played(self, played: Played, nonce: int, at: int) -> None:
        if self._first_at is None:  # the clock starts with the first accepted command
            self._first_at = at
        score = self.game.table.seats[0].score
        self.tell_move(PlayedEvent, played, nonce, score=score, **self._blocked_field(played))
        if self.game.won:
            self.end(at, "won", played.seat)

    def _elapsed_s(self, at: int) -> int:
        return (at - self._first_at) // SECOND_NS if self._first_at is not None else 0

    def _blocked_field(self, played: Played, *, undone: bool = False) -> dict[str, bool]:
        """The notice of D47, when it changes. What is proved stays proved until an undo."""
        if self._silent:
            self._note_unasked(played, undone=undone)
            return {}
        known = self._blocked and not undone
        blocked = known or (not self.game.won and is_blocked(self.game.table, 0))
        if blocked == self._blocked:
            return {}
        self._blocked = blocked
        return {"blocked": blocked}

    def legal(self, seat: int) -> LegalMoves:
        playing = self.phase == "playing"
        undo, redo = playing and self.game.can_undo, playing and self.game.can_redo
        return replace(super().legal(seat), undo=undo, redo=redo)

    # --- in a replay ---

    def _note_unasked(self, played: Played, *, undone: bool) -> None:
        """Keep what it takes to ask later. Whoever made progress was not blocked before: a proof is never wrong."""
        kept_up = played.slot >= 0 and not self.variant.take_back
        if undone or kept_up or played.turned or played.move.kind is Kind.WASTE_TO_COLUMN:
            self._blocked = False
            self._unasked.clear()
        else:
            self._unasked.append(played)

    def speak(self) -> None:
        """As in the base class; asks what was not asked so far, from the last move back: few are left to ask for."""
        if self._silent:
            self._blocked = self._blocked or self._was_blocked()
        super().speak()

    def _was_blocked(self) -> bool:
        table = self.game.table.copy()
        while not is_blocked(table, 0):
            if not self._unasked:
                return False
            unplay(table, self._unasked.pop())
        return not self.game.won

    # --- what else differs from a match of two ---

    @property
    def _played_from(self) -> int:
        return self._first_at if self._first_at is not None else self._now

    def _timers(self) -> Iterable[Timer]:
        return ()

    def _presence_changed(self, seat: int, at: int) -> None:
        """Nobody waits for a solo player."""

    def _in_turn(self, seat: int, moves: list[Move]) -> list[Move]:
        del seat
        return moves

    def _leader(self) -> None:
        """A solo game that is given up has no winner."""

    def _winner_when_gone(self, seat: int) -> None:
        del seat

    def _more_of_snapshot(self, now: int) -> dict[str, Any]:
        del now
        return {
            "started_us": self._us(self._first_at) if self._first_at is not None else None,
            "blocked": self._blocked,
        }

    def _more_of_end(self) -> dict[str, Any]:
        me = self.game.table.seats[0]
        return {"scores": (me.score,), "strict": (me.strict,)}

    def _advice(self, ask: Ask) -> tuple[Iterable[Move], bool]:
        table, pile = self.game.table, ask.pile or ""
        match ask.about:
            case "hint":
                found = None if self._blocked else hint(table, 0)  # a draw leads nowhere any more
            case "tap":
                found = tap(table, 0, pile)
            case "double_tap":
                found = double_tap(table, 0, pile)
            case "finish":
                return finishing_moves(table, 0) or (), False
            case _:
                return (), is_blocked(table, 0)
        return ([found] if found else []), False

    def _lost_race(self, seat: int, command: Command, reason: Reason, at: int) -> RaceInfo | None:
        del seat, command, reason, at
        return None
