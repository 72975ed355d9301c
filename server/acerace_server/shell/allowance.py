"""How fast one connection is read."""

from acerace_protocol.units import SECOND_NS


class Allowance:
    """A token bucket for frames that does not refuse: it says for how long to stop reading.

    The kernel's buffers then fill up and the sender waits, so nobody else pays for a flood of tiny frames.
    """

    __slots__ = ("_burst", "_filled_at", "_left", "_per_second")

    def __init__(self, per_second: int, at: int) -> None:
        self._per_second = per_second
        self._burst = 2.0 * per_second
        self._left = self._burst
        self._filled_at = at

    def spend(self, frames: int, at: int) -> float:
        """Pay for frames that were read at ``at`` (ns); the seconds until the debt is paid, 0.0: none."""
        gained = (at - self._filled_at) * self._per_second / SECOND_NS
        self._filled_at = at
        self._left = min(self._burst, self._left + gained) - frames
        return max(0.0, -self._left / self._per_second)
