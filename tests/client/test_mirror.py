"""The mirror shows what the server's own view shows, after every event, and notices when it cannot."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acerace_client.mirror import DriftError, GapError, Mirror
from acerace_protocol.codec import MSGPACK
from acerace_protocol.messages import Presence, RaceInfo, Snapshot, Warned, Watchers
from acerace_rules.legal import legal_moves
from acerace_rules.moves import Kind, Move
from acerace_rules.options import Value
from acerace_rules.view import view
from tests.client.referee import VARIANTS, Referee

Pick = Callable[[int], int]


def step(referee: Referee, pick: Pick) -> bool:
    """Do one random thing at the table; ``False`` when nothing can be done."""
    choice = pick(12)
    if choice == 0 and referee.undoable:
        referee.undo()
    elif choice == 1 and referee.redoable:
        referee.redo()
    elif choice == 2 and len(referee.seats) > 1:
        seat = pick(len(referee.seats))
        if not referee.done[seat]:
            referee.say_done(seat)
    else:
        seat = pick(len(referee.seats))
        moves = legal_moves(referee.table, seat)
        # draws are rare among many moves, yet what is interesting (waste, recycle) begins with them
        walking = [move for move in moves if move.kind in {Kind.DRAW, Kind.RECYCLE}]
        if pick(3) == 0 and walking:
            moves = walking
        if not moves:
            return False
        referee.play(seat, moves[pick(len(moves))])
    return True


@settings(max_examples=120)
@given(variant=st.sampled_from(VARIANTS), number=st.integers(1, 999), data=st.data())
def test_the_mirror_equals_the_servers_view_after_every_event(
    variant: tuple[str, dict[str, Value]], number: int, data: st.DataObject
) -> None:
    referee = Referee(*variant, number)
    mirror = Mirror(referee.snapshot())
    random = data.draw(st.randoms(use_true_random=False))
    for _ in range(data.draw(st.integers(1, 150))):
        if not step(referee, random.randrange):
            break
        for event in referee.since(mirror.seq):
            assert mirror.apply(MSGPACK.decode_server(MSGPACK.encode(event)))  # type: ignore[arg-type]
        assert mirror.view == view(referee.table)
        assert mirror.done == referee.done


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_snapshot_at_any_moment_is_as_good_as_all_the_events(variant: tuple[str, dict[str, Value]]) -> None:
    referee = Referee(*variant, 3)
    followed = Mirror(referee.snapshot())
    state = 7
    for _ in range(120):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        moves = legal_moves(referee.table, seat := state // 7 % len(referee.seats))
        if not moves:
            continue
        followed.apply(referee.play(seat, moves[state % len(moves)]))
        assert Mirror(referee.snapshot()).view == followed.view


def test_a_repeated_event_changes_nothing() -> None:
    referee = Referee("double-klondike", {})
    mirror = Mirror(referee.snapshot())
    drawn = referee.play(0, Move(Kind.DRAW))
    assert mirror.apply(drawn)
    assert not mirror.apply(drawn)
    assert mirror.view == view(referee.table)


def test_a_gap_is_noticed_and_changes_nothing() -> None:
    referee = Referee("double-klondike", {})
    mirror = Mirror(referee.snapshot())
    referee.play(0, Move(Kind.DRAW))
    late = referee.play(1, Move(Kind.DRAW))
    with pytest.raises(GapError) as caught:
        mirror.apply(late)
    assert (caught.value.table, caught.value.seen) == ("t1", 0)
    for event in referee.since(caught.value.seen):
        mirror.apply(event)
    assert mirror.view == view(referee.table)


def test_a_position_that_has_drifted_is_noticed_and_a_snapshot_heals_it() -> None:
    referee = Referee("klondike", {})
    mirror = Mirror(referee.snapshot())
    assert mirror.view is not None
    mirror.view.seats[0].columns[0].append(mirror.view.seats[0].columns[1][-1])
    with pytest.raises(DriftError):
        mirror.apply(replace(referee.play(0, Move(Kind.DRAW)), check=1))
    assert mirror.apply(referee.snapshot())
    assert mirror.view == view(referee.table)


@pytest.mark.parametrize("move", ["c1>f", "w>f", "r", "nonsense", "c9:9>c1"])
def test_an_event_that_makes_no_sense_here_is_a_drift(move: str) -> None:
    referee = Referee("klondike", {}, 2)
    mirror = Mirror(referee.snapshot())
    with pytest.raises(DriftError):
        mirror.apply(replace(referee.play(0, Move(Kind.DRAW)), move=move))


def test_more_cards_drawn_than_the_game_draws_is_a_drift() -> None:
    referee = Referee("klondike", {})
    mirror = Mirror(referee.snapshot())
    drawn = referee.play(0, Move(Kind.DRAW))
    with pytest.raises(DriftError):
        mirror.apply(replace(drawn, cards=(*drawn.cards, "2h")))


def test_a_snapshot_whose_check_is_of_another_position_is_a_drift() -> None:
    snapshot = Referee("yukon", {}).snapshot()
    with pytest.raises(DriftError):
        Mirror(replace(snapshot, check=5))


def test_an_undone_recycle_shows_the_waste_again() -> None:
    referee = Referee("klondike", {})
    mirror = Mirror(referee.snapshot())
    for _ in range(24):
        mirror.apply(referee.play(0, Move(Kind.DRAW)))
    mirror.apply(referee.play(0, Move(Kind.RECYCLE)))
    assert mirror.view is not None
    assert not any(mirror.view.seats[0].stock)
    mirror.apply(referee.undo())
    assert mirror.view == view(referee.table)


def test_an_undone_recycle_shows_the_waste_to_one_who_has_not_seen_it() -> None:
    referee = Referee("klondike", {})
    for _ in range(24):
        referee.play(0, Move(Kind.DRAW))
    referee.play(0, Move(Kind.RECYCLE))
    snapshot = referee.snapshot()
    undone = referee.undo()
    told = Mirror(snapshot)
    told.apply(undone)
    assert told.view == view(referee.table)
    with pytest.raises(DriftError):
        Mirror(snapshot).apply(replace(undone, cards=undone.cards[1:]))


def test_what_is_around_the_position_is_followed_too() -> None:
    referee = Referee("double-klondike", {}, dealt=False)
    waiting = referee.snapshot()
    mirror = Mirror(waiting)
    assert (mirror.phase, mirror.view, mirror.legal(0)) == ("waiting", None, [])
    mirror.apply(referee.deal())
    assert mirror.may_move(0)
    assert mirror.terms is not None
    mirror.apply(Presence(table="t1", seq=2, at_us=0, seat=1, away=True))
    mirror.apply(Warned(table="t1", seq=3, at_us=0, ends_in_ms=60_000))
    mirror.apply(Watchers(table="t1", count=4))
    assert (mirror.away, mirror.warned_ms, mirror.watchers) == ([False, True], 60_000, 4)
    referee.seq = 3
    mirror.apply(referee.say_done(0))
    assert mirror.done == [True, False]
    mirror.apply(referee.play(0, Move(Kind.DRAW)))
    assert mirror.warned_ms == 60_000  # a draw is no progress
    move = next(move for move in mirror.legal(0) if move.kind is not Kind.DRAW)
    mirror.apply(referee.play(0, move))
    assert mirror.warned_ms is None
    race = RaceInfo(suit="h", rank=1, winner=0, seq=2, loser=1, margin_us=5)
    mirror.apply(replace(referee.end(), races=(race,)))
    assert mirror.ended is not None
    assert mirror.races == (race,)
    assert not mirror.may_move(0)


def test_whose_turn_it_is_and_what_may_be_played_in_it() -> None:
    referee = Referee("double-klondike", {"pace": "alternating"})
    mirror = Mirror(referee.snapshot())
    assert mirror.legal(0)
    assert mirror.legal(1) == []
    for _ in range(24):
        mirror.apply(referee.play(0, Move(Kind.DRAW), turn=0))
    assert all(move.kind in {Kind.WASTE_TO_COLUMN, Kind.WASTE_TO_FOUNDATION} for move in mirror.legal(0))
    mirror.apply(referee.play(0, Move(Kind.RECYCLE), turn=0))
    assert mirror.recycled
    mirror.apply(referee.pass_turn(0))
    assert not mirror.recycled
    assert mirror.turn == 1
    assert mirror.legal(0) == []
    assert isinstance(referee.snapshot(), Snapshot)
