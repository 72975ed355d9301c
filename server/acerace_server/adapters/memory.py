"""Complete adapters that keep everything in memory: fakes for tests. ``--memory`` is ``SqlStore.in_memory``."""

import hmac
from collections import deque
from collections.abc import Sequence
from typing import Final

from acerace_server.core.records import Record

JOURNAL_ENTRIES: Final = 10_000


class ManualClock:
    """Implements :class:`acerace_server.ports.Clock`; time passes when it is told to."""

    def __init__(self, now: int = 0, date: str = "2026-11-30") -> None:
        self._now = now
        self.date = date

    def monotonic_ns(self) -> int:
        return self._now

    def utc_date(self) -> str:
        return self.date

    def advance(self, nanoseconds: int) -> None:
        """Let time pass. Raises ``ValueError`` if it would run backwards."""
        if nanoseconds < 0:
            raise ValueError(f"{nanoseconds} ns: a monotonic clock does not run backwards")
        self._now += nanoseconds


class SeededEntropy:
    """Implements :class:`acerace_server.ports.Entropy` with bytes that follow from a seed. Never for real secrets."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._left = b""

    def token_bytes(self, count: int) -> bytes:
        while len(self._left) < count:
            self._left += hmac.digest(self._seed, b"%d" % self._block, "sha256")
            self._block += 1
        taken, self._left = self._left[:count], self._left[count:]
        return taken


class MemoryJournal:
    """Implements :class:`acerace_server.ports.Journal`; keeps the newest entries and forgets the rest."""

    def __init__(self, size: int = JOURNAL_ENTRIES) -> None:
        self._entries: deque[Record] = deque(maxlen=size)
        self.commits = 0

    def commit(self, entries: Sequence[Record]) -> None:
        self._entries.extend(entries)
        self.commits += 1

    def entries(self) -> tuple[Record, ...]:
        """What is kept, oldest first."""
        return tuple(self._entries)
