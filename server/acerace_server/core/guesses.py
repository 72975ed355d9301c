"""How often passwords are looked at, so that nobody can guess one by trying."""

from collections import OrderedDict
from collections.abc import Hashable

from acerace_protocol.limits import PASSWORDS_PER_MINUTE, Fault
from acerace_server.core.bucket import Bucket
from acerace_server.core.lobby import RefusalError

_MINUTE_S = 60


class Guesses:
    """A bucket for each connection, name or player that passwords come from or are for.

    One that is full again is forgotten, so there are never more of them than a minute's attempts need.
    """

    def __init__(self, per_minute: int = PASSWORDS_PER_MINUTE) -> None:
        self._per_minute = per_minute
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()
        """Those that were used last are last."""

    def __len__(self) -> int:
        return len(self._buckets)

    def pay(self, whom: Hashable, at: int) -> None:
        """Count one password. Raises :class:`RefusalError` (``TOO_FAST``)."""
        while self._buckets and (first := next(iter(self._buckets.items())))[1].is_full(at):
            del self._buckets[first[0]]
        bucket = self._buckets.get(whom) or Bucket(self._per_minute / _MINUTE_S, self._per_minute, at)
        if not bucket.take(at):
            raise RefusalError(Fault.TOO_FAST, f"more than {self._per_minute} passwords a minute")
        self._buckets[whom] = bucket
        self._buckets.move_to_end(whom)
