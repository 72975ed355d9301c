"""Spectators with a delay: they are told what everybody was told, in order, later, the end included."""

import pytest

from acerace_protocol.limits import HISTORY_EVENTS, OVER_TABLE_KEPT_MS, WATCHED_PER_CONNECTION, Fault
from acerace_protocol.messages import (
    Closing,
    Ended,
    EventBase,
    Leave,
    ListTables,
    Play,
    Problem,
    Resign,
    Resume,
    ServerMessage,
    Snapshot,
    Tables,
    Watch,
    Watchers,
)
from acerace_protocol.messages import Played as PlayedEvent
from acerace_protocol.people import Mute, Said, Say
from acerace_server.core.late import LateGroup
from tests.server.core.support import SECOND, Client, World, numbers, one


class Room(World):
    """A match with one who watches it as it is, and one who does not watch yet."""

    def __init__(self) -> None:
        super().__init__()
        self.ada, self.bruno = self.enter("Ada"), self.enter("Bruno")
        self.live, self.late = self.enter("Carla"), self.enter("Dora")
        self.key = self.match(self.ada, self.bruno)
        self.live.send(Watch(table=self.key))
        self._nonce = 100
        self.wait(1)
        for client in self.clients.values():
            client.take()

    def draw(self, times: int = 1) -> None:
        """Moves that are always there: draw, and turn the stock over."""
        hosted = self.hub.registry.get(self.key)
        assert hosted is not None
        for _ in range(times):
            self._nonce += 1
            move = "d" if hosted.match.dealt.seats[0].stock else "r"
            self.ada.send(Play(table=self.key, nonce=self._nonce, move=move))

    def follow(self, delay_s: int = 30) -> list[ServerMessage]:
        return self.late.send(Watch(table=self.key, delay_s=delay_s))


@pytest.fixture
def room() -> Room:
    return Room()


def events(client: Client) -> list[ServerMessage]:
    return [message for message in client.take() if not isinstance(message, Watchers)]


def test_it_is_dark_until_the_delay_is_over_and_then_the_table_is_as_it_was(room: Room) -> None:
    before = room.live.send(Watch(table=room.key))[-1]
    assert isinstance(before, Snapshot)
    assert room.follow(30) == []
    assert room.hub.registry.late.deadline() == room.now + 30 * SECOND
    room.draw(3)
    room.wait(29.9)
    assert room.late.take() == []
    room.wait(0.2)
    told = events(room.late)
    assert isinstance(told[0], Snapshot)
    assert (told[0].seq, told[0].state) == (before.seq, before.state)
    assert numbers(told[1:]) == [before.seq + 1, before.seq + 2, before.seq + 3]


def test_the_distances_between_events_stay_and_they_are_the_same_messages(room: Room) -> None:
    room.follow(10)
    room.live.take()
    for _ in range(8):
        room.draw()
        room.wait(1)
    live = [message for message in room.live.take() if isinstance(message, EventBase)]
    room.wait(2.5)
    told = [message for message in room.late.take() if isinstance(message, EventBase)]
    assert told == live[:1]
    for index in range(1, 8):
        room.wait(1)
        assert [message for message in room.late.take() if isinstance(message, EventBase)] == [live[index]]


def test_several_with_the_same_delay_are_told_with_one_message(room: Room) -> None:
    other = room.enter("Edda")
    room.follow(5)
    room.wait(2)
    other.send(Watch(table=room.key, delay_s=5))
    room.draw()
    room.wait(4)
    assert [type(message) for message in events(room.late)] == [Snapshot]
    assert events(other) == []
    room.draw()
    room.wait(1.5)
    late, newer = events(room.late), events(other)
    assert [type(message) for message in newer] == [Snapshot, PlayedEvent]
    assert late == newer[1:]


def test_the_end_comes_late_as_well_and_so_does_the_closing(room: Room) -> None:
    room.follow(600)
    room.draw()
    room.ada.send(Resign(table=room.key, nonce=9))
    room.wait(OVER_TABLE_KEPT_MS / 1000 + 1)
    assert room.key not in room.hub.registry
    assert room.late.take() == []
    room.wait(600)
    told = events(room.late)
    assert [type(message) for message in told] == [Snapshot, PlayedEvent, Ended, Closing]
    assert room.hub.registry.late.deadline() is None
    assert not [message for message in room.late.send(Leave(table=room.key)) if not isinstance(message, Problem)]


def test_a_table_that_is_put_away_can_be_left_before_its_end_was_told(room: Room) -> None:
    room.follow(600)
    room.ada.send(Resign(table=room.key, nonce=9))
    room.wait(OVER_TABLE_KEPT_MS / 1000 + 1)
    assert room.late.send(Leave(table=room.key)) == []
    room.wait(900)
    assert room.late.take() == []
    assert room.hub.registry.late.deadline() is None


def test_who_leaves_one_that_is_put_away_is_still_told_of_another(room: Room) -> None:
    other = room.match(room.enter(), room.enter())
    for key in (room.key, other):
        room.late.send(Watch(table=key, delay_s=600))
    room.ada.send(Resign(table=room.key, nonce=9))
    room.wait(OVER_TABLE_KEPT_MS / 1000 + 1)
    room.late.send(Leave(table=room.key))
    room.wait(600)
    assert {message.table for message in room.late.take() if isinstance(message, Snapshot)} == {other}


def test_one_who_goes_away_in_the_dark_is_told_nothing(room: Room) -> None:
    room.follow(600)
    room.draw()
    room.late.hang_up()
    room.wait(900)  # a message to a connection that is gone would be an error
    assert room.hub.registry.late.deadline() is None


def test_when_one_of_several_goes_the_others_are_told_all_the_same(room: Room) -> None:
    other = room.enter("Edda")
    room.follow(30)
    other.send(Watch(table=room.key, delay_s=30))
    room.draw(2)
    other.hang_up()
    room.wait(31)
    assert [type(message) for message in events(room.late)] == [Snapshot, PlayedEvent, PlayedEvent]


def test_one_who_goes_and_comes_again_is_told_only_from_then_on(room: Room) -> None:
    other = room.enter("Edda")
    other.send(Watch(table=room.key, delay_s=30))
    room.follow(30)
    room.draw()
    room.late.send(Leave(table=room.key))
    room.wait(10)
    room.follow(30)
    room.wait(25)
    assert room.late.take() == []
    room.draw()
    room.wait(31)
    assert [type(message) for message in events(room.late)] == [Snapshot, PlayedEvent]


def test_a_player_is_told_of_the_own_table_at_once(room: Room) -> None:
    assert isinstance(room.bruno.send(Watch(table=room.key, delay_s=30))[-1], Snapshot)
    room.draw()
    assert any(isinstance(message, PlayedEvent) for message in room.bruno.take())


def test_one_may_change_from_late_to_live_and_back(room: Room) -> None:
    room.follow(30)
    assert one(Snapshot, room.follow(0)).watchers == 2
    room.draw()
    assert any(isinstance(message, PlayedEvent) for message in room.late.take())
    assert events(room.late) == room.follow(10)
    room.draw()
    assert room.late.take() == []
    room.wait(11)
    assert [type(message) for message in events(room.late)] == [Snapshot, PlayedEvent]
    hosted = room.hub.registry.get(room.key)
    assert hosted is not None
    assert hosted.watchers == 2


def test_another_delay_takes_the_place_of_the_first(room: Room) -> None:
    room.follow(5)
    room.follow(20)
    room.wait(10)
    assert room.late.take() == []
    room.wait(11)
    assert len(events(room.late)) == 1


def test_to_resume_tells_no_more_than_the_delay_allows(room: Room) -> None:
    room.follow(10)
    room.wait(11)
    room.late.take()
    room.draw()
    assert room.late.send(Resume(table=room.key, seen=0)) == []
    room.wait(5)
    assert room.late.take() == []
    room.wait(6)
    assert [type(message) for message in events(room.late)] == [Snapshot]


def test_late_spectators_are_counted_like_others(room: Room) -> None:
    room.follow(30)
    assert one(Watchers, room.ada.take()).count == 2
    info = one(Tables, room.ada.send(ListTables())).tables[0]
    assert info.watchers == 2
    room.late.send(Leave(table=room.key))
    info = one(Tables, room.ada.send(ListTables())).tables[0]
    assert info.watchers == 1


def test_late_tables_count_against_what_one_may_watch() -> None:
    world = World()
    keys = [world.match(world.enter(), world.enter()) for _ in range(WATCHED_PER_CONNECTION + 1)]
    dora = world.enter("Dora")
    for key in keys[:-1]:
        dora.send(Watch(table=key, delay_s=30))
    assert one(Problem, dora.send(Watch(table=keys[-1], delay_s=30))).code == Fault.TOO_MANY
    assert dora.send(Watch(table=keys[0], delay_s=60)) == []


def test_emotes_come_late_too_unless_they_are_muted(room: Room) -> None:
    room.follow(10)
    room.ada.send(Say(table=room.key, emote="ouch"))
    assert room.late.take() == []
    room.wait(11)
    assert [type(message) for message in events(room.late)] == [Snapshot, Said]
    room.late.send(Mute(table=room.key))
    room.ada.send(Say(table=room.key, emote="ouch"))
    room.draw()
    room.wait(11)
    assert [type(message) for message in events(room.late)] == [PlayedEvent]


def test_what_is_held_is_bounded_and_a_snapshot_stands_for_what_was_given_up(room: Room) -> None:
    room.follow(600)
    for _ in range(4 * HISTORY_EVENTS):
        room.draw()
        room.wait(0.02)
    hosted = room.hub.registry.get(room.key)
    assert hosted is not None
    [group] = hosted.late.values()
    assert group.held <= HISTORY_EVENTS + 1
    room.wait(700)
    told = [message for message in events(room.late) if isinstance(message, Snapshot | EventBase)]
    assert sum(isinstance(message, Snapshot) for message in told) >= 2
    seen = 0
    for message in told:  # each event is the one after what was told before; only a snapshot jumps
        assert isinstance(message, Snapshot) or message.seq == seen + 1
        assert message.seq >= seen
        seen = message.seq
    assert seen == hosted.match.seq


def test_what_has_been_told_is_held_no_more(room: Room) -> None:
    room.follow(1)
    room.draw()
    for _ in range(HISTORY_EVENTS + 1):
        room.draw()
        room.wait(0.01)
    room.wait(1)
    assert [type(message) for message in events(room.late)] == [Snapshot] + [PlayedEvent] * (HISTORY_EVENTS + 2)


def test_of_two_events_of_one_loop_turn_none_is_told_again_after_a_snapshot_that_shows_both(room: Room) -> None:
    room.follow(60)
    hosted = room.hub.registry.get(room.key)
    assert hosted is not None
    (group,) = hosted.late.values()
    while not group.is_full:
        group.hold(Watchers(table=room.key, count=1), room.now)
    for client in (room.ada, room.bruno):
        room.hub.receive(client.number, Play(table=room.key, nonce=client.nonce(), move="d"), room.now)
    room.beat()
    room.draw()
    room.wait(61)
    told = events(room.late)
    assert [type(message) for message in told] == [Snapshot, Snapshot, PlayedEvent]
    assert [message.seq for message in told if isinstance(message, Snapshot | EventBase)] == [3, 5, 6]


def test_the_newer_half_is_given_up_but_nobody_who_came_meanwhile(room: Room) -> None:
    snapshot = one(Snapshot, room.live.send(Watch(table=room.key)))
    group = LateGroup(room.key, 10, set(), lambda _: None)
    group.join(1, [snapshot], 0)
    for number in range(HISTORY_EVENTS):
        assert not group.is_full
        group.hold(Watchers(table=room.key, count=number), 0)
    group.join(2, [snapshot], 0)
    assert group.is_full
    group.thin([snapshot], 0)
    told: list[tuple[tuple[int, ...], ServerMessage]] = []
    for _ in group.tell(10, lambda receivers, message: told.append((receivers, message))):
        pass
    kept = [message.count for _, message in told if isinstance(message, Watchers)]
    assert kept == [*range(HISTORY_EVENTS // 2)]
    assert told[0] == ((1,), snapshot)
    assert told[-2:] == [((2,), snapshot), ((1, 2), snapshot)]
    assert not group.is_full


def test_a_group_rings_when_it_begins_to_wait_and_keeps_nothing_for_nobody(room: Room) -> None:
    snapshot = one(Snapshot, room.live.send(Watch(table=room.key)))
    rung: list[LateGroup] = []
    group = LateGroup(room.key, 10, set(), rung.append)
    for _ in range(2):
        group.join(1, [snapshot], 0)
        assert rung == [group]
        for number in range(HISTORY_EVENTS):
            group.hold(Watchers(table=room.key, count=number), 0)
        assert (len(rung), group.is_full) == (1, True)
        rung.clear()
        group.drop(1)
        assert (group.held, group.is_full, group.due()) == (0, False, None)
        assert rung == [group]
        rung.clear()


def test_a_full_queue_is_as_full_when_one_of_several_goes(room: Room) -> None:
    snapshot = one(Snapshot, room.live.send(Watch(table=room.key)))
    group = LateGroup(room.key, 10, set(), lambda _: None)
    for number in (1, 2, 3):
        group.join(number, [snapshot], 0)
    for number in range(HISTORY_EVENTS - 1):
        group.hold(Watchers(table=room.key, count=number), 0)
    group.drop(3)
    assert not group.is_full
    group.hold(Watchers(table=room.key, count=0), 0)
    group.drop(2)
    assert group.is_full


def test_so_is_what_is_left_of_spectators_who_come_and_go(room: Room) -> None:
    for delay in (600, 300) * 50:
        room.follow(delay)
        room.draw()
        room.late.send(Leave(table=room.key))
    late = room.hub.registry.late
    assert len(late) == 2
    room.wait(601)
    assert late.deadline() is None
    assert len(late) == 0


def test_nothing_is_left_of_one_who_goes_after_being_told_all(room: Room) -> None:
    room.follow(5)
    room.wait(20)
    assert [type(message) for message in events(room.late)] == [Snapshot]
    room.late.hang_up()
    assert len(room.hub.registry.late) == 0


def test_nothing_is_left_of_a_table_whose_closing_was_told_though_a_nearer_alarm_had_told_it(room: Room) -> None:
    room.follow(30)
    room.wait(20)
    other = room.enter("Edda")
    other.send(Watch(table=room.key, delay_s=30))
    room.wait(10.1)
    other.send(Leave(table=room.key))
    room.ada.send(Resign(table=room.key, nonce=9))
    room.wait(OVER_TABLE_KEPT_MS / 1000 + 1)
    assert [type(message) for message in events(room.late)] == [Snapshot, Ended, Closing]
    assert len(room.hub.registry.late) == 0
    assert room.hub.registry.late.deadline() is None
