"""Following tables through the hub: snapshots, events, what was missed, and who may do what (N22, N31)."""

import pytest

from acerace_protocol.limits import (
    HISTORY_EVENTS,
    TABLES_PER_PLAYER,
    WATCHED_PER_CONNECTION,
    Fault,
)
from acerace_protocol.messages import (
    Advice,
    Ask,
    Closing,
    Done,
    Leave,
    Legal,
    LegalMoves,
    ListTables,
    Play,
    Presence,
    Problem,
    Ready,
    Refused,
    Resign,
    Resume,
    Seated,
    Seek,
    Snapshot,
    Solo,
    Tables,
    Watch,
    Watchers,
)
from acerace_protocol.messages import Played as PlayedEvent
from acerace_rules.moves import Reason
from tests.server.core.room import Room
from tests.server.core.support import World, numbers, one

# --- watching ----------------------------------------------------------------------------------------------


def test_a_spectator_gets_a_snapshot_and_then_every_event(room: Room) -> None:
    snapshot = one(Snapshot, room.carla.send(Watch(table=room.key)))
    assert (snapshot.seq, snapshot.phase, snapshot.watchers) == (3, "playing", 1)
    room.draw(room.ada, 50)
    assert numbers(room.carla.take()) == [4]


def test_one_who_comes_in_the_middle_of_a_burst_misses_nothing_and_sees_nothing_twice(room: Room) -> None:
    # N22
    late = [room.enter() for _ in range(20)]
    for number in range(200):
        room.hub.receive(room.ada.number, Play(table=room.key, nonce=100 + number, move="d"), room.now)
        if number % 10 == 0:
            room.hub.receive(late[number // 10].number, Watch(table=room.key), room.now)
        room.hub.receive(room.bruno.number, Play(table=room.key, nonce=100 + number, move="r"), room.now)
        if number % 3 == 0:
            room.beat()
        if number % 24 == 23:
            room.ada.send(Play(table=room.key, nonce=1000 + number, move="r"))
    room.beat()
    newest = numbers(room.ada.take())[-1]
    for client in late:
        got = client.take()
        seen = one(Snapshot, got).seq
        assert numbers(got) == [*range(seen + 1, newest + 1)]


def test_spectators_are_counted_for_everyone(room: Room) -> None:
    dora = room.enter("Dora")
    room.carla.send(Watch(table=room.key))
    assert one(Watchers, room.ada.take()).count == 1
    room.wait(1)
    assert one(Snapshot, dora.send(Watch(table=room.key))).watchers == 2
    assert one(Watchers, room.ada.take()).count == 2
    dora.send(Leave(table=room.key))
    room.wait(1)
    assert one(Watchers, room.ada.take()).count == 1
    room.carla.hang_up()
    assert one(Watchers, room.ada.take()).count == 0


def test_a_crowd_that_comes_and_goes_is_counted_twice_a_second(room: Room) -> None:
    crowd = [room.enter() for _ in range(30)]
    for index, spectator in enumerate(crowd):
        spectator.send(Watch(table=room.key))
        if index % 3 == 0:
            spectator.send(Leave(table=room.key))
        room.wait(0.01)
    counts = [message.count for message in room.ada.take() if isinstance(message, Watchers)]
    assert counts == [1]
    room.wait(0.5)
    assert one(Watchers, room.ada.take()).count == 20
    room.wait(5)
    assert room.ada.take() == []


@pytest.mark.parametrize("command", [Ready, Done, Resign])
def test_a_spectator_can_do_nothing(room: Room, command: type[Ready | Done | Resign]) -> None:
    # N31, D67: exactly two play
    room.carla.send(Watch(table=room.key))
    room.ada.take()
    problem = one(Problem, room.carla.send(command(table=room.key, nonce=77)))
    assert (problem.code, problem.nonce, problem.table) == (Fault.NOT_SEATED, 77, room.key)
    for message in (Legal(table=room.key), Ask(table=room.key, about="places", pile="w", nonce=1)):
        assert one(Problem, room.carla.send(message)).code == Fault.NOT_SEATED
    assert room.ada.take() == []


def test_nobody_watches_a_solo_game(room: Room) -> None:
    key = room.solo(room.ada)
    assert one(Problem, room.carla.send(Watch(table=key))).code == Fault.NO_SUCH_TABLE
    assert one(Tables, room.carla.send(ListTables())).tables[0].table == room.key
    assert len(one(Tables, room.carla.send(ListTables())).tables) == 1


def test_a_table_that_never_was(room: Room) -> None:
    for message in (Watch(table="nope"), Resume(table="nope", seen=1), Leave(table="nope"), Legal(table="nope")):
        problem = one(Problem, room.carla.send(message))
        assert (problem.code, problem.table) == (Fault.NO_SUCH_TABLE, "nope")
    assert one(Problem, room.carla.send(Leave(table=room.key))).code == Fault.NOT_WATCHING


def test_a_connection_follows_so_many_tables(room: Room) -> None:
    keys = [room.match(room.enter(), room.enter()) for _ in range(WATCHED_PER_CONNECTION)]
    for key in keys:
        assert one(Snapshot, room.carla.send(Watch(table=key)))
    assert one(Problem, room.carla.send(Watch(table=room.key))).code == Fault.TOO_MANY
    room.carla.send(Leave(table=keys[0]))
    assert one(Snapshot, room.carla.send(Watch(table=room.key)))


def test_those_at_which_one_plays_do_not_count_among_them(room: Room) -> None:
    for _ in range(TABLES_PER_PLAYER):
        room.solo(room.carla)
    keys = [room.match(room.enter(), room.enter()) for _ in range(WATCHED_PER_CONNECTION)]
    for key in keys:
        assert one(Snapshot, room.carla.send(Watch(table=key)))
    for delay_s in (0, 60):
        assert one(Problem, room.carla.send(Watch(table=room.key, delay_s=delay_s))).code == Fault.TOO_MANY


# --- resuming ----------------------------------------------------------------------------------------------


def test_a_resume_brings_exactly_what_was_missed(room: Room) -> None:
    for number in range(6):
        room.draw(room.ada, 50 + number)
    room.carla.send(Watch(table=room.key))
    assert numbers(room.carla.send(Resume(table=room.key, seen=4))) == [5, 6, 7, 8, 9]
    assert numbers(room.carla.send(Resume(table=room.key, seen=9))) == []


def test_who_comes_back_is_told_of_it_among_what_it_missed_and_in_order(room: Room) -> None:
    room.ada.hang_up()
    room.draw(room.bruno, 60)
    again = room.enter(token=room.token)
    got = again.send(Resume(table=room.key, seen=3))
    assert numbers(got) == [4, 5, 6]
    assert isinstance(got[-1], Presence)
    assert numbers(room.bruno.take()) == [6]  # the others are told at once, and once


def test_too_much_was_missed_and_a_snapshot_comes(room: Room) -> None:
    for number in range(HISTORY_EVENTS):
        room.draw(room.ada, 100 + number)
    got = room.carla.send(Resume(table=room.key, seen=2))
    assert one(Snapshot, got).seq == numbers(room.bruno.take())[-1] > HISTORY_EVENTS
    assert numbers(got) == []


def test_one_who_claims_to_have_seen_the_future_gets_a_snapshot(room: Room) -> None:
    assert one(Snapshot, room.carla.send(Resume(table=room.key, seen=99))).seq == 3


def test_the_second_of_two_commands_in_one_loop_turn_is_judged_against_what_the_first_has_made(room: Room) -> None:
    # R17
    key = one(Seated, room.carla.send(Solo(code="KL1-D1UM-AAAAAAB"))).table  # the ace of hearts lies on c1
    got = room.carla.send(*(Play(table=key, nonce=nonce, move="c1>f") for nonce in (1, 2)))
    assert numbers(got) == [1]
    assert one(Refused, got).reason == Reason.COLUMN_EMPTY


# --- legal moves -------------------------------------------------------------------------------------------


def test_a_seated_client_may_be_told_its_legal_moves_after_each_event(room: Room) -> None:
    first = one(LegalMoves, room.ada.send(Legal(table=room.key)))
    assert (first.seq, "d" in first.moves) == (3, True)
    room.draw(room.bruno, 60)
    assert one(LegalMoves, room.ada.take()).seq == 4
    (answer,) = room.ada.send(Play(table=room.key, nonce=70, move="r"))
    assert isinstance(answer, Refused)  # nothing changed: told nothing
    assert room.ada.send(Legal(table=room.key, on=False)) == []
    room.draw(room.bruno, 61)
    assert [type(message) for message in room.ada.take()] == [PlayedEvent]


def test_nobody_else_is_told_them(room: Room) -> None:
    room.carla.send(Watch(table=room.key))
    room.ada.send(Legal(table=room.key))
    room.draw(room.ada, 60)
    for client in (room.bruno, room.carla):
        assert not [message for message in client.take() if isinstance(message, LegalMoves)]


def test_who_is_gone_is_told_nothing_more(room: Room) -> None:
    """Also a tab that asked for the legal moves and nothing else."""
    tab = room.enter(token=room.token)
    one(LegalMoves, tab.send(Legal(table=room.key)))
    tab.hang_up()
    room.draw(room.bruno, 60)  # World.deliver raises for a message to a connection that is gone
    assert numbers(room.ada.take()) == [4]


def test_advice_is_for_who_asks(room: Room) -> None:
    asked = Ask(table=room.key, about="places", pile="w", nonce=5)
    assert one(Advice, room.ada.send(asked)).moves == ()
    assert one(Refused, room.ada.send(Ask(table=room.key, about="hint", nonce=6))).reason == Reason.SOLO_ONLY
    assert room.bruno.take() == []


# --- limits and the end of the server ----------------------------------------------------------------------


def test_a_player_has_so_many_tables(room: Room) -> None:
    for _ in range(TABLES_PER_PLAYER):
        room.solo(room.carla)
    for message in (Solo(), Seek()):
        assert one(Problem, room.carla.send(message)).code == Fault.TOO_MANY


def test_a_table_that_is_over_takes_the_place_of_no_other(room: Room) -> None:
    for _ in range(TABLES_PER_PLAYER - 1):
        room.solo(room.ada)
    assert one(Problem, room.ada.send(Solo())).code == Fault.TOO_MANY
    room.ada.send(Resign(table=room.key, nonce=70))
    room.solo(room.ada)


def test_who_sends_too_fast_is_told_so_and_nothing_more_happens() -> None:
    world = World(commands_per_second=40)
    ada = world.enter("Ada")
    key = world.solo(ada)
    got = ada.send(*(Play(table=key, nonce=nonce, move="d") for nonce in range(200)))
    faults = [message for message in got if isinstance(message, Problem)]
    answers = [message for message in got if isinstance(message, (PlayedEvent, Refused))]
    assert {problem.code for problem in faults} == {Fault.TOO_FAST}
    assert len(faults) + len(answers) == 200
    assert len({problem.nonce for problem in faults}) == len(faults)
    world.now += 1_000_000_000
    assert not [m for m in ada.send(Play(table=key, nonce=300, move="d")) if isinstance(m, Problem)]


def test_a_server_that_stops_says_so_and_begins_nothing(room: Room) -> None:
    room.hub.close(room.now)
    room.deliver()
    assert one(Closing, room.carla.take()).table is None
    assert room.carla.closed == 1001
    assert one(Problem, room.carla.send(Solo())).code == Fault.SERVER_CLOSING
    assert one(Problem, room.carla.send(Seek())).code == Fault.SERVER_CLOSING


def test_what_came_before_the_stop_is_judged(room: Room) -> None:
    room.hub.receive(room.ada.number, Play(table=room.key, nonce=60, move="d"), room.now)
    room.hub.close(room.now)
    room.deliver()
    assert numbers(room.ada.take()) == [4]


def test_every_seated_tab_is_seated(room: Room) -> None:
    tab = room.enter(token=room.token)
    room.carla.send(Seek())
    room.ada.send(Seek())
    seated = one(Seated, tab.take())
    assert seated.seat == 1
