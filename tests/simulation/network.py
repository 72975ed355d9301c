"""Virtual time, and a network that delays, batches, loses and breaks; all of it decided by one seed.

Within one connection order is kept, as TCP does; between connections nothing is promised. Time goes in loop turns of
the server: what arrives during one is taken in together, connection by connection in any order, and then judged.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Final

from acerace_protocol.messages import ClientMessage, ServerMessage

MS: Final = 1_000_000
SECOND: Final = 1000 * MS
TURN: Final = 4 * MS
"""One loop turn of the server."""


class Clock:
    """What happens when; things due at the same time happen in the order in which they were asked for."""

    def __init__(self, start: int) -> None:
        self.now = start
        self._order = count()
        self._due: list[tuple[int, int, Callable[[], None]]] = []

    def after(self, delay: int, action: Callable[[], None]) -> None:
        heappush(self._due, (self.now + delay, next(self._order), action))

    def next_at(self) -> int | None:
        return self._due[0][0] if self._due else None

    def run_until(self, at: int) -> None:
        while self._due and self._due[0][0] <= at:
            self.now, _, action = heappop(self._due)
            action()
        self.now = at


@dataclass(slots=True)
class Line:
    """One connection: what is on its way up to the server and down to the client, each with its time of arrival."""

    number: int
    delay: int
    jitter: int
    receive: Callable[["Line", ServerMessage], None]
    """The client's ear."""
    up: deque[tuple[int, ClientMessage]] = field(default_factory=deque[tuple[int, ClientMessage]])
    down: deque[tuple[int, ServerMessage]] = field(default_factory=deque[tuple[int, ServerMessage]])
    broken: bool = False
    """Nothing gets through any more, in neither direction; the ends may not have noticed yet."""

    def send_up(self, message: ClientMessage, now: int, random: Random) -> None:
        if not self.broken:
            self.up.append((self._arrival(self.up[-1][0] if self.up else 0, now, random), message))

    def send_down(self, message: ServerMessage, now: int, random: Random) -> int:
        arrival = self._arrival(self.down[-1][0] if self.down else 0, now, random)
        self.down.append((arrival, message))
        return arrival

    def snap(self) -> None:
        """Break, and lose what is in flight."""
        self.broken = True
        self.up.clear()
        self.down.clear()

    def _arrival(self, before: int, now: int, random: Random) -> int:
        # never earlier than what was sent before: a late frame holds up those behind it, and they arrive together
        return max(before, now + self.delay + int(self.jitter * random.random() ** 3))
