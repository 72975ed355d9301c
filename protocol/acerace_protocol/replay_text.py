"""Replay files: a finished game as text (PROTOCOL.md, "Replay files"). Pure; what is checked here is the form only.

Each text has one reading and each reading one text: :func:`read_replay` refuses whatever :func:`replay_text` would have
written in another way. So a file can be compared, signed or kept under its hash.
"""

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from acerace_protocol.at_table import Ended, EventBase, PlayerInfo, Refused
from acerace_protocol.from_client import Command, TableCommand
from acerace_protocol.from_server import FromServer
from acerace_protocol.units import US_NS

FIRST_LINE: Final = "acerace replay 1"
_HEADERS: Final = (
    "table",
    "game",
    "options",
    "players",
    "rated",
    "opened_us",
    "commitment",
    "code",
    "ended",
    "entries",
)
_OF_EVENTS: Final = ("cards", "turned", "score", "turn", "check")
_TIME: Final = re.compile(r"(0|[1-9][0-9]*)\.([0-9]{3})")
_PLAIN: Final = re.compile(r"[A-Za-z0-9:>,]+")
_CLOCK: Final = "-"
_NOTHING: Final = "nothing"
_REFUSED: Final = "refused"

Signal = Literal["away", "back", "timeout"]
"""What a table is told besides commands: a seat's last connection is gone, its first is back, a timer has run out."""


class ReplayTextError(ValueError):
    """Text that is no replay file; ``line`` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class Happened(Struct, frozen=True):
    """An event that an entry led to: its type, and of these fields those that it has, as it has them."""

    event: str
    seq: int
    cards: tuple[str, ...] = ()
    turned: str | None = None
    check: int | None = None
    score: int | None = None
    turn: int | None = None


class Denied(Struct, frozen=True):
    """Why a command was refused; for a lost race also the event that took the place, and the margin."""

    reason: str
    seq: int | None = None
    margin_us: int | None = None


Outcome = tuple[Happened, ...] | Denied


class Told(Struct, frozen=True):
    """One thing the table was told, and what came of it."""

    at_ns: int
    """Since the table was opened."""
    seat: int
    """-1: the clock."""
    what: Command | Signal
    outcome: Outcome


class Replay(Struct, frozen=True):
    """What a replay file says."""

    table: str
    game: str
    options: dict[str, str | int | bool]
    players: tuple[PlayerInfo, ...]
    ended: Ended
    entries: tuple[Told, ...]
    opened_us: int
    """Microseconds of UTC since 1970."""
    rated: bool = False
    commitment: str | None = None
    code: str | None = None

    @property
    def first_entry_line(self) -> int:
        """The number of the line of ``entries[0]``."""
        return self.line_of(_HEADERS[-1]) + 1

    def line_of(self, header: str) -> int:
        """The number of a header's line; of one that is not there, the line where it would be."""
        before = _HEADERS[: _HEADERS.index(header)]
        return 2 + sum(getattr(self, key) is not None for key in before)


def outcome_of(messages: Sequence[FromServer]) -> Outcome:
    """What the messages that an entry led to say of it."""
    for message in messages:
        if isinstance(message, Refused):
            race = message.race
            return Denied(message.reason, race.seq if race else None, race.margin_us if race else None)
    return tuple(_happened(message) for message in messages if isinstance(message, EventBase))


def _happened(event: EventBase) -> Happened:
    fields: dict[str, Any] = {key: getattr(event, key) for key in _OF_EVENTS if hasattr(event, key)}
    return Happened(str(event.__struct_config__.tag), event.seq, **fields)


# --- writing -----------------------------------------------------------------------------------------------


def replay_text(replay: Replay) -> str:
    """The replay file, each line ended by a line feed."""
    return "".join(f"{line}\n" for line in _lines(replay))


def _lines(replay: Replay) -> list[str]:
    lines = [FIRST_LINE]
    for key in _HEADERS:
        value = len(replay.entries) if key == "entries" else getattr(replay, key)
        if value is not None:
            lines.append(f"{key} {msgspec.json.encode(value, order='deterministic').decode()}")
    return lines + [entry_line(entry) for entry in replay.entries] + ["end"]


def entry_line(entry: Told) -> str:
    """The line of one entry, without its line feed."""
    time_us, ns = divmod(entry.at_ns, US_NS)
    seat = str(entry.seat) if entry.seat >= 0 else _CLOCK
    words = [entry.what] if isinstance(entry.what, str) else _command_words(entry.what)
    return " ".join([f"{time_us}.{ns:03}", seat, *words, "=", *_outcome_words(entry.outcome)])


def _command_words(command: TableCommand) -> list[str]:
    fields: dict[str, Any] = msgspec.to_builtins(command)
    words = [str(fields.pop("type"))]
    del fields["table"]
    return words + [f"{key}={_word(value)}" for key, value in fields.items()]


def _word(value: str | int) -> str:
    """A value as one word: a number or plain text as it is, other text as JSON without spaces."""
    text = str(value)
    return text if isinstance(value, int) or _PLAIN.fullmatch(text) else json.dumps(text).replace(" ", "\\u0020")


def _outcome_words(outcome: Outcome) -> list[str]:
    if isinstance(outcome, Denied):
        return [_REFUSED, outcome.reason, *_pairs(seq=outcome.seq, margin_us=outcome.margin_us)]
    words: list[str] = []
    for happened in outcome:
        fields = {key: getattr(happened, key) for key in _OF_EVENTS}
        fields["cards"] = ",".join(happened.cards) or None
        words += ["+", happened.event, *_pairs(seq=happened.seq, **fields)]
    return words[1:] or [_NOTHING]


def _pairs(**values: str | int | None) -> list[str]:
    return [f"{key}={_word(value)}" for key, value in values.items() if value is not None]


# --- reading -----------------------------------------------------------------------------------------------


def read_replay(text: str) -> Replay:
    """The opposite of :func:`replay_text`. Raises :class:`ReplayTextError`."""
    lines = text.split("\n")
    if lines[0] != FIRST_LINE:
        raise ReplayTextError(1, f"expected {FIRST_LINE!r}")
    if lines.pop() != "":
        raise ReplayTextError(len(lines) + 1, "the file breaks off: its last line has no end")
    headers = _read_headers(lines)
    first = 1 + len(headers)
    count = int(headers.pop("entries", 0))
    entries = lines[first : first + count]
    told = tuple(_read_entry(number, line, headers["table"]) for number, line in enumerate(entries, first + 1))
    if len(entries) < count or lines[first + count :] != ["end"]:
        raise ReplayTextError(first + len(entries) + 1, f"expected 'end' after {count} entries")
    return Replay(**headers, entries=told)


def _read_headers(lines: list[str]) -> dict[str, Any]:
    """The headers' values by key, of the right types and in the right order."""
    headers: dict[str, Any] = {}
    for number, line in enumerate(lines[1:], 2):
        key, _, value = line.partition(" ")
        if key not in _HEADERS[len(headers) :]:
            raise ReplayTextError(number, f"expected the header {_HEADERS[-1]!r}, or one before it, not {key[:20]!r}")
        headers[key] = _read_header(number, key, value)
        if key == "entries":
            break
    missing = [key for key in _REQUIRED if key not in headers]
    if missing:
        raise ReplayTextError(len(headers) + 2, f"the header {missing[0]!r} is missing")
    return headers


def _read_header(number: int, key: str, value: str) -> Any:
    try:
        read = msgspec.json.decode(value, type=_TYPES[key])
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ReplayTextError(number, f"{key}: {error}") from None
    if msgspec.json.encode(read, order="deterministic").decode() != value:
        raise ReplayTextError(number, f"{key}: this is not how it is written")
    return read


_TYPES: Final[dict[str, Any]] = {
    field.name: field.type for field in msgspec.structs.fields(Replay) if field.name != "entries"
} | {"entries": Annotated[int, Meta(ge=0)], "commitment": str, "code": str}
_REQUIRED: Final = [key for key in _HEADERS if key not in {"commitment", "code"}]


def _read_entry(number: int, line: str, table: str) -> Told:
    try:
        told = _entry(line, table)
    except (ValueError, IndexError, msgspec.MsgspecError, RecursionError) as error:
        raise ReplayTextError(number, f"no entry: {error}") from None
    if entry_line(told) != line:
        raise ReplayTextError(number, f"this is not how it is written: expected {entry_line(told)!r}")
    return told


def _entry(line: str, table: str) -> Told:
    words = line.split(" ")
    time = _TIME.fullmatch(words[0])
    if not time or "=" not in words:
        raise ValueError("expected a time in microseconds, a seat, what was told, and = what came of it")
    split = words.index("=")
    kind, *fields = words[2:split]
    what: Any = kind
    if kind not in get_args(Signal):
        what = msgspec.convert({"type": kind, "table": table, **_read_pairs(fields)}, Command, strict=False)
    elif fields:
        raise ValueError(f"{kind!r} has no fields")
    seat = -1 if words[1] == _CLOCK else int(words[1])
    return Told(int(time[1]) * US_NS + int(time[2]), seat, what, _read_outcome(words[split + 1 :]))


def _read_outcome(words: list[str]) -> Outcome:
    if words == [_NOTHING]:
        return ()
    if words[0] == _REFUSED:
        return msgspec.convert({"reason": words[1], **_read_pairs(words[2:])}, Denied, strict=False)
    events: list[Happened] = []
    while words:
        until = words.index("+") if "+" in words else len(words)
        fields: dict[str, Any] = {"event": words[0], **_read_pairs(words[1:until])}
        if "cards" in fields:
            fields["cards"] = fields["cards"].split(",")
        events.append(msgspec.convert(fields, Happened, strict=False))
        words = words[until + 1 :]
    return tuple(events)


def _read_pairs(words: list[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key in pairs or key == "type":
            raise ValueError(f"expected field=value, not {word[:40]!r}")
        pairs[key] = json.loads(value) if value.startswith('"') else value
    return pairs
