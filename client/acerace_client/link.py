"""What a player at one table asks of a connection."""

from typing import Protocol

from acerace_protocol.messages import ClientMessage, ServerMessage


class Link(Protocol):
    """A :class:`acerace_client.connection.Connection`, or a table's share of one (``tables.py``)."""

    def nonce(self) -> int:
        """A fresh number for a command."""
        ...

    async def send(self, message: ClientMessage) -> object:
        """Send one message, after those sent before it."""
        ...

    @property
    def pending(self) -> int:
        """How many messages have come and were not read."""
        ...

    async def receive(self, timeout_s: float | None = None) -> ServerMessage:
        """The next message. Raises :class:`TimeoutError` when none came in time."""
        ...
