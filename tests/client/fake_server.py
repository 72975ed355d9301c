"""A WebSocket server with one solo table behind it, that can drop its connections when it likes."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from acerace_protocol.codec import CODECS, MSGPACK, Codec
from acerace_protocol.limits import Fault
from acerace_protocol.messages import (
    ClientMessage,
    Hello,
    Leave,
    Ping,
    Play,
    Pong,
    Problem,
    Refused,
    Resume,
    Seated,
    ServerMessage,
    Solo,
    Watch,
    Welcome,
)
from acerace_rules.moves import IllegalMoveError, Move
from tests.client.referee import Referee

TOKEN = "t" * 32


def never(_message: ClientMessage) -> bool:
    return False


@dataclass
class FakeServer:
    """What it was sent, what it holds, and when it hangs up."""

    referee: Referee = field(default_factory=lambda: Referee("klondike", {}))
    drop_before: Callable[[ClientMessage], bool] = never
    """Hang up instead of carrying this message out."""
    drop_after: Callable[[ClientMessage], bool] = never
    """Carry this message out, and hang up instead of answering."""
    subprotocols: tuple[str, ...] = tuple(CODECS)
    limits: dict[str, int] = field(default_factory=dict[str, int])
    busy: list[Fault] = field(default_factory=list[Fault])
    """Why the next ``hello`` with a token is refused, and those after it."""
    extra: bytes = b""
    """Sent before each welcome, as it is."""
    url: str = ""
    got: list[ClientMessage] = field(default_factory=list[ClientMessage])
    hellos: list[Hello] = field(default_factory=list[Hello])
    answers: dict[int, ServerMessage] = field(default_factory=dict[int, ServerMessage])
    sockets: set[ServerConnection] = field(default_factory=set[ServerConnection])

    async def handle(self, socket: ServerConnection) -> None:
        codec = CODECS.get(socket.subprotocol or "", MSGPACK)
        self.sockets.add(socket)
        try:
            async for data in socket:
                message = codec.decode_client(data.encode() if isinstance(data, str) else data)
                self.got.append(message)
                if self.drop_before(message):
                    break
                answers = self.carry_out(message)
                if self.drop_after(message):
                    break
                if isinstance(message, Hello) and self.extra:
                    await socket.send(self.extra, text=not codec.binary)
                await self.tell(socket, codec, answers)
        except ConnectionClosed:
            pass
        finally:
            self.sockets.discard(socket)
        socket.transport.abort()

    async def tell(self, socket: ServerConnection, codec: Codec, messages: list[ServerMessage]) -> None:
        for message in messages:
            await socket.send(codec.encode(message), text=not codec.binary)

    def carry_out(self, message: ClientMessage) -> list[ServerMessage]:
        match message:
            case Hello():
                self.hellos.append(message)
                if message.token is not None and self.busy:
                    return [Problem(code=self.busy.pop(0), detail="not now")]
                if message.token not in {None, TOKEN}:
                    return [Problem(code=Fault.UNKNOWN_TOKEN, detail="nobody")]
                return [Welcome(player="p", name="P", token=TOKEN, server="fake", limits=self.limits)]
            case Ping():
                return [Pong(nonce=message.nonce)]
            case Solo():
                return [Seated(table="t1", seat=0), self.referee.snapshot()]
            case Watch():
                return [self.referee.snapshot()]
            case Resume():
                return [*self.referee.since(message.seen)]
            case Play():
                return [self.play(message)]
            case Leave():
                return []
            case _:
                return [Problem(code=Fault.NO_SUCH_SEEK, nonce=getattr(message, "nonce", None))]

    def play(self, message: Play) -> ServerMessage:
        answer = self.answers.get(message.nonce)
        if answer is None:
            try:
                answer = self.referee.play(0, Move.parse(message.move), message.nonce)
            except IllegalMoveError as error:
                answer = Refused(table="t1", nonce=message.nonce, reason=error.reason)
            self.answers[message.nonce] = answer
        return answer

    async def drop_all(self) -> None:
        for socket in [*self.sockets]:
            socket.transport.abort()
        await asyncio.sleep(0)


@asynccontextmanager
async def running(fake: FakeServer) -> AsyncGenerator[FakeServer]:
    """Serve it on a free port of this machine."""
    names = [Subprotocol(name) for name in fake.subprotocols] or None
    async with serve(fake.handle, "127.0.0.1", 0, subprotocols=names, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        fake.url = f"ws://127.0.0.1:{port}/ws"
        yield fake
