"""Work that takes too long for the loop's thread (a password's hash, a look into the archive), as values.

The core asks for it here; the shell has it done elsewhere and comes back with the result.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from acerace_protocol.limits import JOBS_MAX, Fault
from acerace_protocol.people import Result
from acerace_server.core.records import Rating
from acerace_server.core.refusal import RefusalError


@dataclass(frozen=True, slots=True)
class FindPlayer:
    """Whose token is it? The result is a ``KnownPlayer`` or ``None``."""

    token_sha256: str


@dataclass(frozen=True, slots=True)
class HashPassword:
    """What is to be kept of a password? The result is a ``str``."""

    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class CheckPassword:
    """Which of these players has this password? The result is an ``Owner``, or ``None``; of nobody it takes as long."""

    players: tuple[str, ...]
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ListTokens:
    """Which tokens has a player? The result is a tuple of ``TokenInfo``: those of ``Accounts.list_tokens``."""

    player: str


@dataclass(frozen=True, slots=True)
class FindResults:
    """What has a player played? The result is a :class:`PlayerResults`: games with a number below ``before``.

    ``RESULTS_PER_PAGE`` at most, newest first.
    """

    player: str
    before: int | None


@dataclass(frozen=True, slots=True)
class PlayerResults:
    """Both empty: there may be no such player."""

    results: tuple[Result, ...]
    ratings: tuple[Rating, ...]


@dataclass(frozen=True, slots=True)
class FindStatistics:
    """How has a player done alone? The result is a tuple of ``SoloRecord``, ``RESULTS_PER_PAGE`` at most."""

    player: str


@dataclass(frozen=True, slots=True)
class FindDay:
    """Who was best at a deal? The result is a tuple of ``DayResult``, ``RESULTS_PER_PAGE`` at most."""

    code: str


@dataclass(frozen=True, slots=True)
class FindRanking:
    """Who is best in a pool? The result is a tuple of ``RankedPlayer``, ``LISTED_MAX`` at most."""

    pool: str


@dataclass(frozen=True, slots=True)
class FindReplay:
    """How did a game go? The result is a tuple of the parts of a replay file, or ``None``: no such game is over."""

    table: str


Job = (
    FindPlayer
    | HashPassword
    | CheckPassword
    | ListTokens
    | FindResults
    | FindStatistics
    | FindDay
    | FindRanking
    | FindReplay
)

Then = Callable[[object, int], None]
"""What goes on with a job's result, at a time in nanoseconds. A job that failed has an exception as its result."""


class Jobs:
    """The jobs that were asked for and are not done."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, Job]] = []
        """Number and job: for the shell to drain."""
        self._then: dict[int, Then] = {}
        self._last = 0
        self._queue: deque[tuple[Job, Then, Callable[[], bool]]] = deque()
        self._queued: set[int] = set()
        """Of the jobs that are not done, those that have been in the queue."""

    def __len__(self) -> int:
        return len(self._then) + len(self._queue)

    def ask(self, job: Job, then: Then) -> None:
        """Have a job done. Raises :class:`RefusalError` (``TOO_MANY``) when too many wait already."""
        if len(self._then) - len(self._queued) >= JOBS_MAX:
            raise RefusalError(Fault.TOO_MANY, f"{JOBS_MAX} requests wait already; try again")
        self._begin(job, then)

    def queue(self, job: Job, then: Then, wanted: Callable[[], bool]) -> None:
        """Have a job done when its turn comes, if it is ``wanted`` then; whoever asks bounds how many may wait.

        ``JOBS_MAX`` of them at a time are with the shell, so that the others' jobs never wait behind all of these.
        """
        self._queue.append((job, then, wanted))
        self._advance()

    def finished(self, number: int, result: object, at: int) -> None:
        then = self._then.pop(number)
        if number in self._queued:
            self._queued.remove(number)
            self._advance()
        then(result, at)

    def _begin(self, job: Job, then: Then) -> int:
        self._last += 1
        self._then[self._last] = then
        self.asked.append((self._last, job))
        return self._last

    def _advance(self) -> None:
        while self._queue and len(self._queued) < JOBS_MAX:
            job, then, wanted = self._queue.popleft()
            if wanted():
                self._queued.add(self._begin(job, then))
