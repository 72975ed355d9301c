"""``kill -9`` (N13), again and again, in the middle of running matches: nothing that was told is lost or done twice."""

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Final

import pytest

from acerace_client.bots.registry import make_bot
from acerace_client.errors import ProblemError
from acerace_client.runner import Player, Result, finished
from acerace_client.seating import take_seat
from acerace_protocol.limits import Fault
from acerace_protocol.messages import Accept, Ended, Leave, Played, Seek, Snapshot
from tests.e2e.lives import Auditor, Server, Witness

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither fork nor kill -9")

KILLS: Final = 200
PAIRS: Final = 3
LIFE_EVENTS: Final = 60
"""All that a server tells its players in the longest life; a match takes several lives. Not a time: how much is played
must not depend on how fast the machine is."""
LAST_STEP_S: Final = 0.004
"""Within it a server is killed after the last event it was allowed: at any point of a loop turn."""
START_S: Final = 0.06
EARLY: Final = 0.1
"""Share of servers that are killed while they start, or recover."""
PATIENCE_S: Final = 100


class Pair:
    """Two bots that play one match after the other, whatever becomes of the server."""

    def __init__(self, url: str, number: int, told: asyncio.Event) -> None:
        """``told`` is set whenever one of them is told something."""
        self.one, self.two = (Witness(url, f"{name} {number}", told) for name in ("one", "two"))
        self.results: list[Result] = []
        self.last = False
        """Whether the match they play is their last."""

    async def play(self) -> None:
        while not self.last:
            codes: asyncio.Queue[str] = asyncio.Queue()
            seats = await asyncio.gather(self._seek(codes), self._accept(codes))
            self.results += await asyncio.gather(self._play(self.one, *seats[0]), self._play(self.two, *seats[1]))

    async def _seek(self, codes: asyncio.Queue[str]) -> tuple[Snapshot, int]:
        """A seek dies with the server, and is opened again."""
        return await take_seat(self.one, Seek(private=True), codes.put_nowait)

    async def _accept(self, codes: asyncio.Queue[str]) -> tuple[Snapshot, int]:
        while True:
            try:
                return await take_seat(self.two, Accept(seek=await codes.get()))
            except ProblemError as problem:
                if problem.fault != Fault.NO_SUCH_SEEK:
                    raise

    async def _play(self, witness: Witness, snapshot: Snapshot, seat: int) -> Result:
        player = Player(witness, snapshot, seat, make_bot("greedy" if seat else "patient"))
        await player.play("0a")
        await witness.send(Leave(table=snapshot.table))
        return finished(player, "0a")


async def kill_again_and_again(server: Server, auditor: Auditor, heard: "Heard") -> None:
    """Kill and restart; after each death the journal must have all that anybody has heard by then."""
    random = Random(2026)
    for _ in range(KILLS):
        if random.random() < EARLY:
            await asyncio.sleep(random.uniform(0, START_S))
        else:
            await server.life.listening()
            await heard.more(random.randrange(LIFE_EVENTS))
            await asyncio.sleep(random.uniform(0, LAST_STEP_S))
        server.kill()
        heard.must_be_in(auditor.read())
        server.start()


class Heard:
    """What the clients were told since the last time."""

    def __init__(self, pairs: Sequence[Pair], told: asyncio.Event) -> None:
        self._told = told
        self._witnesses = [witness for pair in pairs for witness in (pair.one, pair.two)]
        self._checked = [0] * len(self._witnesses)

    async def more(self, events: int) -> None:
        """Wait until they were told so much since the last time."""
        enough = sum(self._checked) + events
        async with asyncio.timeout(PATIENCE_S):
            while sum(len(witness.events) for witness in self._witnesses) < enough:
                self._told.clear()
                await self._told.wait()

    def must_be_in(self, auditor: Auditor) -> None:
        for number, witness in enumerate(self._witnesses):
            new = witness.events[self._checked[number] :]
            self._checked[number] += len(new)
            for event in new:
                assert auditor.events[event.table].get(event.seq) == event, f"told, but not kept: {event}"


def last_numbers(witness: Witness) -> dict[str, int]:
    """By table, the last event: without a gap, and none twice but the answer to a command that was sent twice."""
    last: dict[str, int] = {}
    for event in witness.events:
        before = last.get(event.table, event.seq - 1)
        if event.seq > before:
            assert event.seq == before + 1, f"missing before {event}"
            last[event.table] = event.seq
        else:
            assert getattr(event, "nonce", None) is not None, f"twice: {event}"
            assert getattr(event, "seat", None) == witness.seats[event.table], f"twice: {event}"
    return last


async def test_a_server_that_is_killed_200_times_loses_nothing_it_told_and_does_nothing_twice(tmp_path: Path) -> None:
    auditor, told = Auditor(tmp_path), asyncio.Event()
    with Server(tmp_path, "--commands-per-second", "100000") as server:
        await server.life.listening()
        pairs = [Pair(server.url, number, told) for number in range(PAIRS)]
        async with AsyncExitStack() as connected:
            for pair in pairs:
                await connected.enter_async_context(pair.one)
                await connected.enter_async_context(pair.two)
            async with asyncio.TaskGroup() as tasks:
                playing = [tasks.create_task(pair.play()) for pair in pairs]
                await kill_again_and_again(server, auditor, Heard(pairs, told))
                for pair in pairs:
                    pair.last = True
                _, late = await asyncio.wait(playing, timeout=PATIENCE_S)
                assert not late, "a match does not end"
        server.kill()
    whole = Auditor(tmp_path).read()
    assert whole.events == auditor.read().events, "what was in the journal once has changed"
    nothing_was_lost_or_done_twice(pairs, whole)


def nothing_was_lost_or_done_twice(pairs: Sequence[Pair], journal: Auditor) -> None:
    Heard(pairs, asyncio.Event()).must_be_in(journal)
    assert journal.over == journal.events.keys(), "a match has not ended"
    assert max(journal.plays.values()) == 1, "a command was judged twice"
    applied = Counter(
        (event.table, event.seat, event.nonce)
        for events in journal.events.values()
        for event in events.values()
        if isinstance(event, Played)
    )
    assert max(applied.values()) == 1, "a command was applied twice"
    for pair in pairs:
        for witness in (pair.one, pair.two):
            for table, last in last_numbers(witness).items():
                assert isinstance(journal.events[table][last], Ended)
        for one, two in zip(pair.results[::2], pair.results[1::2], strict=True):
            assert one.ended == two.ended == journal.events[one.table][one.ended.seq]
            assert (one.deal_fault, two.deal_fault) == (None, None)
    assert sum(pair.one.reconnects + pair.two.reconnects for pair in pairs) > KILLS / 2, "they hardly noticed"
    assert sum(len(pair.results) for pair in pairs) >= 2 * PAIRS * 3, "they hardly played"
