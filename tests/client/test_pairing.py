"""Whatever breaks between a seek and the end of the match it leads to, everybody who seeks is paired and plays."""

import asyncio
import random

import pytest

from acerace_client import dial
from acerace_client import runner as runner_module
from acerace_client.bots.position import Position
from acerace_client.connection import Connection
from acerace_client.pacing import Retry
from acerace_client.runner import Result, play_one
from acerace_protocol.messages import Seek
from acerace_rules.moves import Kind, Move
from tests.client.virtual_net import Net, VirtualLoop, state_of

BOTS, ROUNDS = 24, 4
LONG_S = 3_000
"""Of virtual time, for all rounds: nobody is away for longer than some seconds."""


class Brief:
    """Draws once and sees nothing more, so that a match is soon over by agreement."""

    def choose(self, view: Position) -> Move | None:
        return Move(Kind.DRAW) if view.me.moves == 0 else None


async def rounds(seed: int, breaks: float, monkeypatch: pytest.MonkeyPatch) -> tuple[Net, list[list[Result]]]:
    """All bots seek the same, round after round; what became of each."""
    net = Net(seed, breaks)
    monkeypatch.setattr(dial, "connect", net.connect)
    retry = Retry(attempts=1_000, first_s=0.05, most_s=2.0)
    results: list[list[Result]] = []

    async def one(connection: Connection) -> Result:
        await asyncio.sleep(net.random.choice((0.0, net.random.uniform(0, 3))))
        return await play_one(connection, Brief(), Seek())

    bots = [Connection("ws://net", name=f"bot {number}", bot=True, retry=retry) for number in range(BOTS)]
    net.breaks = 0.0  # a first connection that fails is an error
    for bot in bots:
        await bot.open()
    net.breaks = breaks
    try:
        async with asyncio.timeout(LONG_S):
            for _ in range(ROUNDS):
                results.append(await asyncio.gather(*map(one, bots)))  # noqa: PERF401  # told when it fails
    except TimeoutError:
        pytest.fail(f"seed {seed}, breaks {breaks}: after {len(results)} rounds somebody waits: {state_of(net)}")
    for bot in bots:
        await bot.close()
    return net, results


@pytest.mark.parametrize(("seed", "breaks"), [(0, 0.0), (1, 0.02), *((seed, 0.15) for seed in range(10, 20))])
def test_everybody_who_seeks_is_paired_and_plays(seed: int, breaks: float, monkeypatch: pytest.MonkeyPatch) -> None:
    random.seed(seed)  # the waits between two attempts
    monkeypatch.setattr(runner_module, "SILENCE_S", LONG_S)  # asking again would hide what was lost
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        net, results = runner.run(rounds(seed, breaks, monkeypatch))
    assert (net.broken > 0) == (breaks > 0)
    for result in results:
        tables = [game.table for game in result]
        assert sorted(tables) == sorted(2 * [*set(tables)])
        assert {game.ended.reason for game in result} == {"agreed"}
