"""What the server needs of the world, as types. An adapter implements one port; only ``app.py`` names adapters.

``tests/contract`` holds every adapter of a port to what is written here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from acerace_protocol.messages import Ended
from acerace_rules.options import Value
from acerace_server.core.match import Entry, Setup
from acerace_server.core.records import KnownPlayer, Rating, Record, Recovered, TokenInfo


class Clock(Protocol):
    """Time, of two kinds that are never mixed."""

    def monotonic_ns(self) -> int:
        """Nanoseconds since some moment; never less than it said before. Says nothing about the date."""
        ...

    def utc_date(self) -> str:
        """Today's date in UTC as ``2026-11-30``; may jump either way when the machine's clock is set."""
        ...


class Entropy(Protocol):
    """Where secrets come from."""

    def token_bytes(self, count: int) -> bytes:
        """``count`` bytes (0 or more) that nobody can foretell from those handed out before."""
        ...


class JournalError(Exception):
    """What was to be written may not have been: it must not be acknowledged, and the server cannot go on."""


class Journal(Protocol):
    """The write-ahead log of all tables."""

    def commit(self, entries: Sequence[Record]) -> None:
        """Write these entries, all or none, after all those before; when this returns they outlive the process.

        Called on the loop's thread between the verdict and the first byte that tells of it, so it must be quick.
        (In memory nothing outlives the process; that adapter keeps the order and the all-or-none.)
        Raises :class:`JournalError`.
        """
        ...


@dataclass(frozen=True, slots=True)
class FinishedTable:
    """All there is to keep of a table that is over: enough to replay it."""

    setup: Setup
    log: tuple[Entry, ...]
    ended: Ended
    opened_us: int = field(default=0, compare=False)
    """When the table was opened, in microseconds of UTC since 1970; the archive's to say."""


class Archive(Protocol):
    """The tables that are over. Nothing calls it yet: so far a table's end goes to the journal and no further."""

    def keep(self, record: FinishedTable) -> None:
        """Keep this record; a second one of the same table changes nothing."""
        ...

    def find(self, table: str) -> FinishedTable | None:
        """The record of a table by its id, if there is one."""
        ...


# --- what a store on disk can do besides; adapters/sql has it ---


class StoreError(Exception):
    """The store cannot be opened, read or written; the message says why, in one line."""


class Recovery(Protocol):
    """What the journal of earlier runs leads to."""

    def recover(self, now: int) -> Recovered:
        """The live tables, and the players; called once, before the first commit of a run.

        ``now`` is in nanoseconds of this run's monotonic clock. All stamps are moved by one amount, so that the newest
        one in the journal becomes ``now``: the time for which the server was away has not passed for any timer. So
        ``opened_at`` may be negative. Raises :class:`StoreError`.
        """
        ...


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What became of one seat; the numbers are ``None`` where the game has none, or was left."""

    player: str
    name: str
    bot: bool
    won: bool
    score: int | None
    contribution: int | None
    moves: int | None
    strict: int | None


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game that is over, as a line of a history."""

    number: int
    """Of all results, in the order in which they came."""
    table: str
    game: str
    options: Mapping[str, Value]
    code: str | None
    finished_us: int
    """Microseconds of UTC since 1970."""
    reason: str
    """An ``EndReason``, or ``left``: a solo game that was begun, and put away before its end."""
    winner: int | None
    duration_ms: int | None
    seats: tuple[SeatResult, ...]


@dataclass(frozen=True, slots=True)
class SoloStatistics:
    """A player's solo games of one kind (RULES.md 5); a game that was begun and left is one that was not won."""

    game: str
    options: Mapping[str, Value]
    games: int
    wins: int
    streak: int
    """Wins since the last game that was not won."""
    longest_streak: int
    best_time_ms: int | None
    """Of the games won."""
    best_strict: int | None
    """By strict scoring, of all games."""
    fewest_moves: int | None
    """Of the games won."""
    balance: int | None = None
    """With a score in dollars: won and lost over all games (D44). Of a game that was left, the stake is lost."""

    @property
    def win_rate(self) -> float:
        """From 0 to 1."""
        return self.wins / self.games


@dataclass(frozen=True, slots=True)
class DealResult:
    """A player's best game of a deal."""

    player: str
    name: str
    bot: bool
    table: str
    strict: int
    won: bool
    duration_ms: int
    moves: int
    finished_us: int


class Records(Protocol):
    """What can be told of the games that are over. All of it raises :class:`StoreError`."""

    def games_of(self, player: str, limit: int, before: int | None = None) -> tuple[GameSummary, ...]:
        """A player's games, the newest first: ``limit`` at most, those with a ``number`` less than ``before``."""
        ...

    def solo_statistics(self, player: str) -> tuple[SoloStatistics, ...]:
        """One for each game and options this player has ended or left a solo game of, in the order of their texts."""
        ...

    def day_table(self, code: str, limit: int) -> tuple[DealResult, ...]:
        """The best games of a deal code, one a player: by strict score, then time, then moves, then who was first."""
        ...


@dataclass(frozen=True, slots=True)
class Account:
    """A claimed name, and how its password is checked."""

    player: KnownPlayer
    """The claimed name is its ``name``."""
    password_hash: str = field(repr=False)


class Accounts(Protocol):
    """Names that are claimed, and tokens; the journal writes them. All of it raises :class:`StoreError`."""

    def find_account(self, name: str) -> Account | None:
        """The account with this name, or one that is the same to who reads it (``core.names.fold``)."""
        ...

    def list_tokens(self, player: str, limit: int) -> tuple[TokenInfo, ...]:
        """``limit`` of a player's tokens at most: those that are valid, then revoked ones, each the newest first."""
        ...

    def find_player(self, sha256: str) -> KnownPlayer | None:
        """Whose token this is, unless it is revoked."""
        ...


class Passwords(Protocol):
    """Slow hashes of passwords: for a thread beside the loop's."""

    def hash(self, password: str) -> str:
        """What is kept of a password."""
        ...

    def verify(self, password_hash: str | None, password: str) -> bool:
        """Whether it is this password's hash. ``None``, for no account at all, is refused and takes as long."""
        ...


@dataclass(frozen=True, slots=True)
class Ranked:
    """A rating, and whose it is."""

    rating: Rating
    name: str
    bot: bool


class Ratings(Protocol):
    """The ratings as they are; the journal writes them, with the result they come from. Raises :class:`StoreError`."""

    def rating(self, player: str, pool: str) -> Rating | None: ...

    def ratings_of(self, player: str) -> tuple[Rating, ...]:
        """In all pools, by the pool's name."""
        ...

    def best(self, pool: str, limit: int) -> tuple[Ranked, ...]:
        """The surest to be good first: by ``mu`` less three ``sigma``."""
        ...
