"""Books that were tampered with, each in one place: the audit must see it."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgpack

from tests.e2e.week.audit import wrong
from tests.e2e.week.diary import Diary, Json, Told
from tests.e2e.week.ledger import FILE

_MATCH: Final = """
    SELECT table_number, results.number FROM results JOIN tables ON tables.number = table_number
    WHERE rated AND races > 0 ORDER BY results.number LIMIT 1
"""
_EITHER: Final = ("wire", "journal")
"""Other cards lead elsewhere: to other messages, and now and then to an end before the last entry."""


@dataclass(frozen=True)
class Tampering:
    """What is changed, which check must see it, and how its line begins (one of several: chance says which)."""

    check: str
    begins: str | tuple[str, ...]
    sql: str
    """With the numbers of a rated match with races, and of its result."""


SQL: Final = {
    "an entry is gone": Tampering(
        "records", "journal", "DELETE FROM entries WHERE table_number = :match AND number = 3"
    ),
    "the last entry is gone": Tampering(
        "records",
        "result",
        "DELETE FROM entries WHERE table_number = :match AND number ="
        " (SELECT max(number) FROM entries WHERE table_number = :match)",
    ),
    "two entries changed places": Tampering(
        "records", "journal", "UPDATE entries SET at_ns = 0 WHERE table_number = :match AND number = 3"
    ),
    "a stamp is a microsecond late": Tampering(
        "wire",
        _EITHER,
        "UPDATE entries SET at_ns = at_ns + 1000 WHERE table_number = :match AND number = 1",
    ),
    "another secret": Tampering("wire", _EITHER, "UPDATE tables SET secret = zeroblob(32) WHERE number = :match"),
    "another option": Tampering(
        "wire",
        _EITHER,
        "UPDATE tables SET options = json_set(options, '$.draw', 4 - json_extract(options, '$.draw'))"
        " WHERE number = :match",
    ),
    "the other has won": Tampering(
        "records", "result: winner", "UPDATE results SET winner = 1 - winner WHERE number = :result"
    ),
    "for another reason": Tampering(
        "records", "result: reason", "UPDATE results SET reason = 'blocked ' WHERE number = :result"
    ),
    "a longer match": Tampering(
        "records", "result: duration", "UPDATE results SET duration_ms = duration_ms + 1 WHERE number = :result"
    ),
    "a race less": Tampering("records", "result: races", "UPDATE results SET races = races - 1 WHERE number = :result"),
    "a margin": Tampering(
        "records",
        "result: ended",
        "UPDATE results SET ended = json_set(ended, '$.races[0].margin_us', 123456789) WHERE number = :result",
    ),
    "a card more": Tampering(
        "records",
        "result: seats",
        "UPDATE result_seats SET contribution = contribution + 1 WHERE seat = 0 AND result_number = :result",
    ),
    "a better strict score": Tampering(
        "records", "result: seats", "UPDATE result_seats SET strict = strict + 5 WHERE strict IS NOT NULL"
    ),
    "a result is gone": Tampering("records", "journal: a result", "DELETE FROM results WHERE number = :result"),
    "results in another order": Tampering(
        "records", "result: they", "UPDATE results SET finished_us = 1 WHERE number = :result"
    ),
    "a rating": Tampering("records", "rating", "UPDATE ratings SET mu = mu + 1e-9 WHERE pool = 'bots-simultaneous'"),
    "a deviation": Tampering("records", "rating", "UPDATE ratings SET sigma = sigma - 1e-9 WHERE games > 1"),
    "a rated game more": Tampering("records", "rating", "UPDATE ratings SET games = games + 1 WHERE games = 1"),
    "a rating is gone": Tampering("records", "rating", "DELETE FROM ratings WHERE pool = 'people-alternating'"),
    "a casual match was rated": Tampering(
        "records",
        "rating",
        "UPDATE tables SET rated = 1 WHERE number = (SELECT min(number) FROM tables WHERE NOT rated)",
    ),
    "a match of a series": Tampering(
        "records", "series", """UPDATE tables SET series = replace(series, '"number":2', '"number":3')"""
    ),
    "a name": Tampering("records", "name", "UPDATE accounts SET name = 'Eve' WHERE name = 'Ada'"),
}
"""In the database."""

TOLD: Final[dict[str, tuple[str, str, Callable[[Json], None]]]] = {
    "played": ("wire", "wire", lambda message: message.update(score=message["score"] + 1)),
    "ended": ("wire", "wire", lambda message: message.update(duration_ms=message["duration_ms"] + 1)),
    "refused": ("wire", "wire", lambda message: message.update(nonce=0, reason="kings_only")),
    "table": ("wire", "wire", lambda message: message.update(game="yukon")),
    "presence": ("wire", "wire", lambda message: message.update(seq=message["seq"] + 1)),
    "rated": ("answers", "rated", lambda message: message["seats"][0].update(before=1)),
    "series": ("answers", "series", lambda message: message["series"].update(totals=[-1, 0])),
    "next_match": ("answers", "next_match", lambda message: message.update(next=message["table"])),
    "results": ("answers", "results", lambda message: message.update(results=message["results"][1:])),
    "statistics": ("answers", "statistics", lambda message: message.update(records=[{}])),
    "ranking": ("answers", "ranking", lambda message: message.update(players=message["players"][::-1])),
    "day": ("answers", "day", lambda message: message.update(results=message["results"][::-1])),
}
"""On the wire: one message of this type."""
REPLAYED: Final = (("a refusal in a replay", " = refused ", " = nothing "), ("a time in a replay", "\n1", "\n2"))
"""In a replay file: what, and what instead."""


def unseen(directory: Path, diary: Diary) -> Iterator[str]:
    """What was done to the books or to what was told, and was not seen."""
    for what, tampering in SQL.items():
        with _copy_of(directory) as copied:
            with closing(sqlite3.connect(copied / FILE)) as database, database:
                assert database.execute(tampering.sql, _a_match(database)).rowcount > 0, what
            yield from _unless_seen(what, copied, diary, tampering.check, tampering.begins)
    with _copy_of(directory) as copied:
        _change_a_move(copied)
        yield from _unless_seen("another move", copied, diary, "records", "")
    for kind, (check, begins, change) in TOLD.items():
        yield from _unless_seen(f"another {kind}", directory, _told_otherwise(diary, kind, change), check, begins)
    for what, old, new in (
        ("a refusal in a replay", " = refused ", " = nothing "),
        ("a time in a replay", "\n1", "\n2"),
    ):
        table, text = next((table, text) for table, text in diary.replays.items() if old in text)
        other = replace(diary, replays=diary.replays | {table: text.replace(old, new, 1)})
        yield from _unless_seen(what, directory, other, "replays", "replay")
    fewer = replace(diary, replays=dict([*diary.replays.items()][1:]))
    yield from _unless_seen("a replay is gone", directory, fewer, "replays", "replay: there are")


def _unless_seen(what: str, directory: Path, diary: Diary, check: str, begins: str | tuple[str, ...]) -> Iterator[str]:
    found = wrong(directory, diary, only=check)
    if not any(line.startswith(begins) for line in found):
        yield f"{what}: {found[:3]}"


@contextmanager
def _copy_of(directory: Path) -> Generator[Path]:
    with TemporaryDirectory(prefix="acerace-") as copied:
        shutil.copy(directory / FILE, copied)
        yield Path(copied)


def _a_match(database: sqlite3.Connection) -> dict[str, int]:
    match, result = database.execute(_MATCH).fetchone()
    return {"match": match, "result": result}


def _change_a_move(directory: Path) -> None:
    """The first move of a rated match becomes a recycle."""
    with closing(sqlite3.connect(directory / FILE)) as database, database:
        match = _a_match(database)["match"]
        rows = database.execute("SELECT number, told FROM entries WHERE table_number = ?", (match,))
        for number, raw in rows.fetchall():
            told = msgpack.unpackb(raw)
            if told["type"] == "play":
                changed = (msgpack.packb(told | {"move": "r"}), match, number)
                database.execute("UPDATE entries SET told = ? WHERE table_number = ? AND number = ?", changed)
                return
    raise LookupError("nobody has moved")


def _told_otherwise(diary: Diary, kind: str, change: Callable[[Json], None]) -> Diary:
    """A copy in which one message is another."""
    number, told = next(
        (number, told) for number, told in enumerate(diary.told) if told.message["type"] == kind and _has_two(told)
    )
    message = json.loads(json.dumps(told.message))
    change(message)
    other = copy(diary)
    other.told = [*diary.told[:number], replace(told, message=message), *diary.told[number + 1 :]]
    return other


def _has_two(told: Told) -> bool:
    """Whether an answer of the archive has something to be put in another order."""
    return all(len(told.message[key]) > 1 for key in ("players", "results") if key in told.message)
