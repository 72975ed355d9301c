"""Whether what clients were told over the wire is what the journal leads to, without gaps."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from tests.e2e.week.cards import commitment
from tests.e2e.week.diary import Diary, Told
from tests.e2e.week.referee import Referee
from tests.e2e.week.table import digest

EVENTS = frozenset({"readied", "dealt", "played", "undone", "passed", "said_done", "presence", "warned", "ended"})


def wrong_on_the_wire(diary: Diary, referees: Mapping[str, Referee]) -> Iterator[str]:
    """One line for each thing that is wrong."""
    for told in diary.told:
        message = told.message
        referee = referees.get(message.get("table", ""))
        if message["type"] in {*EVENTS, "table", "refused"} and referee is None:
            yield f"{told.to} was told of table {message['table']}, which is not in the journal"
        elif referee is None:
            continue
        elif message["type"] in EVENTS:
            yield from _wrong_event(told, referee)
        elif message["type"] == "table":
            yield from _wrong_snapshot(told, referee)
        elif message["type"] == "refused":
            yield from _wrong_refusal(told, referee)
    yield from _gaps(diary)


def _wrong_event(told: Told, referee: Referee) -> Iterator[str]:
    message = {key: value for key, value in told.message.items() if key != "blocked"}
    true = referee.events[message["seq"] - 1 : message["seq"]]
    if [message] != true:
        yield f"wire: {told.to} was told {message}, by the journal it is {true}"


def _wrong_snapshot(told: Told, referee: Referee) -> Iterator[str]:
    message, row = told.message, referee.row
    made_of = (message["game"], message["options"], message["players"], message.get("rated", False))
    if made_of != (row.game, row.options, row.players, row.rated) or message.get("series") != row.series:
        yield f"wire: {told.to} was shown table {row.id} as {message}, the journal has {row}"
    if row.code is None and message["commitment"] != commitment(row.secret):
        yield f"wire: {told.to} was promised another secret of table {row.id}"
    if message.get("code") != row.code:
        yield f"wire: {told.to} was told another code of table {row.id}"
    seq = message["seq"]
    shown = digest(message["state"]) if "state" in message else None
    if shown != message.get("check") or referee.checks[seq : seq + 1] != [shown]:
        yield f"wire: {told.to} was shown another position of table {row.id} after event {seq}"
    if "ended" in message and message["ended"] != referee.ended:
        yield f"wire: {told.to} was shown another end of table {row.id}"


def _wrong_refusal(told: Told, referee: Referee) -> Iterator[str]:
    message, row = told.message, referee.row
    seats = [seat for seat, player in enumerate(row.players) if player["player"] == told.player]
    races = [
        (verdict.refused, verdict.race)
        for entry, verdict in zip(row.entries, referee.verdicts, strict=True)
        if entry.seat in seats and entry.told.get("nonce") == message["nonce"]
    ]
    if not races:
        if message["reason"] != "game_over" or referee.ended is None:
            yield f"wire: {told.to} was refused what is not in the journal: {message}"
        return
    ((refused, race),) = races
    if refused is None:
        yield f"wire: {told.to} was refused what the rules allow: {message}"
    if race != message.get("race") or (refused == "lost_race") != (message["reason"] == "lost_race"):
        yield f"wire: {told.to} was told {message}, by the journal the race is {race}"


def _gaps(diary: Diary) -> Iterator[str]:
    """In what one client was told of one table: each event once, but for the answer to a command that it sent again."""
    streams: dict[tuple[str, str], list[Told]] = defaultdict(list)
    for told in diary.told:
        if told.message["type"] in {*EVENTS, "table"}:
            streams[told.to, told.message["table"]].append(told)
    for (to, table), stream in streams.items():
        last: int | None = None
        for told in stream:
            seq = told.message["seq"]
            if told.message["type"] == "table":
                if last is not None and seq < last:
                    yield f"gap: {to} was shown table {table} as of {seq} after event {last}"
                last = seq
            elif last is None or seq == last + 1:
                last = seq
            elif seq > last or "nonce" not in told.message:
                yield f"gap: {to} was told event {seq} of table {table} after {last}"
