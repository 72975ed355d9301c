"""The arbiter of one table: commands and times in, events out.

A match is its :class:`Setup` and the list of what it was told, each with its stamp (:attr:`Match.log`). Replay, crash
recovery, disputes and a spectator's catch-up are one function over that list. Times are nanoseconds of one
monotonic clock; nothing here reads it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from acerace_protocol.digest import RunningDigest
from acerace_protocol.limits import COMMANDS_PER_TABLE, REFUSALS_COUNTED_PER_SEAT
from acerace_protocol.messages import (
    Advice,
    Ask,
    Command,
    Ended,
    EndReason,
    Event,
    LegalMoves,
    Phase,
    PlayerInfo,
    RaceInfo,
    Refused,
    Resign,
    SeriesInfo,
    Snapshot,
)
from acerace_protocol.state import TableState
from acerace_protocol.units import MS_NS
from acerace_rules.cards import face_text
from acerace_rules.catalogue import GAMES
from acerace_rules.hints import places
from acerace_rules.legal import legal_moves
from acerace_rules.moves import IllegalMoveError, Move, Reason
from acerace_rules.options import Value
from acerace_rules.play import Played
from acerace_rules.table import Table
from acerace_rules.view import view
from acerace_server.core.voice import EVERYONE, Voice


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match is made of, before anyone has done anything."""

    table: str
    game: str
    options: Mapping[str, Value]
    """Every option of the game, defaults filled in."""
    players: tuple[PlayerInfo, ...]
    opened_at: int
    secret: bytes = b""
    """Two-player games: what the deal comes from."""
    code: str | None = None
    """Solo games: the deal code."""
    rated: bool = False
    """The result changes the players' ratings. Nothing else depends on it."""
    series: SeriesInfo | None = None
    """Two-player games: where the series stands before this match, if it is of one."""


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """Told by the shell: a seat's last connection is gone, or its first is back."""

    away: bool


@dataclass(frozen=True, slots=True)
class Timeout:
    """Told by the clock: a timer has run out."""


class Entry(NamedTuple):
    """One thing a match was told: by a seat, or (``seat`` -1) by the clock."""

    at: int
    seat: int
    told: "Command | PresenceChange | Timeout"


class Timer(NamedTuple):
    """What happens, and when, unless something else comes first."""

    at: int
    action: Callable[[int], None]


class Match(Voice, ABC):
    """What every table has in common; :class:`DuelMatch` and :class:`SoloMatch` say what the commands do."""

    handlers: ClassVar[Mapping[type, Callable[[Any, int, Any, int], None]]]
    foreign: ClassVar[Reason]
    """Why a command that has no handler here is refused."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.variant = GAMES[setup.game].variant(setup.options)
        super().__init__(setup.table, setup.opened_at, self.variant.seats)
        self.phase: Phase = "waiting"
        self.table: Table | None = None
        """``None`` until the deal."""
        self.log: list[Entry] = []
        self.ended: Ended | None = None
        self.goes_on = False
        """In a replay: the log has more to tell, and no timer next. So none has run out, and what is told now is not
        the end: to find that out again is a third of a replay's time."""
        self.races: list[RaceInfo] = []
        self.refusals = [0] * self.variant.seats
        self.away = [False] * self.variant.seats
        self._digest: RunningDigest | None = None
        self._timer: Timer | None = None
        self._timer_is_stale = True

    # --- what comes in ---

    def receive(self, seat: int, command: Command, at: int) -> None:
        """Judge one command of a seat that arrived at ``at``. It is answered exactly once.

        A nonce that was answered already gets the same answer again and has no further effect. A match's time never
        goes back: a command that had to let another one pass (core/inbox.py) counts as of that one's time.
        """
        at = max(at, self._now)
        self.tick(at)
        answer = self.answers[seat].find(command.nonce)
        if answer is not None:
            self.outgoing.append((seat, answer))
        else:
            self.judge(Entry(at, seat, command), command)

    def judge(self, entry: Entry, command: Command) -> None:
        """Judge a command that has no answer yet, or of which a log says that it was judged."""
        if entry.at < self._now:  # in a log from before a match's time could not go back
            entry = entry._replace(at=self._now)
        logged = len(self.log)
        self._enter(entry)
        handler = _refuse_over if self.phase == "over" else self.handlers.get(type(command), _refuse_foreign)
        try:
            handler(self, entry.seat, command, entry.at)
        except IllegalMoveError as refusal:
            self._refuse(entry.seat, command, refusal, entry.at)
        self._end_if_too_long(logged, entry.at)

    def presence(self, seat: int, *, away: bool, at: int) -> None:
        """A seat's last connection is gone, or its first is back."""
        at = max(at, self._now)
        self.tick(at)
        if self.phase == "over" or self.away[seat] == away:
            return
        self._enter(Entry(at, seat, PresenceChange(away)))
        self.away[seat] = away
        self._presence_changed(seat, at)
        self._end_if_too_long(len(self.log) - 1, at)

    def _end_if_too_long(self, logged: int, at: int) -> None:
        if logged < len(self.log) >= COMMANDS_PER_TABLE and self.phase != "over":
            self.end(at, "too_long", self._leader())

    def tick(self, at: int) -> None:
        """Carry out every timer that has run out by ``at``, each as of the time it ran out."""
        while (timer := self._next_timer()) and timer.at <= at:
            self._enter(Entry(timer.at, EVERYONE, Timeout()))
            timer.action(timer.at)

    def deadline(self) -> int | None:
        """When :meth:`tick` has something to do next."""
        timer = self._next_timer()
        return timer.at if timer else None

    def _next_timer(self) -> Timer | None:
        """The timer that runs out first. Only what the match is told can change it."""
        if self.phase == "over" or self.goes_on:
            return None
        if self._timer_is_stale:
            self._timer = min(self._timers(), key=lambda timer: timer.at, default=None)
            self._timer_is_stale = False
        return self._timer

    def _enter(self, entry: Entry) -> None:
        self._now = entry.at
        self._timer_is_stale = True
        if self.phase != "over":
            self.log.append(entry)

    # --- what goes out ---

    def snapshot(self, at: int | None = None) -> Snapshot:
        """All there is to know at ``at`` (or when it was last told something), for one who comes new or has missed
        too much.
        """
        table = self.table
        now = self._now if at is None else max(at, self._now)
        return Snapshot(
            table=self.setup.table,
            seq=self.seq,
            at_us=self._us(now),
            game=self.setup.game,
            options=dict(self.setup.options),
            players=self.setup.players,
            phase=self.phase,
            code=self.setup.code,
            state=TableState.of(view(table)) if table else None,
            check=self.digest.value if table else None,
            away=tuple(self.away),
            races=tuple(self.races),
            rated=self.setup.rated,
            series=self.setup.series,
            ended=self.ended,
            **self._more_of_snapshot(now),
        )

    def legal(self, seat: int) -> LegalMoves:
        """The legal moves of this seat now; none when it may not move."""
        moves = self._may_play(seat, legal_moves(self.table, seat)) if self.table else []
        return LegalMoves(table=self.setup.table, seq=self.seq, moves=tuple(map(str, moves)))

    def _may_play(self, seat: int, moves: list[Move]) -> list[Move]:
        return self._in_turn(seat, moves) if self.phase == "playing" else []

    def advise(self, seat: int, ask: Ask) -> Advice:
        """The referee's advice. Raises :class:`IllegalMoveError` where the game gives none."""
        moves: Iterable[Move]
        if ask.about == "places":
            moves, blocked = self._may_play(seat, places(self.dealt, seat, ask.pile or "")), False
        else:
            moves, blocked = self._advice(ask)
        return Advice(
            table=self.setup.table, nonce=ask.nonce, about=ask.about, moves=tuple(map(str, moves)), blocked=blocked
        )

    @property
    def dealt(self) -> Table:
        """The table. Raises :class:`IllegalMoveError` (``NOT_DEALT``) before the deal."""
        if self.table is None:
            raise IllegalMoveError(Reason.NOT_DEALT)
        return self.table

    @property
    def digest(self) -> RunningDigest:
        """The table's digest. Raises as :attr:`dealt`."""
        if self._digest is None:
            self._digest = RunningDigest(self.dealt)
        return self._digest

    def tell_move(self, kind: type[Event], played: Played, nonce: int, **fields: Any) -> None:
        """Tell of a move, as the answer to the command that asked for it."""
        if self._silent:
            self._leave_out(played.seat, nonce)
        else:
            event = self.emit(kind, nonce=nonce, **self._move_fields(played) | fields)
            self.answer(played.seat, nonce, event)

    def deal(self, table: Table) -> None:
        """Lay the cards out."""
        self.table = table
        self.phase = "playing"
        self._digest = None

    def end(
        self, at: int, reason: EndReason, winner: int | None = None, *, by: int = EVERYONE, nonce: int | None = None
    ) -> None:
        """End the match, once; ``by`` is the seat whose command ``nonce`` ended it by itself."""
        self.phase = "over"
        self.speak()
        seats = self.table.seats if self.table else ()
        ended = self.ended = self.emit(
            Ended,
            reason=reason,
            winner=winner,
            contributions=tuple(self.table.contribution(seat) if self.table else 0 for seat in self._seats),
            moves=tuple(seat.moves for seat in seats),
            refusals=tuple(self.refusals),
            races=tuple(self.races),
            duration_ms=max(0, at - self._played_from) // MS_NS,
            nonce=nonce,
            **self._more_of_end(),
        )
        if nonce is not None:
            self.answer(by, nonce, ended)

    @property
    def _seats(self) -> range:
        return range(self.variant.seats)

    def _move_fields(self, played: Played) -> dict[str, Any]:
        """What the events about a move have in common; also brings the digest up to date."""
        return {
            "seat": played.seat,
            "move": str(played.move),
            "cards": tuple(map(face_text, played.cards)),
            "slot": played.slot if played.slot >= 0 else None,
            "turned": face_text(played.turned) if played.turned else None,
            "check": self.digest.after(played),
        }

    def _refuse(self, seat: int, command: Command, refusal: IllegalMoveError, at: int) -> None:
        race = self._lost_race(seat, command, refusal.reason, at)
        contested = race is not None and all(race.seq != known.seq for known in self.races)
        if self.phase != "over":
            if self.refusals[seat] < REFUSALS_COUNTED_PER_SEAT:
                self.refusals[seat] += 1
            elif not contested:  # not kept: a seat must not be able to fill the log with nonsense
                self.log.pop()
        if race and contested:
            self.races.append(race)
        if self._silent:
            self.answer(seat, command.nonce, None)
            return
        refused = Refused(
            table=self.setup.table,
            nonce=command.nonce,
            reason=Reason.LOST_RACE if race else refusal.reason,
            detail=refusal.detail,
            race=race,
        )
        self.answer(seat, command.nonce, refused)
        self.outgoing.append((seat, refused))

    def _resign(self, seat: int, command: Resign, at: int) -> None:
        """Handler of ``resign`` for both kinds of match."""
        self.end(at, "resigned", self._winner_when_gone(seat), by=seat, nonce=command.nonce)

    # --- what the two kinds of match say differently ---

    @property
    @abstractmethod
    def _played_from(self) -> int:
        """When the match's duration begins."""

    @abstractmethod
    def _timers(self) -> Iterable[Timer]: ...

    @abstractmethod
    def _presence_changed(self, seat: int, at: int) -> None: ...

    @abstractmethod
    def _more_of_snapshot(self, now: int) -> dict[str, Any]: ...

    @abstractmethod
    def _more_of_end(self) -> dict[str, Any]: ...

    @abstractmethod
    def _in_turn(self, seat: int, moves: list[Move]) -> list[Move]:
        """Those of a seat's moves that it may make now."""

    @abstractmethod
    def _leader(self) -> int | None:
        """Who wins if the match ends now, by what lies on the foundations."""

    @abstractmethod
    def _winner_when_gone(self, seat: int) -> int | None: ...

    @abstractmethod
    def _advice(self, ask: Ask) -> tuple[Iterable[Move], bool]: ...

    @abstractmethod
    def _lost_race(self, seat: int, command: Command, reason: Reason, at: int) -> RaceInfo | None: ...


def _refuse_over(match: Match, seat: int, command: Command, at: int) -> None:
    del match, seat, command, at
    raise IllegalMoveError(Reason.GAME_OVER)


def _refuse_foreign(match: Match, seat: int, command: Command, at: int) -> None:
    del seat, command, at
    raise IllegalMoveError(match.foreign)
