"""When to send, and when to try again: the server's limits kept on this side, and the waits between attempts."""

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

MARGIN: Final = 0.9
"""Share of a limit that is used: what leaves here evenly may arrive in a bunch."""


@dataclass(frozen=True, slots=True)
class Retry:
    """How a lost connection is sought again: waits from ``first_s``, doubling to ``most_s``, each shortened by chance.

    The chance keeps a thousand clients of a restarted server from coming back in the same instant.
    """

    attempts: int = 12
    """Without a ``welcome`` in between; then it is given up. 0: a lost connection stays lost."""
    first_s: float = 0.05
    most_s: float = 5.0

    def wait_s(self, failures: int) -> float:
        """How long to wait after so many attempts that failed."""
        return min(self.most_s, self.first_s * 2.0**failures) * random.uniform(0.5, 1.0)  # noqa: S311  # spreads load


class Throttle:
    """A token bucket that holds messages back instead of having the server refuse them as ``too_fast``."""

    def __init__(self) -> None:
        """Holds nothing back before :meth:`limit`."""
        self._per_s = self._burst = float("inf")
        self._left = float("inf")
        self._at = 0.0

    def limit(self, limits: Mapping[str, int]) -> None:
        """Take the limits of a ``welcome``; the bucket is full, as it is at the other end of a new connection."""
        self._per_s = limits.get("commands_per_second", float("inf")) * MARGIN
        self._burst = self._left = limits.get("commands_burst", float("inf")) * MARGIN
        self._at = asyncio.get_running_loop().time()

    async def wait(self) -> None:
        """Wait until one more message may be sent, and count it. Who waits first is first."""
        now = asyncio.get_running_loop().time()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s) - 1
        self._at = now
        if self._left < 0:
            await asyncio.sleep(-self._left / self._per_s)
