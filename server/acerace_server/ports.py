"""What the server needs of the world, as types. An adapter implements one port; only ``app.py`` names adapters.

``tests/contract`` holds every adapter of a port to what is written here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from acerace_protocol.messages import Ended
from acerace_protocol.people import DayResult, Result, SoloRecord
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
    opened_us: int
    """When the table was opened, in microseconds of UTC since 1970."""


class Archive(Protocol):
    """The tables that are over; the journal writes them."""

    def find(self, table: str) -> FinishedTable | None:
        """The record of a table by its id, if there is one. Raises :class:`StoreError`."""
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


class Records(Protocol):
    """What can be told of the games that are over, as it is told. All of it raises :class:`StoreError`."""

    def games_of(self, player: str, limit: int, before: int | None = None) -> tuple[Result, ...]:
        """A player's games, the newest first: ``limit`` at most, those with a ``number`` less than ``before``."""
        ...

    def solo_statistics(self, player: str) -> tuple[SoloRecord, ...]:
        """One for each game and options this player has ended or left a solo game of, in the order of their texts."""
        ...

    def day_table(self, code: str, limit: int) -> tuple[DayResult, ...]:
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

    def find_account(self, player: str) -> Account | None:
        """The account of the player with this id, if it has claimed a name."""
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

    def ratings_of(self, player: str) -> tuple[Rating, ...]:
        """In all pools, by the pool's name."""
        ...

    def best(self, pool: str, limit: int) -> tuple[Ranked, ...]:
        """The surest to be good first: by ``mu`` less three ``sigma``."""
        ...


class Store(Protocol):
    """All that a store is asked. What only reads may be called from any thread; the rest belongs on the loop's."""

    @property
    def journal(self) -> Journal: ...
    @property
    def recovery(self) -> Recovery: ...
    @property
    def archive(self) -> Archive: ...
    @property
    def records(self) -> Records: ...
    @property
    def accounts(self) -> Accounts: ...
    @property
    def ratings(self) -> Ratings: ...
