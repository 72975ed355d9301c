"""The last events of a table, for those who missed some; and what a seat's last commands were answered with."""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence

from acerace_protocol.limits import HISTORY_EVENTS, NONCES_REMEMBERED
from acerace_protocol.messages import Event, ServerMessage


def nothing() -> None:
    """What recalls nothing, as nothing was left out."""


class History:
    """Keeps the newest ``size`` events; each has the sequence number after the one before."""

    def __init__(self, size: int = HISTORY_EVENTS) -> None:
        self._size = size
        self._events: deque[Event] = deque(maxlen=size)
        self._newest = 0
        self.recall: Callable[[], None] = nothing
        """Called when an event is asked for that was left out: so that it is filled in."""

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def append(self, event: Event) -> None:
        self._events.append(event)
        self._newest = event.seq

    def leave_out(self, newest: int) -> None:
        """All events to this one were not made, because nobody may ever ask for them."""
        self._newest = newest

    def fill_in(self, before: "History") -> None:
        """Put what was left out before what is here."""
        self._events = deque([*before, *self._events], maxlen=self._size)

    def since(self, seen: int) -> Sequence[Event] | None:
        """The events after number ``seen``, oldest first; ``None`` when some are gone, or ``seen`` never was."""
        missing = self._newest - seen
        if not 0 <= missing <= min(self._newest, self._size):
            return None
        if missing > len(self._events):
            self.recall()
        return [self._events[index] for index in range(len(self._events) - missing, len(self._events))]


class Answers:
    """What the newest ``size`` commands of a seat were answered with, by nonce."""

    def __init__(self, size: int = NONCES_REMEMBERED) -> None:
        self._size = size
        self._answers: OrderedDict[int, ServerMessage | None] = OrderedDict()
        """``None``: there is an answer, but it was left out."""
        self.recall: Callable[[], None] = nothing
        """As in :class:`History`."""

    def remember(self, nonce: int, answer: ServerMessage | None) -> None:
        """Remember an answer; ``None``: that there was one, which is not made, because nobody may ever ask for it."""
        self._answers[nonce] = answer
        if len(self._answers) > self._size:
            self._answers.popitem(last=False)

    def fill_in(self, before: "Answers") -> None:
        """Put what was left out where it was left out."""
        for nonce, answer in self._answers.items():
            if answer is None:
                self._answers[nonce] = before.find(nonce)

    def find(self, nonce: int) -> ServerMessage | None:
        """The answer; ``None``: this nonce was never answered, or so long ago that it is forgotten."""
        answer = self._answers.get(nonce)
        if answer is None and nonce in self._answers:
            self.recall()
            answer = self._answers[nonce]
        return answer
