"""The last events of a table, for those who missed some."""

from collections import deque
from collections.abc import Sequence

from acerace_protocol.limits import HISTORY_EVENTS
from acerace_protocol.messages import Event


class History:
    """Keeps the newest ``size`` events; each has the sequence number after the one before."""

    def __init__(self, size: int = HISTORY_EVENTS) -> None:
        self._events: deque[Event] = deque(maxlen=size)

    def append(self, event: Event) -> None:
        self._events.append(event)

    def since(self, seen: int) -> Sequence[Event] | None:
        """The events after number ``seen``, oldest first; ``None`` when some are gone, or ``seen`` never was."""
        newest = self._events[-1].seq if self._events else 0
        missing = newest - seen
        if not 0 <= missing <= len(self._events):
            return None
        return [self._events[index] for index in range(len(self._events) - missing, len(self._events))]
