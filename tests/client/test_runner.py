"""Bots on connections: what they do between the moves, and with breaks in between."""

import asyncio
import random

import pytest
from msgspec.structs import replace

from acerace_client import runner
from acerace_client.bots.position import Position
from acerace_client.bots.registry import make_bot
from acerace_client.connection import Connection
from acerace_client.errors import ProblemError
from acerace_client.follow import watch
from acerace_client.pacing import Retry
from acerace_client.runner import Player, play_one
from acerace_client.seating import take_seat
from acerace_protocol.limits import Fault
from acerace_protocol.messages import (
    Claim,
    ClientMessage,
    Done,
    Ended,
    Hello,
    Play,
    Problem,
    Refused,
    Resign,
    Resume,
    Seated,
    Seek,
    ServerMessage,
    Snapshot,
    Solo,
    Watch,
)
from acerace_rules.moves import Kind, Move, Reason
from tests.client.fake_server import FakeServer, running
from tests.client.referee import Referee

PATIENCE_S = 60
QUICK = Retry(attempts=8, first_s=0.001, most_s=0.01)


class SoloServer(FakeServer):
    """Also knows how to end."""

    def carry_out(self, message: ClientMessage) -> list[ServerMessage]:
        if isinstance(message, Resign):
            return [self.referee.ended or self.referee.end("resigned", message.nonce)]
        return super().carry_out(message)


async def test_alone_a_bot_plays_and_gives_up_when_it_sees_nothing() -> None:
    async with running(SoloServer()) as fake, Connection(fake.url) as connection:
        result = await play_one(connection, make_bot("greedy"), Solo())
        assert result.ended.reason == "resigned"
        assert result.seat == 0
        assert result.mirror.view is not None
        assert result.ended.moves[0] > 24


@pytest.mark.parametrize("seed", range(3))
async def test_breaks_change_nothing_in_what_a_bot_plays(seed: int) -> None:
    chances = random.Random(seed)

    def perhaps(message: ClientMessage) -> bool:
        return isinstance(message, Play | Resume | Hello) and chances.random() < 0.08

    results: list[Ended] = []
    for fake in (SoloServer(), SoloServer(drop_after=perhaps)):
        async with running(fake), Connection(fake.url, retry=QUICK) as connection:
            result = await play_one(connection, make_bot("patient"), Solo())
            results.append(replace(result.ended, nonce=None))
            assert (connection.reconnects > 0) == (fake.drop_after is perhaps)
    assert results[0] == results[1]


class Stubborn:
    """Wants what is illegal, again and again."""

    asked = 0

    def choose(self, view: Position) -> Move | None:
        self.asked += 1
        return Move(Kind.RECYCLE)


async def test_a_move_that_was_refused_is_not_sent_twice() -> None:
    async with running(SoloServer()) as fake, Connection(fake.url) as connection:
        await play_one(connection, Stubborn(), Solo())
        assert sum(isinstance(message, Play) for message in fake.got) == 1


async def test_too_fast_is_tried_again() -> None:
    class Busy(SoloServer):
        refused = False

        def carry_out(self, message: ClientMessage) -> list[ServerMessage]:
            if isinstance(message, Play) and not self.refused:
                self.refused = True
                return [Problem(code=Fault.TOO_FAST, nonce=message.nonce)]
            return super().carry_out(message)

    async with running(Busy()) as fake, Connection(fake.url) as connection:
        result = await play_one(connection, make_bot("greedy"), Solo())
        assert result.ended.moves[0] > 0


async def test_the_pace_is_kept() -> None:
    class TwoDraws:
        def choose(self, view: Position) -> Move | None:
            return Move(Kind.DRAW) if view.me.moves < 3 else None

    async with running(SoloServer()) as fake, Connection(fake.url) as connection:
        loop_time = asyncio.get_running_loop().time
        begun = loop_time()
        await play_one(connection, TwoDraws(), Solo(), pace_ms=60)
        assert loop_time() - begun >= 0.12


async def test_a_start_that_is_not_possible_is_an_error() -> None:
    async with running(SoloServer()) as fake, Connection(fake.url) as connection:
        with pytest.raises(ProblemError, match="no_such_seek"):
            await take_seat(connection, Seek())


async def test_what_is_missing_is_asked_for() -> None:
    async with running(FakeServer()) as fake, Connection(fake.url) as connection:
        snapshot, seat = await take_seat(connection, Solo())
        player = Player(connection, snapshot, seat, make_bot("greedy"))
        follower = player.follower
        first = fake.referee.play(0, Move(Kind.DRAW))
        second = fake.referee.play(0, Move(Kind.DRAW))
        assert not await follower.take(second)
        assert await follower.take(await connection.receive(PATIENCE_S))
        assert await follower.take(await connection.receive(PATIENCE_S))
        assert follower.resyncs == 1
        assert not await follower.take(first)
        # a copy that has drifted begins again from a snapshot
        assert follower.mirror.view is not None
        follower.mirror.view.seats[0].stock.pop()
        assert not await follower.take(fake.referee.play(0, Move(Kind.DRAW)))
        assert not await follower.take(fake.referee.play(0, Move(Kind.DRAW)))
        assert await follower.take(await connection.receive(PATIENCE_S))
        assert follower.mirror.seq == 4
        with pytest.raises(LookupError):
            follower.deal_fault()


async def test_a_spectator_follows_to_the_end() -> None:
    fake = SoloServer(Referee("klondike", {}))
    async with running(fake), Connection(fake.url) as connection:
        seen: list[int] = []
        async for mirror, _ in watch(connection, "t1"):
            seen.append(mirror.seq)
            if mirror.seq == 0:
                fake.referee.play(0, Move(Kind.DRAW))
                fake.referee.end()
                await connection.send(Resume(table="t1", seen=0))
        assert seen == [0, 1, 2]


class Forgetful(SoloServer):
    """Has put a table of before away, as a server does when it starts again."""

    def carry_out(self, message: ClientMessage) -> list[ServerMessage]:
        if isinstance(message, Watch) and message.table == "t0":
            return [replace(self.referee.snapshot(), table="t0")]
        if isinstance(message, Resume) and message.table == "t0":
            return [Problem(code=Fault.NO_SUCH_TABLE, table="t0")]
        return super().carry_out(message)


async def test_that_another_table_is_gone_is_nothing_to_a_player_and_is_found_out_once() -> None:
    async with running(Forgetful()) as fake, Connection(fake.url, retry=QUICK) as connection:
        await connection.send(Watch(table="t0"))
        await connection.expect(Snapshot)
        snapshot, seat = await take_seat(connection, Solo())
        player = Player(connection, snapshot, seat, make_bot("greedy"))
        await fake.drop_all()
        with pytest.raises(ProblemError):
            await connection.expect(Snapshot, PATIENCE_S)
        await fake.drop_all()
        await player.play()
        assert player.follower.mirror.ended
        assert [message.table for message in fake.got if isinstance(message, Resume)] == ["t0", "t1", "t1"]


async def test_that_the_table_one_plays_at_is_gone_is_an_error() -> None:
    async with running(FakeServer()) as fake, Connection(fake.url) as connection:
        snapshot, seat = await take_seat(connection, Solo())
        player = Player(connection, snapshot, seat, make_bot("greedy"))
        with pytest.raises(ProblemError):
            await player.follower.take(Problem(code=Fault.NO_SUCH_TABLE, table="t1"))


async def test_a_silent_table_is_asked_for_what_was_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mute(SoloServer):
        """Carries the first move out and says nothing."""

        def carry_out(self, message: ClientMessage) -> list[ServerMessage]:
            answers = super().carry_out(message)
            return [] if isinstance(message, Play) and self.referee.seq == 1 else answers

    monkeypatch.setattr(runner, "SILENCE_S", 0.1)
    async with running(Mute()) as fake, Connection(fake.url) as connection:
        result = await play_one(connection, make_bot("greedy"), Solo())
        assert result.ended.moves[0] > 1
        assert Resume(table="t1", seen=0) in fake.got


class BackInTime(FakeServer):
    """A match whose other player has been away too long, and is back before the claim to the win arrives."""

    def __init__(self) -> None:
        super().__init__(Referee("double-klondike", {}))

    def carry_out(self, message: ClientMessage) -> list[ServerMessage]:
        match message:
            case Seek():
                snapshot = replace(self.referee.snapshot(), away=(False, True), claim_in_ms=0)
                return [Seated(table="t1", seat=0), snapshot]
            case Claim():
                back = self.referee.comes(1)
                return [back, Refused(table="t1", nonce=message.nonce, reason=Reason.NOT_ABSENT)]
            case Done():
                return [self.referee.say_done(0, message.nonce), self.referee.end()]
            case _:
                return super().carry_out(message)


async def test_a_claim_is_made_as_soon_as_it_may_be_and_when_it_is_refused_the_bot_plays_on() -> None:
    class OneDraw:
        def choose(self, view: Position) -> Move | None:
            return Move(Kind.DRAW) if view.me.moves == 0 else None

    async with running(BackInTime()) as fake, Connection(fake.url) as connection, asyncio.timeout(PATIENCE_S):
        result = await play_one(connection, OneDraw(), Seek())
        played = [type(message) for message in fake.got if isinstance(message, Claim | Play | Done)]
        assert played == [Claim, Play, Done]
        assert result.ended.moves[0] == 1
