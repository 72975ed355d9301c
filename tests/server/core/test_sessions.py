"""Who is who: tokens, connections, seats (N14-N16, N20)."""

import pytest

from acerace_protocol.limits import CONNECTIONS_PER_PLAYER, LEFT_PLAYER_KEPT_MS, Fault
from acerace_protocol.messages import (
    Hello,
    ListGames,
    Ping,
    Play,
    Pong,
    Presence,
    Problem,
    Refused,
    Resume,
    Seated,
    Seek,
    Snapshot,
    Watch,
)
from acerace_protocol.messages import Played as PlayedEvent
from tests.server.core.support import Client, World, numbers, one


@pytest.fixture
def world() -> World:
    return World()


def test_a_new_guest_is_told_who_it_is(world: World) -> None:
    welcome = world.connect().hello("Ada")
    assert (welcome.name, welcome.tables, welcome.limits["frame_max_bytes"]) == ("Ada", (), 4096)
    assert world.connect().hello().name.startswith("Guest ")


def test_hello_comes_first_and_once(world: World) -> None:
    client = world.connect()
    for message in (Ping(nonce=1), ListGames(), Seek(), Watch(table="x"), Play(table="x", nonce=1, move="d")):
        assert one(Problem, client.send(message)).code == Fault.HELLO_FIRST
    client.hello("Ada")
    assert one(Pong, client.send(Ping(nonce=7))).nonce == 7
    problem = one(Problem, client.send(Hello(name="Eve")))
    assert problem.code == Fault.HELLO_TWICE


def test_so_many_players_are_known_and_one_more_is_refused_but_who_is_known_comes_in(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("acerace_server.core.session.PLAYERS_MAX", 3)
    tokens = [world.connect().hello().token for _ in range(3)]
    late = world.connect()
    problem = one(Problem, late.send(Hello()))
    assert (problem.code, problem.detail) == (Fault.TOO_MANY, "3 players are known here")
    assert late.hello(token=tokens[0]).token == tokens[0]


@pytest.mark.parametrize("name", [" ", "\t", "a\nb", "\u202eadA"])
def test_a_name_is_text_that_can_be_shown(world: World, name: str) -> None:
    assert one(Problem, world.connect().send(Hello(name=name))).code == Fault.MALFORMED


def test_a_token_brings_back_who_it_was_and_a_name_does_not(world: World) -> None:
    welcome = world.connect().hello("Ada")
    assert world.connect().hello(token=welcome.token).player == welcome.player
    assert world.connect().hello("Ada").player != welcome.player


def test_an_unknown_token_is_told_so_and_one_may_try_again(world: World) -> None:
    client = world.connect()
    assert one(Problem, client.send(Hello(token="x" * 20))).code == Fault.UNKNOWN_TOKEN
    assert client.hello("Ada").name == "Ada"


def test_a_player_has_so_many_connections(world: World) -> None:
    token = world.connect().hello("Ada").token
    for _ in range(CONNECTIONS_PER_PLAYER - 1):
        world.enter(token=token)
    late = world.connect()
    assert one(Problem, late.send(Hello(token=token))).code == Fault.TOO_MANY
    next(iter(world.clients.values())).hang_up()
    assert late.hello(token=token)


def test_who_has_been_gone_for_a_day_and_has_no_seat_is_forgotten(world: World) -> None:
    ada, bruno = world.connect(), world.connect()
    token = ada.hello("Ada").token
    kept = bruno.hello("Bruno").token
    world.wait(LEFT_PLAYER_KEPT_MS / 1000)
    ada.hang_up()
    world.wait(LEFT_PLAYER_KEPT_MS / 1000 - 60)
    ada = world.enter(token=token)
    ada.hang_up()
    assert world.hub.deadline() is not None  # though nobody plays, somebody must be forgotten in time
    world.wait(LEFT_PLAYER_KEPT_MS / 1000 + 120)
    assert one(Problem, world.connect().send(Hello(token=token))).code == Fault.UNKNOWN_TOKEN
    assert world.connect().hello(token=kept).name == "Bruno"
    assert world.hub.health()["players"] == 1


# --- seats -------------------------------------------------------------------------------------------------


def match(world: World) -> tuple[Client, Client, str, str]:
    """Ada and Bruno at a table where the cards are dealt; its id, and Ada's token."""
    ada, bruno = world.connect(), world.enter("Bruno")
    token = ada.hello("Ada").token
    return ada, bruno, world.match(ada, bruno), token


def test_a_seat_belongs_to_the_token(world: World) -> None:
    _, bruno, table, token = match(world)
    impostor = world.enter("Ada")
    play = Play(table=table, nonce=9, move="d")
    problem = one(Problem, impostor.send(play))
    assert (problem.code, problem.nonce) == (Fault.NOT_SEATED, 9)
    again = world.connect()
    assert again.hello(token=token).tables == (table,)
    assert one(PlayedEvent, again.send(Resume(table=table, seen=3), play)).seat == 0
    bruno.take()


def test_two_tabs_of_one_player_are_both_told_and_both_may_play(world: World) -> None:
    # N20
    ada, bruno, table, token = match(world)
    tab = world.enter(token=token)
    assert one(Snapshot, tab.send(Watch(table=table))).seq == 3
    event = one(PlayedEvent, tab.send(Play(table=table, nonce=1000, move="d")))
    assert one(PlayedEvent, ada.take()) == one(PlayedEvent, bruno.take()) == event
    event = one(PlayedEvent, ada.send(Play(table=table, nonce=1001, move="d")))
    assert one(PlayedEvent, tab.take()) == event
    one(Refused, tab.send(Play(table=table, nonce=1002, move="r")))
    one(Refused, ada.take())  # the seat is answered, wherever it sits
    assert numbers(bruno.take()) == [5]


def test_the_same_command_from_both_tabs_is_one_command(world: World) -> None:
    # N20, N23
    ada, bruno, table, token = match(world)
    tab = world.enter(token=token)
    tab.send(Watch(table=table))
    play = Play(table=table, nonce=1000, move="d")
    world.hub.receive(ada.number, play, world.now)
    world.hub.receive(tab.number, play, world.now)
    world.beat()
    assert numbers(bruno.take()) == [4]
    assert numbers(ada.take()) == numbers(tab.take()) == [4, 4]  # the second answer is the first again


def test_the_old_connection_goes_after_the_new_one_came_and_the_seat_stays(world: World) -> None:
    # N14
    ada, bruno, table, token = match(world)
    tab = world.enter(token=token)
    tab.send(Resume(table=table, seen=3))
    world.wait(60)
    bruno.take()
    ada.hang_up()
    assert bruno.take() == []
    tab.hang_up()
    assert one(Presence, bruno.take()).away


@pytest.mark.parametrize("seconds", [0, 1, 59])
def test_who_comes_back_within_the_grace_has_the_seat_again(world: World, seconds: int) -> None:
    # N15
    ada, bruno, table, token = match(world)
    for _ in range(2):
        ada.hang_up()
        assert one(Presence, bruno.take()).away
        world.wait(seconds)
        ada = world.enter(token=token)
        assert ada.send(Resume(table=table, seen=3))
        assert not [message for message in bruno.take() if isinstance(message, Presence)][-1].away


def test_who_has_left_the_table_but_plays_on_is_answered(world: World) -> None:
    """A command from a seat is answered on the connection it came by, whether or not that one followed."""
    _, bruno, table, token = match(world)
    tab = world.enter(token=token)
    assert isinstance(tab.send(Play(table=table, nonce=5, move="d"))[-1], PlayedEvent)
    one(Refused, tab.send(Play(table=table, nonce=6, move="r")))
    bruno.take()


def test_a_second_table_has_a_seat_of_its_own(world: World) -> None:
    ada, bruno, _, _ = match(world)
    bruno.send(Seek())
    assert one(Seated, ada.send(Seek())).seat == 1
    assert isinstance(bruno.take()[-1], Snapshot)


def test_every_guest_has_a_token_of_its_own(world: World) -> None:
    tokens = {world.connect().hello().token for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) >= 16 for token in tokens)
