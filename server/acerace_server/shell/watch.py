"""When to look after which connection: one heap for all, instead of a timer or a task for each."""

from collections.abc import Iterator
from heapq import heappop, heappush


class Watch:
    """Numbers by due time. A number that is not needed any more stays until its time and is then ignored."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, due: int, number: int) -> None:
        heappush(self._heap, (due, number))

    def due(self, at: int) -> Iterator[int]:
        """Take out the numbers whose time has come by ``at`` (ns), the earliest first."""
        while self._heap and self._heap[0][0] <= at:
            yield heappop(self._heap)[1]
