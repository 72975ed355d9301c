"""What the adapters in memory do beyond their ports."""

import pytest

from acerace_protocol.messages import Ended
from acerace_server.adapters.memory import ManualClock, MemoryArchive, MemoryJournal, SeededEntropy
from acerace_server.core.match import Setup
from acerace_server.core.records import TablePutAway
from acerace_server.ports import FinishedTable


def test_a_manual_clock_moves_when_it_is_told_to() -> None:
    clock = ManualClock(5, "2024-02-29")
    clock.advance(7)
    assert clock.monotonic_ns() == 12
    assert clock.utc_date() == "2024-02-29"
    with pytest.raises(ValueError, match="does not run backwards"):
        clock.advance(-1)


def test_seeded_entropy_follows_from_its_seed_however_it_is_cut() -> None:
    whole = SeededEntropy(b"x").token_bytes(100)
    again = SeededEntropy(b"x")
    assert again.token_bytes(1) + again.token_bytes(64) + again.token_bytes(35) == whole
    assert SeededEntropy(b"y").token_bytes(100) != whole


def test_a_journal_in_memory_keeps_the_newest() -> None:
    journal = MemoryJournal(size=2)
    journal.commit([TablePutAway("a")])
    journal.commit([TablePutAway("b"), TablePutAway("c")])
    assert journal.entries() == (TablePutAway("b"), TablePutAway("c"))
    assert journal.commits == 2


def test_an_archive_in_memory_keeps_the_newest() -> None:
    archive = MemoryArchive(size=2)
    for table in "abc":
        ended = Ended(
            table=table, seq=1, at_us=1, reason="won", scores=(), contributions=(), moves=(), refusals=(), duration_ms=1
        )
        archive.keep(FinishedTable(Setup(table, "klondike", {}, (), 0), (), ended))
    assert archive.find("a") is None
    assert archive.find("b")
    assert archive.find("c")
