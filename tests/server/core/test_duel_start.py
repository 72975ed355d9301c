"""Before the first move: both agree, the secret is fixed, the cards are dealt (RULES.md 6)."""

import hashlib

import pytest

from acerace_protocol.limits import READY_TIMEOUT_MS
from acerace_protocol.messages import Dealt, Done, Ended, Pass, Play, Readied, Ready, Undo
from acerace_rules.cards import FACE
from acerace_rules.deal import deal_match
from acerace_rules.moves import Reason
from acerace_rules.table import Table
from acerace_rules.view import view
from tests.server.core.support import MS, SECRET, START, TABLE, A, B, Duel, one, reason


def test_the_cards_are_dealt_when_both_are_ready() -> None:
    duel = Duel(dealt=False)
    assert [type(message) for message in duel.ready(A)] == [Readied]
    assert (duel.match.table, duel.match.snapshot().phase) == (None, "waiting")
    assert [type(message) for message in duel.ready(B)] == [Readied, Dealt]
    assert duel.match.snapshot().phase == "playing"


def test_the_deal_tells_the_view_and_nothing_else() -> None:
    duel = Duel(dealt=False)
    duel.ready(A)
    dealt = one(Dealt, duel.ready(B))
    assert duel.match.table is not None
    assert dealt.state.table(duel.match.variant) == view(duel.match.table)
    assert [column.down for column in dealt.state.seats[A].columns] == [0, 1, 2, 3, 4, 5, 6]
    assert [pile.owners for pile in dealt.state.foundations] == [()] * 8


def test_a_snapshot_tells_who_is_ready() -> None:
    duel = Duel(dealt=False)
    assert duel.match.snapshot().ready == (False, False)
    duel.ready(B)
    assert duel.match.snapshot().ready == (False, True)


def test_who_does_not_get_ready_is_dealt_to_after_a_while() -> None:
    duel = Duel(dealt=False)
    duel.ready(A)
    assert duel.until(START + READY_TIMEOUT_MS * MS - 1) == []
    assert [type(message) for message in duel.until(START + READY_TIMEOUT_MS * MS)] == [Dealt]


@pytest.mark.parametrize("seat", [A, B])
def test_ready_twice_is_refused_before_the_deal_and_after(seat: int) -> None:
    duel = Duel(dealt=False)
    duel.ready(seat)
    assert reason(duel.ask(seat, Ready(table=TABLE, nonce=1))) == Reason.ALREADY_DONE
    duel.ready(1 - seat)
    assert reason(duel.ask(seat, Ready(table=TABLE, nonce=2))) == Reason.ALREADY_DEALT


def test_nothing_can_be_played_before_the_deal() -> None:
    duel = Duel(dealt=False)
    assert duel.refused(A, "d") == Reason.NOT_DEALT
    for command in (Pass(table=TABLE, nonce=1), Done(table=TABLE, nonce=2)):
        assert reason(duel.ask(A, command)) == Reason.NOT_DEALT
    assert reason(duel.claim(A)) == Reason.NOT_DEALT
    assert duel.match.legal(A).moves == ()


def test_one_may_resign_before_the_deal() -> None:
    duel = Duel(dealt=False)
    ended = duel.resign(A)
    assert isinstance(ended, Ended)
    assert (ended.reason, ended.winner, ended.scores, ended.contributions) == ("resigned", B, (0, 0), (0, 0))
    assert reason(duel.ask(B, Ready(table=TABLE, nonce=1))) == Reason.GAME_OVER
    assert duel.wait(3600) == []


def test_there_is_no_undo_in_a_match_of_two() -> None:
    # D39; and N11: nothing takes back what the other seat did
    assert reason(Duel().ask(A, Undo(table=TABLE, nonce=1))) == Reason.SOLO_ONLY


def test_the_secret_is_committed_to_before_any_player_has_said_anything() -> None:
    duel = Duel(dealt=False)
    assert duel.match.snapshot().commitment == hashlib.sha256(SECRET).hexdigest()


def test_anyone_can_check_the_deal_when_it_is_over() -> None:
    duel = Duel(dealt=False)
    duel.ready(A, "00ff")
    duel.ready(B, "abcdef")
    dealt = duel.match.dealt.copy()
    duel.resign(A)
    ended = duel.ended
    assert hashlib.sha256(bytes.fromhex(ended.secret or "")).hexdigest() == duel.match.snapshot().commitment
    assert ended.seeds == ("00ff", "abcdef")
    seeds = [bytes.fromhex(seed) for seed in ended.seeds]
    assert deal_match(duel.match.variant, bytes.fromhex(ended.secret or ""), seeds) == dealt


def test_each_players_seed_changes_the_deal() -> None:
    deals: list[list[int]] = []
    for seeds in (("", ""), ("01", ""), ("", "01"), ("0101", "")):
        duel = Duel(dealt=False)
        duel.ready(A, seeds[A])
        duel.ready(B, seeds[B])
        deals.append([card for seat in duel.match.dealt.seats for card in seat.cards()])
    assert len({tuple(deal) for deal in deals}) == len(deals)


def test_a_mirror_deal_gives_both_the_same_order() -> None:
    # D66
    table = Duel(mirror=True).match.dealt
    assert [card & FACE for card in table.seats[A].cards()] == [card & FACE for card in table.seats[B].cards()]
    table = Duel().match.dealt
    assert [card & FACE for card in table.seats[A].cards()] != [card & FACE for card in table.seats[B].cards()]


def test_a_handicap_lets_the_second_seat_draw_otherwise() -> None:
    # D28
    duel = Duel(draw=1, second_draw=3)
    assert len(duel.plays(A, "d").cards) == 1
    assert len(duel.plays(B, "d").cards) == 3


def test_a_match_that_is_dealt_blocked_ends_at_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    # Not one real deal in billions; the end is still decided in the step that brings it about.
    def always(table: Table, seat: int) -> bool:
        return True

    monkeypatch.setattr("acerace_server.core.duel.is_blocked", always)
    duel = Duel(dealt=False)
    duel.ready(A)
    assert [type(message) for message in duel.ready(B)] == [Readied, Dealt, Ended]
    assert (duel.ended.reason, duel.ended.winner) == ("blocked", None)


def test_a_play_is_numbered_after_the_deal() -> None:
    duel = Duel()
    assert duel.match.seq == 3
    assert duel.plays(A, "d").seq == 4
    answer = duel.ask(B, Play(table=TABLE, nonce=7, move="d"))
    assert answer == duel.match.history.since(4)[0]  # type: ignore[index]  # the history has it
