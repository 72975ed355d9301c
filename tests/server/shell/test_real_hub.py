"""The shell with the real hub: two play, one watches, all over real sockets."""

import asyncio
import socket
from typing import ClassVar

import pytest

from acerace_protocol.codec import MSGPACK
from acerace_protocol.messages import (
    Closing,
    Dealt,
    Hello,
    ListGames,
    Play,
    Played,
    Presence,
    Problem,
    Ready,
    Refused,
    Resume,
    Resumed,
    Seated,
    Seek,
    Seeking,
    ServerMessage,
    Snapshot,
    Watch,
    Welcome,
)
from acerace_server.shell import gateway
from acerace_server.shell.peer import Peer
from tests.server.shell.support import Client, Start, client, real_hub


async def wait_for(one: Client, kind: type[ServerMessage]) -> ServerMessage:
    while not isinstance(message := await one.receive(), kind):
        pass
    return message


async def seated(first: Client, second: Client) -> str:
    """Pair two and let them be dealt to; the table's id."""
    await first.send(Seek())
    await wait_for(first, Seeking)
    await second.send(Seek())
    table = await wait_for(second, Seated)
    assert isinstance(table, Seated)
    for player in (first, second):
        await player.send(Ready(table=table.table, nonce=1))
    for player in (first, second):
        await wait_for(player, Dealt)
    return table.table


async def test_a_move_reaches_both_players_and_the_spectator(start: Start) -> None:
    running = await start(real_hub())
    async with client(running) as first, client(running, MSGPACK) as second, client(running) as watcher:
        table = await seated(first, second)
        await watcher.send(Watch(table=table))
        await wait_for(watcher, Snapshot)
        await first.send(Play(table=table, nonce=2, move="d"))
        got = [await wait_for(one, Played) for one in (first, second, watcher)]
        assert got[0] == got[1] == got[2]
        await watcher.send(Play(table=table, nonce=2, move="d"))
        refusal = await wait_for(watcher, Problem)
        assert isinstance(refusal, Problem)
        assert refusal.code == "not_seated"
        await second.send(Play(table=table, nonce=2, move="f:h>c1"))
        assert isinstance(await wait_for(second, Refused), Refused)
    kinds = [type(entry).__name__ for entry in running.journal.entries()]
    assert kinds.count("PlayerMade") == 3
    assert kinds.count("TableOpened") == 1


async def test_one_who_comes_back_gets_what_was_missed(start: Start) -> None:
    running = await start(real_hub())
    async with client(running) as first:
        async with client(running, greet=False) as second:
            await second.send(Hello())
            welcome = await wait_for(second, Welcome)
            assert isinstance(welcome, Welcome)
            table = await seated(first, second)
            second.websocket.transport.abort()
        away = await wait_for(first, Presence)
        assert isinstance(away, Presence)
        await first.send(Play(table=table, nonce=2, move="d"))
        move = await wait_for(first, Played)
        assert isinstance(move, Played)
        async with client(running, greet=False) as back:
            await back.send(Hello(token=welcome.token))
            again = await back.receive()
            assert isinstance(again, Welcome)
            assert again.tables == (table,)
            await back.send(Resume(table=table, seen=away.seq - 1))
            resumed = Resumed(table=table, seq=move.seq + 1, missed=3)  # that one is back is the third
            assert [await back.receive() for _ in range(3)] == [resumed, away, move]


async def test_a_claim_sent_right_before_the_connection_ends_still_counts(start: Start) -> None:
    running = await start(real_hub())
    async with client(running) as first, client(running) as second:
        table = await seated(first, second)
        await second.send(Play(table=table, nonce=9, move="d"))
        await second.websocket.close()
        move = await wait_for(first, Played)
        assert isinstance(move, Played)
        assert move.nonce == 9
        assert isinstance(await first.receive(), Presence)


async def test_hello_comes_first(start: Start) -> None:
    async with client(await start(real_hub()), greet=False) as one:
        await one.send(ListGames())
        problem = await one.receive()
        assert isinstance(problem, Problem)
        assert problem.code == "hello_first"


async def test_players_are_told_that_the_server_stops(start: Start) -> None:
    running = await start(real_hub())
    async with client(running) as first, client(running) as second:
        await seated(first, second)
        await running.gateway.close()
        for one in (first, second):
            assert isinstance(await wait_for(one, Closing), Closing)
            assert await one.closed() == 1001


class SpyingPeer(Peer):
    """Looks at the server's own end of a connection."""

    delays: ClassVar[list[int]] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        plain = transport.get_extra_info("socket")
        self.delays.append(plain.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))


async def test_the_kernel_does_not_wait_for_more_to_send(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "Peer", SpyingPeer)
    async with client(await start(real_hub())):
        assert SpyingPeer.delays.pop()
