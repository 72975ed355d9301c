"""``acerace watch``, against a real server: what spectators are shown, and when."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from acerace_client import follow
from acerace_client.__main__ import main
from acerace_client.commands import watch as command
from acerace_client.connection import Connection
from acerace_client.follow import watch
from acerace_client.pacing import Retry
from acerace_client.seating import Seat, take_seat
from acerace_protocol.messages import (
    Accept,
    Done,
    Ended,
    Play,
    Ready,
    Resign,
    Seek,
    ServerMessage,
    Snapshot,
    Watch,
    Watchers,
)
from acerace_protocol.people import NextMatch, Rematch, Say
from tests.client.fake_server import FakeServer, running
from tests.client.serving import serving

PATIENCE_S = 100


@dataclass
class Pair:
    """Two players at one table, moved by the test."""

    url: str
    ada: Connection
    bruno: Connection
    table: str = ""

    async def sit_down(self, **options: str | int) -> None:
        code: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        seek = Seek(options=dict(options), private=False, rated=True)

        async def join() -> Seat:
            return await take_seat(self.bruno, Accept(seek=await code))

        (snapshot, _), _ = await asyncio.gather(take_seat(self.ada, seek, code.set_result), join())
        self.table = snapshot.table
        await self.both(Ready)

    async def watched_by(self, count: int) -> None:
        """Wait until so many look on."""
        while True:
            match await self.ada.receive(PATIENCE_S):
                case Watchers(table=self.table, count=now) if now == count:
                    return
                case _:
                    pass

    async def draw(self) -> None:
        await self.ada.send(Play(table=self.table, nonce=self.ada.nonce(), move="d"))

    async def both(self, kind: type[Ready | Done | Rematch]) -> None:
        for connection in (self.ada, self.bruno):
            await connection.send(kind(table=self.table, nonce=connection.nonce()))

    async def next_table(self) -> None:
        """Be ready there."""
        for connection in (self.ada, self.bruno):
            self.table = (await connection.expect(Snapshot)).table
        await self.both(Ready)

    async def resign(self) -> None:
        await self.bruno.send(Resign(table=self.table, nonce=self.bruno.nonce()))


@pytest.fixture
async def pair() -> AsyncIterator[Pair]:
    async with (
        serving("tests") as url,
        Connection(url, name="Ada") as ada,
        Connection(url, name="Bruno") as bruno,
    ):
        yield Pair(url, ada, bruno)


async def test_the_featured_table_is_followed_with_all_that_is_told_there(
    pair: Pair, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_LOOK_AGAIN_S", 0.05)
    async with asyncio.timeout(PATIENCE_S):
        watching = asyncio.create_task(
            asyncio.to_thread(main, ["watch", "--featured", "--games", "1", "--url", pair.url])
        )
        async with Connection(pair.url, name="Carla") as carla:
            while not capsys.readouterr().out.startswith("nobody plays; waiting"):  # noqa: ASYNC110  # of another thread
                await asyncio.sleep(0.05)
            await pair.sit_down(series="best", series_games=3)
            await pair.watched_by(1)
            await carla.send(Watch(table=pair.table))
            await pair.watched_by(2)
            await pair.draw()
            await pair.bruno.send(Say(table=pair.table, emote="well_played"))
            await pair.ada.close()
            async for _, news in watch(carla, pair.table):
                if "Presence" in type(news).__name__:
                    break
            await pair.resign()
            assert await watching == 0
    shown = capsys.readouterr().out
    assert re.match(r"double-klondike: Ada - Bruno, \d watching\n", shown)
    for line in (
        r"^foundations ",
        r"^ +2 watching$",
        r"^ +\d+  Ada +d +[2-9TJQKA][shdc]",
        r"^ +Bruno +says: Well played!$",
        r"^ +\d+  Ada +is away$",
        r"^Ada wins \d+:\d+ \(resigned\)",
        r"^Ada +is rated 15\d\d now, after 1500$",
        r"^the series after match 1 of 3: Ada 1 : 0 Bruno$",
    ):
        assert re.search(line, shown, re.MULTILINE), (line, shown)


async def test_a_series_is_followed_from_match_to_match(pair: Pair, capsys: pytest.CaptureFixture[str]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await pair.sit_down(series="best", series_games=1)
        first = pair.table
        watching = asyncio.create_task(asyncio.to_thread(main, ["watch", first, "--url", pair.url]))
        await pair.watched_by(1)
        await pair.draw()
        await pair.both(Done)  # a draw, after which the series goes on
        await pair.next_table()
        await pair.watched_by(1)
        await pair.resign()
        assert await watching == 0
    shown = capsys.readouterr().out
    for line in (
        r"^nobody wins 0:0 \(agreed\)",
        r"^the series after match 1 of 1: Ada 0 : 0 Bruno$",
        rf"^the next match is at table {pair.table}$",
        r"^double-klondike: Bruno - Ada, \d watching$",
        r"^Ada wins \d+:\d+ \(resigned\)",
    ):
        assert re.search(line, shown, re.MULTILINE), (line, shown)
    assert first != pair.table


async def test_a_rematch_is_waited_for_if_one_likes(pair: Pair) -> None:
    async with asyncio.timeout(PATIENCE_S), Connection(pair.url) as carla:
        await pair.sit_down()
        first = pair.table
        following = asyncio.create_task(_last_news(carla, first))
        await pair.watched_by(1)
        await pair.resign()
        await pair.ada.expect(Ended)
        await pair.both(Rematch)
        await pair.next_table()
        assert await following == NextMatch(table=first, next=pair.table)


async def _last_news(connection: Connection, table: str) -> ServerMessage:
    return [news async for _, news in watch(connection, table, rematch=True)][-1]


async def test_a_rematch_that_nobody_wants_is_not_waited_for_for_ever(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asyncio.timeout(PATIENCE_S), Connection(pair.url) as carla:
        await pair.sit_down()
        assert carla.welcome
        carla.welcome.limits["rematch_ms"] = 0
        news = watch(carla, pair.table, rematch=True)
        await anext(news)
        monkeypatch.setattr(follow, "OPEN_TIMEOUT_S", 0.1)
        await pair.resign()
        kinds = [type(message) async for _, message in news]
        assert NextMatch not in kinds
        assert Ended in kinds


async def test_with_a_delay_everything_comes_later_the_end_and_the_ratings_too(pair: Pair) -> None:
    now = asyncio.get_running_loop().time
    async with asyncio.timeout(PATIENCE_S), Connection(pair.url) as late:
        await pair.sit_down()
        begun = now()
        seen: list[tuple[str, float]] = []

        async def follow() -> None:
            async for _, news in watch(late, pair.table, delay_s=1):
                seen.append((type(news).__name__, now() - begun))

        following = asyncio.create_task(follow())
        await pair.watched_by(1)
        await pair.resign()
        await following
    kinds = [kind for kind, _ in seen]
    assert kinds[0] == "Snapshot"
    assert kinds[-2:] == ["Ended", "Rated"]
    assert min(at for _, at in seen) >= 1


async def test_tables_are_listed_and_one_that_is_not_among_them_is_1(
    pair: Pair, capsys: pytest.CaptureFixture[str]
) -> None:
    await pair.sit_down()
    assert await asyncio.to_thread(main, ["watch", "--url", pair.url]) == 0
    line = capsys.readouterr().out
    assert re.fullmatch(rf"{pair.table}  double-klondike  Ada - Bruno  0:0  0 watching  rated  featured\n", line)
    assert await asyncio.to_thread(main, ["watch", "nowhere", "--url", pair.url]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("acerace watch: no_such_table")


async def test_a_break_does_not_show_a_late_spectator_what_is_not_to_be_known_yet() -> None:
    fake = FakeServer()
    async with running(fake), Connection(fake.url, retry=Retry(first_s=0.001)) as connection:
        late = Watch(table="t1", delay_s=5)
        await connection.send(late)
        await connection.expect(Snapshot)
        await fake.drop_all()
        await connection.expect(Snapshot)
        assert [message for message in fake.got if getattr(message, "table", None) == "t1"] == [late, late]
