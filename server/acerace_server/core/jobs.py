"""Work that takes too long for the loop's thread (a password's hash, a look into the archive), as values.

The core asks for it here; the shell has it done elsewhere and comes back with the result.
"""

from collections.abc import Callable
from dataclasses import dataclass

from acerace_protocol.limits import JOBS_MAX, Fault
from acerace_server.core.lobby import RefusalError


@dataclass(frozen=True, slots=True)
class FindPlayer:
    """Whose token is it? The result is a ``KnownPlayer`` or ``None``."""

    token_sha256: str


Job = FindPlayer

Then = Callable[[object, int], None]
"""What goes on with a job's result, at a time in nanoseconds. A job that failed has an exception as its result."""


class Jobs:
    """The jobs that were asked for and are not done."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, Job]] = []
        """Number and job: for the shell to drain."""
        self._then: dict[int, Then] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._then)

    def ask(self, job: Job, then: Then) -> None:
        """Have a job done. Raises :class:`RefusalError` (``TOO_MANY``) when too many wait already."""
        if len(self._then) >= JOBS_MAX:
            raise RefusalError(Fault.TOO_MANY, f"{JOBS_MAX} requests wait already; try again")
        self._last += 1
        self._then[self._last] = then
        self.asked.append((self._last, job))

    def finished(self, number: int, result: object, at: int) -> None:
        self._then.pop(number)(result, at)
