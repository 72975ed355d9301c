"""Emotes: only seats show them, not too many, and whoever does not want them is spared."""

import pytest

from acerace_protocol.limits import EMOTES_PER_MINUTE, Fault
from acerace_protocol.messages import Ended, Leave, Problem, Resign, Resume, ServerMessage, Snapshot, Watch
from acerace_protocol.people import Mute, Said, Say
from tests.server.core.support import Client, World, one


class Room(World):
    """A match with a spectator."""

    def __init__(self) -> None:
        super().__init__()
        self.ada, self.bruno, self.carla = self.enter("Ada"), self.enter("Bruno"), self.enter("Carla")
        self.key = self.match(self.ada, self.bruno)
        self.carla.send(Watch(table=self.key))
        self.all = [self.ada, self.bruno, self.carla]
        for client in self.all:
            client.take()

    def said(self, client: Client) -> list[str]:
        """The emotes a client was shown since it last looked."""
        return [message.emote for message in client.take() if isinstance(message, Said)]


@pytest.fixture
def room() -> Room:
    return Room()


def test_an_emote_is_shown_to_everyone_at_the_table(room: Room) -> None:
    shown = room.bruno.send(Say(table=room.key, emote="well_played"))
    expected: list[ServerMessage] = [Said(table=room.key, seat=1, emote="well_played")]
    assert shown == expected
    assert room.ada.take() == room.carla.take() == expected


def test_only_seats_may_show_them(room: Room) -> None:
    assert one(Problem, room.carla.send(Say(table=room.key, emote="ouch"))).code == Fault.NOT_SEATED
    assert one(Problem, room.carla.send(Say(table="nowhere", emote="ouch"))).code == Fault.NO_SUCH_TABLE
    assert room.ada.take() == []


def test_a_seat_shows_so_many_a_minute_from_however_many_tabs(room: Room) -> None:
    for _ in range(EMOTES_PER_MINUTE):
        room.ada.send(Say(table=room.key, emote="hello"))
        room.wait(1)
    problem = one(Problem, room.ada.send(Say(table=room.key, emote="hello")))
    assert problem.code == Fault.TOO_FAST
    assert room.said(room.bruno) == ["hello"] * EMOTES_PER_MINUTE
    shown = room.bruno.send(Say(table=room.key, emote="hurry"))  # the other seat has its own
    assert one(Said, shown).emote == "hurry"
    room.wait(60 - EMOTES_PER_MINUTE - 0.001)
    assert one(Problem, room.ada.send(Say(table=room.key, emote="thanks"))).code == Fault.TOO_FAST
    room.wait(0.001)
    for number in range(2 * EMOTES_PER_MINUTE):  # one more for each that is a minute old
        assert one(Said, room.ada.send(Say(table=room.key, emote="thanks"))).emote == "thanks"
        assert one(Problem, room.ada.send(Say(table=room.key, emote="thanks"))).code == Fault.TOO_FAST
        room.wait(60 - EMOTES_PER_MINUTE + 1 if number + 1 == EMOTES_PER_MINUTE else 1)


def test_who_has_muted_a_table_is_spared_and_nobody_else(room: Room) -> None:
    room.carla.send(Mute(table=room.key))
    room.bruno.send(Mute(table=room.key))
    assert len(room.ada.send(Say(table=room.key, emote="hurry"))) == 1
    assert [room.said(client) for client in room.all] == [[], [], []]
    room.carla.send(Mute(table=room.key, on=False))
    room.ada.send(Say(table=room.key, emote="ouch"))
    assert (room.said(room.bruno), room.said(room.carla)) == ([], ["ouch"])


def test_who_has_muted_a_table_is_told_all_else(room: Room) -> None:
    room.bruno.send(Mute(table=room.key))
    room.ada.send(Resign(table=room.key, nonce=77))
    assert one(Ended, room.bruno.take()).nonce == 77


def test_muting_ends_with_leaving(room: Room) -> None:
    room.carla.send(Mute(table=room.key), Leave(table=room.key))
    assert one(Problem, room.carla.send(Mute(table=room.key))).code == Fault.NOT_WATCHING
    room.carla.send(Watch(table=room.key))
    room.carla.take()
    room.ada.send(Say(table=room.key, emote="ouch"))
    assert room.said(room.carla) == ["ouch"]


def test_emotes_are_no_events_and_who_comes_later_sees_none(room: Room) -> None:
    hosted = room.hub.registry.get(room.key)
    assert hosted is not None
    before = hosted.match.seq, len(hosted.match.log)
    room.hub.accepted.clear()
    room.ada.send(Say(table=room.key, emote="ouch"))
    assert (hosted.match.seq, len(hosted.match.log)) == before
    assert room.hub.accepted == []
    late = room.enter("Dora")
    assert [type(message) for message in late.send(Watch(table=room.key))][-1] is Snapshot
    assert not room.said(late)
    late.send(Resume(table=room.key, seen=0))
    assert not room.said(late)


def test_after_the_match_one_may_still_be_polite(room: Room) -> None:
    room.ada.send(Resign(table=room.key, nonce=77))
    room.bruno.take()
    room.ada.send(Say(table=room.key, emote="well_played"))
    assert room.said(room.bruno) == ["well_played"]
