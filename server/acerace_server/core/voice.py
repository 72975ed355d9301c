"""What a match says: numbered events for everyone, answers for a seat, and the memory of both."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from acerace_protocol.messages import Event, ServerMessage
from acerace_protocol.units import US_NS
from acerace_server.core.history import Answers, History, nothing

EVERYONE: Final = -1
"""As a receiver: both seats and every spectator."""

E = TypeVar("E", bound=Event)


class Voice:
    """Numbers events, stamps them in microseconds since the table was opened, and remembers what was said."""

    def __init__(self, table: str, opened_at: int, seats: int) -> None:
        self.seq = 0
        self.history = History()
        self.answers = tuple(Answers() for _ in range(seats))
        self.outgoing: list[tuple[int, ServerMessage]] = []
        """Pairs of receiver (a seat, or ``EVERYONE``) and message, for the caller to drain."""
        self._table = table
        self._opened_at = opened_at
        self._now = opened_at
        self._silent = False

    def emit(self, kind: type[E], **fields: Any) -> E | None:
        """Number an event, keep it, and send it to everyone; it is the answer to the nonce it carries.

        ``None``: it is left out, and needs no fields.
        """
        self.seq += 1
        if self._silent:
            return None
        event = kind(table=self._table, seq=self.seq, at_us=self.at_us, **fields)
        self.history.append(event)
        self.outgoing.append((EVERYONE, event))
        return event

    def answer(self, seat: int, nonce: int, message: ServerMessage | None) -> None:
        """Remember what this nonce was answered with, for when it comes again; ``None``: it is left out."""
        self.answers[seat].remember(nonce, message)

    @property
    def at_us(self) -> int:
        return self._us(self._now)

    def _us(self, at: int) -> int:
        return (at - self._opened_at) // US_NS

    # --- in a replay ---

    def keep_silent(self, recall: "Callable[[], Voice]") -> None:
        """Make no events and answers until :meth:`speak`, only count and remember that they were.

        When one of them is asked for, later, ``recall`` must tell all of it to another one, who has not kept silent.
        """

        def fill_in() -> None:
            before = recall()
            self.history.fill_in(before.history)
            for mine, theirs in zip(self.answers, before.answers, strict=True):
                mine.fill_in(theirs)
            self._recall_by(nothing)

        self._silent = True
        self._recall_by(fill_in)

    def _leave_out(self, seat: int, nonce: int) -> None:
        """Count an event and its answer."""
        self.seq += 1
        self.answers[seat].remember(nonce, None)

    def speak(self) -> None:
        """Make events and answers from now on."""
        if self._silent:
            self.history.leave_out(self.seq)
        self._silent = False

    def _recall_by(self, recall: Callable[[], None]) -> None:
        self.history.recall = recall
        for answers in self.answers:
            answers.recall = recall
