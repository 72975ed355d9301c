"""The same command twice has one effect and one answer (PROTOCOL.md 8; N23)."""

import pytest

from acerace_protocol.limits import NONCES_REMEMBERED
from acerace_protocol.messages import Claim, Command, Done, Ended, Pass, Play, Ready, Redo, Refused, Resign, Undo
from acerace_rules.moves import Reason
from tests.server.core.support import SECOND, TABLE, A, B, Driver, Duel, SoloDriver

PICTURE = """
foundations Ah
seat 1
  c1 2h
  c2 9s
  c3 8d
  c4 As
  stock (3c 2c)
seat 2
  c1 2h
  c2 9s
  c3 8d
  c4 As
  stock (3c 2c)
"""


def twice(driver: Driver, seat: int, command: Command) -> None:
    first = driver.ask(seat, command)
    state = [driver.match.dealt.copy() if driver.match.table else None, driver.match.seq, len(driver.match.log)]
    snapshot, refusals = driver.match.snapshot(), [*driver.match.refusals]
    for _ in range(3):
        driver.match.receive(seat, command, driver.now)
        assert driver.match.outgoing == [(seat, first)]  # to the sender alone
        driver.match.outgoing.clear()
    assert state == [driver.match.table, driver.match.seq, len(driver.match.log)]
    assert driver.match.snapshot() == snapshot
    assert driver.match.refusals == refusals


@pytest.mark.parametrize(
    "command",
    [
        Play(table=TABLE, nonce=1, move="d"),
        Play(table=TABLE, nonce=1, move="c3:1>c2"),
        Play(table=TABLE, nonce=1, move="c1>f"),
        Play(table=TABLE, nonce=1, move="r"),
        Play(table=TABLE, nonce=1, move="nonsense"),
        Done(table=TABLE, nonce=1),
        Pass(table=TABLE, nonce=1),
        Claim(table=TABLE, nonce=1),
        Ready(table=TABLE, nonce=1),
        Undo(table=TABLE, nonce=1),
    ],
    ids=str,
)
def test_it_has_one_effect_and_the_same_answer(command: Command) -> None:
    twice(Duel(PICTURE), A, command)


def test_a_pass_that_is_repeated_passes_once() -> None:
    duel = Duel(PICTURE, pace="alternating")
    twice(duel, A, Pass(table=TABLE, nonce=1))
    assert duel.turn == B


def test_ready_before_the_deal() -> None:
    twice(Duel(dealt=False), A, Ready(table=TABLE, nonce=1, seed="ab"))


@pytest.mark.parametrize("command", [Resign(table=TABLE, nonce=1), Claim(table=TABLE, nonce=1)])
def test_what_ends_the_match_ends_it_once(command: Command) -> None:
    duel = Duel(PICTURE)
    duel.goes(B)
    duel.wait(60)
    twice(duel, A, command)
    assert duel.ends == 1  # told to all; the repetitions were answered to their sender
    assert duel.match.history.since(duel.match.seq - 1) == [duel.match.ended]


def test_the_answer_stays_the_same_whatever_happened_since() -> None:
    duel = Duel(PICTURE)
    command = Play(table=TABLE, nonce=1, move="c1>f", seen=duel.match.seq)
    won = duel.ask(A, command)
    losing = Play(table=TABLE, nonce=1, move="c1>f", seen=duel.match.seq - 1)
    lost = duel.ask(B, losing)
    assert isinstance(lost, Refused)
    assert lost.reason == Reason.LOST_RACE
    duel.resign(A)
    assert duel.ask(A, command) == won
    assert duel.ask(B, losing) == lost


def test_the_seats_have_nonces_of_their_own() -> None:
    duel = Duel(PICTURE)
    one = duel.ask(A, Play(table=TABLE, nonce=1, move="d"))
    other = duel.ask(B, Play(table=TABLE, nonce=1, move="d"))
    assert one != other
    assert [seat.moves for seat in duel.match.dealt.seats] == [1, 1]


def test_a_solo_undo_that_is_repeated_undoes_once() -> None:
    # N23
    solo = SoloDriver()
    solo.plays(A, "d", "d", "d")
    twice(solo, A, Undo(table=TABLE, nonce=1))
    twice(solo, A, Redo(table=TABLE, nonce=2))
    assert len(solo.match.dealt.seats[A].waste) == 3


def test_as_many_as_promised_are_remembered() -> None:
    solo = SoloDriver()
    first = solo.ask(A, Play(table=TABLE, nonce=0, move="d"))
    for nonce in range(1, NONCES_REMEMBERED):
        solo.ask(A, Play(table=TABLE, nonce=nonce, move="c9:1>c1"))
    assert solo.ask(A, Play(table=TABLE, nonce=0, move="d")) == first
    solo.ask(A, Play(table=TABLE, nonce=NONCES_REMEMBERED, move="c9:1>c1"))
    assert solo.ask(A, Play(table=TABLE, nonce=0, move="d")) != first


def test_a_repetition_after_the_deadline_gets_its_answer_too() -> None:
    duel = Duel(PICTURE, clock_s=10)
    command = Play(table=TABLE, nonce=1, move="d")
    answer = duel.ask(A, command)
    said = duel.send(A, command, at=duel.now + 60 * SECOND)
    assert said[-1] == answer
    assert [type(message) for message in said].count(Ended) == 1
