"""What the hub knows of one connection, and how much it may send."""

from dataclasses import dataclass, field

from acerace_protocol.limits import Fault
from acerace_server.core.lobby import RefusalError
from acerace_server.core.session import Player

_SECOND_NS = 1_000_000_000


@dataclass(slots=True)
class Connection:
    """One connection; its messages are paid for from a token bucket."""

    number: int
    tokens: float
    filled_at: int
    per_second: int
    burst: int
    found: Player | None = None
    tables: set[str] = field(default_factory=set)
    """The tables it follows."""
    malformed: int = 0

    @property
    def player(self) -> Player:
        """Whom it speaks for. Raises :class:`RefusalError` (``HELLO_FIRST``)."""
        if self.found is None:
            raise RefusalError(Fault.HELLO_FIRST, "say hello before anything else")
        return self.found

    def require_hello(self) -> None:
        """Raises :class:`RefusalError` (``HELLO_FIRST``) until it has said who it is."""
        _ = self.player

    def pay(self, at: int) -> None:
        """Pay for one message. Raises :class:`RefusalError` (``TOO_FAST``)."""
        gained = max(0, at - self.filled_at) * self.per_second / _SECOND_NS
        self.tokens = min(self.burst, self.tokens + gained)
        self.filled_at = at
        if self.tokens < 1:
            raise RefusalError(Fault.TOO_FAST, f"more than {self.per_second} messages a second")
        self.tokens -= 1

    def charge(self, messages: int) -> None:
        """Count an answer that was larger than a message's as so many more messages."""
        self.tokens -= messages
