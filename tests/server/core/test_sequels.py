"""What follows the end of a match is no event, and is lost to nobody all the same: who comes later is told again."""

from collections.abc import Generator

import pytest

from acerace_protocol.limits import HISTORY_EVENTS, REMATCH_MS, Fault
from acerace_protocol.messages import (
    Ended,
    Play,
    Problem,
    Resign,
    Resume,
    Seated,
    ServerMessage,
    Snapshot,
    Watch,
    Watchers,
)
from acerace_protocol.people import NextMatch, Rated, Rematch, RematchOffered, SeriesStands
from acerace_rules.options import Value
from acerace_server.core.records import SequelTold, TableOver
from tests.server.core.archive_world import ArchiveWorld, archive_world
from tests.server.core.support import Client, World, one

FOLLOWING = Snapshot | Ended | Rated | SeriesStands | NextMatch | RematchOffered
SERIES: dict[str, Value] = {"series": "best", "series_games": 3}


@pytest.fixture
def world() -> Generator[ArchiveWorld]:
    with archive_world() as made:
        yield made


def told(messages: list[ServerMessage], table: str) -> list[type]:
    """What kinds of messages are about the end of a table, in order."""
    return [type(message) for message in about(messages, table)]


def about(messages: list[ServerMessage], table: str) -> list[FOLLOWING]:
    """What is about the end of a table, in order."""
    return [message for message in messages if isinstance(message, FOLLOWING) and message.table == table]


def rated_series(world: ArchiveWorld) -> tuple[Client, Client, str, str]:
    """A rated match of a series: who has its seats, the table, and the token of the first."""
    ada, bruno = world.connect(), world.enter("Bruno")
    token = ada.hello("Ada").token
    return ada, bruno, world.rated_table(ada, bruno, **SERIES), token


def seen(world: ArchiveWorld, table: str) -> int:
    return world.match_of(table).seq


def test_who_was_away_at_the_end_is_told_all_that_followed_it(world: ArchiveWorld) -> None:
    ada, bruno, table, token = rated_series(world)
    before = seen(world, table)
    ada.hang_up()
    bruno.send(Resign(table=table, nonce=bruno.nonce()))
    got = world.enter(token=token).send(Resume(table=table, seen=before))
    assert told(got, table) == [Ended, Rated, SeriesStands, NextMatch]


def test_who_went_between_the_end_and_what_follows_is_told_only_that(world: ArchiveWorld) -> None:
    ada, bruno, table, token = rated_series(world)
    original = about(bruno.send(Resign(table=table, nonce=bruno.nonce())), table)
    ada.hang_up()
    got = world.enter(token=token).send(Resume(table=table, seen=seen(world, table)))
    assert told(got, table) == [Rated, SeriesStands, NextMatch]
    assert about(got, table) == original[1:]


def test_who_comes_to_watch_after_the_end_is_told_too(world: ArchiveWorld) -> None:
    _, bruno, table, _ = rated_series(world)
    bruno.send(Resign(table=table, nonce=bruno.nonce()))
    assert told(world.enter().send(Watch(table=table)), table) == [Snapshot, Rated, SeriesStands, NextMatch]


def test_who_comes_after_the_end_to_watch_late_is_told_late(world: ArchiveWorld) -> None:
    _, bruno, table, _ = rated_series(world)
    bruno.send(Resign(table=table, nonce=bruno.nonce()))
    first, second = world.enter(), world.enter()
    for client in (first, second):
        assert told(client.send(Watch(table=table, delay_s=20)), table) == []
    world.wait(21)
    for client in (first, second):
        assert told(client.take(), table) == [Snapshot, Rated, SeriesStands, NextMatch]


@pytest.mark.parametrize("room", range(5))
def test_one_who_is_so_late_that_the_queue_is_full_is_told_all_the_same(room: int) -> None:
    world = World()
    ada, bruno, carla = (world.enter(name) for name in ("Ada", "Bruno", "Carla"))
    table = world.match(ada, bruno, passes="unlimited", series="best", series_games=3)
    hosted = world.hub.registry.get(table)
    assert hosted is not None
    carla.send(Watch(table=table, delay_s=600))
    (group,) = hosted.late.values()
    while group.held < HISTORY_EVENTS - room:
        move = "d" if hosted.match.dealt.seats[0].stock else "r"
        ada.send(Play(table=table, nonce=ada.nonce(), move=move))
    bruno.send(Resign(table=table, nonce=bruno.nonce()))
    world.wait(601)
    got = carla.take()
    assert told(got, table)[-2:] == [SeriesStands, NextMatch]
    assert any(isinstance(message, Ended) or (isinstance(message, Snapshot) and message.ended) for message in got)


def test_what_followed_the_end_is_not_what_a_full_queue_gives_up() -> None:
    world = World()
    ada, bruno, carla = (world.enter(name) for name in ("Ada", "Bruno", "Carla"))
    table = world.match(ada, bruno, series="best", series_games=3)
    hosted = world.hub.registry.get(table)
    assert hosted is not None
    carla.send(Watch(table=table, delay_s=600))
    (group,) = hosted.late.values()
    for _ in range(HISTORY_EVENTS // 2):
        group.hold(Watchers(table=table, count=1), world.now)
    bruno.send(Resign(table=table, nonce=bruno.nonce()))
    while not group.is_full:
        group.hold(Watchers(table=table, count=1), world.now)
    world.wait(1)
    world.enter("Dora").send(Watch(table=table))  # of which everybody is told: one too many
    assert group.held < HISTORY_EVENTS
    world.wait(601)
    assert {SeriesStands, NextMatch} <= set(told(carla.take(), table))


def test_one_who_is_late_learns_of_the_rematch_as_much_later() -> None:
    world = World()
    ada, bruno, carla = (world.enter(name) for name in ("Ada", "Bruno", "Carla"))
    table = world.match(ada, bruno)
    carla.send(Watch(table=table, delay_s=60))
    world.wait(50)
    bruno.send(Resign(table=table, nonce=bruno.nonce()))
    world.wait(20)
    for client in (ada, bruno):
        client.send(Rematch(table=table, nonce=client.nonce()))
    world.wait(59)
    assert told(carla.take(), table) == [Snapshot, Ended]
    world.wait(2)
    assert told(carla.take(), table) == [NextMatch]


def test_a_rematch_outlives_the_server_and_is_not_played_twice(world: ArchiveWorld) -> None:
    ada, bruno = world.connect(), world.connect()
    tokens = [ada.hello("Ada").token, bruno.hello("Bruno").token]
    table = world.match(ada, bruno)
    bruno.send(Resign(table=table, nonce=bruno.nonce()))
    for client in (ada, bruno):
        client.send(Rematch(table=table, nonce=client.nonce()))
    next_match = one(NextMatch, world.enter().send(Watch(table=table)))
    later = ArchiveWorld(world.store, run=2)
    later.hub.restore(world.store.recovery.recover(later.now), later.now)
    assert one(NextMatch, later.enter().send(Watch(table=table))) == next_match
    for token in tokens:
        client = later.enter(token=token)
        refused = one(Problem, client.send(Rematch(table=table, nonce=client.nonce())))
        assert refused.code == Fault.NOT_ALLOWED


def test_a_running_match_has_no_sequel(world: ArchiveWorld) -> None:
    _, _, table, _ = rated_series(world)
    assert told(world.enter().send(Watch(table=table)), table) == [Snapshot]


def test_it_is_committed_with_the_end(world: ArchiveWorld) -> None:
    _, bruno, table, _ = rated_series(world)
    bruno.send(Resign(table=table, nonce=bruno.nonce()))
    (commit,) = [records for records in world.commits if any(isinstance(record, TableOver) for record in records)]
    (sequel,) = [record for record in commit if isinstance(record, SequelTold)]
    assert [type(message) for message in sequel.told] == [Rated, SeriesStands, NextMatch]
    assert sequel.table == table


def test_it_outlives_the_server(world: ArchiveWorld) -> None:
    ada, bruno, table, token = rated_series(world)
    before = seen(world, table)
    ada.hang_up()
    original = about(bruno.send(Resign(table=table, nonce=bruno.nonce())), table)
    later = ArchiveWorld(world.store, run=2)
    later.hub.restore(world.store.recovery.recover(later.now), later.now)
    got = later.enter(token=token).send(Resume(table=table, seen=before))
    assert about(got, table) == original


# --- offers of another match, as long as they stand --------------------------------------------------------


def offers(messages: list[ServerMessage]) -> list[int | None]:
    return [message.seat for message in messages if isinstance(message, RematchOffered)]


def test_a_player_who_was_away_is_told_that_the_other_wants_a_rematch() -> None:
    world = World()
    ada, bruno = world.connect(), world.enter("Bruno")
    token = ada.hello("Ada").token
    table = world.match(ada, bruno)
    ada.hang_up()
    bruno.send(Resign(table=table, nonce=bruno.nonce()))
    bruno.send(Rematch(table=table, nonce=bruno.nonce()))
    assert offers(world.enter().send(Watch(table=table))) == []
    back = world.enter(token=token)
    assert offers(back.send(Resume(table=table, seen=3))) == [1]
    assert one(Seated, back.send(Rematch(table=table, nonce=back.nonce()))).seat == 1
    assert offers(back.send(Watch(table=table))) == []


def test_an_offer_that_has_expired_is_not_told() -> None:
    world = World()
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    table = world.match(ada, bruno)
    bruno.send(Resign(table=table, nonce=bruno.nonce()))
    bruno.send(Rematch(table=table, nonce=bruno.nonce()))
    ada.take()
    world.wait(REMATCH_MS / 1000 + 1)
    assert offers(ada.send(Watch(table=table))) == []


def test_after_a_draw_the_proposal_of_a_new_deal_is_told_again() -> None:
    world = World()
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    table = world.match(ada, bruno, no_progress_s=30)
    world.wait(50)
    hosted = world.hub.registry.get(table)
    assert hosted
    assert hosted.match.ended
    assert hosted.match.ended.winner is None
    assert offers(ada.take()) == [None]
    assert offers(ada.send(Resume(table=table, seen=hosted.match.seq))) == [None]
