"""What every journal keeps to."""

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

import pytest

from acerace_protocol.messages import Ended, PlayerInfo, Ready, SeriesInfo
from acerace_protocol.people import NextMatch, Rated, RatedSeat, RatingInfo, SeriesStands
from acerace_server.adapters.memory import MemoryJournal
from acerace_server.core.match import Entry, PresenceChange, Setup, Timeout
from acerace_server.core.records import PlayerMade, Record, SequelTold, TableOpened, TableOver, TablePutAway, TableTold
from acerace_server.ports import Journal
from tests.contract.stores import sql_store


@dataclass
class Opened:
    """A journal, and a way to read what is in it."""

    journal: Journal
    read: Callable[[], Sequence[Record]]


@contextmanager
def in_memory() -> Generator[Opened]:
    journal = MemoryJournal()
    yield Opened(journal, journal.entries)


@contextmanager
def on_disk() -> Generator[Opened]:
    with sql_store() as (store, read):
        yield Opened(store.journal, read)


@pytest.fixture(params=[in_memory, on_disk])
def opened(request: pytest.FixtureRequest) -> Generator[Opened]:
    made: AbstractContextManager[Opened] = request.param()
    with made as journal:
        yield journal


SETUP = Setup(
    "t1",
    "double-klondike",
    {"draw": 1},
    (PlayerInfo("a", "A", rating=1510), PlayerInfo("b", "B")),
    5,
    b"\x00" * 32,
    rated=True,
    series=SeriesInfo("best", 3, 2, wins=(1, 0), totals=(30, 20)),
)
ENDED = Ended(
    table="t1", seq=1, at_us=1, reason="resigned", scores=(0, 0), contributions=(0, 0), moves=(0, 0), refusals=(0, 0),
    duration_ms=1,
)  # fmt: skip
SEQUEL = (
    Rated(table="t1", seats=(RatedSeat(0, 1510, RatingInfo("people-simultaneous", 1490, 210, 2, provisional=True)),)),
    SeriesStands(table="t1", series=SeriesInfo("best", 3, 2, wins=(1, 1), totals=(30, 72), over=True, winner=1)),
    NextMatch(table="t1", next="t2"),
)
RECORDS: list[Record] = [
    PlayerMade("a", "0" * 64, "A", bot=False),
    TableOpened(SETUP, public=True),
    TableTold("t1", Entry(6, 0, Ready(table="t1", nonce=1))),
    TableTold("t1", Entry(7, 1, PresenceChange(away=True))),
    TableTold("t1", Entry(8, -1, Timeout())),
    TableOver("t1", ENDED),
    SequelTold("t1", SEQUEL),
    TablePutAway("t1"),
]


def test_a_new_journal_is_empty(opened: Opened) -> None:
    assert [*opened.read()] == []


def test_records_come_back_as_they_were_in_the_order_of_their_commits(opened: Opened) -> None:
    opened.journal.commit(RECORDS[:3])
    opened.journal.commit(RECORDS[3:])
    assert [*opened.read()] == RECORDS


def test_what_was_committed_does_not_change_with_the_callers_list(opened: Opened) -> None:
    entries = RECORDS[:2]
    opened.journal.commit(entries)
    entries.clear()
    assert [*opened.read()] == RECORDS[:2]


def test_an_empty_commit_changes_nothing(opened: Opened) -> None:
    opened.journal.commit([])
    assert [*opened.read()] == []
