"""What the hub hands to the journal: everything that must outlive the process, in the order in which it was decided."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from acerace_protocol.messages import Ended
from acerace_protocol.people import NextMatch, Rated, SeriesStands
from acerace_server.core.match import Entry, Setup


@dataclass(frozen=True, slots=True)
class PlayerMade:
    """A new guest. The token itself is never kept, only its SHA-256 in hex."""

    player: str
    token_sha256: str
    name: str
    bot: bool


@dataclass(frozen=True, slots=True)
class NameClaimed:
    """A name is this player's from now on, instead of the one claimed before; the same name again: a new password."""

    player: str
    name: str
    password_hash: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class TokenAdded:
    """One more token of a player."""

    player: str
    token_sha256: str
    label: str


@dataclass(frozen=True, slots=True)
class TokenRevoked:
    """A token that is worthless from now on."""

    token_sha256: str


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A table with all that its match is made of."""

    setup: Setup
    public: bool


@dataclass(frozen=True, slots=True)
class TableTold:
    """One more entry of a table's log."""

    table: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class TableOver:
    """A match has ended; its log is complete."""

    table: str
    ended: Ended


Sequel = Rated | SeriesStands | NextMatch
"""What a table is told after its end and nobody may miss, though it is no event: who comes later is told again."""


@dataclass(frozen=True, slots=True)
class SequelTold:
    """What followed the end of a match, all of it so far."""

    table: str
    told: tuple[Sequel, ...]


@dataclass(frozen=True, slots=True)
class TablePutAway:
    """A table that nobody can come back to."""

    table: str


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating in one pool; as a record in a journal's commit, its new value."""

    player: str
    pool: str
    mu: float
    sigma: float
    games: int
    updated_seq: int
    """A number that only grows, of what changed it last."""


Record = (
    PlayerMade
    | NameClaimed
    | TokenAdded
    | TokenRevoked
    | TableOpened
    | TableTold
    | TableOver
    | SequelTold
    | TablePutAway
    | Rating
)


# --- what comes back of it after a restart ---


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player of earlier runs. The tokens themselves are kept nowhere."""

    player: str
    name: str
    bot: bool
    tokens_sha256: tuple[str, ...]
    """In hex, those that are not revoked; the oldest first."""
    ratings: tuple[Rating, ...] = ()
    """In all pools this player has played in."""


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """A player's token, of which only the hash is known. Times in microseconds of UTC since 1970."""

    sha256: str
    label: str
    """Empty: the one that the player was made with."""
    made_us: int
    revoked_us: int | None


@dataclass(frozen=True, slots=True)
class Owner:
    """Who has given the right password for a claimed name."""

    player: KnownPlayer
    tokens: tuple[TokenInfo, ...]
    """Those that are valid, the newest first; perhaps others."""


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table that was live when the server went, or over for a moment: enough for ``replay``."""

    setup: Setup
    public: bool
    log: tuple[Entry, ...]
    sequel: tuple[Sequel, ...] = ()


@dataclass(frozen=True, slots=True)
class Recovered:
    """What was there when the server went; tables in the order in which they were opened."""

    players: tuple[KnownPlayer, ...]
    tables: tuple[LiveTable, ...]
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Every claimed name by the id of the player whose it is, those claimed first first."""
