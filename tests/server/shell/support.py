"""Clients for tests: real ones, raw ones, and ways to wait."""

import asyncio
import fcntl
import socket
import struct
import sys
import termios
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Protocol, cast

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from acerace_protocol.codec import CODECS, JSON, Codec
from acerace_protocol.messages import ClientMessage, Hello, Ping, Pong, ServerMessage, Welcome
from acerace_protocol.units import MS_NS, US_NS
from acerace_server.adapters.memory import MemoryJournal
from acerace_server.adapters.system import SystemClock
from acerace_server.core.hub import Hub
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.gateway import Gateway
from acerace_server.shell.referee import Referee

PATIENCE_S = 60.0
"""Until what never comes is an error; a machine with much else to do may take its time."""


class HandClock(SystemClock):
    """A clock that goes on when a test says so, and else by a microsecond whenever somebody looks at it.

    So no stamp is given twice, and a machine that is held up runs into no limit of time.
    """

    def __init__(self) -> None:
        self._now = 1_000_000 * MS_NS
        self.monotonic_ns = self._look

    def skip(self, ms: int) -> None:
        self._now += ms * MS_NS

    def _look(self) -> int:
        self._now += US_NS
        return self._now


@dataclass
class Running:
    """A gateway that listens."""

    gateway: Gateway
    journal: MemoryJournal
    host: str
    port: int
    clock: HandClock = field(default_factory=HandClock)
    """What the gateway looks at, unless it was started with another one."""

    @property
    def url(self) -> str:
        return f"ws://{self.host}:{self.port}/ws"


class Start(Protocol):
    """The fixture of that name."""

    def __call__(
        self,
        hub: Referee | None = None,
        bounds: Bounds | None = None,
        origins: tuple[str, ...] = (),
        clock: SystemClock | None = None,
    ) -> Awaitable[Running]: ...


class Client:
    """A real client that speaks messages."""

    def __init__(self, websocket: ClientConnection, codec: Codec) -> None:
        self.websocket = websocket
        self.codec = codec

    async def send(self, message: ClientMessage) -> None:
        data = self.codec.encode(message)
        await self.websocket.send(data if self.codec.binary else data.decode())

    async def receive(self) -> ServerMessage:
        async with asyncio.timeout(PATIENCE_S):
            data = await self.websocket.recv(decode=False)
        return self.codec.decode_server(data)

    async def echoes(self, nonce: int = 7) -> bool:
        """Whether the server still answers this client, and with nothing else before."""
        await self.send(Ping(nonce=nonce))
        return await self.receive() == Pong(nonce=nonce)

    async def is_heard(self) -> None:
        """Wait until the server has heard this client, which says nothing of the game and may go on receiving."""
        async with asyncio.timeout(PATIENCE_S):
            await (await self.websocket.ping())

    async def hears_all(self) -> None:
        """Receive until the connection closes, and forget it."""
        async for _ in self.websocket:
            pass

    async def closed(self) -> int:
        """The close code that the server sent, once it has closed; 1006: none."""
        async with asyncio.timeout(PATIENCE_S):
            await self.websocket.wait_closed()
        return self.websocket.close_code or 1006


@asynccontextmanager
async def client(
    running: Running, codec: Codec = JSON, *, greet: bool = True, close_timeout: float = 1
) -> AsyncGenerator[Client]:
    """A connected client, greeted if not told otherwise."""
    subprotocol = Subprotocol(codec.subprotocol)
    assert codec.subprotocol in CODECS
    async with connect(
        running.url,
        subprotocols=[subprotocol],
        compression=None,
        open_timeout=PATIENCE_S,
        ping_interval=None,
        close_timeout=close_timeout,
        proxy=None,
    ) as websocket:
        speaker = Client(websocket, codec)
        if greet:
            await speaker.send(Hello(name="test"))
            assert isinstance(await speaker.receive(), Welcome)
        yield speaker


class Raw:
    """A TCP connection that sends what no real client would."""

    def __init__(self, plain: socket.socket, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.plain = plain
        self.reader = reader
        self.writer = writer

    def write(self, data: bytes) -> None:
        self.writer.write(data)

    def write_now(self, data: bytes) -> None:
        """Give bytes to the kernel, past the loop."""
        assert self.plain.send(data) == len(data)

    def wait_for_the_kernel(self) -> None:
        """Block until all that was given to it is in the other end's buffer: a busy machine does this when it can."""
        while sys.platform == "linux" and any(fcntl.ioctl(self.plain, termios.TIOCOUTQ, bytes(4))):
            time.sleep(0.001)

    def stop_reading(self) -> None:
        cast("asyncio.Transport", self.writer.transport).pause_reading()

    async def head(self) -> bytes:
        """An HTTP head."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.reader.readuntil(b"\r\n\r\n")

    async def rest(self) -> bytes:
        """Everything until the server closes; also what came before a reset."""
        got = bytearray()
        async with asyncio.timeout(PATIENCE_S):
            with suppress(ConnectionError):
                while data := await self.reader.read(65536):
                    got += data
        return bytes(got)

    async def frames(self, count: int) -> list[tuple[int, bytes]]:
        """The next ``count`` frames, as pairs of opcode and payload; whatever comes right behind them is lost."""
        got = b""
        async with asyncio.timeout(PATIENCE_S):
            while len(frames := parse_frames(got)) < count:
                got += await self.reader.read(65536)
        return frames

    async def upgrade(self, codec: Codec = JSON) -> None:
        """Complete a WebSocket handshake."""
        self.write(handshake(codec.subprotocol))
        assert (await self.head()).startswith(b"HTTP/1.1 101 ")

    async def close_code(self) -> int:
        """The code of the close frame at the end of all that comes.

        1005: the close frame has no code; 0: the server hangs up without one.
        """
        got = b""
        async with asyncio.timeout(PATIENCE_S):
            with suppress(ConnectionError):
                while data := await self.reader.read(65536):
                    got += data
                    opcode, payload = (parse_frames(got) or [(0, b"")])[-1]
                    if opcode == 8:
                        return int.from_bytes(payload[:2], "big") or 1005
        return 0


@asynccontextmanager
async def raw(running: Running, receive_bytes: int | None = None) -> AsyncGenerator[Raw]:
    """A TCP connection; ``receive_bytes`` is how much the kernel takes in for one that does not read."""
    plain = socket.socket()
    plain.setblocking(False)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if receive_bytes:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    await asyncio.get_running_loop().sock_connect(plain, (running.host, running.port))
    reader, writer = await asyncio.open_connection(sock=plain)
    try:
        yield Raw(plain, reader, writer)
    finally:
        writer.transport.abort()  # what it has not sent, nobody may be reading
        with suppress(ConnectionError):
            await writer.wait_closed()


def handshake(subprotocol: str | None, path: str = "/ws", *more: str) -> bytes:
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: localhost",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *([f"Sec-WebSocket-Protocol: {subprotocol}"] if subprotocol else []),
        *more,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def frame(opcode: int, payload: bytes, *, fin: bool = True, masked: bool = True, rsv: int = 0) -> bytes:
    """A frame as a client sends it, or as it must not."""
    first = (0x80 if fin else 0) | rsv << 4 | opcode
    length, mask_bit = len(payload), 0x80 if masked else 0
    if length < 126:
        head = struct.pack("!BB", first, mask_bit | length)
    elif length < 65536:
        head = struct.pack("!BBH", first, mask_bit | 126, length)
    else:
        head = struct.pack("!BBQ", first, mask_bit | 127, length)
    if not masked:
        return head + payload
    mask = b"mask"
    return head + mask + _masked(payload, mask)


def _masked(payload: bytes, mask: bytes) -> bytes:
    """RFC 6455, section 5.3, at once: some payloads are large."""
    size = len(payload)
    key = (mask * (size // len(mask) + 1))[:size]
    return (int.from_bytes(payload) ^ int.from_bytes(key)).to_bytes(size)


def unmasked(sent: bytes) -> bytes:
    """The payload of a short frame as :func:`frame` makes it."""
    if not sent[1] & 0x80:
        return sent[2:]
    start = 4 if sent[1] & 0x7F == 126 else 2
    mask, payload = sent[start : start + 4], sent[start + 4 :]
    return _masked(payload, mask)


def parse_frames(data: bytes) -> list[tuple[int, bytes]]:
    """Pairs of opcode and payload; a frame that is cut off is left out."""
    frames: list[tuple[int, bytes]] = []
    while len(data) >= 2:
        opcode, length, start = data[0] & 0x0F, data[1], 2
        if length == 126:
            length, start = struct.unpack("!H", data[2:4])[0], 4
        elif length == 127:
            length, start = struct.unpack("!Q", data[2:10])[0], 10
        if len(data) < start + length:
            break
        frames.append((opcode, data[start : start + length]))
        data = data[start + length :]
    return frames


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something to become true. Raises ``TimeoutError`` if it does not."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110  # the condition is within the server, which tells no test of it
            await asyncio.sleep(0.005)


def real_hub() -> Hub:
    """A hub that deals the same cards in every run."""
    return Hub(entropy=Random(2026).randbytes, server="test", today=lambda: "2026-11-30")
