"""What one connection is to be sent, bounded.

A WebSocket peer that does not read lets the server's memory grow: with events, and with pongs, which the WebSocket
layer queues without limit. Both go through here. When too much waits, the connection is dropped; its player resumes.
"""

import asyncio


class Outbox:
    """Gathers the bytes of one beat for one transport."""

    __slots__ = ("_bytes", "_max_bytes", "_transport", "_waiting")

    def __init__(self, transport: asyncio.WriteTransport, max_bytes: int) -> None:
        self._transport = transport
        self._max_bytes = max_bytes
        self._waiting: list[bytes] = []
        self._bytes = 0

    def put(self, data: bytes) -> None:
        """Let bytes wait for the end of the beat."""
        self._waiting.append(data)
        self._bytes += len(data)

    def flush(self) -> bool:
        """Hand all that waits to the transport in one write; ``False``: too much is unsent, nothing was written."""
        waiting = self._waiting
        if not waiting:
            return True
        fits = self._transport.get_write_buffer_size() + self._bytes <= self._max_bytes
        if fits:
            self._transport.write(waiting[0] if len(waiting) == 1 else b"".join(waiting))
        self.clear()
        return fits

    def clear(self) -> None:
        """Forget what waits."""
        self._waiting.clear()
        self._bytes = 0
