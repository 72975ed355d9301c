"""The order in which claims of one loop turn are judged (docs/adr/0003)."""

from hypothesis import given
from hypothesis import strategies as st

from acerace_protocol.messages import Play
from acerace_server.core.inbox import Claim, Inbox


def order(*claims: tuple[str, int], deadline: int | None = None) -> list[str]:
    """Names like F1 (seat 0) and O1 (seat 1), each with its stamp, in the order in which they were read."""
    inbox = Inbox(2)
    for name, at in claims:
        inbox.put(Claim(at, "FO".index(name[0]), Play(table="t", nonce=at, move=name)))
    drained = [claim.command.move for claim in inbox.drain(lambda: deadline) if isinstance(claim.command, Play)]
    assert [*inbox.drain()] == []
    return drained


def test_one_read_takes_all_that_one_peer_sent_and_still_the_other_comes_between() -> None:
    assert order(("F1", 1), ("F2", 2), ("O1", 3)) == ["F1", "O1", "F2"]


def test_whoever_was_read_first() -> None:
    assert order(("O1", 1), ("F1", 2), ("F2", 3)) == ["O1", "F1", "F2"]
    assert order(("O1", 5), ("F1", 2)) == ["F1", "O1"]


def test_the_rest_of_one_who_sent_more_comes_at_the_end() -> None:
    assert order(("F1", 1), ("F2", 2), ("F3", 3), ("F4", 4), ("O1", 5), ("O2", 6)) == [
        "F1",
        "O1",
        "F2",
        "O2",
        "F3",
        "F4",
    ]


def test_of_equal_stamps_the_one_that_was_read_first_comes_first_whichever_its_seat() -> None:
    assert order(("F1", 7), ("O1", 7)) == ["F1", "O1"]
    assert order(("O1", 7), ("F1", 7)) == ["O1", "F1"]
    assert order(("O1", 7), ("O2", 7), ("F1", 7)) == ["O1", "F1", "O2"]


def test_no_claim_is_pushed_behind_a_timer_that_ran_out_after_it_came() -> None:
    # N25
    assert order(("F1", 1), ("F2", 2), ("O1", 9), deadline=5) == ["F1", "F2", "O1"]
    assert order(("F1", 1), ("F2", 6), ("O1", 9), deadline=5) == ["F1", "O1", "F2"]
    assert order(("F1", 6), ("F2", 7), ("O1", 9), deadline=5) == ["F1", "O1", "F2"]
    assert order(("F1", 1), ("F2", 5), ("O1", 9), deadline=5) == ["F1", "O1", "F2"]  # a timer at 5 has run out at 5


@given(st.lists(st.tuples(st.sampled_from("FO"), st.integers(0, 50)), max_size=12))
def test_nothing_is_lost_and_nobody_waits_for_two_claims_of_the_other(
    claims: list[tuple[str, int]],
) -> None:
    named = [(f"{seat}{number}", at) for number, (seat, at) in enumerate(claims)]
    drained = order(*named)
    assert sorted(drained) == sorted(name for name, _ in named)
    for seat in "FO":
        assert [name for name in drained if name[0] == seat] == [name for name, _ in named if name[0] == seat]
    for at in range(len(drained) - 1):
        if drained[at][0] == drained[at + 1][0]:
            assert all(name[0] == drained[at][0] for name in drained[at:])
