"""What the referees of both kinds of game have in common."""

from abc import ABC, abstractmethod
from typing import Any, Final

from acerace_protocol.digest import RunningDigest
from acerace_protocol.limits import COMMANDS_PER_TABLE, REFUSALS_COUNTED_PER_SEAT
from acerace_protocol.messages import Command, Ended, EndReason, RaceInfo, Resign
from acerace_protocol.replay_text import Denied, Happened, Outcome, Replay, Signal, Told
from acerace_protocol.units import MS_NS, US_NS
from acerace_rules.cards import face_text
from acerace_rules.catalogue import GAMES
from acerace_rules.moves import IllegalMoveError, Kind, Reason
from acerace_rules.play import Played
from acerace_rules.table import Table

_CLOCK: Final = -1


class JudgeError(Exception):
    """An entry that no table can have been told at this point; the message says why."""


class Judge(ABC):
    """Is told a replay's entries one by one, and says what comes of each."""

    def __init__(self, replay: Replay) -> None:
        """Raises :class:`JudgeError` for a game or options that do not exist."""
        self.replay = replay
        try:
            self.options = GAMES[replay.game].chosen(replay.options)
            """With the defaults of options that were not there yet when the file was made."""
            self.variant = GAMES[replay.game].variant(self.options)
        except (KeyError, ValueError) as error:
            raise JudgeError(f"no such game: {error}") from None
        self.table: Table | None = None
        self.ended: Ended | None = None
        """The end, as the rules have it."""
        self.now = 0
        self._seq = 0
        self._entries = 0
        self._happened: list[Happened] = []
        self._digest: RunningDigest | None = None
        self._refusals = [0] * self.variant.seats
        self._races: list[RaceInfo] = []
        self._away = [False] * self.variant.seats

    def tell(self, told: Told) -> Outcome:
        """What comes of an entry. Raises :class:`JudgeError`."""
        if self.ended:
            raise JudgeError("the game is over before this entry")
        if told.at_ns < self.now:
            raise JudgeError("it is earlier than the entry before it")
        timed = told.what == "timeout"
        if (told.seat == _CLOCK) != timed or not (timed or 0 <= told.seat < self.variant.seats):
            raise JudgeError(f"a seat of this game, or - for a timeout, cannot be {told.seat}")
        self._happened = []
        self._entries += 1
        if not timed:
            self._require_no_timer(told.at_ns)
        self.now = told.at_ns
        if isinstance(told.what, str):
            self._signal(told.what, told.seat)
        elif refused := self._judge(told.seat, told.what):
            self._end_if_too_long()
            return refused
        if not timed:
            self._end_if_too_long()
        return tuple(self._happened)

    def _judge(self, seat: int, command: Command) -> Denied | None:
        try:
            self._carry_out(seat, command)
        except IllegalMoveError as refusal:
            denied = self._deny(seat, command, refusal.reason)
            self._refusals[seat] = min(self._refusals[seat] + 1, REFUSALS_COUNTED_PER_SEAT)
            return denied
        return None

    def _signal(self, signal: Signal, seat: int) -> None:
        if signal == "timeout":
            self._time_out()
            return
        away = signal == "away"
        if self._away[seat] == away:
            raise JudgeError(f"the seat was {'away' if away else 'there'} already")
        self._away[seat] = away
        self._presence(seat)

    def _end_if_too_long(self) -> None:
        if self._entries >= COMMANDS_PER_TABLE and not self.ended:
            self._end("too_long", self._leader())

    # --- for the two kinds ---

    def _deal(self, table: Table) -> None:
        self.table = table
        self._digest = RunningDigest(table)

    def _emit(self, event: str, **fields: Any) -> int:
        self._seq += 1
        self._happened.append(Happened(event, self._seq, **fields))
        return self._seq

    def _emit_move(self, event: str, played: Played) -> None:
        cards = played.cards
        if event == "undone" and played.move.kind is Kind.RECYCLE:
            cards = tuple(self.dealt.seats[played.seat].waste)
        self._emit(
            event,
            cards=tuple(map(face_text, cards)),
            turned=face_text(played.turned) if played.turned else None,
            score=self.dealt.seats[played.seat].score,
            turn=self._turn,
            check=self._check_after(played),
        )

    def _check_after(self, played: Played | None = None) -> int:
        if self._digest is None:
            raise IllegalMoveError(Reason.NOT_DEALT)
        return self._digest.after(played) if played else self._digest.value

    @property
    def _turn(self) -> int | None:
        """The seat whose turn it is, in alternating play."""
        return None

    @property
    def dealt(self) -> Table:
        """The table. Raises :class:`IllegalMoveError` before the deal."""
        if self.table is None:
            raise IllegalMoveError(Reason.NOT_DEALT)
        return self.table

    def _end(self, reason: EndReason, winner: int | None, nonce: int | None = None) -> None:
        seq = self._emit("ended")
        seats = self.table.seats if self.table else ()
        self.ended = Ended(
            table=self.replay.table,
            seq=seq,
            at_us=self.now // US_NS,
            reason=reason,
            winner=winner,
            contributions=tuple(
                self.table.contribution(seat) if self.table else 0 for seat in range(self.variant.seats)
            ),
            moves=tuple(seat.moves for seat in seats),
            refusals=tuple(self._refusals),
            races=tuple(self._races),
            duration_ms=max(0, self.now - self._played_from) // MS_NS,
            nonce=nonce,
            **self._more_of_end(),
        )

    def _resign(self, seat: int, command: Resign) -> None:
        self._end("resigned", 1 - seat if self.variant.seats > 1 else None, command.nonce)

    @property
    @abstractmethod
    def _played_from(self) -> int: ...

    @abstractmethod
    def _carry_out(self, seat: int, command: Command) -> None: ...

    @abstractmethod
    def _deny(self, seat: int, command: Command, reason: Reason) -> Denied: ...

    @abstractmethod
    def _require_no_timer(self, at: int) -> None: ...

    @abstractmethod
    def _time_out(self) -> None: ...

    @abstractmethod
    def _presence(self, seat: int) -> None: ...

    @abstractmethod
    def _leader(self) -> int | None: ...

    @abstractmethod
    def _more_of_end(self) -> dict[str, Any]: ...
