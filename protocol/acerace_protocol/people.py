"""The messages about players: opponents, ratings, records, replays, emotes; both directions."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from acerace_protocol.at_table import SeriesInfo
from acerace_protocol.fields import Key, Nonce, Options, TableId
from acerace_protocol.from_client import FromClient
from acerace_protocol.from_server import FromServer, SeekInfo

HOUSE_LEVELS: Final = ("easy", "medium", "hard")
"""Of the house bots, weakest first."""
PlayerId = Annotated[str, Meta(min_length=1, max_length=32)]
Date = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)")]
Part = Annotated[int, Meta(ge=0, le=9_999)]
Before = Annotated[int, Meta(ge=1, le=2**53 - 1)]
Emote = Literal["hello", "good_luck", "well_played", "ouch", "thinking", "hurry", "thanks", "rematch"]

# --- opponents ---------------------------------------------------------------------------------------------


class Challenge(FromClient, frozen=True, kw_only=True, tag="challenge"):
    """Plays a house bot of this level at once."""

    level: Key
    game: Key = "double-klondike"
    options: Options = {}  # noqa: RUF012  # msgspec makes a new one for each message
    nonce: Nonce | None = None
    """As in ``seek``."""


class ListLevels(FromClient, frozen=True, kw_only=True, tag="list_levels"):
    """Asks for ``levels``, those of the house bots that are there."""


class Rematch(FromClient, frozen=True, kw_only=True, tag="rematch"):
    """After a match: wants another one with the same opponent and options; seats are exchanged."""

    table: TableId
    nonce: Nonce


class ServeHouse(FromClient, frozen=True, kw_only=True, tag="serve_house"):
    """From a house bot of this server: it takes seeks of people that nobody else takes. Needs the house's secret."""

    secret: Annotated[str, Meta(min_length=16, max_length=64)]
    level: Key


class Levels(FromServer, frozen=True, kw_only=True, tag="levels"):
    """The levels of the house bots, weakest first."""

    levels: tuple[str, ...]


class Offered(FromServer, frozen=True, kw_only=True, tag="offered"):
    """To a house bot: ``accept`` this seek now."""

    seek: SeekInfo


class RematchOffered(FromServer, frozen=True, kw_only=True, tag="rematch_offered"):
    """A seat wants another match. When both do, both are ``seated`` anew."""

    table: str
    seat: int | None = None
    """Nobody's: the match was a draw, and the server proposes a new deal."""


class SeriesStands(FromServer, frozen=True, kw_only=True, tag="series"):
    """After a match of a series: where it stands. Unless it is decided, both are ``seated`` for the next match."""

    table: str
    series: SeriesInfo


class NextMatch(FromServer, frozen=True, kw_only=True, tag="next_match"):
    """After a match: the same two play on, at another table; who watches them may follow."""

    table: str
    next: str
    """The table of the next match: of the series, or of the rematch."""


# --- ratings, records, replays -----------------------------------------------------------------------------


class RatingInfo(Struct, frozen=True, omit_defaults=True):
    """A rating in one pool (people or bots, by pace)."""

    pool: str
    rating: int
    deviation: int
    """How unsure it is: the true strength is within two of them of ``rating``, in all likelihood."""
    games: int
    provisional: bool = False
    """Too few games to say much."""


class RatedSeat(Struct, frozen=True):
    """How a match changed one seat's rating."""

    seat: int
    before: int
    after: RatingInfo


class Rated(FromServer, frozen=True, kw_only=True, tag="rated"):
    """After a rated match: how it changed the ratings."""

    table: str
    seats: tuple[RatedSeat, ...]


class GetRanking(FromClient, frozen=True, kw_only=True, tag="get_ranking"):
    """Asks for ``ranking``: the best of a pool."""

    pool: Key
    nonce: Nonce


class RankedPlayer(Struct, frozen=True, omit_defaults=True):
    """One line of a ranking."""

    player: str
    name: str
    rating: RatingInfo
    bot: bool = False


class Ranking(FromServer, frozen=True, kw_only=True, tag="ranking"):
    """The best of a pool, best first."""

    pool: str
    players: tuple[RankedPlayer, ...]
    nonce: Nonce


class GetResults(FromClient, frozen=True, kw_only=True, tag="get_results"):
    """Asks for ``results``: a player's games, newest first."""

    player: PlayerId | None = None
    """Nobody: one's own."""
    before: Before | None = None
    """Only games with a ``number`` less than this: the next page."""
    nonce: Nonce


class ResultSeat(Struct, frozen=True, omit_defaults=True):
    """One seat of a game that is over; a number is missing where the game has none, or was left."""

    player: str
    name: str
    won: bool
    score: int | None = None
    contribution: int | None = None
    moves: int | None = None
    strict: int | None = None
    bot: bool = False


class Result(Struct, frozen=True, omit_defaults=True):
    """A game that is over."""

    number: int
    """Of all results, in the order in which they came."""
    table: str
    game: str
    options: dict[str, str | int | bool]
    finished_us: int
    """Microseconds of UTC since 1970."""
    reason: str
    """An ``EndReason``, or ``left``: a solo game that was begun, and put away before its end."""
    seats: tuple[ResultSeat, ...]
    winner: int | None = None
    duration_ms: int | None = None
    code: str | None = None


class Results(FromServer, frozen=True, kw_only=True, tag="results"):
    """A player's games, newest first, and ratings."""

    player: str
    results: tuple[Result, ...]
    ratings: tuple[RatingInfo, ...]
    nonce: Nonce


class GetStatistics(FromClient, frozen=True, kw_only=True, tag="get_statistics"):
    """Asks for ``statistics``: one's own solo games."""

    nonce: Nonce


class SoloRecord(Struct, frozen=True, omit_defaults=True):
    """Statistics of one solo game under one set of options (RULES.md 5)."""

    game: str
    options: dict[str, str | int | bool]
    games: int
    """Those that were begun and left are among them, as not won."""
    wins: int
    streak: int
    """Wins since the last game that was not won."""
    longest_streak: int
    best_time_ms: int | None = None
    """Of the games won."""
    best_strict: int | None = None
    """By strict scoring, of all games."""
    fewest_moves: int | None = None
    """Of the games won."""
    balance: int | None = None
    """Vegas scoring: dollars won and lost over all these games; a game that was left has lost its stake."""


class Statistics(FromServer, frozen=True, kw_only=True, tag="statistics"):
    """Your solo games."""

    records: tuple[SoloRecord, ...]
    nonce: Nonce


class GetDay(FromClient, frozen=True, kw_only=True, tag="get_day"):
    """Asks for ``day``: the table of a deal of the day."""

    game: Key
    options: Options = {}  # noqa: RUF012  # msgspec makes a new one for each message
    date: Date | None = None
    """UTC; none: today."""
    nonce: Nonce


class DayResult(Struct, frozen=True, omit_defaults=True):
    """A player's best game of a deal, by strict scoring."""

    player: str
    name: str
    table: str
    strict: int
    won: bool
    duration_ms: int
    moves: int
    bot: bool = False


class Day(FromServer, frozen=True, kw_only=True, tag="day"):
    """The table of a deal of the day: best first."""

    code: str
    date: str
    results: tuple[DayResult, ...]
    nonce: Nonce


class GetReplay(FromClient, frozen=True, kw_only=True, tag="get_replay"):
    """Asks for ``replay``: a finished game, or one part of it if it is long."""

    table: TableId
    part: Part = 0
    nonce: Nonce


class Replay(FromServer, frozen=True, kw_only=True, tag="replay"):
    """A finished game as the text of a replay file (PROTOCOL.md), or so many of its lines."""

    table: str
    text: str
    part: int = 0
    """Of ``parts``, from 0; one after the other they are the file."""
    parts: int = 1
    nonce: Nonce


# --- at the table ------------------------------------------------------------------------------------------


class Say(FromClient, frozen=True, kw_only=True, tag="say"):
    """Shows one of the preset emotes to the table. There is no free chat."""

    table: TableId
    emote: Emote


class Mute(FromClient, frozen=True, kw_only=True, tag="mute"):
    """Spares this connection the emotes of a table, or no longer."""

    table: TableId
    on: bool = True


class Said(FromServer, frozen=True, kw_only=True, tag="said"):
    """A seat shows an emote."""

    table: str
    seat: int
    emote: str


FromPeople = (
    Challenge
    | ListLevels
    | Rematch
    | ServeHouse
    | GetRanking
    | GetResults
    | GetStatistics
    | GetDay
    | GetReplay
    | Say
    | Mute
)
ToPeople = (
    Levels
    | Offered
    | RematchOffered
    | SeriesStands
    | NextMatch
    | Rated
    | Ranking
    | Results
    | Statistics
    | Day
    | Replay
    | Said
)
