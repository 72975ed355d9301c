"""The machine's own clock and entropy."""

import secrets
import time
from datetime import UTC, datetime

from acerace_protocol.units import US_NS


class SystemClock:
    """Implements :class:`acerace_server.ports.Clock`."""

    # Not a method of our own: this is called for every read from a socket.
    monotonic_ns = staticmethod(time.monotonic_ns)

    def utc_us(self) -> int:
        """Microseconds of UTC since 1970; may jump either way when the machine's clock is set."""
        return time.time_ns() // US_NS

    def utc_date(self) -> str:
        return datetime.now(UTC).date().isoformat()


class SystemEntropy:
    """Implements :class:`acerace_server.ports.Entropy`."""

    def token_bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)
