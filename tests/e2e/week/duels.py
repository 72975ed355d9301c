"""Double Klondike, refereed from RULES.md 6."""

from collections.abc import Iterator
from typing import Final

from tests.e2e.week.cards import coin, match_key, rank, shuffled
from tests.e2e.week.ledger import Entry, TableRow
from tests.e2e.week.referee import CLOCK, SECOND, Referee, RefusedError, WrongError
from tests.e2e.week.stuck import is_stuck, shipped_proof
from tests.e2e.week.table import NO_PLACE, Json, Table

_READY_NS: Final = 10 * SECOND
_FEW: Final = 100
"""Arrangements to look at, when the match goes on, for a proof that it should not have."""
_MANY: Final = 600
"""When it has ended because of one."""


class Duel(Referee):
    """Two seats."""

    def __init__(self, row: TableRow) -> None:
        super().__init__(row)
        options = row.options
        self._options = options
        self._alternating = options["pace"] == "alternating"
        self._seeds: list[str | None] = [None, None]
        self._done = [False, False]
        self._away = [False, False]
        self._away_since = [0, 0]
        self._dealt_at = self._progress_at = 0
        self._warned = 0
        self._places: dict[str, list[tuple[int, int, int]]] = {}
        """By card: seat, event and time of each play to a foundation."""
        self._last_up: int | None = None
        self._cleared: int | None = None
        self._turn: int | None = None
        self._turn_since = 0
        self._recycled = self._only_drawn = self._has_played = False
        self._idle = [0, 0]
        self._drawn = [0, 0]

    # --- what it is told ---

    def take(self, entry: Entry) -> None:
        told, seat = entry.told, entry.seat
        if (seat == CLOCK) != (told["type"] == "timeout"):
            raise WrongError("only the clock says that time is up")
        match told["type"]:
            case "timeout":
                self._time_is_up()
            case "presence":
                self._presence(seat, away=told["away"])
            case "ready":
                self._ready(seat, told)
            case "play":
                self._play(seat, told)
            case "pass":
                self._pass(seat, told)
            case "done":
                self._say_done(seat, told)
            case "claim":
                self._claim(seat, told)
            case "resign":
                self.end("resigned", 1 - seat, told["nonce"])
            case _:
                raise RefusedError("not in a match of two")

    def _ready(self, seat: int, told: Json) -> None:
        if self.table or self._seeds[seat] is not None:
            raise RefusedError("ready already")
        self._seeds[seat] = told.get("seed", "")
        self.emit("readied", seat=seat, nonce=told["nonce"])
        if None not in self._seeds:
            self._deal()

    def _deal(self) -> None:
        seeds = [bytes.fromhex(seed or "") for seed in self._seeds]
        key = match_key(self.row.secret, seeds)
        decks = [shuffled(key, f"acerace/deck/{0 if self._options['mirror'] else seat}/") for seat in (0, 1)]
        self.table = Table(self.game, decks)
        self._dealt_at = self._progress_at = self.now
        if self._alternating:
            ranks = [[rank(column[-1]) for column in seat.columns] for seat in self.table.seats]
            self._turn = coin(key) if ranks[0] == ranks[1] else int(ranks[1] < ranks[0])
            self._turn_since = self.now
        self.emit("dealt", state=self.table.state(), check=self.table.check, turn=self._turn)
        self._end_if_over()

    def _play(self, seat: int, told: Json) -> None:
        table, move, turn = self.dealt, told["move"], self._turn
        if "card" in told and table.meant(seat, move) not in {None, told["card"]}:
            raise RefusedError("another card lies there")
        if why := self._not_in_turn(seat, move) or table.why_not(seat, move):
            race = self._lost_race(seat, told) if why == NO_PLACE else None
            raise RefusedError("lost_race" if race else why, race)
        effect = table.play(seat, move)
        self._done[seat] = False
        if move.endswith(">f"):
            self._done = [False, False]
            self._last_up = seat
            self._places.setdefault(effect["cards"][0], []).append((seat, self.seq + 1, self.now))
        if move not in {"d", "r"}:
            self._progress_at, self._warned = self.now, 0
        if self._cleared is None and not any(table.seats[seat].columns):
            self._cleared = seat
        if self._alternating:
            self._turn_after(seat, move, effect)
        self.emit_move(seat, told["nonce"], move, effect, turn=self._turn)
        self._after(turn)

    def _lost_race(self, seat: int, told: Json) -> Json | None:
        """The receipt, if the other took the place after the last event that the sender had seen (RULES.md 6)."""
        card = self.dealt.meant(seat, told["move"])
        for winner, seq, at in self._places.get(card or "", ()):
            if winner != seat and seq > told.get("seen", 0):
                margin_us = (self.now - at) // 1000
                place: Json = {"suit": (card or "")[1], "rank": rank(card or "")}
                return place | {"winner": winner, "seq": seq, "loser": seat, "margin_us": margin_us}
        return None

    def _pass(self, seat: int, told: Json) -> None:
        _ = self.dealt
        if self._turn != seat:
            raise RefusedError("not in turn")
        self._next_turn()
        self.emit("passed", seat=seat, nonce=told["nonce"], turn=self._turn)
        self._after(seat)

    def _say_done(self, seat: int, told: Json) -> None:
        _ = self.dealt
        if self._done[seat]:
            raise RefusedError("done already")
        self._done[seat] = True
        self.emit("said_done", seat=seat, nonce=told["nonce"])
        self._end_if_over()

    def _claim(self, seat: int, told: Json) -> None:
        _ = self.dealt
        since = self._absent_since(1 - seat)
        if since is None or self.now < since + self._options["grace_s"] * SECOND:
            raise RefusedError("not absent")
        self.end("absent", seat, told["nonce"])

    # --- turns (D49, D58 to D61) ---

    def _not_in_turn(self, seat: int, move: str) -> str | None:
        if not self._alternating:
            return None
        if self._turn != seat:
            return "not in turn"
        if self._only_drawn and not move.startswith("w"):
            return "only the drawn card"
        return "one recycle a turn" if self._recycled and move == "r" else None

    def _turn_after(self, seat: int, move: str, effect: Json) -> None:
        if move == "r":
            self._recycled = True
        elif move == "d":
            self._drawn[seat] += len(effect["cards"])
            goes_on = self._options["turn"] == "bicycle" and any(
                self.dealt.why_not(seat, each) is None for each in ("w>f", *(f"w>c{place}" for place in range(1, 8)))
            )
            self._only_drawn = goes_on
            if not goes_on:
                self._next_turn()
        else:
            self._only_drawn = False
            self._has_played = True
            self._idle, self._drawn = [0, 0], [0, 0]

    def _next_turn(self) -> None:
        assert self._turn is not None
        self._idle[self._turn] += not self._has_played
        self._turn, self._turn_since = 1 - self._turn, self.now
        self._has_played = self._recycled = self._only_drawn = False

    def _all_seen(self, seat: int) -> bool:
        """Two rounds without a play, and the whole stock seen, or nothing to draw for ever (D49)."""
        me, passes = self.dealt.seats[seat], self.game.passes
        seen = self._drawn[seat] >= len(me.stock) + len(me.waste)
        none_left = not me.stock and passes is not None and me.recycles >= passes - 1
        return self._idle[seat] >= 2 and (seen or none_left)

    # --- the end ---

    def _after(self, turn: int | None) -> None:
        self._end_if_over()
        if not self.ended and self._turn is not None and self._turn != turn and self._away[self._turn]:
            self._tell_presence(self._turn)

    def _end_if_over(self) -> None:
        table = self.dealt
        out = [me.score == 52 for me in table.seats]
        if self._cleared is not None and self._options["clear_bonus"] == "wins":
            self.end("cleared", self._cleared)
        elif all(out) or (any(out) and not self._options["play_on"]):
            self.end("out", self._leader())
        elif self._both_stuck(out):
            self.end("blocked", self._leader())
        elif all(self._done) or (self._alternating and all(self._all_seen(seat) for seat in (0, 1))):
            self.end("agreed", self._leader())

    def _both_stuck(self, out: list[bool]) -> bool:
        """A proof that it should have ended is looked for after every move; a hard one only if it has ended."""
        return all(out[seat] or self._stuck(seat) for seat in (0, 1))

    def _stuck(self, seat: int) -> bool:
        proof = is_stuck(self.dealt, seat, _MANY if self.last_entry else _FEW)
        return shipped_proof(self.dealt, seat) if proof is None and self.last_entry else bool(proof)

    def _leader(self) -> int | None:
        """The higher score, else the last foundation play (D53)."""
        first, second = self.scores()
        return self._last_up if first == second else int(second > first)

    def scores(self) -> list[int]:
        bonus = self._options["clear_bonus_cards"] if self._options["clear_bonus"] == "cards" else 0
        return [
            (self.table.contribution(seat) if self.table else 0) + bonus * (seat == self._cleared) for seat in (0, 1)
        ]

    def began_at(self) -> int:
        return self._dealt_at

    def more_of_end(self) -> Json:
        return {"secret": self.row.secret.hex(), "seeds": [seed or "" for seed in self._seeds]}

    # --- presence and timers ---

    def _presence(self, seat: int, *, away: bool) -> None:
        if self._away[seat] == away:
            raise WrongError("nothing has changed")
        self._away[seat] = away
        self._away_since[seat] = self.now
        self._tell_presence(seat)

    def _tell_presence(self, seat: int) -> None:
        runs = self._absent_since(seat) is not None
        claim_in_ms = self._options["grace_s"] * 1000 if runs else None
        self.emit("presence", seat=seat, away=self._away[seat], claim_in_ms=claim_in_ms)

    def _absent_since(self, seat: int) -> int | None:
        if not self._away[seat] or not self.table or (self._alternating and self._turn != seat):
            return None
        since = max(self._away_since[seat], self._dealt_at)
        return max(since, self._turn_since) if self._alternating else since

    def _timers(self) -> Iterator[tuple[int, str, int | None]]:
        """When, what and whom."""
        if not self.table:
            yield _READY_NS, "deal", None
            return
        patience = self._options["no_progress_s"] * SECOND
        if self._warned < 2:
            yield self._progress_at + patience * (2 + self._warned) // 4, "warn", None
        yield self._progress_at + patience, "no_progress", None
        if self._options["clock_s"]:
            yield self._dealt_at + self._options["clock_s"] * SECOND, "time", None
        if self._absent_since(0) == self._absent_since(1):
            return
        for seat in (0, 1):
            since = self._absent_since(seat)
            if since is not None:
                yield since + 2 * self._options["grace_s"] * SECOND, "absent", seat

    def no_timer_was_due(self, at: int) -> None:
        if any(due <= at for due, _, _ in self._timers()):
            raise WrongError("a timer had run out before this")

    def _time_is_up(self) -> None:
        due = [timer for timer in self._timers() if timer[0] <= self.now]
        if not due or min(due)[0] < self.now:
            raise WrongError("no timer runs out at this time")
        _, what, seat = due[0]
        match what:
            case "deal":
                self._deal()
            case "warn":
                self._warned += 1
                left = self._progress_at + self._options["no_progress_s"] * SECOND - self.now
                self.emit("warned", ends_in_ms=left // 1_000_000)
            case "absent":
                self.end("absent", None if seat is None else 1 - seat)
            case _:
                self.end(what, self._leader())
