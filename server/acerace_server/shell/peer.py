"""One connection: bytes in, frames out. First it speaks HTTP, then perhaps WebSocket.

The WebSocket itself is ``websockets``' Sans-I/O ``ServerProtocol``. This class moves bytes between it and the
transport, stamps what arrives, and keeps one peer's trouble from everybody else: a peer that does not read is dropped
(``outbox.py``), one that floods is read more slowly (``allowance.py``), an exception in handling it closes it alone.
"""

import asyncio
import logging
import socket
from http import HTTPStatus
from typing import Final, Protocol, cast

from websockets.frames import CloseCode as WebSocketCode
from websockets.http11 import Request, Response
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from acerace_protocol.codec import CODECS, JSON, Codec, MalformedMessageError
from acerace_protocol.limits import CloseCode, Fault
from acerace_protocol.messages import ClientMessage
from acerace_protocol.units import MS_NS
from acerace_server.shell.allowance import Allowance
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.logs import fields
from acerace_server.shell.outbox import Outbox
from acerace_server.shell.pages import bad_request, reject, select_subprotocol
from acerace_server.shell.reading import Message, Reader

_LOG: Final = logging.getLogger("acerace.peer")
# At DEBUG this layer would log every frame, tokens included; at INFO two lines a connection that say nothing new.
_WEBSOCKET_LOG: Final = logging.getLogger("acerace.websocket")
_WEBSOCKET_LOG.setLevel(logging.WARNING)

_HEAD_END: Final = b"\r\n\r\n"


class Owner(Protocol):
    """What a connection needs of the gateway."""

    bounds: Bounds
    read_buffer: bytearray
    """Shared: what a read puts into it is taken out before the next read of any connection."""

    def now(self) -> int: ...
    def joined(self, peer: "Peer") -> tuple[HTTPStatus, str] | None:
        """A TCP connection was made; otherwise than ``None``: there is no place for it, and this is what to say."""
        ...

    def respond(self, peer: "Peer", websocket: ServerProtocol, request: Request, at: int) -> Response: ...
    def dropped(self, why: str) -> None: ...
    def opened(self, peer: "Peer", at: int) -> None: ...
    def received(self, peer: "Peer", message: ClientMessage, at: int) -> None: ...
    def malformed(self, peer: "Peer", error: MalformedMessageError, at: int) -> None: ...
    def left(self, peer: "Peer", at: int) -> None:
        """An opened WebSocket says, hears and is nothing more."""
        ...

    def lost(self, peer: "Peer") -> None:
        """The TCP connection is gone."""
        ...

    def touched(self, peer: "Peer") -> None:
        """The peer has bytes to flush at the end of the beat."""
        ...

    def watch(self, peer: "Peer", due: int) -> None:
        """Call :meth:`Peer.check` at ``due``."""
        ...


class Peer(asyncio.BufferedProtocol):
    """One TCP connection. ``BufferedProtocol``, so that one read takes little and costs no allocation."""

    number = 0
    """Given by the gateway; never reused."""
    remote = ""
    """The other end's address, as the socket has it."""
    address = ""
    """Whom it is counted for (``door.py``)."""
    codec: Codec = JSON
    greeted = False
    """Whether its ``hello`` was welcomed."""

    _transport: asyncio.Transport
    _outbox: Outbox
    _upgraded = False
    """Whether it speaks WebSocket by now."""
    _known = False
    """Whether the hub knows of it."""
    _touched = False
    _eof_written = False
    _pinged = False
    _full = False
    """Its write buffer is over the high-water mark."""
    _resting: asyncio.TimerHandle | None = None
    """It was too fast; it is read again when this rings."""
    _doomed_at: int | None = None
    """When it is cut off, should it not have closed by then."""

    def __init__(self, owner: Owner) -> None:
        bounds = owner.bounds
        self._owner = owner
        self._websocket = ServerProtocol(
            extensions=None,  # no compression: messages are tiny, and it costs 50 KiB a connection
            select_subprotocol=select_subprotocol,
            max_size=bounds.frame_cut_bytes,
            logger=_WEBSOCKET_LOG,
        )
        self._reader = Reader(self._websocket, bounds.frame_cut_bytes)
        self._head = bytearray()
        self._born_at = self._heard_at = owner.now()
        self._allowance = Allowance(bounds.frames_per_second, self._born_at)

    # --- what asyncio calls ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        bounds = self._owner.bounds
        self._transport = transport = cast("asyncio.Transport", transport)  # of TCP; uvloop's is no subclass
        self._outbox = Outbox(transport, bounds.outbox_max_bytes)
        transport.set_write_buffer_limits(bounds.outbox_high_bytes, bounds.outbox_high_bytes // 4)
        connected = transport.get_extra_info("socket")
        if connected is not None:
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        remote = transport.get_extra_info("peername")
        self.remote = str(remote[0]) if remote else ""
        refusal = self._owner.joined(self)
        if refusal is None:
            first_check_ms = min(bounds.hello_timeout_ms, bounds.idle_timeout_ms // 2)
            self._owner.watch(self, self._born_at + first_check_ms * MS_NS)
        else:
            self._turn_away(*refusal)

    def get_buffer(self, sizehint: int) -> bytearray:
        del sizehint
        return self._owner.read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        at = self._owner.now()  # before anything else: this is the stamp
        self._heard_at = at
        self._pinged = False
        try:
            data = bytes(memoryview(self._owner.read_buffer)[:nbytes])
            if self._upgraded:
                self._take(data, at)
            else:
                self._take_head(data, at)
            self._pump()
        except Exception:  # noqa: BLE001  # whatever it is, it is logged and is this connection's alone
            self._break(at)

    def eof_received(self) -> None:
        try:
            if self._head or self._upgraded:  # else nothing was said that could be answered
                self._websocket.receive_eof()
                self._answer_bad_request()
                self._pump()
            self.flush()  # now: asyncio closes the transport when this returns
        except Exception:  # noqa: BLE001  # whatever it is, it is logged and is this connection's alone
            self._break(self._owner.now())

    def pause_writing(self) -> None:
        self._full = True
        self._read_or_not()

    def resume_writing(self) -> None:
        self._full = False
        self._read_or_not()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        if self._resting:
            self._resting.cancel()
        self._leave(self._owner.now())
        self._owner.lost(self)

    # --- what the gateway calls ---

    def send(self, frame: bytes) -> None:
        """Let a whole frame wait for the end of the beat; nothing, once a close frame was sent."""
        if self._websocket.state is State.OPEN:
            self._outbox.put(frame)
            self._touch()

    def close(self, code: int, reason: str = "") -> None:
        """Start the closing handshake: a close frame after all that was sent before, then patience, then the end."""
        if self._websocket.state is State.OPEN:
            self._websocket.send_close(code, reason)
            self._pump()
            self._doom(self._owner.now())
        elif self._websocket.state is State.CONNECTING:
            self._turn_away(HTTPStatus.SERVICE_UNAVAILABLE, "The server stops.")

    def abort(self) -> None:
        """Cut the connection off at once."""
        self._outbox.clear()
        self._transport.abort()

    def flush(self) -> None:
        """Write all that waits, in one call; drop a peer that has left too much unread."""
        self._touched = False
        if self._transport.is_closing():
            self._outbox.clear()
        elif not self._outbox.flush():
            self._owner.dropped("slow_reader")
            _LOG.info("dropped: it does not read", extra=fields(conn=self.number))
            self._leave(self._owner.now())
            self.abort()  # a close frame would only wait behind what is not read
        elif self._websocket.eof_sent and not self._eof_written:
            # Half-closed, not closed: a socket closed with bytes unread resets, and the close frame would be lost.
            self._eof_written = True
            try:
                if self._transport.can_write_eof():
                    self._transport.write_eof()
                else:  # TLS has no half-closed connections; it sends all that waits before it closes
                    self._transport.close()
            except OSError:  # the other side has reset the connection, and asyncio does not know yet
                self.abort()

    def check(self, at: int) -> int | None:
        """See to timeouts that have run out by ``at``; the answer is when to check again, if ever."""
        bounds = self._owner.bounds
        if self._doomed_at is not None:
            if at < self._doomed_at:
                return self._doomed_at
            self.abort()
            return None
        if not self.greeted:
            due = self._born_at + bounds.hello_timeout_ms * MS_NS
            if at >= due:
                self._time_out()
                return self._doomed_at
            return due
        idle = bounds.idle_timeout_ms * MS_NS
        if at - self._heard_at >= idle:
            self._owner.dropped("silent")
            _LOG.info("dropped: it is silent", extra=fields(conn=self.number))
            self._fail(WebSocketCode.INTERNAL_ERROR, "nothing was heard, not even a pong", at)
            return self._doomed_at
        if at - self._heard_at >= idle // 2 and not self._pinged:
            self._pinged = True
            self._websocket.send_ping(b"")
            self._pump()
        return self._heard_at + (idle if self._pinged else idle // 2)

    # --- coming in ---

    def _take_head(self, data: bytes, at: int) -> None:
        """Read the HTTP request; what follows it in the same read is WebSocket, if that was accepted."""
        if self._websocket.eof_sent:
            return  # it was answered, and nothing more is of interest
        before = len(self._head)
        self._head += data
        end = self._head.find(_HEAD_END, max(0, before - len(_HEAD_END) + 1))
        cut = len(data) if end < 0 else end + len(_HEAD_END) - before
        self._websocket.receive_data(data[:cut])
        for event in self._websocket.events_received():
            if isinstance(event, Request):
                self._respond(self._owner.respond(self, self._websocket, event, at), at)
        self._answer_bad_request()
        if len(self._head) > self._owner.bounds.request_max_bytes and not self._websocket.eof_sent:
            self._turn_away(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "That is a long request.")
        if self._upgraded:
            self._head.clear()
            if cut < len(data):
                self._take(data[cut:], at)

    def _respond(self, response: Response, at: int) -> None:
        self._websocket.send_response(response)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._doom(at)
            return
        self.codec = CODECS[str(self._websocket.subprotocol)]  # without one it had not been accepted
        self._upgraded = self._known = True
        self._owner.opened(self, at)

    def _answer_bad_request(self) -> None:
        """Say what was wrong with a request that the WebSocket layer merely hangs up on."""
        websocket = self._websocket
        if websocket.handshake_exc and websocket.writes == [SEND_EOF]:
            self._outbox.put(bad_request(websocket, bytes(self._head)).serialize())
            self._doom(self._owner.now())

    def _take(self, data: bytes, at: int) -> None:
        messages, frames = self._reader.take(data)
        for message in messages:
            self._message(message, at)  # stamped with the arrival of the last of its fragments
        if self._websocket.state is not State.OPEN:
            self._closing(at)
        rest = self._allowance.spend(frames, at)
        if rest and not self._resting and not self._transport.is_closing():
            self._resting = asyncio.get_running_loop().call_later(rest, self._rested)
            self._read_or_not()

    def _message(self, message: Message, at: int) -> None:
        if self._websocket.close_sent and not self._websocket.close_rcvd_then_sent:
            return  # this side has closed; what was on its way then does not count
        try:
            if message.is_text:
                str(message.data, "utf-8")
            decoded = _decoded(self.codec, message)
        except MalformedMessageError as error:
            self._owner.malformed(self, error, at)
        except UnicodeDecodeError as error:  # RFC 6455, 8.1: this fails the connection
            self._fail(WebSocketCode.INVALID_DATA, f"{error.reason} at position {error.start}", at)
        else:
            self._owner.received(self, decoded, at)

    # --- going out, and going ---

    def _pump(self) -> None:
        """Move what the WebSocket layer has to send into the outbox."""
        for data in self._websocket.data_to_send():
            if data != SEND_EOF:
                self._outbox.put(data)
            self._touch()

    def _touch(self) -> None:
        if not self._touched:
            self._touched = True
            self._owner.touched(self)

    def _read_or_not(self) -> None:
        if self._transport.is_closing():
            return
        if self._full or self._resting:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def _rested(self) -> None:
        self._resting = None
        self._read_or_not()

    def _time_out(self) -> None:
        self._owner.dropped("no_hello")
        if self._upgraded:
            self.close(CloseCode.HELLO_TIMEOUT, "no hello came")
        else:
            self._turn_away(HTTPStatus.REQUEST_TIMEOUT, "No whole request came.")

    def _turn_away(self, status: HTTPStatus, text: str) -> None:
        """Answer a request that is not whole, or not wanted, and hang up."""
        if not self._websocket.eof_sent:
            self._websocket.send_response(reject(self._websocket, status, text))
            self._pump()
            self._doom(self._owner.now())

    def _fail(self, code: int, reason: str, at: int) -> None:
        self._websocket.fail(code, reason)
        self._pump()
        self._closing(at)

    def _closing(self, at: int) -> None:
        """The WebSocket is closing, on whoever's wish."""
        self._leave(at)
        self._doom(at)

    def _doom(self, at: int) -> None:
        if self._doomed_at is None:
            self._doomed_at = at + self._owner.bounds.linger_ms * MS_NS
            self._owner.watch(self, self._doomed_at)

    def _leave(self, at: int) -> None:
        if self._known:
            self._known = False
            self._owner.left(self, at)

    def _break(self, at: int) -> None:
        """Close this connection, and no other, because of a fault in handling it."""
        _LOG.exception("handling a connection failed", extra=fields(conn=self.number))
        self._leave(at)
        try:
            self._fail(WebSocketCode.INTERNAL_ERROR, "", at)
        except Exception:  # noqa: BLE001  # its WebSocket may be what broke; the fault is logged already
            self.abort()


def _decoded(codec: Codec, message: Message) -> ClientMessage:
    """The message in whole frames. Raises :class:`MalformedMessageError`."""
    if message.is_text is codec.binary:
        kind = "binary" if codec.binary else "text"
        raise MalformedMessageError(Fault.WRONG_FRAME_KIND, f"{codec.subprotocol} is sent in {kind} frames")
    return codec.decode_client(message.data)
