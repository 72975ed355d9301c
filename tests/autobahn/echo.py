"""The server's own WebSocket layer, with a hub that sends every message straight back: what Autobahn's suite talks to.

``python -m tests.autobahn.echo`` prints its address, and runs until it is killed.
"""

import asyncio
import os
from unittest.mock import patch

from acerace_protocol.codec import Codec
from acerace_protocol.messages import ClientMessage, Ping
from acerace_server.adapters.memory import MemoryJournal
from acerace_server.adapters.system import SystemClock
from acerace_server.core.hub import Hub
from acerace_server.shell import peer
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.frames import frame_of
from acerace_server.shell.gateway import About, Gateway
from acerace_server.shell.reading import Message

ROOMY = Bounds(frame_cut_bytes=16 * 1024 * 1024, outbox_max_bytes=64 * 1024 * 1024, frames_per_second=10_000_000)
"""The suite sends larger messages than the game knows, and more frames."""


class Raw(Ping, frozen=True, kw_only=True):
    """Whatever was in a message."""

    data: bytes
    is_text: bool


class EchoGateway(Gateway):
    """The gateway as it is, but nothing reaches the hub."""

    def received(self, peer: peer.Peer, message: ClientMessage, at: int) -> None:
        del at
        assert isinstance(message, Raw)
        peer.greeted = True
        # Like the hub's answers: at the end of the loop turn, behind the pongs to what came in the same read.
        asyncio.get_running_loop().call_soon(peer.send, frame_of(message.data, binary=not message.is_text))


def raw_message(codec: Codec, message: Message) -> ClientMessage:
    """Stands in for the decoder: there is nothing it would not read."""
    del codec
    return Raw(nonce=0, data=message.data, is_text=message.is_text)


async def serve() -> None:
    hub = Hub(entropy=os.urandom, server="echo", today=lambda: "2026-11-30")
    gateway = EchoGateway(hub, clock=SystemClock(), journal=MemoryJournal(), about=About("0.0"), bounds=ROOMY)
    host, port = await gateway.listen("127.0.0.1", 0)
    print(f"ws://{host}:{port}/ws", flush=True)  # noqa: T201  # for the program that has started this one
    await asyncio.Event().wait()


if __name__ == "__main__":
    with patch.object(peer, "_decoded", raw_message):
        asyncio.run(serve())
