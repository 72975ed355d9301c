"""The last events of a table (N22, N24)."""

import pytest

from acerace_protocol.limits import HISTORY_EVENTS
from acerace_protocol.messages import SaidDone
from acerace_server.core.history import Answers, History


def said(seq: int) -> SaidDone:
    return SaidDone(table="t", seq=seq, at_us=0, seat=0, nonce=seq)


def history(events: int, size: int = 5) -> History:
    kept = History(size)
    for seq in range(1, 1 + events):
        kept.append(said(seq))
    return kept


def seqs(kept: History, seen: int) -> list[int] | None:
    found = kept.since(seen)
    return None if found is None else [event.seq for event in found]


def test_an_empty_history_has_nothing_that_was_missed() -> None:
    assert seqs(history(0), 0) == []
    assert seqs(history(0), 1) is None


@pytest.mark.parametrize(("seen", "missed"), [(0, [1, 2, 3]), (1, [2, 3]), (2, [3]), (3, []), (4, None), (99, None)])
def test_it_knows_exactly_what_was_missed(seen: int, missed: list[int] | None) -> None:
    assert seqs(history(3), seen) == missed


@pytest.mark.parametrize(("seen", "missed"), [(8, []), (7, [8]), (3, [4, 5, 6, 7, 8]), (2, None), (0, None)])
def test_it_says_when_some_are_gone(seen: int, missed: list[int] | None) -> None:
    assert seqs(history(8), seen) == missed


def test_it_holds_as_many_as_promised() -> None:
    full = History()
    for number in range(1, HISTORY_EVENTS + 11):
        full.append(said(number))
    assert len(full.since(10) or ()) == HISTORY_EVENTS
    assert full.since(9) is None


@pytest.mark.parametrize("seen", range(-1, 10))
def test_what_was_left_out_is_filled_in_when_it_is_asked_for(seen: int) -> None:
    kept, asked = History(5), list[int]()

    def recall() -> None:
        asked.append(seen)
        kept.fill_in(history(6))

    kept.leave_out(6)
    kept.recall = recall
    for seq in (7, 8):
        kept.append(said(seq))
    assert seqs(kept, seen) == seqs(history(8), seen)
    assert asked == ([seen] if 3 <= seen < 6 else [])


def test_answers_that_were_left_out_are_filled_in_when_the_first_is_asked_for() -> None:
    full, kept = Answers(3), Answers(3)
    for nonce in (1, 2, 3):
        full.remember(nonce, said(nonce))
        kept.remember(nonce, None)
    kept.recall = lambda: kept.fill_in(full)
    kept.remember(4, said(40))
    assert [kept.find(nonce) for nonce in (1, 2, 3, 4, 5)] == [None, said(2), said(3), said(40), None]
