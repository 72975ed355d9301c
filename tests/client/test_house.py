"""The house bots: on a real server, quicker than people are."""

import asyncio
import json
import stat
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from acerace_client import house
from acerace_client.bots.arena import play_game
from acerace_client.bots.registry import make_bot
from acerace_client.bots.simple import GreedyBot
from acerace_client.connection import Connection
from acerace_client.errors import ProblemError
from acerace_client.house import CONNECTIONS_PER_LEVEL, LEVELS, House, HumanPlayer, Level, Tokens, WhimsicalBot, main
from acerace_client.runner import SILENCE_S, Player
from acerace_client.tables import TableLine
from acerace_protocol.limits import TABLES_PER_PLAYER, Fault
from acerace_protocol.messages import ClientMessage, Ended, Play, Played, Ready, Resign, Seek, ServerMessage, Snapshot
from acerace_protocol.people import HOUSE_LEVELS, Challenge, Levels, ListLevels, Rematch, SeriesStands
from acerace_rules.moves import Move
from acerace_rules.options import Value
from acerace_server.adapters.memory import MemoryJournal, SeededEntropy
from acerace_server.adapters.system import SystemClock
from acerace_server.core.hub import Hub
from acerace_server.shell.gateway import About, Gateway
from tests.client.referee import Referee

SECRET = "5a1f0c77d2e94b3896d0a4c8e1b25f73"
PATIENCE_S = 100


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = {name: replace(level, pace_s=0.01, reaction_s=0.001) for name, level in LEVELS.items()}
    monkeypatch.setattr(house, "LEVELS", quick)
    monkeypatch.setattr("acerace_server.core.desks.house._WAIT_NS", 1_000_000)


@asynccontextmanager
async def serving() -> AsyncGenerator[str]:
    """A server that knows the secret of its house; the address."""
    clock = SystemClock()
    hub = Hub(entropy=SeededEntropy(b"the house").token_bytes, server="test", today=clock.utc_date, house_secret=SECRET)
    gateway = Gateway(hub, clock=clock, journal=MemoryJournal(), about=About("0.0"))
    host, port = await gateway.listen("127.0.0.1", 0)
    try:
        yield f"ws://{host}:{port}/ws"
    finally:
        await gateway.close(timeout_s=0.2)


@asynccontextmanager
async def open_house(url: str, tokens: Path | None = None) -> AsyncGenerator[House]:
    bots = House(url, SECRET, Tokens(tokens))
    running = asyncio.create_task(bots.run())
    try:
        async with asyncio.timeout(PATIENCE_S), Connection(url, name="looks on") as connection:
            while True:
                await connection.send(ListLevels())
                if (await connection.expect(Levels)).levels == HOUSE_LEVELS:
                    break
            yield bots
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def play(connection: Connection, snapshot: Snapshot) -> Ended:
    player = Player(connection, snapshot, connection.seats[snapshot.table], GreedyBot(), pace_ms=10)
    await player.play()
    ended = player.follower.mirror.ended
    assert ended
    return ended


async def test_a_seek_that_nobody_takes_is_played_to_its_end_and_again() -> None:
    async with serving() as url, open_house(url), Connection(url, name="Ada") as ada:
        await ada.send(Seek())
        first = await ada.expect(Snapshot)
        assert first.players[1].bot
        assert first.players[1].name == "House medium"
        ended = await play(ada, first)
        assert ended.reason in {"agreed", "out", "blocked"}
        assert min(ended.moves) > 10
        await ada.send(Rematch(table=first.table, nonce=ada.nonce()))
        again = await ada.expect(Snapshot)
        assert [player.name for player in again.players] == ["House medium", "Ada"]


@pytest.mark.parametrize("level", HOUSE_LEVELS)
async def test_every_level_plays_a_series(level: str) -> None:
    async with serving() as url, open_house(url), Connection(url, name="Ada") as ada:
        options: dict[str, Value] = {"series": "sum", "series_games": 2, "pace": "alternating"}
        await ada.send(Challenge(level=level, options=options))
        for number in (1, 2):
            snapshot = await ada.expect(Snapshot)
            assert snapshot.series
            assert snapshot.series.number == number
            await play(ada, snapshot)
            stands = (await ada.expect(SeriesStands)).series
            assert stands.number == number


async def test_many_are_played_at_once_on_as_many_connections_as_it_takes_and_no_more() -> None:
    async with serving() as url, open_house(url):
        full = CONNECTIONS_PER_LEVEL * TABLES_PER_PLAYER
        guests = [Connection(url, name=f"p{number}") for number in range(full // TABLES_PER_PLAYER + 1)]
        try:
            for guest in guests:
                await guest.open()
            for place in range(full):
                guest = guests[place // TABLES_PER_PLAYER]
                await seated_by(guest, "easy")
            await guests[-1].send(Challenge(level="easy"))
            with pytest.raises(ProblemError) as error:
                await guests[-1].expect(Snapshot)
            assert error.value.fault == Fault.TOO_MANY
        finally:
            for guest in guests:
                await guest.close()


async def seated_by(guest: Connection, level: str) -> None:
    """Challenge until there is room: one more connection takes a moment."""
    while True:
        await guest.send(Challenge(level=level))
        with suppress(ProblemError):  # too_many: the only one there can be
            assert (await guest.expect(Snapshot)).players[1].bot
            return
        await asyncio.sleep(0.01)


async def test_a_new_run_plays_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    tokens = tmp_path / "house.json"
    async with serving() as url, Connection(url, name="Ada") as ada:
        async with open_house(url, tokens):
            await ada.send(Challenge(level="hard"))
            snapshot = await ada.expect(Snapshot)
            await ada.send(Ready(table=snapshot.table, nonce=1))
            await until_they_play(ada)
        async with open_house(url, tokens):
            await until_they_play(ada)
            await ada.send(Resign(table=snapshot.table, nonce=2))
            await ada.expect(Ended)
    assert stat.S_IMODE(tokens.stat().st_mode) == 0o600


async def until_they_play(connection: Connection) -> None:
    while (await connection.expect(Played)).seat != 1:
        pass


async def test_the_house_of_another_server_gives_up() -> None:
    async with serving() as url:
        with pytest.raises(ExceptionGroup) as errors:
            await asyncio.wait_for(House(url, "wrong" * 5, Tokens(None)).run(), PATIENCE_S)
        assert errors.group_contains(ProblemError, match="not_allowed", depth=None)


async def test_tokens_that_the_server_does_not_know_are_made_anew(tmp_path: Path) -> None:
    tokens = tmp_path / "house.json"
    tokens.write_text(json.dumps({level: ["0123456789abcdef" * 2] for level in HOUSE_LEVELS}))
    async with serving() as url, open_house(url, tokens):
        assert "0123456789abcdef" not in tokens.read_text()


@pytest.mark.parametrize("text", ["", "nonsense", "[]", '{"easy": 7}', "null"])
def test_a_file_that_is_no_good_is_made_anew(tmp_path: Path, text: str) -> None:
    path = tmp_path / "house.json"
    path.write_text(text)
    tokens = Tokens(path)
    assert [*tokens.of("easy")] == []
    tokens.keep("easy", 0, "secret")
    assert [*Tokens(path).of("easy")] == ["secret"]


def test_the_levels_are_those_of_the_protocol_and_the_stronger_the_quicker() -> None:
    assert tuple(LEVELS) == HOUSE_LEVELS
    paces = [level.pace_s for level in LEVELS.values()]
    assert paces == sorted(paces, reverse=True)


class OneMove:
    """A line to a table that takes one move and hears how long the player then waits."""

    pending = 0

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._answers: list[ServerMessage] = []
        self.waits_s: list[float | None] = []

    def nonce(self) -> int:
        return 1

    async def send(self, message: ClientMessage) -> None:
        if isinstance(message, Play):
            self._answers = [self._referee.play(0, Move.parse(message.move), 1), self._referee.end()]

    async def receive(self, timeout_s: float | None = None) -> ServerMessage:
        self.waits_s.append(timeout_s)
        return self._answers.pop(0)


@pytest.mark.parametrize("awaited", [False, True])
async def test_whoever_sees_nothing_more_is_not_kept_waiting(awaited: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "_JITTER", (1.0, 1.0))
    referee = Referee("double-klondike", {})
    if awaited:
        referee.say_done(1)
    line = OneMove(referee)
    await HumanPlayer(cast("TableLine", line), referee.snapshot(), 0, Level(GreedyBot, 100.0, 0.0)).play()
    pause_s = line.waits_s[1]
    assert pause_s is not None
    assert (pause_s < SILENCE_S) is awaited


def test_the_whimsical_bot_ends_and_is_no_better_than_the_greedy_one() -> None:
    better = 0
    for number in range(40):
        bots = (WhimsicalBot(), make_bot("greedy"))
        outcome = play_game(bots if number % 2 else bots[::-1], number.to_bytes(32, "big"))
        better += outcome.winner == (0 if number % 2 else 1)
    assert better < 28


def test_without_a_secret_there_is_nothing_to_do(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv(house.SECRET, raising=False)
    assert main(["--url", "ws://127.0.0.1:1/ws"]) == 2
    assert house.SECRET in caplog.text


def test_a_server_that_is_not_there_is_one_line_and_1(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(house.SECRET, SECRET)
    assert main(["--url", "ws://127.0.0.1:1/ws"]) == 1
    assert "cannot connect" in caplog.text
    assert SECRET not in caplog.text
