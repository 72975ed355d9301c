"""How long the loop was busy: the longer, the more often the order of two arrivals is chance (docs/adr/0003)."""

from collections import deque
from typing import Final

from acerace_protocol.units import SECOND_NS, US_NS

_MINUTE_S: Final = 60


class StallMeter:
    """The longest stall of the last minute, to the second."""

    def __init__(self) -> None:
        self._seconds: deque[tuple[int, int]] = deque(maxlen=_MINUTE_S + 1)
        """Pairs of second and longest stall in it, in nanoseconds; seconds without any are left out."""

    def note(self, stall: int, at: int) -> None:
        """Note that the loop was busy for ``stall`` ns until ``at``."""
        second = at // SECOND_NS
        if not self._seconds or self._seconds[-1][0] != second:
            self._seconds.append((second, stall))
        elif stall > self._seconds[-1][1]:
            self._seconds[-1] = (second, stall)

    def longest_us(self, at: int) -> int:
        """The longest stall of the minute before ``at``, in microseconds."""
        since = at // SECOND_NS - _MINUTE_S
        return max((stall for second, stall in self._seconds if second >= since), default=0) // US_NS
