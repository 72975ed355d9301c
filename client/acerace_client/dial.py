"""One WebSocket from the first byte to the ``welcome``: what a connection is made of between two breaks."""

import asyncio
from collections.abc import Sequence
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidURI
from websockets.typing import Subprotocol

from acerace_client.errors import ConnectionLostError, ProblemError
from acerace_protocol.codec import CODECS, Codec, MalformedMessageError
from acerace_protocol.limits import Fault
from acerace_protocol.messages import ClientMessage, Hello, Problem, ServerMessage, Welcome
from acerace_protocol.people import Login

OPEN_TIMEOUT_S: Final = 10.0
_FRAME_MAX_BYTES: Final = 1 << 20


class Line:
    """A WebSocket and the encoding agreed on for it."""

    def __init__(self, url: str, socket: ClientConnection, codec: Codec) -> None:
        self._url = url
        self._socket = socket
        self._codec = codec

    async def send(self, message: ClientMessage) -> bool:
        """Hand one message over; ``False`` when the line is broken."""
        try:
            await self._socket.send(self._codec.encode(message), text=not self._codec.binary)
        except ConnectionClosed:
            return False
        return True

    async def receive(self) -> ServerMessage | None:
        """The next message; ``None`` when the line is broken.

        A type that is not known here is skipped: it is a newer server's, and no business of ours.
        Raises :class:`ConnectionLostError` for what is no message at all.
        """
        while True:
            try:
                return self._codec.decode_server(await self._socket.recv(decode=False))
            except ConnectionClosed:
                return None
            except MalformedMessageError as error:
                if error.fault is not Fault.UNKNOWN_TYPE:
                    raise ConnectionLostError(f"{self._url} sent what is no message: {error}") from error

    async def close(self) -> None:
        await self._socket.close()


async def dial(url: str, codecs: Sequence[Codec], hello: Hello | Login) -> tuple[Line, Welcome]:
    """Connect, say hello, and be welcomed: one attempt.

    Raises :class:`ConnectionLostError`, and :class:`ProblemError` when the ``hello`` is not accepted.
    """
    try:
        socket = await connect(
            url,
            subprotocols=[Subprotocol(codec.subprotocol) for codec in codecs],
            compression=None,  # the messages are tiny, and its memory is not
            proxy=None,
            open_timeout=OPEN_TIMEOUT_S,
            max_size=_FRAME_MAX_BYTES,
        )
    except (OSError, InvalidURI, InvalidHandshake, InvalidMessage, EOFError) as error:
        raise ConnectionLostError(f"cannot connect to {url}: {str(error) or type(error).__name__}") from error
    codec = CODECS.get(socket.subprotocol or "")
    if codec is None:
        await socket.close()
        raise ConnectionLostError(f"{url} speaks none of {', '.join(known.subprotocol for known in codecs)}")
    line = Line(url, socket, codec)
    try:
        await line.send(hello)
        return line, await _welcome(url, line)
    except BaseException:
        await line.close()
        raise


async def _welcome(url: str, line: Line) -> Welcome:
    try:
        async with asyncio.timeout(OPEN_TIMEOUT_S):
            while True:
                match await line.receive():
                    case Welcome() as welcome:
                        return welcome
                    case Problem() as problem:
                        raise ProblemError(problem)
                    case None:
                        raise ConnectionLostError(f"{url} hung up on the hello")
                    case _:
                        pass
    except TimeoutError:
        raise ConnectionLostError(f"{url} did not answer the hello within {OPEN_TIMEOUT_S:g} s") from None
