"""How often something may be done: a token bucket."""

from acerace_protocol.units import SECOND_NS

_SWEEP_LEAST = 1024


class Bucket:
    """Holds ``burst`` at most, is full to begin with, and fills up by ``per_second``."""

    __slots__ = ("_filled_at", "_left", "burst", "per_second")

    def __init__(self, per_second: float, burst: float, at: int) -> None:
        self.per_second = per_second
        self.burst = burst
        self._left = float(burst)
        self._filled_at = at

    def take(self, at: int) -> bool:
        """Take one out at ``at`` (ns), if there is one."""
        left, passed = self._left, at - self._filled_at
        if passed > 0:  # stamps of several connections are not always in order
            left = min(self.burst, left + passed * self.per_second / SECOND_NS)
            self._filled_at = at
        if left < 1:
            self._left = left
            return False
        self._left = left - 1
        return True

    def charge(self, amount: int) -> None:
        """Take more out than there may be."""
        self._left -= amount

    def is_full(self, at: int) -> bool:
        """Whether nothing would be lost if it were forgotten, and made anew when it is needed."""
        return self._left + max(0, at - self._filled_at) * self.per_second / SECOND_NS >= self.burst


class Buckets:
    """One bucket for each of many keys, such as addresses; those that are full again are forgotten."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._per_second = per_second
        self._burst = burst
        self._buckets: dict[str, Bucket] = {}
        self._sweep_at = _SWEEP_LEAST

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str, at: int) -> bool:
        """Take one out of a key's bucket at ``at`` (ns), if there is one."""
        bucket = self._buckets.get(key)
        if bucket is None:
            self._sweep(at)
            bucket = self._buckets[key] = Bucket(self._per_second, self._burst, at)
        return bucket.take(at)

    def _sweep(self, at: int) -> None:
        """Forget who has not come for a while; each time twice as many have come, so it costs little."""
        if len(self._buckets) >= self._sweep_at:
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full(at)}
            self._sweep_at = max(_SWEEP_LEAST, 2 * len(self._buckets))
