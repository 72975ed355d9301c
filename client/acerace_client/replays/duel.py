"""The second referee of Double Klondike (RULES.md 6)."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from acerace_client.replays.judge import Judge, JudgeError
from acerace_protocol.limits import READY_TIMEOUT_MS
from acerace_protocol.meaning import meant_card, read_move
from acerace_protocol.messages import Claim, Command, Done, Pass, Play, RaceInfo, Ready, Redo, Resign, Undo
from acerace_protocol.replay_text import Denied, Replay
from acerace_protocol.units import MS_NS, SECOND_NS, US_NS
from acerace_rules.blocked import is_blocked
from acerace_rules.cards import DECK_SIZE, FACE, SUIT_LETTERS, rank_of, suit_of
from acerace_rules.deal import deal_match, first_mover
from acerace_rules.moves import FOUNDATION_PLAYS, STOCK_MOVES, IllegalMoveError, Move, Reason
from acerace_rules.play import Played, check, play_checked
from acerace_rules.shuffle import match_key
from acerace_rules.terms import Terms
from acerace_rules.turns import Turns

_READY_NS: Final = READY_TIMEOUT_MS * MS_NS
_RACED: Final = {Reason.FOUNDATION_WANTS_NEXT, Reason.FOUNDATION_WANTS_ACE}
_GRACES: Final = 2
"""After so many the server decides by itself."""
_WARNINGS: Final = (2, 3)
"""Quarters of the no-progress time after which a warning goes out."""


class _Place(NamedTuple):
    seat: int
    seq: int
    at: int


class DuelJudge(Judge):
    """Two seats, one secret."""

    def __init__(self, replay: Replay) -> None:
        super().__init__(replay)
        self._terms = Terms.of(self.options)
        try:
            self._secret = bytes.fromhex(replay.ended.secret or "")
        except ValueError:
            raise JudgeError("the secret is not in hex") from None
        self._seeds: list[str | None] = [None, None]
        self.turns: Turns | None = None
        self._done = [False, False]
        self._dealt_at = self._progress_at = 0
        self._warned = 0
        self._away_since = [0, 0]
        self._places: dict[int, list[_Place]] = {}
        """By face: who put such a card on a foundation."""
        self._last_up: int | None = None
        self._cleared: int | None = None
        self._timed_out_at = -1

    @property
    def _turn(self) -> int | None:
        return self.turns.seat if self.turns else None

    # --- commands ---

    def _carry_out(self, seat: int, command: Command) -> None:
        match command:
            case Ready():
                self._ready(seat, command)
            case Undo() | Redo():
                raise IllegalMoveError(Reason.SOLO_ONLY)
            case Resign():
                self._resign(seat, command)
            case Play():
                self._play(seat, command)
            case Pass():
                self._pass(seat)
            case Done():
                self._say_done(seat)
            case Claim():
                self._claim(seat, command)

    def _ready(self, seat: int, command: Ready) -> None:
        if self.table is not None:
            raise IllegalMoveError(Reason.ALREADY_DEALT)
        if self._seeds[seat] is not None:
            raise IllegalMoveError(Reason.ALREADY_DONE)
        self._seeds[seat] = command.seed
        self._emit("readied")
        if None not in self._seeds:
            self._deal_cards()

    def _deal_cards(self) -> None:
        seeds = [bytes.fromhex(seed or "") for seed in self._seeds]
        table = deal_match(self.variant, self._secret, seeds, mirror=self._terms.mirror)
        self._deal(table)
        self._dealt_at = self._progress_at = self.now
        if self._terms.alternating:
            first = first_mover(table, match_key(self._secret, seeds))
            self.turns = Turns(first, self.now, bicycle=self._terms.bicycle)
        self._emit("dealt", turn=self._turn, check=self._check_after())
        self._end_if_over(0)

    def _play(self, seat: int, command: Play) -> None:
        table, turn = self.dealt, self._turn
        move = read_move(table, seat, command)
        if reason := (self.turns and self.turns.why_not(seat, move)) or check(table, seat, move):
            raise IllegalMoveError(reason)
        played = play_checked(table, seat, move)
        self._take_note(played)
        self._emit_move("played", played)
        self._after(seat, turn)

    def _take_note(self, played: Played) -> None:
        seat, kind = played.seat, played.move.kind
        self._done[seat] = False
        if kind in FOUNDATION_PLAYS:
            self._done = [False, False]
            self._last_up = seat
            self._places.setdefault(played.cards[0] & FACE, []).append(_Place(seat, self._seq + 1, self.now))
        if kind not in STOCK_MOVES:
            self._progress_at, self._warned = self.now, 0
        if self._cleared is None and not any(self.dealt.seats[seat].columns):
            self._cleared = seat
        if self.turns:
            self.turns.after(self.dealt, played, self.now)

    def _pass(self, seat: int) -> None:
        _ = self.dealt
        if self.turns is None:
            raise IllegalMoveError(Reason.NOT_ALTERNATING)
        if self.turns.seat != seat:
            raise IllegalMoveError(Reason.NOT_YOUR_TURN)
        self.turns.finish(self.now)
        self._emit("passed", turn=self._turn)
        self._after(seat, seat)

    def _say_done(self, seat: int) -> None:
        _ = self.dealt
        if self._done[seat]:
            raise IllegalMoveError(Reason.ALREADY_DONE)
        self._done[seat] = True
        self._emit("said_done")
        self._end_if_over(seat)

    def _claim(self, seat: int, command: Claim) -> None:
        _ = self.dealt
        since = self._absent_from(1 - seat)
        if since is None or self.now - since < self._terms.grace_s * SECOND_NS:
            raise IllegalMoveError(Reason.NOT_ABSENT)
        self._end("absent", seat, command.nonce)

    def _deny(self, seat: int, command: Command, reason: Reason) -> Denied:
        """With the receipt, if the other seat took the place after the last event the sender had seen."""
        if self.table is None or not isinstance(command, Play) or reason not in _RACED:
            return Denied(reason)
        card = meant_card(self.table, seat, Move.parse(command.move)) or 0
        for place in self._places.get(card & FACE, ()) if card else ():
            if place.seat != seat and place.seq > command.seen:
                margin_us = max(0, self.now - place.at) // US_NS
                if all(race.seq != place.seq for race in self._races):
                    suit, rank = SUIT_LETTERS[suit_of(card)], rank_of(card)
                    self._races.append(RaceInfo(suit, rank, place.seat, place.seq, seat, margin_us))
                return Denied(Reason.LOST_RACE, place.seq, margin_us)
        return Denied(reason)

    # --- the end ---

    def _after(self, seat: int, turn: int | None) -> None:
        self._end_if_over(seat)
        now = self._turn
        if not self.ended and now is not None and now != turn and self._away[now]:
            self._emit("presence")

    def _end_if_over(self, mover: int) -> None:
        other = 1 - mover
        if self._cleared is not None and self._terms.clear_wins:
            self._end("cleared", self._cleared)
        elif self._out(mover) and (self._out(other) or not self._terms.play_on):
            self._end("out", self._leader())
        elif self._stuck(mover) and self._stuck(other):
            self._end("blocked", self._leader())
        elif all(self._done) or (self.turns and self.turns.exhausted(self.dealt)):
            self._end("agreed", self._leader())

    def _out(self, seat: int) -> bool:
        return self.dealt.seats[seat].score == DECK_SIZE

    def _stuck(self, seat: int) -> bool:
        return self._out(seat) or is_blocked(self.dealt, seat)

    @property
    def _scores(self) -> tuple[int, ...]:
        if self.table is None:
            return 0, 0
        bonus = self._terms.clear_bonus_cards
        return tuple(me.score + bonus * (seat == self._cleared) for seat, me in enumerate(self.table.seats))

    def _leader(self) -> int | None:
        first, second = self._scores
        return self._last_up if first == second else int(first < second)

    def _more_of_end(self) -> dict[str, Any]:
        seeds = tuple(seed or "" for seed in self._seeds)
        return {"scores": self._scores, "secret": self._secret.hex(), "seeds": seeds}

    # --- time ---

    def _require_no_timer(self, at: int) -> None:
        if any(due <= at for due, _ in self._timers()):
            raise JudgeError("a timer had run out before this")

    def _time_out(self) -> None:
        """Whatever is due now. Timers that run out at one moment are told twice, and all that comes of it at once."""
        due = [action for when, action in sorted(self._timers(), key=lambda timer: timer[0]) if when == self.now]
        if any(when < self.now for when, _ in self._timers()) or not (due or self._timed_out_at == self.now):
            raise JudgeError("no timer runs out at this time")
        self._timed_out_at = self.now
        while due and not self.ended:
            due[0]()
            due = [action for when, action in self._timers() if when <= self.now]

    def _timers(self) -> Iterator[tuple[int, Callable[[], None]]]:
        if self.table is None:
            yield _READY_NS, self._deal_cards
            return
        patience = self._terms.no_progress_s * SECOND_NS
        if self._warned < len(_WARNINGS):
            yield self._progress_at + patience * _WARNINGS[self._warned] // 4, self._warn
        yield self._progress_at + patience, partial(self._end_by_clock, "no_progress")
        if self._terms.clock_s:
            yield self._dealt_at + self._terms.clock_s * SECOND_NS, partial(self._end_by_clock, "time")
        for seat in (0, 1):
            since = self._absent_from(seat)
            if since is not None:
                yield since + _GRACES * self._terms.grace_s * SECOND_NS, partial(self._end, "absent", 1 - seat)

    def _end_by_clock(self, reason: Any) -> None:
        self._end(reason, self._leader())

    def _warn(self) -> None:
        self._warned += 1
        self._emit("warned")

    def _absent_from(self, seat: int) -> int | None:
        """Since when an absence counts: in alternating play only in the seat's own turn (N26)."""
        if not self._away[seat] or self.table is None or self.ended:
            return None
        since = max(self._away_since[seat], self._dealt_at)
        if self.turns is None:
            return since
        return max(since, self.turns.since) if self.turns.seat == seat else None

    def _presence(self, seat: int) -> None:
        self._away_since[seat] = self.now
        self._emit("presence")

    @property
    def _played_from(self) -> int:
        return self._dealt_at
