"""The claims that reached one table in one turn of the loop, and the order in which they are judged.

Order is the order of arrival; but what one peer sent in one read must not push another's claim back, so after one
claim of a seat the other seat's next claim comes first, if it has one (docs/adr/0003: one read takes all that one peer
sent, so F1 O1 F2 on the wire reach the loop as F1 F2 O1).
"""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

from acerace_protocol.messages import Command


class Claim(NamedTuple):
    """A command of a seat, stamped with the nanosecond at which its bytes were read."""

    at: int
    seat: int
    command: Command


class _Waiting(NamedTuple):
    """A claim as it is compared with others: of equal stamps the one that was read first, whichever its seat."""

    at: int
    arrival: int
    claim: Claim


class Inbox:
    """The claims of one table that wait for the end of the loop turn."""

    def __init__(self, seats: int) -> None:
        self._waiting: tuple[deque[_Waiting], ...] = tuple(deque() for _ in range(seats))
        self._arrivals = count()

    def put(self, claim: Claim) -> None:
        self._waiting[claim.seat].append(_Waiting(claim.at, next(self._arrivals), claim))

    def drain(self, deadline: Callable[[], int | None] = lambda: None) -> Iterator[Claim]:
        """Take every claim out, in the order of judgement.

        ``deadline``, asked wherever there is a choice, is when the table's next timer runs out: no claim that came
        before it is pushed behind one that came after it (N25).
        """
        last = -1
        while heads := [waiting[0] for waiting in self._waiting if waiting]:
            first = heads[0].claim if len(heads) == 1 else _first(heads, last, deadline())
            last = first.seat
            self._waiting[last].popleft()
            yield first


def _first(heads: list[_Waiting], last: int, due: int | None) -> Claim:
    """The next to be judged, after one of seat ``last``, while the table's next timer runs out at ``due``."""
    in_time = [head for head in heads if due is None or head.at < due] or heads
    others = [head for head in in_time if head.claim.seat != last]
    return min(others or in_time).claim
