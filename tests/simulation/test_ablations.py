"""Would the simulation notice? Each test breaks the core in one way, and some seed must find it."""

from collections.abc import Sequence

import pytest

from acerace_protocol.messages import Command, Event
from acerace_rules.play import Played
from acerace_server.core.duel import DuelMatch
from acerace_server.core.history import History
from acerace_server.core.hosted import Hosted
from acerace_server.core.hub import Hub
from acerace_server.core.match import Entry, Match
from acerace_server.core.registry import Registry
from tests.simulation.clients import InvariantError
from tests.simulation.world import Tally, World

SEEDS = 40
"""Worlds that are tried."""


def finding() -> str:
    """What the first seed that finds the fault says of it."""
    for seed in range(SEEDS):
        try:
            World(seed, Tally()).run()
        except InvariantError as error:
            print(f"found after {seed + 1} seeds: {error}")  # noqa: T201  # shown by pytest -rP
            return str(error)
    pytest.fail(f"not found in {SEEDS} seeds")


def test_a_command_that_is_repeated_has_an_effect_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def receive(self: Match, seat: int, command: Command, at: int) -> None:
        self.tick(at)
        self.judge(Entry(at, seat, command), command)

    monkeypatch.setattr(Match, "receive", receive)
    assert "had two effects" in finding()


def test_a_history_that_is_too_short_does_not_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(History):
        def __init__(self) -> None:
            super().__init__(size=10)

        def since(self, seen: int) -> Sequence[Event] | None:
            return [event for event in self._events if event.seq > seen]

    monkeypatch.setattr("acerace_server.core.voice.History", Forgetful)
    assert "came next" in finding()


def test_a_history_that_has_lost_its_newest_event(monkeypatch: pytest.MonkeyPatch) -> None:
    since = History.since

    def late(self: History, seen: int) -> Sequence[Event] | None:
        missed = since(self, seen)
        return missed[:-1] if missed and len(missed) > 3 else missed

    monkeypatch.setattr(History, "since", late)
    assert finding()


def test_a_match_does_not_end_when_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def go_on(self: DuelMatch, mover: int, at: int) -> None:
        pass

    monkeypatch.setattr(DuelMatch, "_end_if_over", go_on)
    assert "it goes on" in finding()


def test_a_match_ends_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    end = DuelMatch.end

    def twice(self: DuelMatch, at: int, *args: object, **fields: object) -> None:
        end(self, at, *args, **fields)  # type: ignore[arg-type]
        end(self, at, "agreed")

    monkeypatch.setattr(DuelMatch, "end", twice)
    assert "something after the end" in finding()


def test_the_wrong_seat_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    winner = DuelMatch._leader  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    def wrong(self: DuelMatch) -> int | None:
        right = winner(self)
        return None if right is None else 1 - right

    monkeypatch.setattr(DuelMatch, "_leader", wrong)
    assert "wrong winner" in finding()


def test_a_card_changes_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    take_note = DuelMatch._take_note  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    def sleight(self: DuelMatch, played: Played, at: int) -> None:
        take_note(self, played, at)
        seat = self.dealt.seats[1 - played.seat]
        if self.seq == 20 and seat.stock:
            seat.stock.append(seat.stock[0])

    monkeypatch.setattr(DuelMatch, "_take_note", sleight)
    assert "lost or won cards" in finding()


def test_who_comes_back_is_told_so_before_what_it_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault the core once had: a gap in the numbers for whoever resumed a seat that was away."""

    def follow(self: Registry, hosted: Hosted, connection: int, seat: int | None, at: int) -> None:
        hosted.follow(connection, seat)
        if seat is not None:
            hosted.match.presence(seat, away=False, at=at)
        self._flush(hosted, at)  # pyright: ignore[reportPrivateUsage]

    monkeypatch.setattr(Registry, "follow", follow)
    assert "came next" in finding()


def test_a_timer_rings_before_what_came_in_time_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another: a move that arrived a moment before the deadline was refused (N25)."""

    def tick(self: Hub, at: int) -> None:
        self.registry.tick(at)
        self._office.sessions.forget_absent(at)  # pyright: ignore[reportPrivateUsage]

    monkeypatch.setattr(Hub, "tick", tick)
    assert "N25" in finding()
