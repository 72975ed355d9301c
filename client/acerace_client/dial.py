"""One WebSocket from the first byte to the ``welcome``, and why it ended: what a connection is between two breaks."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus, InvalidURI
from websockets.http11 import Response
from websockets.typing import Subprotocol

from acerace_client.errors import ConnectionLostError, ProblemError
from acerace_protocol.accounts import Login
from acerace_protocol.codec import CODECS, Codec, MalformedMessageError
from acerace_protocol.limits import CloseCode, Fault
from acerace_protocol.messages import ClientMessage, Hello, Problem, ServerMessage, Welcome

OPEN_TIMEOUT_S: Final = 10.0
_FRAME_MAX_BYTES: Final = 1 << 20
BROKEN: Final = 1006
"""The close code of a line that broke without one (RFC 6455, 7.4.1)."""
FLOOD_PAUSE_S: Final = 60.0
RETRY_AFTER_MOST_S: Final = 300.0
"""A ``Retry-After`` is believed up to this."""
_WORDS_MAX: Final = 200
_FINAL: Final = {
    1002: "this program breaks the WebSocket protocol",
    1007: "this program sent text that is no UTF-8",
    1009: "this program sent a frame that is far too large",
    CloseCode.TOO_MANY_MALFORMED: "this program sent too many malformed messages",
}
"""What would only happen again."""


class Line:
    """A WebSocket and the encoding agreed on for it."""

    def __init__(self, url: str, socket: ClientConnection, codec: Codec) -> None:
        self._url = url
        self._socket = socket
        self._codec = codec
        self._close_code: int = BROKEN

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
            except ConnectionClosed as closed:
                self._close_code = closed.rcvd.code if closed.rcvd else BROKEN
                return None
            except MalformedMessageError as error:
                if error.fault is not Fault.UNKNOWN_TYPE:
                    raise ConnectionLostError(f"{self._url} sent what is no message: {error}") from error

    def hung_up(self) -> ConnectionLostError | ProblemError:
        """Why the line is broken, after :meth:`receive` has said so, and whether to come again (PROTOCOL.md 16)."""
        code = self._close_code
        if code == CloseCode.TOKEN_REVOKED:
            detail = "the token that this connection came with was revoked"
            return ProblemError(Problem(code=Fault.TOKEN_REVOKED, detail=detail))
        if code in _FINAL:
            return ConnectionLostError(f"{self._url} hung up: {_FINAL[code]} ({code})", retry_in_s=None)
        pause_s = FLOOD_PAUSE_S if code == CloseCode.FLOOD else 0.0
        return ConnectionLostError(f"{self._url} hung up ({code})", retry_in_s=pause_s)

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
    except InvalidStatus as refusal:
        raise _turned_away(url, refusal.response) from refusal
    except (OSError, InvalidURI, InvalidHandshake, InvalidMessage, EOFError) as error:
        text = f"cannot connect to {url}: {str(error) or type(error).__name__}"
        raise ConnectionLostError(text, retry_in_s=None if isinstance(error, InvalidURI) else 0.0) from error
    codec = CODECS.get(socket.subprotocol or "")
    if codec is None:
        await socket.close()
        spoken = ", ".join(known.subprotocol for known in codecs)
        raise ConnectionLostError(f"{url} speaks none of {spoken}", retry_in_s=None)
    line = Line(url, socket, codec)
    try:
        await line.send(hello)
        return line, await _welcome(url, line)
    except BaseException:
        await line.close()
        raise


def _turned_away(url: str, response: Response) -> ConnectionLostError:
    """The error for a handshake that was refused, with the server's own words (PROTOCOL.md 2)."""
    status = response.status_code
    body = bytes(response.body or b"").decode("utf-8", "replace").strip().partition("\n")[0]
    text = f"cannot connect to {url}: {body[:_WORDS_MAX] or response.reason_phrase} (HTTP {status})"
    for_now = status in {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}
    if not for_now and status < HTTPStatus.INTERNAL_SERVER_ERROR:
        return ConnectionLostError(text, retry_in_s=None)
    after_s = [float(text) for text in response.headers.get_all("Retry-After") if text.isdecimal()]
    return ConnectionLostError(text, retry_in_s=min(max(after_s, default=0.0), RETRY_AFTER_MOST_S))


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
                        raise line.hung_up()
                    case _:
                        pass
    except TimeoutError:
        raise ConnectionLostError(f"{url} did not answer the hello within {OPEN_TIMEOUT_S:g} s") from None
