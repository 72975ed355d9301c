"""The messages a client may send."""

from typing import Literal

from msgspec import Struct

from acerace_protocol.fields import (
    Agent,
    CardText,
    Code,
    Delay,
    Key,
    MoveText,
    Name,
    Nonce,
    Options,
    PileText,
    PlayerSeed,
    Sequence,
    TableId,
    Token,
)


class FromClient(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """What a client may send."""


class Hello(FromClient, frozen=True, kw_only=True, tag="hello"):
    """The first message of a connection."""

    token: Token | None = None
    """From an earlier ``welcome``; without it a new guest is made."""
    name: Name | None = None
    bot: bool = False
    agent: Agent = ""
    """What program this is, for the operator's log."""


class Ping(FromClient, frozen=True, kw_only=True, tag="ping"):
    """Asks for a ``pong``; measures the way there and back."""

    nonce: Nonce


class ListGames(FromClient, frozen=True, kw_only=True, tag="list_games"):
    """Asks for ``games``, the catalogue."""


class ListTables(FromClient, frozen=True, kw_only=True, tag="list_tables"):
    """Asks for ``tables``, the live public ones."""


class ListSeeks(FromClient, frozen=True, kw_only=True, tag="list_seeks"):
    """Asks for ``seeks``, the open ones."""


class Seek(FromClient, frozen=True, kw_only=True, tag="seek"):
    """Looks for an opponent at a two-player game; an open seek with the same options is taken at once."""

    game: Key = "double-klondike"
    options: Options = {}
    private: bool = False
    """An invitation: nobody is paired with it but who brings its code."""
    rated: bool = False
    """Pairs with rated seeks only, players of like rating first; the match changes both ratings."""
    house: bool = True
    """A house bot may take it when nobody else does for a few seconds. Never a private one."""
    nonce: Nonce | None = None
    """The same number again is the same wish: it leads to one seat, however often it is sent."""


class Unseek(FromClient, frozen=True, kw_only=True, tag="unseek"):
    """Takes one's own seek back."""


class Accept(FromClient, frozen=True, kw_only=True, tag="accept"):
    """Takes an open seek by its id, or an invitation by its code."""

    seek: Code
    nonce: Nonce | None = None
    """As in ``seek``."""


class Solo(FromClient, frozen=True, kw_only=True, tag="solo"):
    """Starts a solo game: by deal code, the deal of the day, or a new deal."""

    game: Key = "klondike"
    """A game's or a preset's key; not used with ``code``."""
    options: Options = {}
    code: Code | None = None
    daily: bool = False
    nonce: Nonce | None = None
    """As in ``seek``."""


class Watch(FromClient, frozen=True, kw_only=True, tag="watch"):
    """Follows a table as a spectator: a ``table`` snapshot, then its events."""

    table: TableId
    delay_s: Delay = 0
    """How long after everybody else to be told of what happens, up to ten minutes."""


class Leave(FromClient, frozen=True, kw_only=True, tag="leave"):
    """Stops following a table. A seat is kept; a solo game is put away."""

    table: TableId


class Resume(FromClient, frozen=True, kw_only=True, tag="resume"):
    """Asks for all that came after event ``seen``: the events, or a ``table`` snapshot when they are gone."""

    table: TableId
    seen: Sequence


class Legal(FromClient, frozen=True, kw_only=True, tag="legal"):
    """Asks for one's own legal moves now and after each event (``on``), or no longer."""

    table: TableId
    on: bool = True


class Ask(FromClient, frozen=True, kw_only=True, tag="ask"):
    """Asks the referee for advice; answered by ``advice``. Solo games; ``places`` for every seat."""

    table: TableId
    about: Literal["hint", "places", "tap", "double_tap", "finish", "blocked"]
    pile: PileText | None = None
    """For ``places``, ``tap`` and ``double_tap``: ``w``, ``c3``, ``c3:4``, ``f:h``."""
    nonce: Nonce


class TableCommand(FromClient, frozen=True, kw_only=True):
    """A command about a table in which the sender has a seat."""

    table: TableId
    nonce: Nonce


class Ready(TableCommand, frozen=True, kw_only=True, tag="ready"):
    """Agrees to the deal, and may add to its seed."""

    seed: PlayerSeed = ""
    """Up to 64 bytes in lower-case hex; mixed with the server's secret."""


class Play(TableCommand, frozen=True, kw_only=True, tag="play"):
    """Makes a move."""

    move: MoveText
    seen: Sequence = 0
    """The last event the sender had seen when it decided; tells a lost race from a plain mistake."""
    card: CardText | None = None
    """The deepest card the sender means to move; if the pile now shows another: ``other_card``."""


class Undo(TableCommand, frozen=True, kw_only=True, tag="undo"):
    """Takes the last command back. Solo."""


class Redo(TableCommand, frozen=True, kw_only=True, tag="redo"):
    """Carries out again what was undone last. Solo."""


class Pass(TableCommand, frozen=True, kw_only=True, tag="pass"):
    """Ends one's turn. Alternating pace."""


class Done(TableCommand, frozen=True, kw_only=True, tag="done"):
    """Says that one sees nothing more to play; the match ends when both have said so."""


class Resign(TableCommand, frozen=True, kw_only=True, tag="resign"):
    """Gives the match, or the solo game, up."""


class Claim(TableCommand, frozen=True, kw_only=True, tag="claim"):
    """Claims the win against an opponent who has been away for longer than the grace."""


Command = Ready | Play | Undo | Redo | Pass | Done | Resign | Claim
FromTables = (
    Hello
    | Ping
    | ListGames
    | ListTables
    | ListSeeks
    | Seek
    | Unseek
    | Accept
    | Solo
    | Watch
    | Leave
    | Resume
    | Legal
    | Ask
    | Command
)
