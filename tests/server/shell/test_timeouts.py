"""Connections that take their time."""

import asyncio
import socket

from acerace_protocol.codec import JSON
from acerace_protocol.limits import CloseCode
from acerace_protocol.messages import Hello
from acerace_server.shell.bounds import Bounds
from tests.server.shell.fakes import FakeHub
from tests.server.shell.support import Start, client, frame, handshake, parse_frames, raw, until

QUICK = Bounds(hello_timeout_ms=150, linger_ms=200, probe_interval_ms=10)
QUICK_WHEN_IDLE = Bounds(idle_timeout_ms=400, linger_ms=200, probe_interval_ms=10)
PING, PONG, CLOSE = 9, 10, 8


async def test_no_request_in_time(start: Start) -> None:
    async with raw(await start(None, QUICK)) as silent:
        assert (await silent.rest()).startswith(b"HTTP/1.1 408 ")


async def test_a_request_that_trickles_in_is_not_waited_for(start: Start) -> None:
    async with raw(await start(None, QUICK)) as slow:
        answer = asyncio.ensure_future(slow.head())
        for byte in handshake(JSON.subprotocol):
            if answer.done():
                break
            slow.write(bytes([byte]))
            await asyncio.sleep(0.01)
        assert (await answer).startswith(b"HTTP/1.1 408 ")


async def test_no_hello_in_time(start: Start) -> None:
    hub = FakeHub()
    async with client(await start(hub, QUICK), greet=False) as shy:
        assert await shy.closed() == CloseCode.HELLO_TIMEOUT
        await until(lambda: hub.left == [1])


async def test_pings_are_no_hello(start: Start) -> None:
    async with client(await start(None, QUICK), greet=False) as shy:
        assert await shy.echoes()  # the fake hub answers; a real one has it say hello first
        assert await shy.closed() == CloseCode.HELLO_TIMEOUT


async def test_an_idle_client_that_answers_pings_stays(start: Start) -> None:
    async with client(await start(None, QUICK_WHEN_IDLE)) as idle:
        await asyncio.sleep(1)
        assert await idle.echoes()


async def test_a_client_that_is_silent_is_pinged_and_then_dropped(start: Start) -> None:
    hub = FakeHub()
    async with raw(await start(hub, QUICK_WHEN_IDLE)) as dead:
        await dead.upgrade()
        dead.write(frame(1, JSON.encode(Hello())))
        frames = parse_frames(await dead.rest())
        assert [opcode for opcode, _ in frames] == [1, PING, CLOSE]
        assert hub.left == [1]


async def test_any_bytes_at_all_keep_a_connection_alive(start: Start) -> None:
    async with raw(await start(None, QUICK_WHEN_IDLE)) as slow:
        await slow.upgrade()
        slow.write(frame(1, JSON.encode(Hello())))
        for byte in frame(1, b'{"type":"ping","nonce":1}'):
            slow.write(bytes([byte]))
            await asyncio.sleep(0.03)
        assert any(b"pong" in payload for _, payload in await slow.frames(2))


async def test_one_that_does_not_answer_a_close_frame_is_cut_off(start: Start) -> None:
    running = await start(None, QUICK)
    async with raw(running) as rude:
        await rude.upgrade()
        async with asyncio.timeout(2):
            assert await rude.close_code() == CloseCode.HELLO_TIMEOUT
        await until(lambda: not running.gateway.health()["sockets"])


async def test_one_that_never_stops_sending_after_a_failure_is_cut_off(start: Start) -> None:
    running = await start(None, QUICK)
    async with raw(running) as rude:
        await rude.upgrade()
        rude.write(frame(15, b""))
        async with asyncio.timeout(2):
            while running.gateway.health()["sockets"]:
                rude.write(b"x" * 1000)
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
