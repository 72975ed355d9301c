"""The real client and the real core, without wires and without waiting: a network that breaks, under a virtual clock.

What is written arrives in order and after a while, or never: when a line breaks, what is on its way is lost, and each
side learns of it at its own time. Everything that happens by chance follows from one seed.
"""

import asyncio
import selectors
from collections import deque
from collections.abc import Mapping
from random import Random

from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from acerace_protocol.codec import MSGPACK
from acerace_server.core.hub import Hub

_SECOND_NS = 1_000_000_000


class StandstillError(AssertionError):
    """Nothing is ready and no timer runs: everybody waits for ever."""


class _Selector(selectors.DefaultSelector):
    """Skips the time in which nothing happens."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready:
            return ready
        if timeout is None:
            raise StandstillError("nobody will ever do anything again")
        self.now += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop whose clock goes only while everybody waits."""

    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now


class Net:
    """A hub with its beats and timers, and the lines to it."""

    def __init__(self, seed: int, breaks: float) -> None:
        """``breaks``: the chance that a line breaks with a message."""
        self.random = Random(seed)
        self.breaks = breaks
        self.broken = 0
        self.hub = Hub(entropy=self.random.randbytes, server="net", today=lambda: "2026-11-30")
        self._loop = asyncio.get_running_loop()
        self._sockets: dict[int, Socket] = {}
        """As the server knows them."""
        self._number = 0
        self._beats = False
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def now(self) -> int:
        return int(self._loop.time() * _SECOND_NS)

    async def connect(self, _url: str, **_options: object) -> "Socket":
        """In place of ``websockets.connect``."""
        await asyncio.sleep(self.random.uniform(0, 0.2))
        self._number += 1
        socket = self._sockets[self._number] = Socket(self, self._number)
        self.hub.connect(socket.number, self.now)
        return socket

    def latency_s(self) -> float:
        return self.random.choice((0.0, 0.0, self.random.uniform(0, 0.05), self.random.uniform(0, 1.0)))

    def receive(self, number: int, data: bytes) -> None:
        if number in self._sockets:
            self.hub.receive(number, MSGPACK.decode_client(data), self.now)
            self._beat_soon()

    def disconnect(self, number: int) -> None:
        if self._sockets.pop(number, None):
            self.hub.disconnect(number, self.now)
            self._beat_soon()

    def _beat_soon(self) -> None:
        if not self._beats:
            self._beats = True
            self._loop.call_soon(self._beat)

    def _beat(self) -> None:
        self._beats = False
        hub = self.hub
        hub.settle()
        for job, _ in (*hub.jobs,):
            hub.finished(job, None, self.now)
        hub.jobs.clear()
        hub.accepted.clear()
        assert not hub.faults, hub.faults
        outgoing = hub.outgoing.copy()
        hub.outgoing.clear()
        for out in outgoing:
            assert out.close is None, out
            if out.message is not None:
                data = MSGPACK.encode(out.message)
                for number in out.receivers:
                    self._sockets[number].send_down(data)
        due = hub.deadline()
        if self._alarm:
            self._alarm.cancel()
        if due is not None:
            self._alarm = self._loop.call_at(due / _SECOND_NS + 0.001, self._ring)

    def _ring(self) -> None:
        self.hub.tick(self.now)
        self._beat()


class Socket:
    """What the client's :class:`acerace_client.dial.Line` asks of a WebSocket."""

    subprotocol = MSGPACK.subprotocol

    def __init__(self, net: Net, number: int) -> None:
        self.number = number
        self._net = net
        self._loop = asyncio.get_running_loop()
        self._inbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._up_at = self._down_at = self._loop.time()
        self._up: deque[bytes] = deque()
        self._down: deque[bytes] = deque()
        self._carries = True
        """The network does."""
        self._closed = False
        """As the client knows."""

    async def send(self, data: bytes, *, text: bool) -> None:
        assert not text
        if self._closed:
            raise self._error()
        self._up_at = max(self._up_at, self._loop.time() + self._net.latency_s())
        self._up.append(data)
        self._loop.call_at(self._up_at, self._arrive_up)

    async def recv(self, *, decode: bool) -> bytes:
        assert not decode
        data = None if self._closed and self._inbox.empty() else await self._inbox.get()
        if data is None:
            raise self._error()
        return data

    async def close(self) -> None:
        self._hang_up()
        self._loop.call_later(self._net.latency_s(), self._net.disconnect, self.number)

    def send_down(self, data: bytes) -> None:
        self._down_at = max(self._down_at, self._loop.time() + self._net.latency_s())
        self._down.append(data)
        self._loop.call_at(self._down_at, self._arrive_down)

    def _arrive_up(self) -> None:
        data = self._up.popleft()  # timers of one time ring in any order
        before = self._chance()
        if self._carries:
            self._net.receive(self.number, data)
        if not before:
            self._chance()

    def _arrive_down(self) -> None:
        data = self._down.popleft()
        self._chance()
        if self._carries and not self._closed:
            self._inbox.put_nowait(data)

    def _chance(self) -> bool:
        """Break now, perhaps: before a message, or right after it."""
        random = self._net.random
        if not self._carries or random.random() >= self._net.breaks / 2:
            return False
        self._carries = False
        self._net.broken += 1
        for learns in (self._hang_up, lambda: self._net.disconnect(self.number)):
            self._loop.call_later(random.choice((0.0, random.uniform(0, 0.3), random.uniform(0, 8))), learns)
        return True

    def _hang_up(self) -> None:
        if not self._closed:
            self._closed = True
            self._inbox.put_nowait(None)

    @staticmethod
    def _error() -> ConnectionClosedError:
        return ConnectionClosedError(None, Close(1011, "broken"))


def state_of(net: Net) -> Mapping[str, object]:
    """What the server thinks, for the message of a test that fails."""
    return net.hub.health()
