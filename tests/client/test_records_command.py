"""``acerace results``, ``statistics``, ``ranking`` and ``day``, against a real server where a few games were played."""

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import msgspec
import pytest

from acerace_client.__main__ import main
from acerace_client.bots.registry import make_bot
from acerace_client.commands.archive import day_text, results_text
from acerace_client.commands.common import TOKEN_VARIABLE
from acerace_client.commands.telling import columns
from acerace_client.connection import Connection
from acerace_client.runner import play_one
from acerace_client.seating import take_seat
from acerace_protocol.limits import RESULTS_PER_PAGE
from acerace_protocol.messages import Accept, Ended, Ready, Resign, Seek, Snapshot, Solo
from acerace_protocol.people import Day, DayResult, Result, Results, ResultSeat
from tests.client.beside import running
from tests.e2e.lives import Life

Out = pytest.CaptureFixture[str]
UNKNOWN = "0" * 20
NOON_US = 1_797_249_600_000_000  # 2026-12-14


@dataclass
class Played:
    """What there is to be told of: Ada won a rated match against Bruno, and played two solo games to no good end."""

    url: str
    tokens: dict[str, str]
    players: dict[str, str]
    table: str
    solo: str
    strict: int


async def give_up(player: Connection, game: str) -> None:
    """A solo game, and not a move in it."""
    await player.send(Solo(game=game))
    table = (await player.expect(Snapshot)).table
    await player.send(Resign(table=table, nonce=player.nonce()))
    await player.expect(Ended)


@asynccontextmanager
async def serving() -> AsyncGenerator[str]:
    """A server with a calendar of its own: at noon, so that no midnight parts a deal of the day from its table."""
    life = Life(
        ["--memory", "--port", "0", "--log-level", "warning", "--no-house-bots", "--seed", "tests"],
        NOON_US - time.time_ns() // 1000,
    )
    try:
        yield await life.listening()
    finally:
        await life.stop()


@asynccontextmanager
async def played() -> AsyncGenerator[Played]:
    async with (
        serving() as url,
        Connection(url, name="Ada") as ada,
        Connection(url, name="Bruno") as bruno,
    ):
        people = {"Ada": ada, "Bruno": bruno}
        code: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def join() -> None:
            await take_seat(bruno, Accept(seek=await code))

        (snapshot, _), _ = await asyncio.gather(take_seat(ada, Seek(rated=True), code.set_result), join())
        table = snapshot.table
        for connection in people.values():
            await connection.send(Ready(table=table, nonce=connection.nonce()))
        await bruno.send(Resign(table=table, nonce=bruno.nonce()))
        for connection in people.values():
            await connection.expect(Ended)
        game = await play_one(ada, make_bot("greedy"), Solo(game="yukon", daily=True))
        await give_up(ada, "klondike-vegas")
        yield Played(
            url,
            {name: one.token or "" for name, one in people.items()},
            {name: one.welcome.player if one.welcome else "" for name, one in people.items()},
            table,
            game.table,
            game.ended.strict[0] if game.ended.strict else 0,
        )


@pytest.fixture(scope="module")
def past() -> Generator[Played]:
    with running(played()) as past:
        yield past


def told(capsys: Out, *words: str) -> str:
    assert main(words) == 0
    shown, complaints = capsys.readouterr()
    assert complaints == ""
    return shown


def as_json(capsys: Out, *words: str) -> dict[str, list[dict[str, object]]]:
    (line,) = told(capsys, *words, "--json").splitlines()
    found: dict[str, list[dict[str, object]]] = json.loads(line)
    return found


# --- results -----------------------------------------------------------------------------------------------


def test_ones_own_results_are_all_games_the_newest_first(past: Played, capsys: Out) -> None:
    lines = told(capsys, "results", "--token", past.tokens["Ada"], "--url", past.url).splitlines()
    assert lines[0] == f"player {past.players['Ada']} (Ada)"
    assert re.fullmatch(r"people-simultaneous: 1\d\d\d ± \d+\?, 1 game", lines[1])
    heads, vegas, solo, match = lines[3:]
    assert heads.split() == [*["finished", "(UTC)", "game", "outcome", "score", "reason", "time", "players", "table"]]
    assert re.search(r"  klondike +not solved +-52 \$ +resigned +0:00 +Ada +\w+$", vegas)
    assert re.search(rf"  yukon +not solved +\d+ +\w+ +\d+:\d\d +Ada +{past.solo}$", solo)
    assert re.search(rf"  double-klondike +won +\d+:\d+ +resigned +\d+:\d\d +Ada - Bruno +{past.table}$", match)


def test_the_results_of_others_are_public_and_each_sees_its_own_outcome(
    past: Played, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    shown = told(capsys, "results", past.players["Bruno"], "--url", past.url)
    assert f"player {past.players['Bruno']} (Bruno)" in shown
    assert re.search(rf"  double-klondike +lost .*{past.table}$", shown, re.MULTILINE)


def test_as_json_they_have_the_fields_of_the_protocol(past: Played, capsys: Out) -> None:
    found = as_json(capsys, "results", past.players["Ada"], "--url", past.url)
    assert set(found) == {"player", "results", "ratings"}
    assert [game["reason"] for game in found["results"]][-1] == "resigned"
    assert found["results"][-1]["table"] == past.table
    assert found["ratings"][0]["pool"] == "people-simultaneous"


def test_only_so_many_games_are_shown_as_were_asked_for(past: Played, capsys: Out) -> None:
    every = as_json(capsys, "results", past.players["Ada"], "--url", past.url)["results"]
    newest = as_json(capsys, "results", past.players["Ada"], "--games", "1", "--url", past.url)["results"]
    assert newest == every[:1]


def test_more_than_a_page_is_asked_for_page_by_page(past: Played, capsys: Out) -> None:
    count = RESULTS_PER_PAGE + 2

    async def leave_many() -> str:
        async with Connection(past.url) as many:
            for _ in range(count):
                await give_up(many, "easy-harp")
            return many.welcome.player if many.welcome else ""

    player = asyncio.run(leave_many())
    found = as_json(capsys, "results", player, "--games", "1000", "--url", past.url)["results"]
    numbers = [game["number"] for game in found]
    assert len(set(map(str, numbers))) == count
    assert as_json(capsys, "results", player, "--games", f"{count - 1}", "--url", past.url)["results"] == found[:-1]


def test_one_without_a_game_has_none_and_one_who_is_nobody_is_1(past: Played, capsys: Out) -> None:
    async def arrive() -> str:
        async with Connection(past.url) as new:
            return new.token or ""

    shown = told(capsys, "results", "--token", asyncio.run(arrive()), "--url", past.url)
    assert shown.splitlines()[1:] == ["no game yet"]
    assert main(["results", UNKNOWN, "--url", past.url]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("acerace results: no_such_player")


# --- statistics --------------------------------------------------------------------------------------------


def test_statistics_are_those_of_the_token(past: Played, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, past.tokens["Ada"])
    heads, vegas, yukon = told(capsys, "statistics", "--url", past.url).splitlines()
    assert heads.startswith("game ")
    assert re.match(r"klondike +1 +0 +0 +0 +- +-52 \$ +- +-52 \$  draw=1 passes=1 scoring=vegas take_back=true ", vegas)
    assert re.match(rf"yukon +1 +0 +0 +0 +- +{past.strict} +- +-  -$", yukon)
    assert as_json(capsys, "statistics", "--url", past.url)["records"][0]["balance"] == -52
    assert told(capsys, "statistics", "--token", past.tokens["Bruno"], "--url", past.url) == "no solo game yet\n"


# --- rankings ----------------------------------------------------------------------------------------------


def test_a_ranking_has_the_best_first_with_the_ids_by_which_to_ask_on(past: Played, capsys: Out) -> None:
    pool, heads, first, second = told(capsys, "ranking", "--url", past.url).splitlines()
    assert (pool, heads.split()) == ("people-simultaneous", ["player", "rating", "games", "id"])
    assert re.fullmatch(rf"1  Ada +\d+ ± \d+\? +1  {past.players['Ada']}", first)
    assert re.fullmatch(rf"2  Bruno +\d+ ± \d+\? +1  {past.players['Bruno']}", second)
    found = as_json(capsys, "ranking", "--url", past.url)
    assert [one["name"] for one in found["players"]] == ["Ada", "Bruno"]


def test_a_pool_where_nobody_is_rated_and_one_that_there_is_not(past: Played, capsys: Out) -> None:
    words = ["ranking", "bots-alternating", "--url", past.url]
    assert told(capsys, *words) == "bots-alternating: nobody is rated yet\n"
    assert main(["ranking", "chess", "--url", past.url]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("acerace ranking: malformed: there is no pool 'chess'; expected one of people-simultaneous")


# --- the deal of the day -----------------------------------------------------------------------------------


def test_the_table_of_todays_deal(past: Played, capsys: Out) -> None:
    heading, heads, best = told(capsys, "day", "yukon", "--url", past.url).splitlines()
    assert re.fullmatch(r"2026-12-14: YU1-[A-Z0-9-]+", heading)
    assert heads.split() == ["player", "score", "solved", "time", "moves", "table", "id"]
    assert re.fullmatch(rf"1  Ada +{past.strict} +no +\d+:\d\d +\d+  {past.solo}  {past.players['Ada']}", best)
    assert as_json(capsys, "day", "yukon", "--url", past.url)["results"][0]["table"] == past.solo


def test_another_day_and_other_options_are_other_deals(past: Played, capsys: Out) -> None:
    days = (["yukon", "--date", "2026-01-31"], ["klondike", "draw=3", "--date", "20260131"], ["klondike-three"])
    codes: set[str] = set()
    for words in days:
        shown = told(capsys, "day", *words, "--url", past.url)
        assert shown.endswith(": nobody has played it yet\n")
        codes.add(shown.split(": ")[1])
    assert len(codes) == len(days)
    assert told(capsys, "day", "--date", "2026-01-31", "--url", past.url).startswith("2026-01-31: KL1-D1")


def test_a_day_that_has_not_come_is_1(past: Played, capsys: Out) -> None:
    assert main(["day", "--date", "9999-12-31", "--url", past.url]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("acerace day: no_such_day")


# --- how it is shown ---------------------------------------------------------------------------------------


def test_columns_are_as_wide_as_they_must_be_and_numbers_keep_to_the_right() -> None:
    assert columns(("who", "score"), [("Ada", "7"), ("Bruno", "12")], {"score"}).splitlines() == [
        "who    score",
        "Ada        7",
        "Bruno     12",
    ]


def test_a_game_that_was_left_one_of_a_newer_server_and_a_draw_are_told_too() -> None:
    ada, bruno = (ResultSeat(player=name, name=name, won=False) for name in ("Ada", "Bruno"))
    left = Result(number=3, table="t3", game="klondike", options={}, finished_us=0, reason="left", seats=(ada,))
    solved = msgspec.structs.replace(ada, score=7, won=True)
    newer = msgspec.structs.replace(left, game="chess", reason="won", seats=(solved,), duration_ms=61_000)
    even = tuple(msgspec.structs.replace(seat, score=20) for seat in (ada, bruno))
    drawn = msgspec.structs.replace(newer, game="double-klondike", reason="blocked", seats=even)
    shown = results_text(Results(player="Ada", results=(left, newer, drawn), ratings=(), nonce=1))
    assert shown.splitlines()[2:] == [
        "finished (UTC)    game             outcome     score  reason   time  players      table",
        "1970-01-01 00:00  klondike         not solved      -  left        -  Ada          t3",
        "1970-01-01 00:00  chess            solved          7  won      1:01  Ada          t3",
        "1970-01-01 00:00  double-klondike  drawn       20:20  blocked  1:01  Ada - Bruno  t3",
    ]


def test_bots_are_marked_where_people_can_be_among_them() -> None:
    best = DayResult(player="p2", name="Robot", table="t1", strict=-3, won=True, duration_ms=9_000, moves=80, bot=True)
    shown = day_text(Day(code="YU1-C-AAAAAAB", date="2026-11-30", results=(best,), nonce=1))
    assert "1  Robot (bot)     -3  yes     0:09     80  t1     p2" in shown
