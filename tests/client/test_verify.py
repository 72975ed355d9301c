"""A deal is called fair only if commitment, secret, seeds, deal and every card that turned up agree."""

import pytest
from msgspec.structs import replace

from acerace_client.verify import deal_fault
from acerace_protocol.digest import digest
from acerace_protocol.messages import Dealt, Ended, Played, Snapshot
from acerace_protocol.state import TableState
from acerace_rules.deal import deal_match
from acerace_rules.legal import legal_moves
from acerace_rules.shuffle import commitment
from acerace_rules.view import view
from tests.client.referee import Referee

SECRET = bytes(range(32))
SEEDS = ("00ff", "")

Match = tuple[Snapshot, Dealt, list[Played], Ended]


@pytest.fixture
def match() -> Match:
    referee = Referee("double-klondike", {}, dealt=False)
    referee.table = deal_match(referee.table.variant, SECRET, [bytes.fromhex(seed) for seed in SEEDS])
    before = replace(referee.snapshot(), commitment=commitment(SECRET))
    dealt = referee.deal()
    state = 5
    played: list[Played] = []
    for _ in range(80):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        moves = legal_moves(referee.table, seat := state // 7 % 2)
        if moves:
            played.append(referee.play(seat, moves[state % len(moves)]))
    return before, dealt, played, replace(referee.end(), secret=SECRET.hex(), seeds=SEEDS)


def test_a_fair_deal(match: Match) -> None:
    assert deal_fault(*match, own=(0, "00ff")) is None
    assert deal_fault(*match) is None


def test_another_secret_than_the_one_committed_to(match: Match) -> None:
    before, dealt, played, ended = match
    fault = deal_fault(before, dealt, played, replace(ended, secret="00" * 32))
    assert fault is not None
    assert "committed" in fault


@pytest.mark.parametrize("secret", [None, "zz"])
def test_no_secret_at_all(match: Match, secret: str | None) -> None:
    before, dealt, played, ended = match
    assert deal_fault(before, dealt, played, replace(ended, secret=secret)) is not None


def test_our_own_seed_left_out(match: Match) -> None:
    fault = deal_fault(*match, own=(1, "abcd"))
    assert fault == "our own seed was not used"


def test_another_deal_than_the_secret_gives(match: Match) -> None:
    before, dealt, played, ended = match
    other = view(Referee("double-klondike", {}, 9).table)
    fault = deal_fault(before, replace(dealt, state=TableState.of(other), check=digest(other)), played, ended)
    assert fault is not None
    assert "another deal" in fault


def test_a_card_that_turned_up_and_was_not_there(match: Match) -> None:
    before, dealt, played, ended = match
    index = next(at for at, event in enumerate(played) if event.move == "d")
    tampered = [*played]
    tampered[index] = replace(played[index], cards=("Ks" if played[index].cards != ("Ks",) else "Qs",))
    fault = deal_fault(before, dealt, tampered, ended)
    assert fault is not None
    assert "showed" in fault


def test_a_move_that_is_illegal_in_that_deal(match: Match) -> None:
    before, dealt, played, ended = match
    fault = deal_fault(before, dealt, [replace(played[0], move="r"), *played], ended)
    assert fault is not None
    assert "illegal" in fault


def test_the_first_turn_follows_from_the_deal(match: Match) -> None:
    before, dealt, _, ended = match
    before = replace(before, options=dict(before.options) | {"pace": "alternating"})
    faults = [deal_fault(before, replace(dealt, turn=turn), [], ended) for turn in (0, 1)]
    assert sorted(fault is None for fault in faults) == [False, True]
