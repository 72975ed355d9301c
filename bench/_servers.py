"""The servers that ``bench.wire`` measures, each in a process of its own: ``python -m bench._servers NAME``."""

import asyncio
import importlib
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from typing import Any, Final

from acerace_protocol.codec import MSGPACK
from acerace_server.adapters.system import SystemClock, SystemEntropy
from acerace_server.core.hub import Hub
from acerace_server.core.records import Record
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.gateway import About, Gateway

HOST: Final = "127.0.0.1"
UNBOUNDED: Final = 10**9


class NoJournal:
    """Implements :class:`acerace_server.ports.Journal`; the others have none either."""

    def commit(self, entries: Sequence[Record]) -> None:
        """Keep nothing."""


def new_hub() -> Hub:
    return Hub(
        entropy=SystemEntropy().token_bytes,
        server="bench",
        today=SystemClock().utc_date,
        seed=b"wire",
        limits={"commands_per_second": UNBOUNDED},
    )


class Desk:
    """The hub for servers that hand over one message at a time, and send with ``send(connection, bytes)``."""

    def __init__(self) -> None:
        self._hub = new_hub()
        self._numbers = count(1)
        self.peers: dict[int, Any] = {}

    def connect(self, peer: object) -> int:
        number = next(self._numbers)
        self.peers[number] = peer
        self._hub.connect(number, time.monotonic_ns())
        return number

    def receive(self, number: int, data: bytes) -> list[tuple[list[Any], bytes]]:
        """What one message leads to: receivers, and the bytes for all of them."""
        hub = self._hub
        hub.receive(number, MSGPACK.decode_client(data), time.monotonic_ns())
        hub.settle()
        hub.accepted.clear()
        told = [
            (
                [self.peers[receiver] for receiver in out.receivers if receiver in self.peers],
                MSGPACK.encode(out.message),
            )
            for out in hub.outgoing
            if out.message is not None
        ]
        hub.outgoing.clear()
        return told

    def leave(self, number: int) -> None:
        del self.peers[number]
        self._hub.disconnect(number, time.monotonic_ns())
        self._hub.outgoing.clear()


async def ours() -> int:
    bounds = Bounds(frames_per_second=UNBOUNDED)
    gateway = Gateway(new_hub(), clock=SystemClock(), journal=NoJournal(), about=About("0"), bounds=bounds)
    _keep.append(gateway)
    return (await gateway.listen(HOST, 0))[1]


async def with_websockets() -> int:
    from websockets.asyncio.server import ServerConnection, broadcast, serve  # noqa: PLC0415  # in its process only

    desk = Desk()

    async def handler(connection: ServerConnection) -> None:
        number = desk.connect(connection)
        async for data in connection:
            assert isinstance(data, bytes)
            for peers, out in desk.receive(number, data):
                broadcast(peers, out)
        desk.leave(number)

    server = await serve(handler, HOST, 0, compression=None, subprotocols=[_subprotocol()], ping_interval=None)
    _keep.append(server)
    port: int = next(iter(server.sockets)).getsockname()[1]
    return port


async def with_aiohttp() -> int:
    web: Any = importlib.import_module("aiohttp.web")
    desk = Desk()

    async def handler(request: object) -> object:
        connection = web.WebSocketResponse(protocols=[MSGPACK.subprotocol], compress=False)
        await connection.prepare(request)
        number = desk.connect(connection)
        async for message in connection:
            for peers, out in desk.receive(number, message.data):
                for peer in peers:
                    await peer.send_bytes(out)
        desk.leave(number)
        return connection

    app = web.Application()
    app.router.add_get("/ws", handler)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, HOST, 0)
    await site.start()
    _keep.append(site)
    port: int = runner.addresses[0][1]
    return port


async def with_starlette() -> int:
    uvicorn: Any = importlib.import_module("uvicorn")
    starlette: Any = importlib.import_module("starlette.applications")
    routing: Any = importlib.import_module("starlette.routing")
    websockets: Any = importlib.import_module("starlette.websockets")
    desk = Desk()

    async def handler(connection: Any) -> None:
        await connection.accept(subprotocol=MSGPACK.subprotocol)
        number = desk.connect(connection)
        try:
            while True:
                for peers, out in desk.receive(number, await connection.receive_bytes()):
                    for peer in peers:
                        await peer.send_bytes(out)
        except websockets.WebSocketDisconnect:
            desk.leave(number)

    app = starlette.Starlette(routes=[routing.WebSocketRoute("/ws", handler)])
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            host=HOST,
            port=0,
            log_level="error",
            ws_per_message_deflate=False,
            lifespan="off",
            ws_ping_interval=None,
        )
    )
    _keep.append(asyncio.ensure_future(server.serve()))
    while not server.started:  # noqa: ASYNC110  # it has no event to wait for
        await asyncio.sleep(0.01)
    port: int = server.servers[0].sockets[0].getsockname()[1]
    return port


_keep: list[object] = []
"""What must not be collected while the process lives."""


def _subprotocol() -> Any:
    return MSGPACK.subprotocol


SERVERS: Final[dict[str, tuple[Callable[[], Awaitable[int]], tuple[str, ...]]]] = {
    "ours": (ours, ()),
    "websockets": (with_websockets, ("websockets",)),
    "aiohttp": (with_aiohttp, ("aiohttp",)),
    "starlette": (with_starlette, ("starlette", "uvicorn")),
}
"""Each with what must be installed for it."""


async def serve(name: str) -> None:
    """Tell the port; then, for each line that comes, the CPU seconds so far."""
    print(await SERVERS[name][0](), flush=True)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(time.process_time(), flush=True)


def run(main: Any) -> Any:
    """Run on uvloop where it is installed."""
    try:
        uvloop: Any = importlib.import_module("uvloop")
    except ImportError:
        return asyncio.run(main)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main)


if __name__ == "__main__":
    run(serve(sys.argv[1]))
