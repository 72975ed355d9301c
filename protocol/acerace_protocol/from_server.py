"""The messages the server sends about itself, and of what may be played; those about a table are in ``at_table``."""

from msgspec import Struct

from acerace_protocol.fields import VERSION, Nonce, Sequence


class FromServer(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """What the server sends."""


class Welcome(FromServer, frozen=True, kw_only=True, tag="welcome"):
    """Who you are, and what holds here."""

    player: str
    """Your public id."""
    name: str
    token: str
    """Your secret: brings your seats back on any connection."""
    server: str
    version: int = VERSION
    limits: dict[str, int]
    """Every limit by name, the unit last in the name."""
    tables: tuple[str, ...] = ()
    """The tables where you have a seat, live or just over: ``resume`` them."""


class Pong(FromServer, frozen=True, kw_only=True, tag="pong"):
    """The answer to ``ping``."""

    nonce: Nonce


class Problem(FromServer, frozen=True, kw_only=True, tag="problem"):
    """A message that was not carried out and was no table command."""

    code: str
    """One of :class:`acerace_protocol.limits.Fault`."""
    detail: str = ""
    nonce: Nonce | None = None
    table: str | None = None
    """The table that the message named, if it named one."""


class OptionInfo(Struct, frozen=True, omit_defaults=True):
    """An option of a game: named values, or a whole number from ``least`` to ``most``."""

    key: str
    default: str | int | bool
    values: tuple[str | int | bool, ...] = ()
    least: int | None = None
    most: int | None = None


class GameInfo(Struct, frozen=True):
    """A game of the catalogue."""

    key: str
    name: str
    seats: int
    options: tuple[OptionInfo, ...]
    presets: dict[str, dict[str, str | int | bool]]


class Games(FromServer, frozen=True, kw_only=True, tag="games"):
    """The catalogue."""

    games: tuple[GameInfo, ...]


class SeekInfo(Struct, frozen=True, omit_defaults=True):
    """An open seek."""

    seek: str
    name: str
    game: str
    options: dict[str, str | int | bool]
    bot: bool = False
    rated: bool = False
    rating: int | None = None


class Seeks(FromServer, frozen=True, kw_only=True, tag="seeks"):
    """The open seeks."""

    seeks: tuple[SeekInfo, ...]


class Seeking(FromServer, frozen=True, kw_only=True, tag="seeking"):
    """Your seek is open; ``seek`` is its id, or the code to invite somebody with."""

    seek: str
    private: bool = False


class Unsought(FromServer, frozen=True, kw_only=True, tag="unsought"):
    """Your seek is gone."""

    seek: str


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """A live table in the directory."""

    table: str
    game: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    seq: int
    watchers: int
    rated: bool = False


class Tables(FromServer, frozen=True, kw_only=True, tag="tables"):
    """The live public tables."""

    tables: tuple[TableInfo, ...]
    featured: str | None = None
    """The table to watch if you do not know which: it stays the same while it is live."""


class Resumed(FromServer, frozen=True, kw_only=True, tag="resumed"):
    """You follow the table again; ``missed`` events come now, or a ``table`` snapshot if there are too many."""

    table: str
    seq: Sequence
    """The table's last event, which you will then have seen."""
    missed: int


class Seated(FromServer, frozen=True, kw_only=True, tag="seated"):
    """You have a seat; a ``table`` snapshot follows."""

    table: str
    seat: int


class Closing(FromServer, frozen=True, kw_only=True, tag="closing"):
    """The server stops, or the table is put away."""

    detail: str
    table: str | None = None


ToAnyone = Welcome | Pong | Problem | Games | Seeks | Seeking | Unsought | Tables | Resumed | Seated | Closing
