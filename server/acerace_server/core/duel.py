"""The arbiter of Double Klondike: two seats, shared foundations, races, and seven ways to end (RULES.md 6)."""

from collections.abc import Iterable
from functools import partial
from typing import Any, Final, NamedTuple

from acerace_protocol.limits import READY_TIMEOUT_MS
from acerace_protocol.meaning import meant_card, read_move
from acerace_protocol.messages import (
    Ask,
    Claim,
    Command,
    Dealt,
    Done,
    EndReason,
    Pass,
    Passed,
    Play,
    Presence,
    RaceInfo,
    Readied,
    Ready,
    Resign,
    SaidDone,
    Warned,
)
from acerace_protocol.messages import Played as PlayedEvent
from acerace_protocol.state import TableState
from acerace_protocol.units import MS_NS, SECOND_NS, US_NS
from acerace_rules.blocked import is_blocked
from acerace_rules.cards import DECK_SIZE, FACE, SUIT_LETTERS, rank_of, suit_of
from acerace_rules.deal import deal_match, first_mover
from acerace_rules.moves import FOUNDATION_PLAYS, STOCK_MOVES, IllegalMoveError, Move, Reason
from acerace_rules.play import Played, check, play_checked
from acerace_rules.shuffle import commitment, match_key
from acerace_rules.terms import Terms
from acerace_rules.turns import Turns
from acerace_rules.view import view
from acerace_server.core.match import Match, Setup, Timer

_OWN_TIMER_GRACES: Final = 2
"""The server decides by itself when a seat has been away for this many graces; the other may claim after one."""
_WARNINGS: Final = (0.5, 0.75)
"""Shares of the no-progress time after which a warning goes out: 60 s and 90 s of 120 s (RULES.md 6, f)."""


class Place(NamedTuple):
    """Who put a card on a foundation, by which event, and when its command arrived."""

    seat: int
    seq: int
    at: int


class DuelMatch(Match):
    """One match of two seats."""

    foreign = Reason.SOLO_ONLY

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.terms = Terms.of(setup.options)
        self.turns: Turns | None = None
        self.done = [False, False]
        self._seeds: list[bytes | None] = [None, None]
        self._dealt_at = setup.opened_at
        self._progress_at = setup.opened_at
        self._warned = 0
        self._away_since = [setup.opened_at, setup.opened_at]
        self._places: dict[int, list[Place]] = {}
        """By face: at most one play of each seat."""
        self._last_up: int | None = None
        """Seat of the last foundation play."""
        self._cleared: int | None = None
        """The seat that emptied its own tableau first."""

    # --- before the deal ---

    def _ready(self, seat: int, command: Ready, at: int) -> None:
        if self.phase != "waiting":
            raise IllegalMoveError(Reason.ALREADY_DEALT)
        if self._seeds[seat] is not None:
            raise IllegalMoveError(Reason.ALREADY_DONE)
        self._seeds[seat] = bytes.fromhex(command.seed)
        self.answer(seat, command.nonce, self.emit(Readied, seat=seat, nonce=command.nonce))
        if None not in self._seeds:
            self._deal(at)

    def _deal(self, at: int) -> None:
        seeds = self._player_seeds
        table = deal_match(self.variant, self.setup.secret, seeds, mirror=self.terms.mirror)
        self.deal(table)
        self._dealt_at = self._progress_at = at
        if self.terms.alternating:
            first = first_mover(table, match_key(self.setup.secret, seeds))
            self.turns = Turns(first, at, bicycle=self.terms.bicycle)
        told = {} if self._silent else {"state": TableState.of(view(table)), "check": self.digest.value}
        self.emit(Dealt, turn=self._turn, **told)
        self._end_if_over(0, at)

    @property
    def _player_seeds(self) -> list[bytes]:
        return [seed or b"" for seed in self._seeds]

    # --- commands ---

    def _play(self, seat: int, command: Play, at: int) -> None:
        table, turn = self.dealt, self._turn
        move = read_move(table, seat, command)
        if reason := (self.turns and self.turns.why_not(seat, move)) or check(table, seat, move):
            raise IllegalMoveError(reason, str(move))
        played = play_checked(table, seat, move)
        self._take_note(played, at)
        self.tell_move(PlayedEvent, played, command.nonce, score=table.seats[seat].score, turn=self._turn)
        self._after(seat, at, turn)

    def _take_note(self, played: Played, at: int) -> None:
        seat, kind = played.seat, played.move.kind
        self.done[seat] = False
        if kind in FOUNDATION_PLAYS:
            self.done = [False, False]
            self._last_up = seat
            self._places.setdefault(played.cards[0] & FACE, []).append(Place(seat, self.seq + 1, at))
        if kind not in STOCK_MOVES:
            self._progress_at = at
            self._warned = 0
        if self._cleared is None and not any(self.dealt.seats[seat].columns):
            self._cleared = seat
        if self.turns:
            self.turns.after(self.dealt, played, at)

    def _pass(self, seat: int, command: Pass, at: int) -> None:
        self._require_dealt()
        if self.turns is None:
            raise IllegalMoveError(Reason.NOT_ALTERNATING)
        if self.turns.seat != seat:
            raise IllegalMoveError(Reason.NOT_YOUR_TURN)
        self.turns.finish(at)
        event = self.emit(Passed, seat=seat, nonce=command.nonce, turn=self.turns.seat)
        self.answer(seat, command.nonce, event)
        self._after(seat, at, seat)

    def _done(self, seat: int, command: Done, at: int) -> None:
        self._require_dealt()
        if self.done[seat]:
            raise IllegalMoveError(Reason.ALREADY_DONE)
        self.done[seat] = True
        self.answer(seat, command.nonce, self.emit(SaidDone, seat=seat, nonce=command.nonce))
        self._end_if_over(seat, at)

    def _claim(self, seat: int, command: Claim, at: int) -> None:
        self._require_dealt()
        other = 1 - seat
        since = self._absent_from(other)
        if since is None or at - since < self.terms.grace_s * SECOND_NS:
            raise IllegalMoveError(Reason.NOT_ABSENT)
        self.end(at, "absent", seat, by=seat, nonce=command.nonce)

    def _require_dealt(self) -> None:
        if self.phase == "waiting":
            raise IllegalMoveError(Reason.NOT_DEALT)

    handlers = {  # noqa: RUF012  # never changed; a Mapping by its declared type
        Ready: _ready,
        Play: _play,
        Pass: _pass,
        Done: _done,
        Claim: _claim,
        Resign: Match._resign,  # noqa: SLF001  # our own base class
    }

    # --- the end ---

    def _end_if_over(self, mover: int, at: int) -> None:
        if self.goes_on:
            return
        if self._cleared is not None and self.terms.clear_wins:
            self.end(at, "cleared", self._cleared)
        elif self._all_out(mover):
            self.end(at, "out", self._leader())
        elif all(self._stuck(seat) for seat in (mover, 1 - mover)):
            self.end(at, "blocked", self._leader())
        elif all(self.done) or (self.turns and self.turns.exhausted(self.dealt)):
            self.end(at, "agreed", self._leader())

    def _out(self, seat: int) -> bool:
        return self.dealt.seats[seat].score == DECK_SIZE

    def _all_out(self, mover: int) -> bool:
        return self._out(mover) and (not self.terms.play_on or self._out(1 - mover))

    def _stuck(self, seat: int) -> bool:
        return self._out(seat) or is_blocked(self.dealt, seat)

    def _leader(self) -> int | None:
        """The higher score; equal: who made the last foundation play (D53); nobody made one: a draw."""
        first, second = self._scores()
        if first == second:
            return self._last_up
        return int(second > first)

    def _scores(self) -> tuple[int, int]:
        if self.table is None:
            return 0, 0
        first, second = (
            me.score + (self.terms.clear_bonus_cards if seat == self._cleared else 0)
            for seat, me in enumerate(self.table.seats)
        )
        return first, second

    def _winner_when_gone(self, seat: int) -> int:
        return 1 - seat

    # --- timers and presence ---

    def _timers(self) -> Iterable[Timer]:
        if self.phase == "waiting":
            yield Timer(self.setup.opened_at + READY_TIMEOUT_MS * MS_NS, self._deal)
            return
        patience = self.terms.no_progress_s * SECOND_NS
        if self._warned < len(_WARNINGS):
            yield Timer(self._progress_at + int(patience * _WARNINGS[self._warned]), self._warn)
        yield Timer(self._progress_at + patience, partial(self._end_by_clock, "no_progress"))
        if self.terms.clock_s:
            over = self._dealt_at + self.terms.clock_s * SECOND_NS
            yield Timer(over, partial(self._end_by_clock, "time"))
        first, second = absent = [self._absent_from(seat) for seat in self._seats]
        if first == second:
            return  # gone at one moment, as all are when the server stops: neither has left the other
        for seat, since in enumerate(absent):
            if since is not None:
                yield Timer(
                    since + _OWN_TIMER_GRACES * self.terms.grace_s * SECOND_NS, partial(self._end_by_absence, seat)
                )

    def _warn(self, at: int) -> None:
        self._warned += 1
        left = self._progress_at + self.terms.no_progress_s * SECOND_NS - at
        self.emit(Warned, ends_in_ms=left // MS_NS)

    def _end_by_clock(self, reason: EndReason, at: int) -> None:
        self.end(at, reason, self._leader())

    def _end_by_absence(self, seat: int, at: int) -> None:
        self.end(at, "absent", 1 - seat)

    def _absent_from(self, seat: int) -> int | None:
        """Since when this seat's absence counts: in alternating play only in its own turn (N26)."""
        if not self.away[seat] or self.phase != "playing":
            return None
        since = max(self._away_since[seat], self._dealt_at)
        if self.turns is None:
            return since
        return max(since, self.turns.since) if self.turns.seat == seat else None

    def _after(self, mover: int, at: int, turn: int | None) -> None:
        """Decide the end in the same step as what causes it.

        If it goes on and the turn, which was ``turn``, has passed to a seat that is away, that one's time runs from now
        on, and the other is told so (N26).
        """
        self._end_if_over(mover, at)
        now = self._turn
        if self.phase == "playing" and now is not None and now != turn and self.away[now]:
            self._tell_presence(now)

    def _presence_changed(self, seat: int, at: int) -> None:
        self._away_since[seat] = at
        self._tell_presence(seat)

    def _tell_presence(self, seat: int) -> None:
        counts = self._absent_from(seat) is not None
        self.emit(
            Presence,
            seat=seat,
            away=self.away[seat],
            claim_in_ms=self.terms.grace_s * 1000 if counts else None,
        )

    # --- what else differs from a solo game ---

    @property
    def _turn(self) -> int | None:
        return self.turns.seat if self.turns else None

    @property
    def _played_from(self) -> int:
        return self._dealt_at

    def _in_turn(self, seat: int, moves: list[Move]) -> list[Move]:
        return [move for move in moves if not (self.turns and self.turns.why_not(seat, move))]

    def _claim_in_ms(self, now: int) -> int | None:
        """How long it still takes until a seat may claim the win."""
        since = [at for at in map(self._absent_from, self._seats) if at is not None]
        return max(0, min(since) + self.terms.grace_s * SECOND_NS - now) // MS_NS if since else None

    def _more_of_snapshot(self, now: int) -> dict[str, Any]:
        return {
            "started_us": self._us(self._dealt_at) if self.table else None,
            "claim_in_ms": self._claim_in_ms(now),
            "commitment": commitment(self.setup.secret),
            "ready": tuple(seed is not None for seed in self._seeds),
            "turn": self._turn,
            "done": tuple(self.done),
        }

    def _more_of_end(self) -> dict[str, Any]:
        return {
            "scores": self._scores(),
            "secret": self.setup.secret.hex(),
            "seeds": tuple(seed.hex() for seed in self._player_seeds),
        }

    def _advice(self, ask: Ask) -> tuple[Iterable[Move], bool]:
        del ask
        raise IllegalMoveError(Reason.SOLO_ONLY)

    def _lost_race(self, seat: int, command: Command, reason: Reason, at: int) -> RaceInfo | None:
        """The receipt, when the other seat took the place after the last event the sender had seen."""
        wanted = {Reason.FOUNDATION_WANTS_NEXT, Reason.FOUNDATION_WANTS_ACE}
        if self.table is None or not isinstance(command, Play) or reason not in wanted:
            return None
        card = meant_card(self.table, seat, Move.parse(command.move))
        for place in self._places.get(card & FACE, ()) if card else ():
            if place.seat != seat and place.seq > command.seen:
                return RaceInfo(
                    suit=SUIT_LETTERS[suit_of(card or 0)],
                    rank=rank_of(card or 0),
                    winner=place.seat,
                    seq=place.seq,
                    loser=seat,
                    margin_us=max(0, at - place.at) // US_NS,
                )
        return None
