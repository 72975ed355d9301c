"""What the shell counts, for the operator."""

from collections import Counter
from typing import Final

from acerace_protocol.limits import CloseCode
from acerace_protocol.units import US_NS
from acerace_server.core.tally import Histogram

BEAT_BOUNDS_NS: Final = tuple(us * US_NS for us in (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 200_000))
COMMIT_BOUNDS_NS: Final = tuple(us * US_NS for us in (10, 20, 50, 100, 200, 500, 1_000, 5_000, 20_000, 100_000))


class Counts:
    """Plain numbers since the start."""

    def __init__(self) -> None:
        self.opened = 0
        """WebSockets."""
        self.dropped: Counter[str] = Counter()
        """Connections that this side gave up, by why."""
        self.turned_away: Counter[str] = Counter()
        """Connections that were not let in, by why."""
        self.beats_ns = Histogram(BEAT_BOUNDS_NS)
        """From the first arrival of a loop turn to the last byte written because of it."""
        self.commits_ns = Histogram(COMMIT_BOUNDS_NS)
        """How long the journal took, a loop turn."""

    def closed(self, code: int, count: int) -> None:
        """Count connections that the hub has closed with this code."""
        self.dropped[CloseCode(code).name.lower()] += count
