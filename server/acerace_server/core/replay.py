"""From a setup and what was told since to the match as it stood: recovery, disputes, replays."""

from collections.abc import Iterable

from acerace_server.core.duel import DuelMatch
from acerace_server.core.match import Entry, Match, PresenceChange, Setup, Timeout
from acerace_server.core.solitaire import SoloMatch


def open_match(setup: Setup) -> Match:
    """A new match: a solo game for a deal code, else a match of two."""
    return SoloMatch(setup) if setup.code is not None else DuelMatch(setup)


def replay(setup: Setup, log: Iterable[Entry]) -> Match:
    """The match after all these entries, with the same events, sequence numbers and answers; nothing is sent."""
    match = open_match(setup)
    entries = [*log]
    for left, entry in zip(range(len(entries) - 1, -1, -1), entries, strict=True):
        match.goes_on = left > 0 and not isinstance(entry.told, Timeout)
        tell(match, entry)
    match.outgoing.clear()
    return match


def tell(match: Match, entry: Entry) -> None:
    """Give a match one entry of a log."""
    if isinstance(entry.told, Timeout):
        match.tick(entry.at)
    elif isinstance(entry.told, PresenceChange):
        match.presence(entry.seat, away=entry.told.away, at=entry.at)
    else:
        match.receive(entry.seat, entry.told, entry.at)
