"""The mirror follows the real arbiter: after everything it says, view, turn and legal moves are the arbiter's."""

from random import Random

import pytest

from acerace_client.mirror import DriftError, Mirror
from acerace_protocol.codec import MSGPACK
from acerace_protocol.messages import (
    Command,
    Done,
    Event,
    EventBase,
    Pass,
    Play,
    PlayerInfo,
    Ready,
    Redo,
    Undo,
)
from acerace_rules.catalogue import GAMES
from acerace_rules.deal import SoloDeal
from acerace_rules.legal import legal_moves
from acerace_rules.moves import Kind, Move
from acerace_rules.options import Value
from acerace_rules.view import view
from acerace_server.core.duel import DuelMatch
from acerace_server.core.match import Match, Setup
from acerace_server.core.solitaire import SoloMatch
from acerace_server.core.voice import EVERYONE

TERMS: list[dict[str, Value]] = [
    {},
    {"draw": 3, "passes": 1},
    {"pace": "alternating"},
    {"pace": "alternating", "turn": "bicycle"},
    {"pace": "alternating", "turn": "bicycle", "draw": 3},
]
SOLOS: list[tuple[str, dict[str, Value]]] = [
    ("klondike", {"draw": 3, "scoring": "windows"}),
    ("double-solitaire", {}),
    ("russian", {}),
    ("easy-harp", {}),
]


def players(count: int) -> tuple[PlayerInfo, ...]:
    return tuple(PlayerInfo(player=f"p{seat}", name=f"P{seat}") for seat in range(count))


def duel(options: dict[str, Value], number: int) -> DuelMatch:
    chosen = GAMES["double-klondike"].chosen(options)
    return DuelMatch(Setup("t1", "double-klondike", chosen, players(2), 0, secret=bytes([number]) * 32))


def solo(game: str, options: dict[str, Value], number: int) -> SoloMatch:
    deal = SoloDeal(game, options, number)
    return SoloMatch(Setup("t1", game, deal.options, players(1), 0, code=deal.code))


def told(match: Match) -> list[Event]:
    events = [
        MSGPACK.decode_server(MSGPACK.encode(message)) for receiver, message in match.outgoing if receiver == EVERYONE
    ]
    match.outgoing.clear()
    return [event for event in events if isinstance(event, EventBase)]


def may_play(match: Match, seat: int) -> list[Move]:
    """What the arbiter would accept."""
    return [Move.parse(text) for text in match.legal(seat).moves]


def random_command(random: Random, moves: list[Move], nonce: int, *, alone: bool) -> Command:
    chance = random.random()
    if alone and chance < 0.2:
        kind = Undo if chance < 0.12 else Redo
        return kind(table="t1", nonce=nonce)
    if not alone and chance < 0.03:
        return Done(table="t1", nonce=nonce)
    if not alone and chance < 0.1:
        return Pass(table="t1", nonce=nonce)
    walking = [move for move in moves if move.kind in {Kind.DRAW, Kind.RECYCLE}]
    chosen = random.choice(walking if walking and chance < 0.5 else moves or [Move(Kind.DRAW)])
    return Play(table="t1", nonce=nonce, move=str(chosen))


@pytest.mark.parametrize("options", TERMS, ids=str)
@pytest.mark.parametrize("number", range(3))
def test_a_match_of_two(options: dict[str, Value], number: int) -> None:
    random = Random(number)
    match = duel(options, number)
    mirror = Mirror(match.snapshot())
    for seat in (0, 1):
        match.receive(seat, Ready(table="t1", nonce=seat), 1)
    for nonce in range(2, 400):
        for event in told(match):
            assert mirror.apply(event)
        assert mirror.seq == match.seq
        if match.phase == "over" or match.table is None:
            break
        assert mirror.view == view(match.table)
        assert tuple(mirror.done) == match.snapshot().done
        assert mirror.turn == match.snapshot().turn
        assert [mirror.legal(seat) for seat in (0, 1)] == [may_play(match, seat) for seat in (0, 1)]
        seat = random.randrange(2)
        match.receive(seat, random_command(random, may_play(match, seat), nonce, alone=False), nonce * 1_000_000)
    else:
        for event in told(match):
            mirror.apply(event)
    assert mirror.phase == match.phase
    assert Mirror(match.snapshot()).view == mirror.view


@pytest.mark.parametrize(("game", "options"), SOLOS)
@pytest.mark.parametrize("number", [1, 2])
def test_a_game_alone_with_undo_and_redo(game: str, options: dict[str, Value], number: int) -> None:
    random = Random(number)
    match = solo(game, options, number)
    mirror = Mirror(match.snapshot())
    for nonce in range(400):
        match.receive(0, random_command(random, legal_moves(match.game.table), nonce, alone=True), nonce * 10**9)
        for event in told(match):
            assert mirror.apply(event)
        assert mirror.view == view(match.game.table)
        assert mirror.blocked == match.snapshot().blocked


def test_an_undone_recycle_is_followed_also_by_who_came_after_it() -> None:
    """Either the event says what lies in the waste again, or the mirror notices and asks for a snapshot."""
    match = solo("klondike", {}, 1)
    for nonce, move in enumerate(["d"] * 24 + ["r"]):
        match.receive(0, Play(table="t1", nonce=nonce, move=move), nonce)
    mirror = Mirror(match.snapshot())
    told(match)
    match.receive(0, Undo(table="t1", nonce=99), 99)
    try:
        for event in told(match):
            mirror.apply(event)
    except DriftError:
        mirror.restore(match.snapshot())
    assert mirror.view == view(match.game.table)
