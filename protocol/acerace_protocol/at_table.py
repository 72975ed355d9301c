"""The messages the server sends about a table: what it is, what happens there, and answers to its players."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from acerace_protocol.fields import Microseconds, Milliseconds, Nonce, Sequence
from acerace_protocol.from_server import FromServer
from acerace_protocol.state import TableState
from acerace_rules.moves import Reason


class PlayerInfo(Struct, frozen=True, omit_defaults=True):
    """Who sits in a seat."""

    player: str
    name: str
    bot: bool = False
    rating: int | None = None
    """In the pool of this match, when it is rated."""


class SeriesInfo(Struct, frozen=True, omit_defaults=True):
    """Where a series stands (RULES.md 6, D55)."""

    kind: Literal["best", "sum"]
    games: int
    """Of how many; a tied series plays one more."""
    number: int
    """Which match this is, from 1."""
    wins: tuple[int, ...]
    """By seat of this match."""
    totals: tuple[int, ...]
    """The scores added up, by seat of this match; a match that was given up or left counts 52 to 0 at least."""
    over: bool = False
    """No match follows."""
    winner: int | None = None
    """Seat, when the series is decided."""


class RaceInfo(Struct, frozen=True):
    """A contested place and who was first: the receipt of a race."""

    suit: str
    rank: int
    """1 ace ... 13 king."""
    winner: int
    """Seat."""
    seq: int
    """The event that took the place."""
    loser: int
    margin_us: Microseconds
    """How much later the loser's command arrived."""


Phase = Literal["waiting", "playing", "over"]
EndReason = Literal[
    "won",
    "out",
    "cleared",
    "blocked",
    "agreed",
    "resigned",
    "absent",
    "no_progress",
    "time",
    "too_long",
]


class EventBase(FromServer, frozen=True, kw_only=True):
    """A numbered event of a table: each is exactly one more than the one before."""

    table: str
    seq: Sequence
    at_us: Microseconds
    """Since the table was opened, on the server's monotonic clock."""


class Snapshot(FromServer, frozen=True, kw_only=True, tag="table"):
    """All there is to know of a table up to and including event ``seq``."""

    table: str
    seq: Sequence
    at_us: Microseconds
    game: str
    options: dict[str, str | int | bool]
    players: tuple[PlayerInfo, ...]
    phase: Phase
    commitment: str | None = None
    """SHA-256 of the secret the deal comes from, in hex. Two-player games."""
    code: str | None = None
    """The deal code. Solo games."""
    ready: tuple[bool, ...] = ()
    state: TableState | None = None
    """The position, from the deal on."""
    check: int | None = None
    """The position's digest (PROTOCOL.md)."""
    turn: int | None = None
    """Whose turn, in alternating play."""
    done: tuple[bool, ...] = ()
    away: tuple[bool, ...] = ()
    races: tuple[RaceInfo, ...] = ()
    blocked: bool = False
    """Solo: nothing can change any more."""
    watchers: int = 0
    rated: bool = False
    series: SeriesInfo | None = None
    """Where the series stands before this match."""
    started_us: Microseconds | None = None
    """As ``at_us``: the deal of a match of two, or the first move of a solo game; what its duration counts from."""
    claim_in_ms: Milliseconds | None = None
    """While the time of a seat that is away runs: from now until the other may claim the win."""
    ended: "Ended | None" = None


class Readied(EventBase, frozen=True, kw_only=True, tag="readied"):
    """A seat is ready for the deal."""

    seat: int
    nonce: Nonce


class Dealt(EventBase, frozen=True, kw_only=True, tag="dealt"):
    """The cards are dealt; the clock runs."""

    state: TableState
    check: int
    turn: int | None = None


class Played(EventBase, frozen=True, kw_only=True, tag="played"):
    """A move was made."""

    seat: int
    nonce: Nonce
    move: str
    cards: tuple[str, ...] = ()
    """What moved, deepest first; what was drawn, in drawing order."""
    slot: int | None = None
    """The foundation, an index into ``state.foundations``, that was played to or taken from."""
    turned: str | None = None
    """The card that turned up in the column that was left."""
    score: int
    """The seat's score after it."""
    turn: int | None = None
    """Whose turn it is now, in alternating play."""
    blocked: bool | UnsetType = UNSET
    """Solo, when it changed: nothing can change any more."""
    check: int


class Undone(EventBase, frozen=True, kw_only=True, tag="undone"):
    """The last move was taken back; the fields are those of the move that is gone."""

    seat: int
    nonce: Nonce
    move: str
    cards: tuple[str, ...] = ()
    slot: int | None = None
    turned: str | None = None
    """The card that lies face down again."""
    score: int
    moves: int
    """The move counter, which does not go down."""
    blocked: bool | UnsetType = UNSET
    check: int


class Passed(EventBase, frozen=True, kw_only=True, tag="passed"):
    """A seat ended its turn."""

    seat: int
    nonce: Nonce
    turn: int


class SaidDone(EventBase, frozen=True, kw_only=True, tag="said_done"):
    """A seat sees nothing more to play. Cleared by its own next move, or by any foundation play."""

    seat: int
    nonce: Nonce


class Presence(EventBase, frozen=True, kw_only=True, tag="presence"):
    """A seat's last connection is gone, or its first is back."""

    seat: int
    away: bool
    claim_in_ms: Milliseconds | None = None
    """From now until the other seat may claim the win, unless it comes back; not told while its time does not run."""


class Warned(EventBase, frozen=True, kw_only=True, tag="warned"):
    """Nothing but draws and recycles for a while; the match ends when it goes on."""

    ends_in_ms: Milliseconds


class Ended(EventBase, frozen=True, kw_only=True, tag="ended"):
    """The match is over, and everything may be known."""

    reason: EndReason
    winner: int | None = None
    """Seat; none: a draw, or a solo game given up."""
    scores: tuple[int, ...]
    contributions: tuple[int, ...]
    """Cards of each seat's own deck on the foundations."""
    strict: tuple[int, ...] = ()
    """Solo: the score with each card's first arrival counted once."""
    moves: tuple[int, ...]
    refusals: tuple[int, ...]
    races: tuple[RaceInfo, ...] = ()
    duration_ms: Milliseconds
    secret: str | None = None
    """What the commitment was the hash of, in hex."""
    seeds: tuple[str, ...] = ()
    """What each seat added, in hex."""
    nonce: Nonce | None = None
    """The command that ended it, if one did by itself (``resign``, ``claim``)."""


Event = Readied | Dealt | Played | Undone | Passed | SaidDone | Presence | Warned | Ended


class Refused(FromServer, frozen=True, kw_only=True, tag="refused"):
    """A table command that the rules refuse. Nothing has changed."""

    table: str
    nonce: Nonce
    reason: Reason
    detail: str = ""
    race: RaceInfo | None = None
    """With ``lost_race``: who took the place, and by how much."""


class LegalMoves(FromServer, frozen=True, kw_only=True, tag="legal_moves"):
    """Your legal moves after event ``seq``."""

    table: str
    seq: Sequence
    moves: tuple[str, ...]
    undo: bool = False
    """There is a move to take back. Solo."""
    redo: bool = False
    """There is an undone move to make again. Solo."""


class Advice(FromServer, frozen=True, kw_only=True, tag="advice"):
    """The answer to ``ask``: moves, best first; none: there is nothing to advise."""

    table: str
    nonce: Nonce
    about: str
    moves: tuple[str, ...] = ()
    blocked: bool = False


class Watchers(FromServer, frozen=True, kw_only=True, tag="watchers"):
    """How many spectators the table has now."""

    table: str
    count: int


ToTable = Snapshot | Event | Refused | LegalMoves | Advice | Watchers
