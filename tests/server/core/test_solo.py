"""A solo game at the table: moves, taking back, time, the notice, the win, advice (RULES.md 1, D30-D47; R-rows)."""

from random import Random

import pytest

from acerace_protocol.messages import Ask, Claim, Done, Ended, Pass, Ready, Redo, Refused, Resign, Undo, Undone
from acerace_protocol.messages import Played as PlayedEvent
from acerace_rules.legal import legal_moves
from acerace_rules.moves import IllegalMoveError, Reason
from acerace_rules.view import view
from tests.server.core.support import SECOND, TABLE, A, SoloDriver, reason

CODES = ["KL1-D1UM-AAAAAAB", "DS1-D3N-AAAAAAC", "RU1-C-AAAAAAD", "EH1-N-AAAAAAE", "YU1-N-AAAAAAF"]
ONE_LEFT = "foundations As..Ks | Ah..Kh | Ad..Kd | Ac..Qc\nc1 Kc"


def undo(solo: SoloDriver) -> Undone | Refused:
    answer = solo.ask(A, Undo(table=TABLE, nonce=solo.nonce()))
    assert isinstance(answer, (Undone, Refused))
    return answer


def redo(solo: SoloDriver) -> PlayedEvent | Refused:
    answer = solo.ask(A, Redo(table=TABLE, nonce=solo.nonce()))
    assert isinstance(answer, (PlayedEvent, Refused))
    return answer


def test_it_is_dealt_as_soon_as_it_is_opened() -> None:
    snapshot = SoloDriver().match.snapshot()
    assert (snapshot.phase, snapshot.seq, snapshot.code) == ("playing", 0, "KL1-D1UM-AAAAAAB")
    assert snapshot.state is not None


def test_its_time_begins_with_the_first_move() -> None:
    solo = SoloDriver()
    solo.wait(30)
    solo.refused(A, "r")
    assert solo.match.snapshot(solo.now).started_us is None
    solo.plays(A, "d")
    assert solo.match.snapshot(solo.now + SECOND).started_us == 30_000_000
    assert solo.match.snapshot(solo.now + SECOND).at_us == 31_000_000


@pytest.mark.parametrize("code", CODES)
def test_every_undo_brings_back_what_was_there(code: str) -> None:
    # D30, R7, R8
    for seed in range(8):
        random, solo = Random(seed), SoloDriver(code=code)
        line = [view(solo.match.dealt)]
        for _ in range(60):
            moves = legal_moves(solo.match.dealt)
            if len(line) > 1 and (not moves or random.random() < 0.4):
                undone = undo(solo)
                assert isinstance(undone, Undone)
                line.pop()
            elif moves:
                solo.plays(A, str(random.choice(moves)))
                line.append(view(solo.match.dealt))
            now = view(solo.match.dealt)
            now.seats[A].moves = line[-1].seats[A].moves  # the counter does not go down (D34)
            assert now == line[-1]
            assert solo.match.snapshot().check == solo.match.digest.value


def test_an_undo_says_what_is_gone_and_what_it_leaves() -> None:
    solo = SoloDriver("foundations Ah\nc1 (9c) 2h\nc2 3s")
    solo.plays(A, "c1>f")
    undone = undo(solo)
    assert isinstance(undone, Undone)
    assert (undone.move, undone.cards, undone.slot, undone.turned) == ("c1>f", ("2h",), 1, "9c")
    assert (undone.score, undone.moves) == (0, 1)


def test_the_undo_of_a_recycle_shows_the_waste_again() -> None:
    solo = SoloDriver()
    solo.plays(A, *["d"] * 24, "r")
    undone = undo(solo)
    assert isinstance(undone, Undone)
    assert undone.cards == tuple(solo.match.snapshot().state.seats[A].waste)  # type: ignore[union-attr]
    assert len(undone.cards) == 24


def test_there_is_an_end_to_undo_and_redo() -> None:
    # D35, D36
    solo = SoloDriver()
    assert reason(undo(solo)) == Reason.NOTHING_TO_UNDO
    assert reason(redo(solo)) == Reason.NOTHING_TO_REDO
    solo.plays(A, "d", "d")
    undo(solo)
    undo(solo)
    assert reason(undo(solo)) == Reason.NOTHING_TO_UNDO
    assert isinstance(redo(solo), PlayedEvent)
    solo.plays(A, "d")
    assert reason(redo(solo)) == Reason.NOTHING_TO_REDO


def test_who_asks_for_legal_moves_is_told_whether_there_is_something_to_undo_and_to_redo() -> None:
    solo = SoloDriver("foundations As..Ks | Ah..Kh | Ad..Kd | Ac..Jc\nc1 Kc Qc")

    def told() -> tuple[bool, bool]:
        legal = solo.match.legal(A)
        return legal.undo, legal.redo

    assert told() == (False, False)
    solo.plays(A, "c1>f")
    assert told() == (True, False)
    undo(solo)
    assert told() == (False, True)
    redo(solo)
    assert told() == (True, False)
    solo.plays(A, "c1>f")
    assert told() == (False, False)  # it is won


def test_a_game_that_is_given_up_has_nothing_to_undo() -> None:
    solo = SoloDriver()
    solo.plays(A, "d")
    solo.send(A, Resign(table=TABLE, nonce=solo.nonce()))
    assert not solo.match.legal(A).undo


def test_a_refused_move_keeps_the_redo() -> None:
    solo = SoloDriver()
    solo.plays(A, "d")
    undo(solo)
    solo.refused(A, "r")
    assert isinstance(redo(solo), PlayedEvent)


def test_the_last_card_wins_once() -> None:
    # R3, R14
    solo = SoloDriver(ONE_LEFT)
    solo.plays(A, "c1>f")
    assert (solo.ended.reason, solo.ended.winner, solo.ends) == ("won", A, 1)
    assert reason(undo(solo)) == Reason.GAME_OVER  # D38
    assert reason(redo(solo)) == Reason.GAME_OVER
    assert reason(solo.ask(A, Resign(table=TABLE, nonce=1))) == Reason.GAME_OVER


def test_a_redo_can_win_too() -> None:
    solo = SoloDriver("foundations As..Ks | Ah..Kh | Ad..Kd | Ac..Jc\nc1 Kc Qc")
    solo.plays(A, "c1>f", "c1:1>c2")
    undo(solo)
    undo(solo)
    solo.plays(A, "c1>f")
    assert solo.match.phase == "playing"
    solo.plays(A, "c1>f")
    assert solo.ends == 1


def test_giving_up_is_no_win() -> None:
    solo = SoloDriver()
    ended = solo.ask(A, Resign(table=TABLE, nonce=1))
    assert isinstance(ended, Ended)
    assert (ended.reason, ended.winner) == ("resigned", None)


def test_the_clock_starts_with_the_first_accepted_command() -> None:
    solo = SoloDriver()
    solo.wait(100)
    solo.refused(A, "r")
    solo.wait(100)
    solo.plays(A, "d")
    solo.wait(12.5)
    solo.ask(A, Resign(table=TABLE, nonce=1))
    assert solo.ended.duration_ms == 12_500


def test_a_game_without_a_move_lasted_no_time() -> None:
    solo = SoloDriver()
    solo.wait(100)
    solo.ask(A, Resign(table=TABLE, nonce=1))
    assert solo.ended.duration_ms == 0


def test_time_costs_points_where_the_scoring_says_so() -> None:
    # D43: -2 for each full ten seconds
    solo = SoloDriver("foundations Ah 2h\nstock (9c 9d)\nc1 3h\nc2 4h\nc3 Kd", code="KL1-D1UW-AAAAAAB")
    assert solo.plays(A, "c1>f").score == 10
    solo.wait(25)
    assert solo.plays(A, "d").score == 6
    undone = undo(solo)
    assert isinstance(undone, Undone)
    assert undone.score == 6  # the time that has passed stays charged


def test_taking_back_and_replaying_pays_again_but_strictly_once() -> None:
    # D12, R10
    solo = SoloDriver("foundations Ah 2h\nc1 3s\nc2 4h")
    for _ in range(50):
        solo.plays(A, "f:h>c1", "c1>f")
    solo.ask(A, Resign(table=TABLE, nonce=1))
    assert (solo.ended.scores, solo.ended.strict) == ((500,), (0,))


def test_nothing_can_change_any_more_is_a_notice_and_no_defeat() -> None:
    # D47
    solo = SoloDriver("c1 9h\nc2 Ts\nstock (3c)\nwaste 3d", code="KL1-D1P1M-AAAAAAB")
    assert solo.match.snapshot().blocked is False
    solo = SoloDriver("foundations Ad\nc1 9h\nc2 Ts\nc3 2d", code="KL1-D1P1M-AAAAAAB")
    event = solo.plays(A, "c3>f")
    assert event.blocked is True
    assert solo.match.snapshot().blocked
    assert advice(solo, "hint") == ((), False)
    assert solo.match.phase == "playing"
    assert not isinstance(solo.plays(A, "c1:1>c2").blocked, bool)  # told when it changes
    undo(solo)
    undone = undo(solo)
    assert isinstance(undone, Undone)
    assert undone.blocked is False
    assert advice(solo, "hint") == (("c3>f",), False)


def test_nobody_waits_for_a_solo_player() -> None:
    solo = SoloDriver()
    assert solo.goes(A) == []
    assert solo.wait(1_000_000) == []
    assert solo.comes(A) == []
    assert solo.match.deadline() is None


@pytest.mark.parametrize("command", [Ready, Pass, Done, Claim])
def test_what_needs_two_is_refused(command: type[Ready | Pass | Done | Claim]) -> None:
    assert reason(SoloDriver().ask(A, command(table=TABLE, nonce=1))) == Reason.TWO_PLAYERS_ONLY


# --- advice ------------------------------------------------------------------------------------------------


def advice(solo: SoloDriver, about: str, pile: str | None = None) -> tuple[tuple[str, ...], bool]:
    ask = Ask(table=TABLE, nonce=1, about=about, pile=pile)  # type: ignore[arg-type]
    answer = solo.match.advise(A, ask)
    return answer.moves, answer.blocked


def test_the_referee_advises() -> None:
    solo = SoloDriver("foundations Ah\nc1 2h\nc2 9s\nc3 8d\nc4 Th")
    assert advice(solo, "hint") == (("c1>f",), False)
    assert advice(solo, "tap", "c1") == (("c1>f",), False)
    assert advice(solo, "tap", "c3") == ((), False)
    assert advice(solo, "double_tap", "c3") == (("c3:1>c2",), False)
    assert advice(solo, "places", "c2") == (("c2:1>c4",), False)
    assert advice(solo, "blocked") == ((), False)
    assert advice(solo, "finish") == ((), False)


def test_the_finish_is_offered_when_it_surely_wins() -> None:
    assert advice(SoloDriver(ONE_LEFT), "finish") == (("c1>f",), False)


def test_advice_that_is_asked_of_no_pile_is_refused() -> None:
    with pytest.raises(IllegalMoveError):
        advice(SoloDriver(), "tap")


def test_advice_changes_nothing() -> None:
    solo = SoloDriver()
    before, seq = solo.match.dealt.copy(), solo.match.seq
    for about in ("hint", "finish", "blocked"):
        advice(solo, about)
    assert (solo.match.dealt, solo.match.seq, solo.match.log) == (before, seq, [])


def test_a_late_command_is_of_the_time_at_which_it_came() -> None:
    solo = SoloDriver()
    solo.plays(A, "d")
    event = solo.send(A, Undo(table=TABLE, nonce=1), at=solo.now + 3 * SECOND)[0]
    assert isinstance(event, Undone)
    assert event.at_us == 3_000_000
