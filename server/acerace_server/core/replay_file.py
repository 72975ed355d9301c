"""A finished game as a replay file."""

from collections.abc import Iterable

from acerace_protocol.limits import REPLAY_PART_MAX_CHARS
from acerace_protocol.messages import Command, Ended
from acerace_protocol.replay_text import Replay, Signal, Told, outcome_of, replay_text
from acerace_rules.shuffle import commitment
from acerace_server.core.match import Entry, PresenceChange, Setup, Timeout
from acerace_server.core.replay import open_match, tell


class ReplayError(Exception):
    """The log does not lead to the end that was kept: it is not whole, or it is of another version's rules."""


def replay_of(setup: Setup, log: Iterable[Entry], ended: Ended, opened_us: int) -> Replay:
    """The replay of a game that is over, every entry with what came of it.

    ``opened_us`` is in microseconds of UTC since 1970. Raises :class:`ReplayError`. Takes as long as the referee took
    for the whole game, which is no work for the loop's thread.
    """
    match = open_match(setup)
    entries: list[Told] = []
    for entry in log:
        tell(match, entry)
        outcome = outcome_of([message for _, message in match.outgoing])
        match.outgoing.clear()
        entries.append(Told(entry.at - setup.opened_at, entry.seat, _what(entry), outcome))
    if match.ended != ended:
        raise ReplayError(f"the log of table {setup.table!r} does not lead to the end that was kept")
    return Replay(
        table=setup.table,
        game=setup.game,
        options=dict(setup.options),
        players=setup.players,
        rated=setup.rated,
        opened_us=opened_us,
        commitment=commitment(setup.secret) if setup.code is None else None,
        code=setup.code,
        ended=ended,
        entries=tuple(entries),
    )


def _what(entry: Entry) -> Command | Signal:
    told = entry.told
    if isinstance(told, Timeout):
        return "timeout"
    if isinstance(told, PresenceChange):
        return "away" if told.away else "back"
    return told


def parts_of(replay: Replay) -> tuple[str, ...]:
    """The file in parts of whole lines, each short enough for one message."""
    parts: list[list[str]] = [[]]
    size = 0
    for line in replay_text(replay).split("\n")[:-1]:
        whole = f"{line}\n"
        if size + len(whole) > REPLAY_PART_MAX_CHARS and size:
            parts.append([])
            size = 0
        parts[-1].append(whole)
        size += len(whole)
    return tuple("".join(part) for part in parts)
