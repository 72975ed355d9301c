"""A client's bytes as messages.

What a client may send is for the WebSocket layer to know, ``websockets``' Sans-I/O ``ServerProtocol``. But a move comes
as a read that is one short frame, whole and unfragmented, and the layer, made for every case, spends on it a tenth of
all the time from frame to verdict. So such a read is taken apart here, and every other one there.
"""

from typing import Final, NamedTuple, cast

from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:  # a wheel without compiled parts
    from websockets.utils import apply_mask

_MESSAGE_STARTS: Final = {0x81: True, 0x82: False}
"""The first byte of a message in one frame: whether it is text."""
_MASKED: Final = 0x80
_HEAD_BYTES: Final = 6
"""Of a masked frame whose length is in one byte."""
_SHORT_BELOW: Final = 126
_MEDIUM_BELOW: Final = 1 << 16


class Message(NamedTuple):
    """The payload of a whole message."""

    data: bytes
    is_text: bool


class Reader:
    """Puts the messages of one connection together."""

    __slots__ = ("_midway_bytes", "_partial", "_partial_is_text", "_short_most", "_websocket")

    def __init__(self, websocket: ServerProtocol, message_max_bytes: int) -> None:
        self._websocket = websocket
        self._short_most = min(message_max_bytes, _SHORT_BELOW - 1)
        self._partial: bytearray | None = None
        """The message that is being sent in fragments, if one is."""
        self._partial_is_text = False
        self._midway_bytes = 0
        """What the WebSocket layer was given of a frame that is not whole yet."""

    def take(self, data: bytes) -> tuple[list[Message], int]:
        """The messages that end in this read, and how many frames do."""
        if self._partial is None and not self._midway_bytes and self._websocket.state is State.OPEN:
            message = self._only_message(data)
            if message is not None:
                return [message], 1
        self._websocket.receive_data(data)
        frames = cast("list[Frame]", self._websocket.events_received())  # the request came before there was a reader
        # A length written with more bytes than it needs makes this too large for good: then the layer reads it all.
        self._midway_bytes += len(data) - sum(map(_masked_bytes, frames))
        # It has answered pings and close frames itself.
        data_frames = (frame for frame in frames if frame.opcode in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT})
        return [message for frame in data_frames if (message := self._assembled(frame))], len(frames)

    def _only_message(self, data: bytes) -> Message | None:
        """The message, if the read is one short frame with all of it."""
        size = len(data) - _HEAD_BYTES
        if not 0 <= size <= self._short_most or data[1] != _MASKED | size:
            return None
        is_text = _MESSAGE_STARTS.get(data[0])
        return None if is_text is None else Message(apply_mask(data[_HEAD_BYTES:], data[2:_HEAD_BYTES]), is_text)

    def _assembled(self, frame: Frame) -> Message | None:
        """The message that ends with this frame."""
        if frame.opcode is not Opcode.CONT:
            if frame.fin:
                return Message(bytes(frame.data), frame.opcode is Opcode.TEXT)
            self._partial, self._partial_is_text = bytearray(), frame.opcode is Opcode.TEXT
        partial = self._partial if self._partial is not None else bytearray()
        partial += frame.data
        if not frame.fin:
            return None
        self._partial = None
        return Message(bytes(partial), self._partial_is_text)


def _masked_bytes(frame: Frame) -> int:
    """How long a frame was when it came."""
    size = len(frame.data)
    return _HEAD_BYTES + size + (0 if size < _SHORT_BELOW else 2 if size < _MEDIUM_BELOW else 8)
