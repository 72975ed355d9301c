"""What the adapters in memory do beyond their ports."""

import pytest

from acerace_server.adapters.memory import ManualClock, MemoryJournal, SeededEntropy
from acerace_server.core.records import TablePutAway


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
