"""Connections that take their time."""

import asyncio
import socket
from typing import ClassVar

import pytest

from acerace_protocol.codec import JSON
from acerace_protocol.limits import CloseCode
from acerace_protocol.messages import Hello
from acerace_server.shell import gateway
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.peer import Peer
from tests.server.shell.fakes import FakeHub
from tests.server.shell.support import (
    PATIENCE_S,
    Running,
    Start,
    client,
    frame,
    handshake,
    parse_frames,
    raw,
    until,
)

QUICK = Bounds(hello_timeout_ms=150, linger_ms=200, probe_interval_ms=10)
QUICK_WHEN_IDLE = Bounds(idle_timeout_ms=400, linger_ms=200, probe_interval_ms=10)
PING, PONG, CLOSE = 9, 10, 8


class CountedPeer(Peer):
    """Counts what the server has read."""

    reads: ClassVar[list[int]] = []

    def buffer_updated(self, nbytes: int) -> None:
        super().buffer_updated(nbytes)
        self.reads.append(nbytes)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of what the server has read."""
    monkeypatch.setattr(gateway, "Peer", CountedPeer)
    CountedPeer.reads.clear()
    return CountedPeer.reads


async def accepted(running: Running) -> None:
    """Wait until the server knows of its first connection."""
    await until(lambda: running.gateway.health()["sockets"] == 1)


async def test_no_request_in_time(start: Start) -> None:
    running = await start(None, QUICK)
    async with raw(running) as silent:
        await accepted(running)
        running.clock.skip(QUICK.hello_timeout_ms)
        assert (await silent.rest()).startswith(b"HTTP/1.1 408 ")


async def test_a_request_that_trickles_in_is_not_waited_for(start: Start) -> None:
    running = await start(None, QUICK)
    async with raw(running) as slow:
        answer = asyncio.ensure_future(slow.head())
        for byte in handshake(JSON.subprotocol):
            if answer.done():
                break
            slow.write(bytes([byte]))
            running.clock.skip(10)
            await asyncio.sleep(0.01)
        assert (await answer).startswith(b"HTTP/1.1 408 ")


async def test_no_hello_in_time(start: Start) -> None:
    hub = FakeHub()
    running = await start(hub, QUICK)
    async with client(running, greet=False) as shy:
        running.clock.skip(QUICK.hello_timeout_ms)
        assert await shy.closed() == CloseCode.HELLO_TIMEOUT
        await until(lambda: hub.left == [1])


async def test_pings_are_no_hello(start: Start) -> None:
    running = await start(None, QUICK)
    async with client(running, greet=False) as shy:
        assert await shy.echoes()  # the fake hub answers; a real one has it say hello first
        running.clock.skip(QUICK.hello_timeout_ms)
        assert await shy.closed() == CloseCode.HELLO_TIMEOUT


async def test_an_idle_client_that_answers_pings_stays(start: Start, reads: list[int]) -> None:
    running = await start(None, QUICK_WHEN_IDLE)
    async with client(running) as idle:
        for _ in range(5):
            reads.clear()
            running.clock.skip(QUICK_WHEN_IDLE.idle_timeout_ms // 2)
            await until(lambda: bool(reads))
        assert await idle.echoes()


async def test_a_client_that_is_silent_is_pinged_and_then_dropped(start: Start) -> None:
    hub = FakeHub()
    running = await start(hub, QUICK_WHEN_IDLE)
    async with raw(running) as dead:
        await dead.upgrade()
        dead.write(frame(1, JSON.encode(Hello())))
        opcodes = [opcode for opcode, _ in await dead.frames(1)]
        running.clock.skip(QUICK_WHEN_IDLE.idle_timeout_ms // 2)
        opcodes += [opcode for opcode, _ in await dead.frames(1)]
        running.clock.skip(QUICK_WHEN_IDLE.idle_timeout_ms // 2)
        opcodes += [opcode for opcode, _ in parse_frames(await dead.rest())]
        assert opcodes == [1, PING, CLOSE]
        assert hub.left == [1]


async def test_any_bytes_at_all_keep_a_connection_alive(start: Start, reads: list[int]) -> None:
    running = await start(None, QUICK_WHEN_IDLE)
    async with raw(running) as slow:
        await slow.upgrade()
        slow.write(frame(1, JSON.encode(Hello())))
        assert [opcode for opcode, _ in await slow.frames(1)] == [1]
        for byte in frame(1, b'{"type":"ping","nonce":1}'):
            running.clock.skip(QUICK_WHEN_IDLE.idle_timeout_ms // 2 - 1)
            reads.clear()
            slow.write(bytes([byte]))
            await until(lambda: bool(reads))
        assert any(b"pong" in payload for _, payload in await slow.frames(1))


async def test_one_that_does_not_answer_a_close_frame_is_cut_off(start: Start) -> None:
    running = await start(None, QUICK)
    async with raw(running) as rude:
        await rude.upgrade()
        running.clock.skip(QUICK.hello_timeout_ms)
        [(opcode, payload)] = await rude.frames(1)
        assert (opcode, int.from_bytes(payload[:2])) == (CLOSE, CloseCode.HELLO_TIMEOUT)
        assert running.gateway.health()["sockets"] == 1
        running.clock.skip(QUICK.linger_ms)
        await until(lambda: not running.gateway.health()["sockets"])


async def test_one_that_never_stops_sending_after_a_failure_is_cut_off(start: Start) -> None:
    running = await start(None, QUICK)
    async with raw(running) as rude:
        await rude.upgrade()
        rude.write(frame(15, b""))
        async with asyncio.timeout(PATIENCE_S):
            while running.gateway.health()["sockets"]:
                rude.write(b"x" * 1000)
                running.clock.skip(10)
                await asyncio.sleep(0.01)


async def test_a_connection_that_is_reset_is_left(start: Start) -> None:
    hub = FakeHub()
    async with client(await start(hub)) as one:
        plain: socket.socket = one.websocket.transport.get_extra_info("socket")
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        one.websocket.transport.abort()
        await until(lambda: hub.left == [1])


async def test_a_connection_that_ends_without_a_close_frame_is_left(start: Start) -> None:
    hub = FakeHub()
    async with raw(await start(hub)) as one:
        await one.upgrade()
        one.writer.write_eof()
        await one.rest()
        await until(lambda: hub.left == [1])


async def test_a_closed_connection_is_left_at_once(start: Start) -> None:
    hub = FakeHub()
    async with raw(await start(hub)) as one:
        await one.upgrade()
        one.write(frame(CLOSE, b"\x03\xe8bye"))
        await until(lambda: hub.left == [1])  # though this side has not closed the TCP connection yet
        assert parse_frames(await one.rest()) == [(CLOSE, b"\x03\xe8bye")]
