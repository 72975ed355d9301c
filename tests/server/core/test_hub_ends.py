"""What becomes of a table that is left, runs out of time, breaks or is over (N22, N31)."""

import pytest

from acerace_protocol.limits import (
    LEFT_SOLO_KEPT_MS,
    OVER_TABLE_KEPT_MS,
    Fault,
)
from acerace_protocol.messages import (
    Claim,
    Closing,
    Ended,
    Leave,
    ListTables,
    Play,
    Presence,
    Problem,
    Refused,
    Resign,
    Resume,
    Snapshot,
    Solo,
    Tables,
    Watch,
)
from acerace_protocol.messages import Played as PlayedEvent
from acerace_rules.moves import Reason
from acerace_server.core.records import TablePutAway
from tests.server.core.room import Room
from tests.server.core.support import numbers, one


def test_who_leaves_keeps_the_seat_but_is_away(room: Room) -> None:
    room.ada.send(Leave(table=room.key))
    assert one(Presence, room.bruno.take()).away
    assert numbers(room.ada.send(Resume(table=room.key, seen=3))) == [4, 5]


def test_what_was_sent_before_leaving_is_answered(room: Room) -> None:
    got = room.ada.send(Play(table=room.key, nonce=60, move="d"), Leave(table=room.key))
    assert one(PlayedEvent, got).nonce == 60
    key = room.solo(room.carla)
    got = room.carla.send(Play(table=key, nonce=61, move="d"), Resign(table=key, nonce=62), Leave(table=key))
    assert one(Ended, got).nonce == 62


def test_a_solo_game_is_put_away_when_it_is_left_and_its_other_tab_is_told(room: Room) -> None:
    key = room.solo(room.ada)
    tab = room.enter(token=room.token)
    tab.send(Watch(table=key))
    room.ada.send(Leave(table=key))
    assert one(Closing, tab.take()).table == key
    assert one(Problem, tab.send(Watch(table=key))).code == Fault.NO_SUCH_TABLE


def test_a_table_that_is_over_is_kept_for_a_while(room: Room) -> None:
    room.ada.send(Resign(table=room.key, nonce=60))
    room.wait(OVER_TABLE_KEPT_MS / 1000 - 1)
    assert one(Snapshot, room.carla.send(Watch(table=room.key))).phase == "over"
    assert one(Tables, room.carla.send(ListTables())).tables == ()
    room.carla.take()
    room.wait(2)
    assert one(Closing, room.carla.take()).table == room.key
    assert one(Problem, room.carla.send(Watch(table=room.key))).code == Fault.NO_SUCH_TABLE
    assert one(Problem, room.ada.send(Play(table=room.key, nonce=61, move="d"))).nonce == 61
    assert room.hub.health()["tables"] == 0
    assert room.connect().hello(token=room.token).tables == ()


def test_a_full_server_opens_a_table_when_one_is_put_away(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acerace_server.core.registry.TABLES_MAX", 2)
    room.solo(room.carla)
    assert one(Problem, room.bruno.send(Solo())).code == Fault.TOO_MANY
    room.ada.send(Resign(table=room.key, nonce=60))
    assert one(Problem, room.bruno.send(Solo())).code == Fault.TOO_MANY  # it is over, and kept
    room.wait(OVER_TABLE_KEPT_MS / 1000 + 1)
    room.bruno.take()
    assert room.solo(room.bruno)


def test_a_solo_game_whose_player_is_gone_is_kept_longer(room: Room) -> None:
    key = room.solo(room.ada)
    room.ada.hang_up()
    room.wait(LEFT_SOLO_KEPT_MS / 1000 - 1)
    again = room.enter(token=room.token)
    assert one(Snapshot, again.send(Watch(table=key)))
    again.hang_up()  # from now on it is kept as long as before
    room.wait(LEFT_SOLO_KEPT_MS / 1000 - 1)
    assert key in room.hub.registry
    room.wait(2)
    again = room.enter(token=room.token)
    assert one(Problem, again.send(Watch(table=key))).code == Fault.NO_SUCH_TABLE


def test_a_solo_game_whose_player_is_there_is_kept_however_long_it_takes(room: Room) -> None:
    key = room.solo(room.ada)
    room.wait(3 * LEFT_SOLO_KEPT_MS / 1000)
    assert one(PlayedEvent, room.ada.send(Play(table=key, nonce=60, move="d"))).nonce == 60


def test_the_hub_rings_by_itself_when_a_timer_runs_out(room: Room) -> None:
    room.ada.take()
    room.wait(120)
    assert one(Ended, room.ada.take()).reason == "no_progress"


def test_a_move_that_came_in_time_is_judged_before_the_timer_that_rang_meanwhile(room: Room) -> None:
    # N25: read a moment before the deadline, judged at the end of the loop turn, when the timer has rung
    due = room.now + 120_000_000_000
    room.hub.tick(due - 1_000_000)
    room.hub.receive(room.ada.number, Play(table=room.key, nonce=60, move="d"), due - 500_000)
    room.hub.tick(due + 500_000)
    room.deliver()
    got = room.ada.take()
    assert one(PlayedEvent, got).nonce == 60
    assert got.index(one(PlayedEvent, got)) < got.index(one(Ended, got))


@pytest.mark.parametrize("happening", ["come", "come as well", "go"])
def test_nor_is_it_late_because_somebody_comes_or_goes_after_the_deadline(room: Room, happening: str) -> None:
    # N25
    due = room.now + 120_000_000_000
    if happening == "come":
        room.ada.hang_up()
    tab = room.enter(token=room.token)
    room.hub.tick(due - 1_000_000)
    room.hub.receive(room.bruno.number, Play(table=room.key, nonce=60, move="d"), due - 500_000)
    if happening != "go":
        room.hub.receive(tab.number, Resume(table=room.key, seen=3), due + 500_000)
    else:
        room.hub.disconnect(room.ada.number, due + 500_000)
    room.beat()
    assert one(PlayedEvent, room.bruno.take()).nonce == 60


@pytest.mark.parametrize("first", ["claim", "return"])
def test_a_claim_and_a_return_in_one_loop_turn_are_judged_in_the_order_of_their_arrival(room: Room, first: str) -> None:
    # N15, N25: one decision, by who came first
    room.ada.hang_up()
    room.wait(61)
    tab = room.enter(token=room.token)
    claim = Claim(table=room.key, nonce=70)
    if first == "claim":
        room.hub.receive(room.bruno.number, claim, room.now)
    room.hub.receive(tab.number, Resume(table=room.key, seen=3), room.now + 1000)
    if first == "return":
        room.hub.receive(room.bruno.number, claim, room.now + 2000)
    room.beat()
    got = room.bruno.take()
    if first == "claim":
        assert one(Ended, got).nonce == claim.nonce
    else:
        assert one(Refused, got).reason == Reason.NOT_ABSENT


def test_a_fault_of_ours_at_one_table_closes_that_one_and_the_others_play_on(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, opponent = room.enter(), room.enter()
    key = room.match(other, opponent)
    hosted = room.hub.registry.get(room.key)
    assert hosted is not None

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(hosted.match, "receive", broken)
    for client in (room.ada, other):
        room.hub.receive(
            client.number, Play(table=room.key if client is room.ada else key, nonce=60, move="d"), room.now
        )
    room.beat()
    assert one(Closing, room.ada.take()).table == room.key
    assert one(PlayedEvent, other.take()).nonce == 60
    [(table, fault)] = room.hub.faults
    assert (table, type(fault)) == (room.key, ZeroDivisionError)
    assert one(Problem, room.ada.send(Watch(table=room.key))).code == Fault.NO_SUCH_TABLE
    room.wait(1000)  # the alarms that it had ring for nobody
    assert len(room.hub.registry) == 0


def test_a_fault_at_a_table_while_its_players_go_stays_there(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    hosted = room.hub.registry.get(room.key)
    assert hosted is not None

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(hosted.match, "presence", broken)
    room.carla.send(Watch(table=room.key))
    for client in (room.ada, room.bruno):  # in one loop turn
        room.hub.disconnect(client.number, room.now)
        del room.clients[client.number]
    room.beat()
    assert one(Closing, room.carla.take()).table == room.key
    assert [table for table, _ in room.hub.faults] == [room.key]


def test_nothing_more_is_kept_of_a_table_that_has_failed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    hosted = room.hub.registry.get(room.key)
    assert hosted is not None

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(hosted.match, "receive", broken)
    room.hub.accepted.clear()
    room.hub.receive(room.ada.number, Play(table=room.key, nonce=60, move="d"), room.now)
    room.bruno.hang_up()  # before which that is judged
    assert room.hub.accepted == [TablePutAway(room.key)]
