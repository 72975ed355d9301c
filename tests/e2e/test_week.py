"""A week in the life of a server, and the books audited after it: every result, rating and replay, from the journal."""

import sys
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.week.audit import wrong
from tests.e2e.week.days import friday, monday, saturday, sunday, thursday, tuesday, wednesday
from tests.e2e.week.ledger import read
from tests.e2e.week.tampering import unseen
from tests.e2e.week.town import Town

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither fork nor kill -9")

DAYS: Final = (monday, tuesday, wednesday, thursday, friday, saturday, sunday)


async def test_a_week_in_the_life_agrees_with_its_journal_and_no_tampering_would(tmp_path: Path) -> None:
    async with Town(tmp_path) as town:
        for day in DAYS:
            await day(town)
    assert wrong(tmp_path, town.diary) == []
    it_was_a_full_week(tmp_path, town)
    assert [*unseen(tmp_path, town.diary)] == []


def it_was_a_full_week(directory: Path, town: Town) -> None:
    """What an audit of an empty book would not miss."""
    ledger, diary = read(directory), town.diary
    assert town["Ada"].reconnects >= 5, "of seven ends of the server"
    reasons = {result["reason"] for result in ledger.results}
    assert reasons >= {"won", "agreed", "resigned", "absent", "no_progress", "time", "left"}
    assert {row["pool"] for row in ledger.ratings} == {
        "people-simultaneous",
        "people-alternating",
        "bots-simultaneous",
        "bots-alternating",
    }
    assert any(result["races"] for result in ledger.results), "Thursday's, and mostly some more by chance"
    assert {row.series["kind"] for row in ledger.tables if row.series} == {"best", "sum"}
    assert len(ledger.results) == len(diary.replays) + 1, "all but the game that was left can be replayed"
    assert {told.message["reason"] for told in diary.of("refused")} >= {"lost_race", "no_such_pile"}
