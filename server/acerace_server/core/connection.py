"""What the hub knows of one connection, and how much it may send."""

from dataclasses import dataclass, field

from acerace_protocol.limits import FLOOD_MESSAGES, CloseCode, Fault
from acerace_protocol.units import MINUTE_NS
from acerace_server.core.bucket import Bucket
from acerace_server.core.refusal import RefusalError
from acerace_server.core.session import Player

PLAYER_FACTOR = 2
"""All connections of one player together may send as much as so many."""


@dataclass(slots=True)
class Connection:
    """One connection; its messages are paid for, and what cannot be paid is counted."""

    number: int
    budget: Bucket
    source: str = ""
    """The address it counts for; empty: it is not counted."""
    found: Player | None = None
    tables: set[str] = field(default_factory=set[str])
    """The tables it follows."""
    token_sha256: str = ""
    """What the token that it came with hashes to."""
    knows_password: bool = False
    """It has logged in, or has claimed the name itself."""
    checking: bool = False
    """A password that it has sent is being hashed."""
    looked_up: bool = False
    """The store is being asked whose token it has said hello with."""
    malformed: int = 0
    closing: bool = False
    """The shell was asked to close it; what it still sends does not count."""
    _too_fast: int = 0
    """Messages refused as too fast since ``_too_fast_since``."""
    _too_fast_since: int = 0

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
        if not self.budget.take(at):
            raise RefusalError(Fault.TOO_FAST, f"more than {self.budget.per_second} messages a second")
        player = self.found
        if player:
            if player.budget is None:
                player.budget = Bucket(PLAYER_FACTOR * self.budget.per_second, PLAYER_FACTOR * self.budget.burst, at)
            if not player.budget.take(at):
                detail = f"more than {player.budget.per_second} messages a second from all your connections"
                raise RefusalError(Fault.TOO_FAST, detail)

    def charge(self, messages: int) -> None:
        """Count an answer that was larger than a message's as so many more messages."""
        self.budget.charge(messages)

    def note_refusal(self, fault: Fault, at: int) -> CloseCode | None:
        """Count a message that was too fast; one who goes on all the same is closed, with this code."""
        if fault is not Fault.TOO_FAST:
            return None
        if at - self._too_fast_since > MINUTE_NS:
            self._too_fast, self._too_fast_since = 0, at
        self._too_fast += 1
        if self._too_fast <= FLOOD_MESSAGES:
            return None
        self.closing = True
        return CloseCode.FLOOD
