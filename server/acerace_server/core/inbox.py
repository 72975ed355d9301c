"""The claims that reached one table in one turn of the loop, and the order in which they are judged.

Order is the order of arrival; but what one peer sent in one read must not push another's claim back, so after one
claim of a seat the other seat's next claim comes first, if it has one (FACTS.md: one read takes all that one peer
sent, so F1 O1 F2 on the wire reach the loop as F1 F2 O1).
"""

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from acerace_protocol.messages import Command


class Claim(NamedTuple):
    """A command of a seat, stamped with the nanosecond at which its bytes were read."""

    at: int
    seat: int
    command: Command


class Inbox:
    """The claims of one table that wait for the end of the loop turn."""

    def __init__(self, seats: int) -> None:
        self._waiting: tuple[deque[Claim], ...] = tuple(deque() for _ in range(seats))

    def put(self, claim: Claim) -> None:
        self._waiting[claim.seat].append(claim)

    def drain(self, deadline: Callable[[], int | None] = lambda: None) -> Iterator[Claim]:
        """Take every claim out, in the order of judgement.

        ``deadline``, asked before each, is when the table's next timer runs out: no claim that came before it is
        pushed behind one that came after it (N25).
        """
        last = -1
        while heads := [waiting[0] for waiting in self._waiting if waiting]:
            due = deadline()
            in_time = [claim for claim in heads if due is None or claim.at < due] or heads
            others = [claim for claim in in_time if claim.seat != last]
            first = min(others or in_time, key=_stamp)
            last = first.seat
            self._waiting[last].popleft()
            yield first


def _stamp(claim: Claim) -> int:
    return claim.at
