"""A port that stays a server's own between its lives."""

import socket
import sys
from types import TracebackType
from typing import Self


class KeptPort:
    """A free port of this machine, and nobody else's until it is closed: a context manager.

    While a server is dead, the port that it had been given could be given to any other program, also as the near end of
    a connection. A socket that is bound to it and does not listen prevents this; on Linux it does not stand in the way
    of a server, which may reuse an address.
    """

    def __init__(self) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", 0))
        self.number: int = self._socket.getsockname()[1]
        if sys.platform != "linux":
            self._socket.close()

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
