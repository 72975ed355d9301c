"""What is counted, for the operator: plain numbers, so that counting costs next to nothing."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from acerace_protocol.messages import Ended, Played, Refused, ServerMessage

MARGIN_BOUNDS_US = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)


class Histogram:
    """How many of the values noted were how large."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[int]) -> None:
        self.bounds = tuple(bounds)
        """Each is the largest value of its class; one more class is for what is larger."""
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0
        """The sum of all values."""

    def note(self, value: int) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class Tally:
    """What happened at all tables since the start."""

    def __init__(self) -> None:
        self.moves = 0
        self.refusals: Counter[str] = Counter()
        """Refused table commands by reason; a nonce that comes again is one more."""
        self.problems: Counter[str] = Counter()
        """Messages that were not carried out, by code."""
        self.ended: Counter[str] = Counter()
        """Matches and solo games by how they ended."""
        self.opened = 0
        """Tables."""
        self.margins_us = Histogram(MARGIN_BOUNDS_US)
        """By how much races were lost; how many there were is the sum of its counts."""

    def note(self, message: ServerMessage, *, to_all: bool) -> None:
        """Count what a match says; a repeated answer is not said to all."""
        kind = type(message)
        if kind is Played:
            self.moves += to_all
        elif isinstance(message, Refused):
            self.refusals[message.reason] += 1
            if message.race:
                self.margins_us.note(message.race.margin_us)
        elif isinstance(message, Ended) and to_all:
            self.ended[message.reason] += 1
