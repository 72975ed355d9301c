"""Matches between two bots on one server: a connection for each of them, and one for a spectator."""

import asyncio
import hashlib
import secrets
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass

from acerace_client.bots.registry import make_bot
from acerace_client.commands.telling import picture
from acerace_client.connection import Connection
from acerace_client.errors import ClientError, first_error
from acerace_client.follow import watch
from acerace_client.mirror import Mirror
from acerace_client.runner import Player, Result, finished
from acerace_client.seating import take_seat
from acerace_protocol.messages import Accept, Dealt, Ended, Seek, Snapshot
from acerace_rules.cards import DECK_SIZE, copy_of
from acerace_rules.options import Value
from acerace_rules.table import Table


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played."""

    bots: tuple[str, str]
    games: int
    seed: str | None
    pace_ms: int
    parallel: int
    options: Mapping[str, Value]

    @property
    def labels(self) -> tuple[str, str]:
        """The bots' names, told apart when a bot plays itself."""
        a, b = self.bots
        return (a, b) if a != b else (f"{a} A", f"{b} B")

    def bot_seed(self, game: int, index: int) -> bytes:
        """What one bot adds to the deal of one game, and what its own chances come from."""
        if self.seed is None:
            return secrets.token_bytes(16)
        return hashlib.sha256(f"acerace/duel/{self.seed}/{game}/{index}".encode()).digest()[:16]


@dataclass(frozen=True, slots=True)
class Game:
    """One game that is over; A is index 0, B is 1, whatever their seats were."""

    number: int
    a_seat: int
    ended: Ended
    seen: Mirror
    """The spectator's."""
    begun: str
    """The table after the deal, as a picture."""
    fault: str | None
    """What was not as it must be: the deal, or what the three saw."""

    @property
    def winner(self) -> int | None:
        seat = self.ended.winner
        return None if seat is None else seat ^ self.a_seat

    @property
    def contributions(self) -> tuple[int, int]:
        return self.ended.contributions[self.a_seat], self.ended.contributions[1 - self.a_seat]

    def as_json(self) -> dict[str, object]:
        return {
            "winner": self.winner,
            "contributions": self.contributions,
            "reason": self.ended.reason,
            "moves": (self.ended.moves[self.a_seat], self.ended.moves[1 - self.a_seat]),
            "races": len(self.ended.races),
            "duration_ms": self.ended.duration_ms,
        }


async def play_all(url: str, plan: Plan) -> AsyncGenerator[Game | ClientError]:
    """All games of a plan as they end; an error in the place of a game that could not be finished."""
    # tables are opened in the order of their numbers, so that a seeded server deals each the same cards every time
    turn = asyncio.Lock()
    numbers = iter(range(plan.games))
    over: asyncio.Queue[Game | ClientError] = asyncio.Queue()

    async def worker() -> None:
        while True:
            async with turn:
                number = next(numbers, None)
                if number is None:
                    return
                table = _Table(url, plan, number)
                try:
                    await table.open()
                except ClientError as error:
                    await table.close()
                    await over.put(error)
                    continue
            try:
                await over.put(await table.play())
            except ClientError as error:
                await over.put(error)
            finally:
                await table.close()

    async with asyncio.TaskGroup() as tasks:
        for _ in range(min(plan.parallel, plan.games)):
            tasks.create_task(worker())
        for _ in range(plan.games):
            yield await over.get()


class _Table:
    """The three connections of one game."""

    def __init__(self, url: str, plan: Plan, number: int) -> None:
        self._plan = plan
        self._number = number
        self._a_seat = number % 2
        self._players = [Connection(url, name=label, bot=True, agent="acerace duel") for label in plan.labels]
        self._spectator = Connection(url, agent="acerace duel")
        self._seats: list[tuple[Snapshot, int]] = []
        self._seeds = [plan.bot_seed(number, index) for index in (0, 1)]

    async def open(self) -> None:
        """Connect, and take both seats: who seeks has the first, and A seeks in every other game."""
        for connection in (*self._players, self._spectator):
            await connection.open()
        code: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        seek = Seek(options=dict(self._plan.options), private=True)
        seeker, joiner = self._a_seat, 1 - self._a_seat

        async def join() -> tuple[Snapshot, int]:
            return await take_seat(self._players[joiner], Accept(seek=await code))

        try:
            async with asyncio.TaskGroup() as tasks:
                sought = tasks.create_task(take_seat(self._players[seeker], seek, code.set_result))
                joined = tasks.create_task(join())
        except ExceptionGroup as group:
            raise first_error(group) from None
        self._seats = [sought.result(), joined.result()] if seeker == 0 else [joined.result(), sought.result()]

    async def play(self) -> Game:
        watching = asyncio.create_task(self._watch())
        try:
            async with asyncio.TaskGroup() as tasks:
                playing = [tasks.create_task(self._play(index)) for index in (0, 1)]
            results = [task.result() for task in playing]
            seen, begun = await asyncio.wait_for(watching, 10)
        except ExceptionGroup as group:
            raise first_error(group) from None
        finally:
            watching.cancel()
        return Game(self._number, results[0].seat, results[0].ended, seen, begun, _fault(results, seen))

    async def close(self) -> None:
        for connection in (*self._players, self._spectator):
            await connection.close()

    async def _play(self, index: int) -> Result:
        snapshot, seat = self._seats[index]
        seed = self._seeds[index]
        bot = make_bot(self._plan.bots[index], seed)
        player = Player(self._players[index], snapshot, seat, bot, pace_ms=self._plan.pace_ms)
        await player.play(seed.hex())
        return finished(player, seed.hex())

    async def _watch(self) -> tuple[Mirror, str]:
        table = self._seats[0][0].table
        begun = ""
        async for mirror, news in watch(self._spectator, table):
            if mirror.view and (isinstance(news, Dealt | Snapshot)):
                begun = begun or picture(mirror.view)
            if mirror.ended:
                return mirror, begun
        raise ClientError("the spectator saw no end")


def _fault(results: list[Result], seen: Mirror) -> str | None:
    for result in results:
        if result.deal_fault:
            return f"the deal was not fair: {result.deal_fault}"
        if (result.mirror.view, result.ended) != (seen.view, seen.ended):
            return "a player and the spectator did not see the same end"
    return lost_cards(seen.view) if seen.view else None


def lost_cards(view: Table) -> str | None:
    """What is wrong with the number of each seat's cards on the table; ``None``: all are there."""
    up = Counter(copy_of(card) for pile in view.foundations for card in pile)
    for number, seat in enumerate(view.seats):
        count = len(seat.cards()) + up[number]
        if count != DECK_SIZE:
            return f"seat {number + 1} has {count} cards on the table, not {DECK_SIZE}"
    return None
