"""The whole audit: what is wrong in the records and in what was told, by the journal."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

from acerace_client.errors import ReplayError
from acerace_client.replays.checking import check, read
from tests.e2e.week.cards import number_of_the_day, number_text
from tests.e2e.week.diary import Diary, Json
from tests.e2e.week.hearing import hear
from tests.e2e.week.ledger import Entry, Ledger
from tests.e2e.week.ledger import read as read_ledger
from tests.e2e.week.records import Books
from tests.e2e.week.referee import Referee, Verdict, WrongError
from tests.e2e.week.wire import wrong_on_the_wire

_OF_EVENTS: Final = ("cards", "turned", "score", "turn", "check")
_SIGNALS: Final = {"away", "back", "timeout"}


def wrong(directory: Path, diary: Diary, *, only: str | None = None) -> list[str]:
    """One line for each thing that is wrong; none: all agrees. ``only``: one of ``CHECKS``."""
    try:
        ledger = read_ledger(directory)
    except LookupError as missing:
        return [f"journal: {missing}"]
    referees: dict[str, Referee] = {}
    found: list[str] = []
    for row in ledger.tables:
        try:
            referees[row.id] = hear(row)
        except WrongError as error:
            found.append(f"journal: {error}")
    if found:
        return found  # what follows from it cannot be told
    books = Books(ledger, referees)
    return [line for name, check in CHECKS.items() if only in {None, name} for line in check(diary, books)]


def _wrong_records(diary: Diary, books: Books) -> Iterator[str]:
    yield from books.wrong_results()
    yield from books.wrong_ratings()
    yield from books.wrong_series()
    yield from _wrong_names(books.ledger, diary)


def _wrong_names(ledger: Ledger, diary: Diary) -> Iterator[str]:
    """Who is called what, and nobody else has a claimed name."""
    for told in diary.of("named"):
        if ledger.names.get(told.player) != told.message["name"]:
            yield f"name: {told.message['name']} was claimed by {told.player}, the accounts have {ledger.names}"
    for owner, name in ledger.names.items():
        if ledger.players[owner]["name"] != name:
            yield f"name: {owner} is {name}, and is called {ledger.players[owner]['name']}"
    for row in ledger.tables:
        for player in row.players:
            known = ledger.players.get(player["player"])
            if known is None or bool(known["bot"]) != player.get("bot", False):
                yield f"name: table {row.id} has {player}, known is {known}"


# --- what the archive told -----------------------------------------------------------------------------------


def _wrong_answers(diary: Diary, books: Books) -> Iterator[str]:
    answers: Mapping[str, Callable[[str, Json, Books], Json]] = {
        "results": _results,
        "statistics": lambda player, _, books: {"records": books.statistics(player)},
        "ranking": lambda _, message, books: {"players": books.ranking(message["pool"])},
        "day": lambda _, message, books: {"results": books.day(message["code"])},
        "rated": lambda _, message, books: {"seats": books.rated.get(message["table"])},
        "series": _series,
        "next_match": _next_match,
    }
    for told in diary.of(*answers):
        kind = told.message["type"]
        for key, true in answers[kind](told.player, told.message, books).items():
            said = told.message.get(key)
            if _sorted(kind, said) != _sorted(kind, true):
                yield f"{kind}: {told.to} was told {key} {said}, by the journal it is {true}"
    for told in diary.of("day"):
        game = {"KL1": "klondike"}[told.message["code"][:3]]
        if told.message["code"].rpartition("-")[2] != number_text(number_of_the_day(game, told.message["date"])):
            yield f"day: {told.message['code']} is not the deal of {told.message['date']}"


def _sorted(kind: str, said: object) -> object:
    """Statistics come in no order that the protocol promises."""
    if kind != "statistics" or not isinstance(said, list):
        return said
    return sorted(json.dumps(line, sort_keys=True) for line in cast("list[Json]", said))


def _results(player: str, message: Json, books: Books) -> Json:
    of = message["player"]
    ratings = sorted((pool, rating) for (who, pool), rating in books.ratings.items() if who == of)
    return {"results": books.results_of(of), "ratings": [rating.told(pool) for pool, rating in ratings]}


def _series(player: str, message: Json, books: Books) -> Json:
    row = next(row for row in books.ledger.tables if row.id == message["table"])
    return {"series": books.stands(row)}


def _next_match(player: str, message: Json, books: Books) -> Json:
    """The same two play on there, each in the other's seat."""
    tables = iter(books.ledger.tables)
    seated = next([each["player"] for each in row.players] for row in tables if row.id == message["table"])
    return {"next": next(row.id for row in tables if [each["player"] for each in row.players] == seated[::-1])}


# --- replays -------------------------------------------------------------------------------------------------


def _wrong_replays(diary: Diary, books: Books) -> Iterator[str]:
    """There is one of every game that is over; the client's verifier believes it, and so does the journal."""
    referees = books.referees
    over = {table for table, referee in referees.items() if referee.ended}
    if diary.replays.keys() != over:
        yield f"replay: there are those of {sorted(diary.replays)}, over are {sorted(over)}"
    promised = {
        told.message["table"]: told.message["commitment"]
        for told in diary.of("table")
        if "commitment" in told.message and told.message["phase"] == "waiting"
    }
    for table, text in diary.replays.items():
        try:
            check(read(text), promised.get(table))
        except ReplayError as error:
            yield f"replay: of table {table}: {error}"
        if table in over:
            yield from _differs(text, referees[table])


def _differs(text: str, referee: Referee) -> Iterator[str]:
    """Line by line."""
    row = referee.row
    lines = text.splitlines()
    headers = dict(line.split(" ", 1) for line in lines[1 : len(lines) - 1 - len(row.entries)])
    true = {"table": row.id, "game": row.game, "options": row.options, "players": row.players, "rated": row.rated}
    true |= {"opened_us": row.opened_us, "ended": referee.ended, "entries": len(row.entries)}
    for key, value in true.items():
        if json.loads(headers.get(key, "null")) != value:
            yield f"replay: {key} of table {row.id} is {headers.get(key)}, by the journal {value}"
    for line, entry, verdict in zip(lines[-1 - len(row.entries) : -1], row.entries, referee.verdicts, strict=True):
        told, _, outcome = line.partition(" = ")
        if told.split(" ") != _told_words(entry):
            yield f"replay: of table {row.id}: {line}, the journal has {entry}"
        if not _same_outcome(outcome.split(" "), verdict):
            yield f"replay: of table {row.id}: {line}, by the journal {verdict}"


def _told_words(entry: Entry) -> list[str]:
    told = entry.told
    kind = told.pop("type")
    if kind == "presence":
        kind = "away" if told["away"] else "back"
    us, ns = divmod(entry.at, 1000)
    words = [f"{us}.{ns:03}", str(entry.seat) if entry.seat >= 0 else "-", kind]
    if kind in _SIGNALS:
        return words
    del told["table"]
    order = sorted(told, key=lambda key: key != "nonce")
    return words + [f"{key}={told[key]}" for key in order]


def _same_outcome(words: list[str], verdict: Verdict) -> bool:
    if verdict.refused is not None:
        race = verdict.race
        pairs = [f"seq={race['seq']}", f"margin_us={race['margin_us']}"] if race else []
        return words[0] == "refused" and words[2:] == pairs and (words[1] == "lost_race") == (race is not None)
    true: list[str] = []
    for event in verdict.events:
        true += ["+", event["type"], f"seq={event['seq']}"]
        for key in _OF_EVENTS:
            value: Any = event.get(key)
            if value is not None and value != []:
                true.append(f"{key}={','.join(cast('list[str]', value)) if isinstance(value, list) else value}")
    return words == (true[1:] or ["nothing"])


CHECKS: Final[Mapping[str, Callable[[Diary, Books], Iterator[str]]]] = {
    "records": _wrong_records,
    "wire": lambda diary, books: wrong_on_the_wire(diary, books.referees),
    "answers": _wrong_answers,
    "replays": _wrong_replays,
}
"""What is audited: the rows of the records; events and refusals; answers of the archive and ratings; replay files."""
