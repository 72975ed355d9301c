"""Several tables on one connection: each is given its own share, as if it had the connection to itself."""

import asyncio
from collections import deque
from typing import Final

from acerace_client.connection import Connection
from acerace_protocol.limits import Fault
from acerace_protocol.messages import ClientMessage, Problem, ServerMessage

_NONCES_KEPT: Final = 64


class TableLine:
    """One table's share: a :class:`acerace_client.link.Link` for who plays there."""

    def __init__(self, connection: Connection, table: str, *, reaction_s: float = 0.0) -> None:
        """``reaction_s``: how long after a message came it is read, as a person needs a moment to see what happened."""
        self.table = table
        self._connection = connection
        self._reaction_s = reaction_s
        self._inbox: deque[tuple[float, ServerMessage]] = deque()
        """With the time from which on a message is read."""
        self._news = asyncio.Event()
        self._nonces: deque[int] = deque(maxlen=_NONCES_KEPT)

    def nonce(self) -> int:
        """A fresh number for a command."""
        nonce = self._connection.nonce()
        self._nonces.append(nonce)
        return nonce

    async def send(self, message: ClientMessage) -> None:
        """As :meth:`Connection.send`."""
        await self._connection.send(message)

    @property
    def pending(self) -> int:
        """Whether there is a message to be read: 1 or 0."""
        return int(bool(self._inbox) and self._inbox[0][0] <= self._now)

    async def receive(self, timeout_s: float | None = None) -> ServerMessage:
        """The next message. Raises :class:`TimeoutError` when none came in time."""
        async with asyncio.timeout(timeout_s):
            while True:
                if not self._inbox:
                    self._news.clear()
                    await self._news.wait()
                elif (early_s := self._inbox[0][0] - self._now) > 0:
                    await asyncio.sleep(early_s)
                else:
                    return self._inbox.popleft()[1]

    def concerns(self, message: ServerMessage) -> bool:
        """Whether a message of the connection is about this table, or answers a command sent by this line."""
        if isinstance(message, Problem):
            if message.nonce is None:
                return message.code == Fault.NO_SUCH_TABLE and message.table == self.table
            return message.nonce in self._nonces
        return getattr(message, "table", None) == self.table

    def deliver(self, message: ServerMessage) -> None:
        """Take a message that the connection has received."""
        self._inbox.append((self._now + self._reaction_s, message))
        self._news.set()

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()
