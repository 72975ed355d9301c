"""Bytes to messages and back: MessagePack and JSON, the same structs either way."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from acerace_protocol.fields import Nonce, TableId
from acerace_protocol.limits import FRAME_MAX_BYTES, Fault
from acerace_protocol.messages import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, ClientMessage, ServerMessage

T = TypeVar("T")

DETAIL_MAX_CHARACTERS: Final = 240
"""Of an error's text. No limit of the protocol: what a sender wrote is not sent back to it at full length."""


class MalformedMessageError(ValueError):
    """Bytes that are no message; ``fault`` is its kind, the text says what is wrong and where."""

    nonce: int | None = None
    """What the sender calls it by, if so much of it could be read; it waits for an answer under this number."""
    table: str | None = None

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(detail)
        self.fault = fault
        self.detail = detail


class _Envelope(msgspec.Struct):
    """What is readable in a map that is no message."""

    nonce: Any = None
    table: Any = None


@dataclass(frozen=True, slots=True)
class Codec:
    """One encoding of the protocol; ``binary`` says which kind of WebSocket frame carries it."""

    subprotocol: str
    binary: bool
    encode: Callable[[ClientMessage | ServerMessage], bytes]
    _decode_client: Callable[[bytes], ClientMessage]
    _decode_server: Callable[[bytes], ServerMessage]
    _decode_envelope: Callable[[bytes], _Envelope]

    def decode_client(self, data: bytes) -> ClientMessage:
        """What a client sent. Raises :class:`MalformedMessageError`, also for more than ``FRAME_MAX_BYTES``."""
        if len(data) > FRAME_MAX_BYTES:
            detail = f"{len(data)} bytes; a message has {FRAME_MAX_BYTES} at most"
            raise MalformedMessageError(Fault.FRAME_TOO_LARGE, detail)
        try:
            return _decoded(self._decode_client, data)
        except MalformedMessageError as error:
            self._address(error, data)
            raise

    def _address(self, error: MalformedMessageError, data: bytes) -> None:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            envelope = self._decode_envelope(data)
            with suppress(msgspec.ValidationError):
                error.nonce = msgspec.convert(envelope.nonce, Nonce)
            with suppress(msgspec.ValidationError):
                error.table = msgspec.convert(envelope.table, TableId)

    def decode_server(self, data: bytes) -> ServerMessage:
        """What a server sent. Raises :class:`MalformedMessageError`."""
        return _decoded(self._decode_server, data)


def _decoded(decode: Callable[[bytes], T], data: bytes) -> T:
    try:
        return decode(data)
    except msgspec.ValidationError as error:
        detail = str(error)
        # "Expected ..." is a type that is no string: that is malformed, and nothing a newer version could mean
        unknown_type = detail.startswith("Invalid value") and detail.endswith("`$.type`")
        raise MalformedMessageError(Fault.UNKNOWN_TYPE if unknown_type else Fault.MALFORMED, _short(detail)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise MalformedMessageError(Fault.MALFORMED, _short(str(error))) from None
    except RecursionError:
        raise MalformedMessageError(Fault.TOO_DEEP, "the message is nested too deeply") from None


def _short(detail: str) -> str:
    """Without the middle of what is too long: an error may quote the sender, and its end says where it was."""
    if len(detail) <= DETAIL_MAX_CHARACTERS:
        return detail
    return f"{detail[: DETAIL_MAX_CHARACTERS - 63]}...{detail[-60:]}"


MSGPACK: Final = Codec(
    SUBPROTOCOL_MSGPACK,
    binary=True,
    encode=msgspec.msgpack.Encoder().encode,
    _decode_client=msgspec.msgpack.Decoder(ClientMessage).decode,
    _decode_server=msgspec.msgpack.Decoder(ServerMessage).decode,
    _decode_envelope=msgspec.msgpack.Decoder(_Envelope).decode,
)
JSON: Final = Codec(
    SUBPROTOCOL_JSON,
    binary=False,
    encode=msgspec.json.Encoder().encode,
    _decode_client=msgspec.json.Decoder(ClientMessage).decode,
    _decode_server=msgspec.json.Decoder(ServerMessage).decode,
    _decode_envelope=msgspec.json.Decoder(_Envelope).decode,
)
CODECS: Final = {codec.subprotocol: codec for codec in (MSGPACK, JSON)}
"""By WebSocket subprotocol; in the order in which a server prefers them."""
