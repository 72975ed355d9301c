"""Bots on the real server, over real sockets."""

import asyncio
from random import Random

import pytest

from acerace_client.bots.registry import make_bot
from acerace_client.commands.server import throwaway_server
from acerace_client.connection import Connection
from acerace_client.errors import ConnectionLostError
from acerace_client.pacing import Retry
from acerace_client.runner import Result, play_one, run_bot
from acerace_protocol.messages import Accept, Seek, Solo
from tests.client.flaky_proxy import flaky

QUICK = Retry(attempts=40, first_s=0.001, most_s=0.05)
PATIENCE_S = 100
"""A test that fails is better than one that hangs."""
FAST = ["--commands-per-second", "100000"]


async def match(first: Connection, second: Connection, names: tuple[str, str], **options: str | int) -> list[Result]:
    code: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def sought(seek: str) -> None:
        if not code.done():
            code.set_result(seek)

    async def join() -> Result:
        return await play_one(second, make_bot(names[1]), Accept(seek=await code), seed="0b")

    start = Seek(options=dict(options), private=True)
    playing = asyncio.gather(play_one(first, make_bot(names[0]), start, seed="0a", on_seek=sought), join())
    return [*await asyncio.wait_for(playing, PATIENCE_S)]


def agree(results: list[Result]) -> None:
    first, second = results
    assert first.ended == second.ended
    assert first.mirror.view == second.mirror.view
    assert [result.seat for result in results] == [0, 1]
    for result in results:
        assert result.deal_fault is None
        assert result.deal_checked


@pytest.mark.parametrize(
    "options",
    [{}, {"draw": 3}, {"pace": "alternating"}, {"pace": "alternating", "turn": "bicycle", "draw": 3}, {"passes": 1}],
    ids=str,
)
async def test_a_match_is_played_to_its_end_and_its_deal_is_checked(options: dict[str, str | int]) -> None:
    async with (
        throwaway_server([*FAST, "--seed", "tests"]) as url,
        Connection(url, name="one", bot=True) as one,
        Connection(url, name="two", bot=True) as two,
    ):
        agree(await match(one, two, ("patient", "greedy"), **options))


@pytest.mark.parametrize("seed", range(2))
async def test_a_match_on_a_bad_network_ends_as_any_other(seed: int) -> None:
    async with (
        throwaway_server([*FAST, "--seed", "tests"]) as url,
        flaky(url, Random(seed), 3000) as bad,
        Connection(bad, name="one", bot=True, retry=QUICK) as one,
        Connection(bad, name="two", bot=True, retry=QUICK) as two,
    ):
        agree(await match(one, two, ("greedy", "patient")))
        assert one.reconnects + two.reconnects > 1


async def test_public_seeks_find_each_other_and_a_solo_game_is_played_as_well() -> None:
    async def play(url: str, name: str) -> list[Result]:
        return [result async for result in run_bot(url, lambda: make_bot(name), games=2, name=name)]

    async with throwaway_server(FAST) as url:
        first, second = await asyncio.wait_for(asyncio.gather(play(url, "greedy"), play(url, "patient")), PATIENCE_S)
        assert [result.ended for result in first] == [result.ended for result in second]
        [alone] = [result async for result in run_bot(url, lambda: make_bot("patient"), start=Solo(game="yukon"))]
        assert alone.ended.reason in {"resigned", "won"}
        assert alone.mirror.code is not None


async def test_a_server_that_does_not_start_says_why() -> None:
    with pytest.raises(ConnectionLostError, match="did not start"):
        async with throwaway_server(["--no-such-argument"]):
            pass
