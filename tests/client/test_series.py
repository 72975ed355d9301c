"""A bot plays a series to its end, says how it stands, and wants the same again."""

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest
from msgspec.structs import replace

from acerace_client import seating
from acerace_client.__main__ import main
from acerace_client.bots.registry import make_bot
from acerace_client.commands.telling import series_text
from acerace_client.connection import Connection
from acerace_client.errors import ConnectionLostError, NoRematchError
from acerace_client.pacing import Retry
from acerace_client.runner import Result, play_all
from acerace_client.seating import next_of_series, take_seat
from acerace_protocol.limits import Fault
from acerace_protocol.messages import (
    ClientMessage,
    Hello,
    PlayerInfo,
    Problem,
    Seated,
    Seek,
    SeriesInfo,
    ServerMessage,
    Watch,
    Welcome,
)
from acerace_protocol.people import Rematch, SeriesStands
from tests.client.fake_server import TOKEN, FakeServer, running
from tests.client.flaky_proxy import flaky
from tests.client.serving import FAST, serving

QUICK = Retry(attempts=40, first_s=0.001, most_s=0.05)
PATIENCE_S = 100
BEST_OF_3 = ["--series", "best", "--series-games", "3"]
OVER = SeriesInfo("best", 3, 2, wins=(2, 0), totals=(60, 40), over=True, winner=0)
ONE_ALL = SeriesInfo("sum", 3, 2, wins=(1, 1), totals=(60, 40))


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with serving("tests", FAST) as url:
        yield url


async def series(connection: Connection, name: str) -> list[Result]:
    seek = Seek(options={"series": "sum", "series_games": 3})
    return [result async for result in play_all(connection, lambda: make_bot(name), seek, new_seed=lambda: "0a")]


@pytest.mark.parametrize("bad", [False, True], ids=["a good network", "a bad network"])
async def test_a_series_is_played_to_its_end_and_both_know_how_it_stands(url: str, *, bad: bool) -> None:
    async with (
        flaky(url, Random(3), 4000) as worse,
        Connection(worse if bad else url, name="one", bot=True, retry=QUICK) as one,
        Connection(worse if bad else url, name="two", bot=True, retry=QUICK) as two,
    ):
        playing = asyncio.gather(series(one, "greedy"), series(two, "patient"))
        ones, twos = await asyncio.wait_for(playing, PATIENCE_S)
        assert (one.reconnects + two.reconnects > 1) is bad
    assert len(ones) == len(twos) >= 3
    total = [0, 0]
    for number, (mine, theirs) in enumerate(zip(ones, twos, strict=True), 1):
        assert mine.ended == theirs.ended
        assert mine.deal_checked
        assert mine.deal_fault is None
        assert mine.series == theirs.series
        assert mine.series is not None
        assert mine.series.number == number
        for player, result in enumerate((mine, theirs)):
            total[player] += mine.ended.scores[result.seat]
            assert mine.series.totals[result.seat] == total[player]
        assert mine.series.over is (number == len(ones))
    assert len({mine.seat for mine in ones}) == 2


async def test_two_bots_want_rematches_until_their_games_are_played(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--url", url, "--pace", "0", "--rematch", "--games", "2", *BEST_OF_3]
    bots = [asyncio.to_thread(main, ["bot", name, *words]) for name in ("greedy", "patient")]
    assert await asyncio.wait_for(asyncio.gather(*bots), PATIENCE_S) == [0, 0]
    lines = capsys.readouterr().out.splitlines()
    assert sum("the series is won 2:" in line for line in lines) == 2
    assert sum("the series is lost" in line for line in lines) == 2
    assert sum("the series stands 1:0 after match 1 of 3" in line for line in lines) == 2
    assert sum("waiting for an opponent" in line for line in lines) == 1


async def test_who_wants_a_rematch_of_one_who_does_not_stops(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "REMATCH_MS", 500)
    bots = [
        asyncio.to_thread(main, ["bot", "greedy", "--url", url, "--pace", "0", *more]) for more in ([], ["--rematch"])
    ]
    assert await asyncio.wait_for(asyncio.gather(*bots), PATIENCE_S) == [0, 0]
    assert capsys.readouterr().out.splitlines()[-1] == "no rematch: the other player does not want one"


# --- what may be missed ------------------------------------------------------------------------------------


class Ending(FakeServer):
    """The match at t1 is over; what is told of that is up to the test. There may be a seat at t2."""

    follows: tuple[ServerMessage, ...] = ()
    """Told when t1 is watched."""

    def carry_out(self, message: ClientMessage) -> list[ServerMessage]:
        match message:
            case Hello() if self.hellos:  # after a break
                return [Welcome(player="p", name="P", token=TOKEN, server="fake", limits={}, tables=("t1", "t2"))]
            case Watch(table="t1"):
                return [*self.follows]
            case Watch(table="t2"):
                return [replace(self.referee.snapshot(), table="t2", players=(PlayerInfo(player="p", name="P"),))]
            case Rematch():
                return [Problem(code=Fault.NOT_ALLOWED, detail="too late", nonce=message.nonce)]
            case _:
                return super().carry_out(message)


@pytest.fixture(autouse=True)
def prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "_PROMPT_S", 0.05)
    monkeypatch.setattr(seating, "_ASKS_MAX", 1000)  # as slow as the machine may be, the answer comes before


async def test_a_standing_that_was_missed_is_asked_for() -> None:
    fake = Ending()
    async with running(fake), Connection(fake.url) as connection:
        fake.follows = (SeriesStands(table="t1", series=OVER),)
        assert await next_of_series(connection, "t1", {"t1"}) == (OVER, None)


async def test_a_seat_that_was_missed_is_asked_for() -> None:
    fake = Ending()
    async with running(fake), Connection(fake.url) as connection:
        fake.follows = (SeriesStands(table="t1", series=ONE_ALL), Seated(table="t2", seat=0))
        stands, seat = await next_of_series(connection, "t1", {"t1"})
        assert stands == ONE_ALL
        assert seat is not None
        assert (seat[0].table, seat[1]) == ("t2", 0)


async def test_a_break_between_two_matches_is_no_end_of_the_series() -> None:
    fake = Ending()
    async with running(fake), Connection(fake.url, retry=QUICK) as connection:
        fake.follows = (SeriesStands(table="t1", series=ONE_ALL),)
        await fake.drop_all()
        stands, seat = await next_of_series(connection, "t1", {"t1"})
        assert stands == ONE_ALL
        assert seat is not None


@pytest.mark.parametrize("goes_on", [False, True])
async def test_after_a_restart_that_has_put_the_table_away_the_next_match_is_found_if_there_is_one(
    *, goes_on: bool
) -> None:
    fake = Ending()
    async with running(fake), Connection(fake.url) as connection:
        gone = Problem(code=Fault.NO_SUCH_TABLE, table="t1")
        fake.follows = (Seated(table="t2", seat=0), gone) if goes_on else (gone,)
        stands, seat = await next_of_series(connection, "t1", {"t1"})
        assert stands is None
        assert (seat is not None) is goes_on


async def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "_ASKS_MAX", 3)
    fake = Ending()
    async with running(fake), Connection(fake.url) as connection:
        with pytest.raises(ConnectionLostError, match="how the series of t1 goes on"):
            await next_of_series(connection, "t1", {"t1"})


async def test_a_rematch_that_is_refused_is_none() -> None:
    fake = Ending()
    async with running(fake), Connection(fake.url) as connection:
        with pytest.raises(NoRematchError, match="too late"):
            await take_seat(connection, Rematch(table="t1", nonce=1))


@pytest.mark.parametrize(
    ("series", "said"),
    [
        (ONE_ALL, "the series stands 40:60 after match 2 of 3"),
        (OVER, "the series is lost 0:2"),
        (replace(OVER, winner=None), "the series is given up 0:2"),
    ],
)
def test_how_a_series_stands_is_told_from_ones_own_side(series: SeriesInfo, said: str) -> None:
    assert series_text(series, 1) == said
