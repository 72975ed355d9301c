"""Finding an opponent over the hub: of many who want one seat one gets it (N16, N17)."""

import pytest

from acerace_protocol.limits import (
    PAIRING_POINTS,
    PAIRING_POINTS_PER_SECOND,
    TABLES_PER_PLAYER,
    WISHES_REMEMBERED,
    Fault,
)
from acerace_protocol.messages import (
    Accept,
    Hello,
    Leave,
    Presence,
    Problem,
    Readied,
    Ready,
    Seated,
    Seek,
    Seeking,
    Snapshot,
    Solo,
    Unseek,
    Unsought,
)
from acerace_server.core.records import KnownPlayer, Rating, Recovered
from acerace_server.core.session import sha256_of
from tests.server.core.support import Client, World, one


def test_of_a_hundred_who_accept_one_succeeds_and_the_others_are_told_at_once() -> None:
    # N17
    world = World()
    seeker = world.enter("Ada")
    key = one(Seeking, seeker.send(Seek())).seek
    hopeful = [world.enter(f"p{number}") for number in range(100)]
    for client in hopeful:
        world.hub.receive(client.number, Accept(seek=key), world.now)
    world.beat()
    got = [client.take() for client in hopeful]
    seated = [messages for messages in got if any(isinstance(message, Seated) for message in messages)]
    refused = [one(Problem, messages) for messages in got if messages not in seated]
    assert len(seated) == 1
    assert [problem.code for problem in refused] == [Fault.NO_SUCH_SEEK] * 99
    mine = seeker.take()
    assert one(Seated, mine).seat == 0
    assert one(Snapshot, mine) == one(Snapshot, seated[0])


def test_one_player_cannot_take_both_seats_from_two_tabs() -> None:
    # N16
    world = World()
    first = world.connect()
    token = first.hello("Ada").token
    second = world.enter(token=token)
    world.hub.receive(first.number, Seek(), world.now)
    world.hub.receive(second.number, Seek(), world.now)
    world.beat()
    key = one(Seeking, first.take()).seek  # both tabs are told of the seek, and the second of its mistake
    assert one(Problem, second.take()).code == Fault.ALREADY_SEEKING
    assert one(Problem, second.send(Accept(seek=key))).code == Fault.OWN_SEEK
    world.enter("Bruno").send(Seek())
    assert [one(Seated, tab.take()).seat for tab in (first, second)] == [0, 0]


def test_who_is_paired_seeks_no_longer() -> None:
    world = World()
    ada, bruno, carla = (world.enter(name) for name in ("Ada", "Bruno", "Carla"))
    key = one(Seeking, ada.send(Seek())).seek
    own = one(Seeking, bruno.send(Seek(options={"draw": 3}))).seek
    assert one(Unsought, bruno.send(Accept(seek=key))).seek == own
    assert one(Problem, carla.send(Accept(seek=own))).code == Fault.NO_SUCH_SEEK


def test_a_seek_goes_with_its_player() -> None:
    world = World()
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    key = one(Seeking, ada.send(Seek())).seek
    ada.hang_up()
    assert one(Problem, bruno.send(Accept(seek=key))).code == Fault.NO_SUCH_SEEK


def test_a_seek_is_taken_back() -> None:
    world = World()
    ada = world.enter("Ada")
    assert one(Problem, ada.send(Unseek())).code == Fault.NO_SUCH_SEEK
    key = one(Seeking, ada.send(Seek(private=True))).seek
    assert one(Unsought, ada.send(Unseek())).seek == key


def test_a_full_server_takes_no_seek_that_it_could_not_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    key = one(Seeking, ada.send(Seek())).seek
    monkeypatch.setattr("acerace_server.core.registry.TABLES_MAX", 0)
    assert one(Problem, bruno.send(Accept(seek=key))).code == Fault.TOO_MANY
    monkeypatch.undo()
    assert one(Seated, bruno.send(Accept(seek=key))).seat == 1  # the seek was not lost


def test_nobody_seeks_before_hello() -> None:
    world = World()
    stranger = world.connect()
    assert one(Problem, stranger.send(Seek())).code == Fault.HELLO_FIRST
    assert stranger.send(Hello(name="Ada"))


def test_two_accept_one_seek_and_seek_the_same_at_once() -> None:
    # N17: clicks on one seek by two, and a seek for the same by a third, in one loop turn
    world = World()
    key = one(Seeking, world.enter("Ada").send(Seek())).seek
    bruno, carla, dora = (world.enter(name) for name in ("Bruno", "Carla", "Dora"))
    world.hub.receive(bruno.number, Accept(seek=key), world.now)
    world.hub.receive(bruno.number, Accept(seek=key), world.now)  # a double click
    world.hub.receive(carla.number, Accept(seek=key), world.now)
    world.hub.receive(dora.number, Seek(), world.now)
    world.beat()
    got = bruno.take()
    assert one(Seated, got).seat == 1
    assert one(Problem, got).code == Fault.NO_SUCH_SEEK
    assert one(Problem, carla.take()).code == Fault.NO_SUCH_SEEK
    assert one(Seeking, dora.take())


def test_who_leaves_in_the_turn_in_which_a_seek_is_taken() -> None:
    world = World()
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    key = one(Seeking, ada.send(Seek())).seek
    world.hub.receive(bruno.number, Accept(seek=key), world.now)
    world.deliver()
    ada.hang_up()
    got = bruno.take()
    assert one(Seated, got)
    assert one(Presence, got).away  # seated, then gone: the usual absence


def test_rated_seeks_are_paired_by_the_clock() -> None:
    world = World()
    ada, bruno = player_with(world, "Ada", 25.0), player_with(world, "Bruno", 25.0 + 15)  # 450 points
    ada.send(Seek(rated=True))
    bruno.send(Seek(rated=True))
    world.wait((450 - PAIRING_POINTS) / PAIRING_POINTS_PER_SECOND - 0.1)
    assert not [message for message in ada.take() if isinstance(message, Seated)]
    world.wait(0.2)
    table = one(Snapshot, ada.take())
    assert table.rated
    assert [player.rating for player in table.players] == [1500, 1950]


def test_who_pairs_by_the_clock_on_a_full_server_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    ada, bruno = world.enter("Ada"), player_with(world, "Bruno", 40.0)
    sought = [one(Seeking, client.send(Seek(rated=True, nonce=7))).seek for client in (ada, bruno)]
    monkeypatch.setattr("acerace_server.core.registry.TABLES_MAX", 0)
    world.wait(60)
    for client, seek in zip((ada, bruno), sought, strict=True):
        told = client.take()
        assert one(Unsought, told).seek == seek
        assert (one(Problem, told).code, one(Problem, told).nonce) == (Fault.TOO_MANY, 7)
    assert world.hub.health()["seeks"] == 0


def test_who_has_no_seat_left_seeks_no_longer() -> None:
    world = World()
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    key = one(Seeking, ada.send(Seek())).seek
    for _ in range(TABLES_PER_PLAYER - 1):
        world.solo(ada)
    assert one(Unsought, ada.send(Solo())).seek == key
    assert one(Problem, bruno.send(Accept(seek=key))).code == Fault.NO_SUCH_SEEK


# --- a wish that is sent again ---


def test_a_seek_that_was_paired_is_the_same_wish_when_it_is_sent_again() -> None:
    world = World()
    ada, bruno = world.connect(), world.enter("Bruno")
    token = ada.hello("Ada").token
    ada.send(Seek(nonce=7))
    back = world.enter(token=token)  # the server has not noticed that the first line is broken
    seated = one(Seated, bruno.send(Seek(nonce=7)))  # another player's numbers are its own
    assert one(Seated, back.take()) == Seated(table=seated.table, seat=0)
    got = back.send(Seek(nonce=7))
    assert got == [Seated(table=seated.table, seat=0)]
    assert world.hub.health()["seeks"] == 0
    assert len(world.hub.registry) == 1


def test_who_did_not_hear_of_the_seat_is_told_with_the_table() -> None:
    world = World()
    ada, bruno = world.connect(), world.enter("Bruno")
    token = ada.hello("Ada").token
    ada.send(Seek(nonce=7))
    bruno.send(Seek(nonce=1))
    back = world.enter(token=token)
    got = back.send(Seek(nonce=7))
    table = one(Seated, got).table
    assert one(Snapshot, got).table == table
    bruno.send(Ready(table=table, nonce=2))
    assert one(Readied, back.take()).nonce == 2  # it follows the table from now on


def test_a_seek_that_is_open_is_the_same_wish() -> None:
    world = World()
    ada = world.enter("Ada")
    first = one(Seeking, ada.send(Seek(private=True, nonce=7)))
    assert ada.send(Seek(private=True, nonce=7)) == [first]
    assert one(Problem, ada.send(Seek(nonce=8))).code == Fault.ALREADY_SEEKING
    assert one(Problem, ada.send(Seek())).code == Fault.ALREADY_SEEKING


def test_a_seek_that_went_with_the_last_connection_is_put_up_again() -> None:
    world = World()
    ada = world.connect()
    token = ada.hello("Ada").token
    first = one(Seeking, ada.send(Seek(nonce=7)))
    ada.hang_up()
    assert one(Seeking, world.enter(token=token).send(Seek(nonce=7))).seek != first.seek


def test_an_accepted_seek_and_a_solo_game_are_one_wish_too() -> None:
    world = World()
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    key = one(Seeking, ada.send(Seek())).seek
    for wish in (Accept(seek=key, nonce=1), Solo(nonce=2)):
        seats = [one(Seated, bruno.send(wish)) for _ in range(2)]
        assert seats[0] == seats[1]
    assert len(world.hub.registry) == 2


def test_both_who_are_paired_by_the_clock_may_ask_again() -> None:
    world = World()
    ada, bruno = player_with(world, "Ada", 25.0), player_with(world, "Bruno", 25.0 + 15)
    for nonce, client in enumerate((ada, bruno)):
        client.send(Seek(rated=True, nonce=nonce))
    world.wait(60)
    for nonce, client in enumerate((ada, bruno)):
        seat = one(Seated, client.take())
        assert client.send(Seek(rated=True, nonce=nonce)) == [seat]


def test_a_wish_whose_table_is_put_away_is_not_carried_out_again() -> None:
    world = World()
    ada = world.enter("Ada")
    table = one(Seated, ada.send(Solo(nonce=1))).table
    ada.send(Leave(table=table))
    problem = one(Problem, ada.send(Solo(nonce=1)))
    assert (problem.code, problem.nonce) == (Fault.NO_SUCH_TABLE, 1)


def test_so_many_wishes_are_remembered() -> None:
    world = World()
    ada = world.enter("Ada")
    for nonce in range(WISHES_REMEMBERED + 1):
        ada.send(Leave(table=one(Seated, ada.send(Solo(nonce=nonce))).table))
    assert one(Problem, ada.send(Solo(nonce=1))).code == Fault.NO_SUCH_TABLE
    assert one(Seated, ada.send(Solo(nonce=0)))


def player_with(world: World, name: str, mu: float) -> Client:
    """One whom an earlier run has known, with a rating."""
    token = f"the token of {name}"
    rating = Rating(name, "people-simultaneous", mu, 1.0, 30, 1)
    known = KnownPlayer(name, name, bot=False, tokens_sha256=(sha256_of(token),), ratings=(rating,))
    world.hub.restore(Recovered((known,), ()), world.now)
    return world.enter(token=token)
