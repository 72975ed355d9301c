"""From a setup and what was told since to the match as it stood: recovery, disputes, replays."""

from collections.abc import Iterable, Sequence
from typing import Final

from acerace_server.core.duel import DuelMatch
from acerace_server.core.match import Entry, Match, PresenceChange, Setup, Timeout
from acerace_server.core.solitaire import SoloMatch

_HEARD: Final = 8
"""Entries at the end of a log whose events somebody may well have missed as the server went: those are made at once."""


def open_match(setup: Setup) -> Match:
    """A new match: a solo game for a deal code, else a match of two."""
    return SoloMatch(setup) if setup.code is not None else DuelMatch(setup)


def replay(setup: Setup, log: Iterable[Entry]) -> Match:
    """The match after all these entries, with the same events, sequence numbers and answers; nothing is sent.

    The older events and answers are not made before somebody asks for one of them: then the log is told to another
    match, which makes them all. Hardly anybody does, and they are two thirds of a replay's time.
    """
    match = open_match(setup)
    entries = [*log]
    old = entries[:-_HEARD]
    if old:
        match.keep_silent(lambda: _told(setup, old))
        _tell_again(match, old)
        match.speak()
    _tell_again(match, entries[-_HEARD:-1])
    match.goes_on = False
    for entry in entries[-1:]:
        tell(match, entry)
    match.outgoing.clear()
    return match


def _told(setup: Setup, entries: Sequence[Entry]) -> Match:
    """The match after these entries, which are not all there are, with every event and answer."""
    match = open_match(setup)
    _tell_again(match, entries)
    return match


def _tell_again(match: Match, entries: Sequence[Entry]) -> None:
    """Give a match entries after which the log has more."""
    match.goes_on = True
    for entry in entries:
        tell(match, entry)


def tell(match: Match, entry: Entry) -> None:
    """Give a match one entry of a log."""
    at, seat, told = entry
    if isinstance(told, Timeout):
        goes_on, match.goes_on = match.goes_on, False
        match.tick(at)
        match.goes_on = goes_on
        return
    if not match.goes_on:
        match.tick(at)
    if isinstance(told, PresenceChange):
        match.presence(seat, away=told.away, at=at)
    else:
        match.judge(entry, told)
