"""What a match was told <-> bytes, as one row of ``entries`` keeps it: MessagePack of a tagged struct.

Commands are kept as the protocol has them, so a field that a later version adds is read from an old row by its default.
"""

from typing import Final

import msgspec

from acerace_protocol.messages import Command, TableCommand
from acerace_server.core.match import PresenceChange, Timeout

Told = Command | PresenceChange | Timeout


class _Presence(msgspec.Struct, frozen=True, tag_field="type", tag="presence"):
    away: bool


class _Timeout(msgspec.Struct, frozen=True, tag_field="type", tag="timeout"):
    """No fields: its stamp says it all."""


_ENCODE: Final = msgspec.msgpack.Encoder().encode
_DECODER: Final = msgspec.msgpack.Decoder[Command | _Presence | _Timeout](Command | _Presence | _Timeout)
_PRESENCE: Final = {away: _ENCODE(_Presence(away)) for away in (False, True)}
_TIMEOUT: Final = _ENCODE(_Timeout())


def encode(told: Told) -> bytes:
    """The bytes of one entry's ``told``."""
    if isinstance(told, TableCommand):
        return _ENCODE(told)
    return _PRESENCE[told.away] if isinstance(told, PresenceChange) else _TIMEOUT


def decode(kept: bytes) -> Told:
    """The opposite of :func:`encode`. Raises :class:`msgspec.MsgspecError` for bytes that it never made."""
    told = _DECODER.decode(kept)
    if isinstance(told, _Presence):
        return PresenceChange(told.away)
    return Timeout() if isinstance(told, _Timeout) else told
