"""From a setup and a log to the same match: recovery and disputes (docs/adr/0006)."""

from functools import partial
from random import Random

import pytest

from acerace_protocol.limits import HISTORY_EVENTS
from acerace_protocol.messages import Claim, Done, Pass, Play, Ready, Redo, Resign, Undo
from acerace_rules.options import Value
from acerace_server.core.history import Answers
from acerace_server.core.match import Match, PresenceChange, Timeout
from acerace_server.core.replay import open_match, replay, tell
from tests.server.core.support import SECOND, START, TABLE, A, B, Duel, SoloDriver, duel_setup

LATER = START + 10**6 * SECOND


def assert_same(match: Match) -> None:
    again = replay(match.setup, match.log)
    assert again.table == match.table
    # commands after the end, and refusals beyond those counted, are in no log: only the time may be another
    assert again.snapshot(LATER) == match.snapshot(LATER)
    assert again.history.since(0) == match.history.since(0)
    assert (again.seq, again.log, again.refusals, again.away) == (match.seq, match.log, match.refusals, match.away)
    assert (again.races, again.ended, again.deadline()) == (match.races, match.ended, match.deadline())
    assert again.outgoing == []


def tell_anything(match: Match, random: Random, nonce: int, at: int) -> None:
    """Something a match may be told: mostly a move, wanted or not; now and then that somebody went or came."""
    seat = random.randrange(match.variant.seats)
    roll = random.random()
    moves = match.legal(seat).moves
    if roll < 0.05:
        match.presence(seat, away=random.random() < 0.5, at=at)
    elif roll < 0.8 and moves:
        match.receive(seat, Play(table=TABLE, nonce=nonce, move=random.choice(moves), seen=match.seq), at)
    else:
        said = random.choice([Ready, Pass, Done, Claim, Undo, Redo, Undo, Redo])
        match.receive(seat, said(table=TABLE, nonce=nonce), at)
    if random.random() < 0.1:
        wanted = random.choice(["c1>f", "c2>f", "c3>f", "w>f", "r", "c3:2>c4", "oh"])
        match.receive(seat, Play(table=TABLE, nonce=nonce + 1, move=wanted, seen=0), at)
    match.outgoing.clear()


OPTIONS: list[dict[str, Value]] = [
    {},
    {"mirror": True, "no_progress_s": 20},
    {"pace": "alternating", "turn": "bicycle", "grace_s": 5},
    {"pace": "alternating", "draw": 3, "passes": 1, "no_progress_s": 30},
    {"clock_s": 60, "play_on": True, "clear_bonus": "cards"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_log_tells_the_same_match_again_at_every_point(options: dict[str, Value]) -> None:
    for seed in range(12):
        random = Random(seed)
        match = open_match(duel_setup(seed.to_bytes(32, "big"), **options))
        now = match.setup.opened_at
        for nonce in range(0, 400, 2):
            now += random.choice([0, 1, random.randrange(2 * SECOND)])
            tell_anything(match, random, nonce, now)
            if nonce % 50 == 0:
                assert_same(match)
        assert_same(match)


def test_every_command_of_a_log_gets_its_answer_again() -> None:
    random = Random(7)
    match = open_match(duel_setup())
    for nonce in range(0, 200, 2):
        tell_anything(match, random, nonce, START + nonce * SECOND)
    now = START + 200 * SECOND
    again = replay(match.setup, match.log)
    asked = [entry for entry in match.log if not isinstance(entry.told, PresenceChange | Timeout)]
    assert len(asked) > 80
    for entry in asked:
        assert not isinstance(entry.told, PresenceChange | Timeout)
        for one in (match, again):
            one.receive(entry.seat, entry.told, now)
        assert [receiver for receiver, _ in match.outgoing] == [entry.seat]
        assert again.outgoing == match.outgoing
        match.outgoing.clear()
        again.outgoing.clear()


def test_events_from_before_a_replay_and_after_it_are_one_row() -> None:
    duel = Duel()
    for number in range(40):
        duel.play(number % 2, "d")
    again = replay(duel.match.setup, duel.match.log)
    for match in (duel.match, again):
        for nonce in range(600):  # more than are remembered: the oldest fall off
            match.receive(A, Play(table=TABLE, nonce=nonce, move="r" if nonce % 30 == 4 else "d"), duel.now)
    newest = duel.match.seq
    for seen in (newest, newest - 1, newest - 100, newest - HISTORY_EVENTS, newest - HISTORY_EVENTS - 1, 0, newest + 1):
        assert again.history.since(seen) == duel.match.history.since(seen)


def test_a_nonce_that_was_forgotten_and_taken_again_was_judged_twice_and_is_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Refusals that are not kept push answers out as well; the log does not show that they did."""
    monkeypatch.setattr("acerace_server.core.match.REFUSALS_COUNTED_PER_SEAT", 3)
    monkeypatch.setattr("acerace_server.core.voice.Answers", partial(Answers, 5))
    duel = Duel()
    draw = Play(table=TABLE, nonce=1, move="d")
    duel.ask(A, draw)
    for _ in range(20):
        duel.refused(A, "r")
    assert duel.match.table is not None
    duel.ask(A, draw)
    assert duel.match.table.seats[A].moves == 2
    assert_same(duel.match)


@pytest.mark.parametrize("flags", ["D1P1M", "D1P1MS", "D3P1V", "D3P3W"])
def test_a_solo_game_is_as_blocked_as_it_was(flags: str) -> None:
    """What is proved stays proved until an undo, whatever is asked of the proof later (D47)."""
    told: set[bool] = set()
    for seed, deal in enumerate("BCD"):
        random, match = Random(seed), SoloDriver(code=f"KL1-{flags}-AAAAAA{deal}").match
        for nonce in range(240):
            moves = match.legal(A).moves
            move = None if not moves or random.random() < 0.02 else random.choice(moves)
            command = Play(table=TABLE, nonce=nonce, move=move) if move else Undo(table=TABLE, nonce=nonce)
            match.receive(A, command, match.setup.opened_at + nonce * SECOND)
            if nonce % 10 == 0:
                again = replay(match.setup, match.log)
                assert again.snapshot().blocked == match.snapshot().blocked
                told.add(bool(match.snapshot().blocked))
        assert_same(match)
    assert told == {False, True}


@pytest.mark.parametrize("code", ["KL1-D1UW-AAAAAAB", "DS1-D3N-AAAAAAC", "RU1-R-AAAAAAD", "EH1-N-AAAAAAE"])
def test_so_does_that_of_a_solo_game(code: str) -> None:
    for seed in range(6):
        random, match = Random(seed), SoloDriver(code=code).match
        now = match.setup.opened_at
        for nonce in range(0, 200, 2):
            now += random.randrange(2 * SECOND)
            tell_anything(match, random, nonce, now)
        assert_same(match)
        match.receive(A, Resign(table=TABLE, nonce=9999), now)
        match.outgoing.clear()
        assert_same(match)


def test_the_log_has_what_the_clock_said_and_when() -> None:
    duel = Duel(no_progress_s=20)
    duel.wait(1000)
    timeouts = [entry for entry in duel.match.log if isinstance(entry.told, Timeout)]
    assert [(entry.at - duel.match.setup.opened_at) // SECOND for entry in timeouts] == [10, 15, 20]
    assert_same(duel.match)


def test_a_match_that_was_replayed_goes_on_where_it_was() -> None:
    duel = Duel(no_progress_s=20)
    duel.plays(A, "d")
    command = Play(table=TABLE, nonce=5, move="d")
    answer = duel.ask(B, command)
    again = replay(duel.match.setup, duel.match.log)
    again.receive(B, command, duel.now)  # the client asks again after a crash: same answer, no effect
    assert again.outgoing == [(B, answer)]
    again.tick(duel.now + 30 * SECOND)
    duel.match.tick(duel.now + 30 * SECOND)
    assert again.ended == duel.match.ended


def test_refusals_beyond_the_limit_are_not_kept_and_the_replay_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acerace_server.core.match.REFUSALS_COUNTED_PER_SEAT", 3)
    monkeypatch.setattr("acerace_server.core.match.COMMANDS_PER_TABLE", 12)
    duel = Duel(no_progress_s=3600)
    for _ in range(10):
        duel.refused(A, "r")
    assert (duel.match.refusals, len(duel.match.log)) == ([3, 0], 5)
    for _ in range(6):
        duel.goes(B) if not duel.match.away[B] else duel.comes(B)
    duel.wait(1800)
    assert len(duel.match.log) == 12
    duel.refused(A, "r")
    assert_same(duel.match)
    duel.plays(A, "d")
    assert duel.ended.reason == "too_long"
    assert_same(duel.match)


def test_a_replay_skips_only_what_the_rest_of_the_log_answers() -> None:
    """Cut anywhere, it leads to what telling the match everything one by one leads to."""
    duel = Duel(no_progress_s=30)
    for number in range(60):
        duel.play(number % 2, "d")
        if number % 20 == 10:
            duel.wait(16)
            duel.goes(A)
    duel.resign(B)
    for length in range(len(duel.match.log) + 1):
        log = duel.match.log[:length]
        step_by_step = open_match(duel.match.setup)
        for entry in log:
            tell(step_by_step, entry)
        again = replay(duel.match.setup, log)
        assert again.snapshot() == step_by_step.snapshot()
        assert again.history.since(0) == step_by_step.history.since(0)
        assert (again.log, again.deadline()) == (step_by_step.log, step_by_step.deadline())
    assert replay(duel.match.setup, duel.match.log).ended == duel.ended
