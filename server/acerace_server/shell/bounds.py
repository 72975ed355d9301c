"""How much one connection, and all of them, may take. Tests make them small."""

from dataclasses import dataclass
from typing import Final

from acerace_protocol.limits import (
    ARRIVALS_PER_MINUTE,
    COMMANDS_PER_SECOND,
    CONNECTIONS_MAX,
    CONNECTIONS_PER_ADDRESS,
    FRAME_MAX_BYTES,
    HELLO_TIMEOUT_MS,
    IDLE_TIMEOUT_MS,
    OUTBOX_MAX_BYTES,
)

READ_MAX_BYTES: Final = 4096
"""Of one read. A read is handled in one go, so this bounds how long one peer's flood can hold everybody up."""
FRAMES_PER_COMMAND: Final = 10
"""A connection may send this many WebSocket frames for each command it may send; beyond it, it is read more slowly."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of the shell; those a client can run into are sent in ``welcome`` under the same names."""

    frame_cut_bytes: int = 2 * FRAME_MAX_BYTES
    """A message that is longer is not read to its end: its connection is closed with 1009. From ``FRAME_MAX_BYTES`` on,
    what is read is a problem."""
    outbox_max_bytes: int = OUTBOX_MAX_BYTES
    outbox_high_bytes: int = OUTBOX_MAX_BYTES // 4
    """With more than this unsent, the connection is not read until it has caught up."""
    connections_max: int = CONNECTIONS_MAX
    spare_connections: int = 64
    """More TCP connections than ``connections_max``, so that a full server can still say that it is full."""
    connections_per_address: int = CONNECTIONS_PER_ADDRESS
    arrivals_per_minute: int = ARRIVALS_PER_MINUTE
    """WebSockets opened from one address."""
    count_loopback: bool = False
    """Whether addresses of this machine are counted like others."""
    hello_timeout_ms: int = HELLO_TIMEOUT_MS
    """From the TCP connection to a ``hello`` that was welcomed, the WebSocket handshake included."""
    idle_timeout_ms: int = IDLE_TIMEOUT_MS
    linger_ms: int = 2_000
    """For the other side to close, once this side has said that it does."""
    request_max_bytes: int = 16 * 1024
    """Of an HTTP request."""
    frames_per_second: int = FRAMES_PER_COMMAND * COMMANDS_PER_SECOND
    probe_interval_ms: int = 100
    """How often the loop's lag is measured and timeouts are looked after."""
