"""What the hub hands to the journal: everything that must outlive the process, in the order in which it was decided."""

from dataclasses import dataclass

from acerace_protocol.messages import Ended
from acerace_server.core.match import Entry, Setup


@dataclass(frozen=True, slots=True)
class PlayerMade:
    """A new guest. The token itself is never kept, only its SHA-256 in hex."""

    player: str
    token_sha256: str
    name: str
    bot: bool


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


@dataclass(frozen=True, slots=True)
class TablePutAway:
    """A table that nobody can come back to."""

    table: str


Record = PlayerMade | TableOpened | TableTold | TableOver | TablePutAway


# --- what comes back of it after a restart ---


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player of earlier runs. The tokens themselves are kept nowhere."""

    player: str
    name: str
    bot: bool
    tokens_sha256: tuple[str, ...]
    """In hex, those that are not revoked; the oldest first."""


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table that was live when the server went: enough for ``replay``."""

    setup: Setup
    public: bool
    log: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Recovered:
    """What was there when the server went; tables in the order in which they were opened."""

    players: tuple[KnownPlayer, ...]
    tables: tuple[LiveTable, ...]
