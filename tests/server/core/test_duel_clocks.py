"""What time alone decides: no progress, the match's clock, absence (RULES.md 6 e-g; N25, N26)."""

import pytest

from acerace_protocol.messages import Ended, Presence, Refused, Warned
from acerace_protocol.messages import Played as PlayedEvent
from acerace_rules.moves import Reason
from tests.server.core.support import MS, SECOND, A, B, Duel, one, reason

PICTURE = """
seat 1
  c1 Ah
  c2 9s
  c3 8d
  stock (3c 2c)
seat 2
  c1 Ad
  c2 9s
  c3 8d
  stock (3c 2c)
"""


# --- no progress -------------------------------------------------------------------------------------------


def test_no_progress_is_announced_twice_and_then_ends_the_match() -> None:
    duel = Duel(PICTURE)
    assert duel.wait(59.999) == []
    assert one(Warned, duel.wait(0.001)).ends_in_ms == 60_000
    assert duel.wait(29.999) == []
    assert one(Warned, duel.wait(0.001)).ends_in_ms == 30_000
    assert duel.wait(29.999) == []
    ended = one(Ended, duel.wait(0.001))
    assert (ended.reason, ended.winner) == ("no_progress", None)


def test_all_that_was_missed_is_carried_out_in_order_as_of_its_time() -> None:
    duel = Duel(PICTURE, no_progress_s=20)
    said = duel.wait(1000)
    assert [type(message) for message in said] == [Warned, Warned, Ended]
    assert duel.ended.duration_ms == 20_000


@pytest.mark.parametrize("move", ["c1>f", "c3:1>c2"])
def test_a_move_is_progress(move: str) -> None:
    duel = Duel(PICTURE)
    duel.wait(100)
    duel.plays(A, move)
    assert duel.wait(59) == []
    assert one(Warned, duel.wait(1)).ends_in_ms == 60_000


def test_draws_and_recycles_are_not_nor_is_anything_said() -> None:
    duel = Duel(PICTURE)
    duel.wait(80)
    duel.plays(A, "d", "d", "r")
    duel.done(A)
    duel.refused(B, "r")
    duel.goes(B)
    duel.comes(B)
    duel.wait(39.999)
    assert duel.match.phase == "playing"
    duel.wait(0.001)
    assert duel.ended.reason == "no_progress"


def test_the_higher_score_wins_by_then() -> None:
    duel = Duel(PICTURE, no_progress_s=10)
    duel.plays(B, "c1>f")
    duel.wait(10)
    assert (duel.ended.reason, duel.ended.winner) == ("no_progress", B)


# --- the match's clock -------------------------------------------------------------------------------------


def test_the_clock_ends_the_match_whatever_goes_on() -> None:
    duel = Duel(PICTURE, clock_s=30)
    for _ in range(29):
        duel.wait(1)
        duel.play(A, "c3:1>c2")
    duel.plays(B, "c1>f")
    assert one(Ended, duel.wait(1)).reason == "time"
    assert (duel.ended.winner, duel.ended.duration_ms) == (B, 30_000)


def test_without_a_clock_a_match_may_last() -> None:
    duel = Duel(PICTURE, no_progress_s=3600)
    duel.wait(3599)
    assert duel.match.phase == "playing"


@pytest.mark.parametrize(("early_ms", "counts"), [(1, True), (0, False), (-1, False)])
def test_a_move_at_the_deadline_has_one_outcome(early_ms: int, counts: bool) -> None:
    # N25: judged by its stamp, whether or not the timer has rung by then
    for ticked in (False, True):
        duel = Duel(PICTURE, clock_s=30)
        deadline = duel.now + 30 * SECOND
        duel.now = deadline - early_ms * MS
        if ticked:
            duel.match.tick(duel.now)
        assert isinstance(duel.play(A, "c1>f"), PlayedEvent if counts else Refused)
        duel.until(deadline + 5 * MS)
        assert duel.ended.contributions == (int(counts), 0)
        assert duel.ended.reason == "time"
        assert duel.ends == 1
        assert duel.match.refusals == [0, 0]  # a command that came too late was no illegal play


# --- absence -----------------------------------------------------------------------------------------------


def test_the_other_is_told_who_is_away_and_when_to_claim() -> None:
    duel = Duel(PICTURE, grace_s=45)
    assert one(Presence, duel.goes(A)) == duel.match.history.since(duel.match.seq - 1)[0]  # type: ignore[index]
    event = duel.match.snapshot()
    assert event.away == (True, False)
    presence = one(Presence, duel.comes(A))
    assert (presence.seat, presence.away, presence.claim_in_ms) == (A, False, None)
    assert one(Presence, duel.goes(B)).claim_in_ms == 45_000


def test_absence_is_claimed_after_the_grace() -> None:
    duel = Duel(PICTURE)
    duel.plays(A, "c1>f")
    duel.goes(A)
    duel.wait(59.999)
    assert reason(duel.claim(B)) == Reason.NOT_ABSENT
    duel.wait(0.001)
    ended = duel.claim(B)
    assert isinstance(ended, Ended)
    assert (ended.reason, ended.winner, ended.scores) == ("absent", B, (1, 0))  # whatever the counts


def test_one_who_is_there_cannot_be_claimed_against_nor_can_oneself() -> None:
    duel = Duel(PICTURE)
    assert reason(duel.claim(A)) == Reason.NOT_ABSENT
    duel.goes(A)
    duel.wait(100)
    assert reason(duel.claim(A)) == Reason.NOT_ABSENT


def test_without_a_claim_the_server_decides_after_two_graces() -> None:
    duel = Duel(PICTURE, no_progress_s=3600)
    duel.goes(B)
    assert duel.wait(119.999) == []
    assert one(Ended, duel.wait(0.001)).winner == A
    assert duel.ended.reason == "absent"


def test_a_return_resets_the_time() -> None:
    # N15, N26
    duel = Duel(PICTURE, no_progress_s=3600)
    for _ in range(3):
        duel.goes(A)
        duel.wait(59)
        duel.comes(A)
    duel.goes(A)
    duel.wait(59)
    assert reason(duel.claim(B)) == Reason.NOT_ABSENT
    duel.comes(A)
    assert not [message for message in duel.wait(3000) if isinstance(message, Ended)]


def test_going_twice_is_going_once() -> None:
    duel = Duel(PICTURE)
    duel.goes(A)
    duel.wait(30)
    assert duel.goes(A) == []
    duel.wait(30)
    assert isinstance(duel.claim(B), Ended)


def test_who_was_away_at_the_deal_is_counted_from_the_deal_on() -> None:
    duel = Duel(dealt=False)
    duel.goes(B)
    duel.wait(9)
    duel.ready(A)
    duel.wait(1)  # the deal, without B
    assert duel.match.phase == "playing"
    duel.wait(59.999)
    assert reason(duel.claim(A)) == Reason.NOT_ABSENT
    duel.wait(0.001)
    assert isinstance(duel.claim(A), Ended)


def test_when_both_are_away_the_first_to_go_loses() -> None:
    duel = Duel(PICTURE, no_progress_s=3600)
    duel.goes(B)
    duel.wait(1)
    duel.goes(A)
    duel.wait(119)
    assert (duel.ended.reason, duel.ended.winner) == ("absent", A)


def test_when_both_go_at_one_moment_neither_has_left_the_other() -> None:
    # the server was killed, and nobody has come back
    duel = Duel(PICTURE, no_progress_s=3600)
    duel.goes(A)
    duel.goes(B)
    duel.wait(3599)
    assert duel.match.phase == "playing"
    duel.wait(1)
    assert (duel.ended.reason, duel.ended.winner) == ("no_progress", None)


def test_then_whoever_is_back_first_may_claim_the_win() -> None:
    duel = Duel(PICTURE, no_progress_s=3600)
    duel.goes(A)
    duel.goes(B)
    duel.wait(59)
    duel.comes(B)
    assert reason(duel.claim(B)) == Reason.NOT_ABSENT
    duel.wait(1)
    assert isinstance(duel.claim(B), Ended)
    assert duel.ended.winner == B


def test_one_who_comes_back_after_the_timer_ran_out_has_lost_even_if_nobody_looked_at_it_before() -> None:
    # N15: one decision, whichever of the two the loop comes to first
    duel = Duel(PICTURE, no_progress_s=3600)
    duel.goes(B)
    duel.now += 120 * SECOND
    told = duel.comes(B)
    assert [type(message) for message in told] == [Ended]
    assert (duel.ended.reason, duel.ended.winner) == ("absent", A)


def test_in_alternating_play_absence_counts_only_in_ones_own_turn() -> None:
    # N26
    duel = Duel(PICTURE, pace="alternating", no_progress_s=3600, first=A)
    assert one(Presence, duel.goes(B)).claim_in_ms is None
    duel.wait(1000)
    assert reason(duel.claim(A)) == Reason.NOT_ABSENT
    duel.passes(A)
    duel.wait(59.999)
    assert reason(duel.claim(A)) == Reason.NOT_ABSENT
    duel.wait(0.001)
    assert isinstance(duel.claim(A), Ended)


def test_whose_time_begins_to_run_with_a_turn_is_told_whether_it_began_by_a_draw_or_a_pass() -> None:
    for by_pass in (False, True):
        duel = Duel(PICTURE, pace="alternating", no_progress_s=3600, first=A)
        duel.goes(B)
        duel.heard.clear()
        if by_pass:
            duel.passes(A)
        else:
            duel.plays(A, "d")
        told = one(Presence, duel.heard)
        assert (told.seat, told.away, told.claim_in_ms) == (B, True, 60_000)


def test_nothing_is_told_of_the_time_of_one_who_is_there_or_who_keeps_the_turn_or_when_it_is_over() -> None:
    duel = Duel("seat 1\n c1 Ah\n c2 9h\n stock (9c 9s)\nseat 2\n c1 Ad", pace="alternating", first=A)
    duel.goes(A)
    duel.heard.clear()
    duel.plays(A, "c1>f")  # what was on its way when the connection broke
    duel.plays(A, "d")
    assert not any(isinstance(message, Presence) for message in duel.heard)
    duel.comes(A)
    duel.goes(B)
    duel.passes(B)
    duel.plays(A, "d")
    duel.passes(B)
    duel.passes(A)
    assert duel.ended.reason == "agreed"
    assert isinstance(duel.heard[-1], Ended)


def test_in_alternating_play_the_servers_timer_too_runs_in_ones_own_turn() -> None:
    duel = Duel(PICTURE, pace="alternating", no_progress_s=3600, first=A)
    duel.goes(B)
    duel.wait(1000)
    duel.passes(A)
    assert duel.wait(119.999) == []
    duel.wait(0.001)
    assert (duel.ended.reason, duel.ended.winner) == ("absent", A)


# --- what one who comes later is told of it ----------------------------------------------------------------


def test_a_snapshot_tells_when_it_began_and_what_time_it_is() -> None:
    duel = Duel(dealt=False)
    assert duel.match.snapshot(duel.now + SECOND).started_us is None
    duel.wait(10)  # dealt whoever is there
    snapshot = duel.match.snapshot(duel.now + 5 * SECOND)
    assert (snapshot.started_us, snapshot.at_us) == (10_000_000, 15_000_000)
    duel.wait(7)
    duel.resign(A)
    assert duel.match.snapshot().started_us == 10_000_000
    assert duel.ended.duration_ms == 7_000


def test_a_snapshot_tells_how_long_it_takes_until_a_claim() -> None:
    duel = Duel(PICTURE)
    assert duel.match.snapshot(duel.now).claim_in_ms is None
    duel.goes(B)
    assert duel.match.snapshot(duel.now).claim_in_ms == 60_000
    assert duel.match.snapshot(duel.now + 59 * SECOND).claim_in_ms == 1_000
    assert duel.match.snapshot(duel.now + 61 * SECOND).claim_in_ms == 0
    duel.comes(B)
    assert duel.match.snapshot(duel.now).claim_in_ms is None
    duel.goes(B)
    duel.wait(61)
    duel.claim(A)
    assert duel.match.snapshot(duel.now).claim_in_ms is None


def test_when_both_are_away_a_snapshot_tells_of_the_first() -> None:
    duel = Duel(PICTURE)
    duel.goes(A)
    duel.wait(10)
    duel.goes(B)
    assert duel.match.snapshot(duel.now).claim_in_ms == 50_000


def test_a_snapshot_tells_of_no_claim_while_the_time_does_not_run() -> None:
    duel = Duel(PICTURE, pace="alternating", first=A)
    duel.goes(B)
    assert duel.match.snapshot(duel.now).claim_in_ms is None
    duel.passes(A)
    duel.wait(20)
    assert duel.match.snapshot(duel.now).claim_in_ms == 40_000
