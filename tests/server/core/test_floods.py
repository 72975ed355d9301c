"""One who sends too fast is told so, and closed if it goes on; all connections of a player share what a player may."""

import pytest

from acerace_protocol.limits import (
    COMMANDS_BURST,
    COMMANDS_PER_SECOND,
    FLOOD_MESSAGES,
    GUESTS_PER_HOUR,
    HISTORY_EVENTS,
    RESUMED_EVENTS_PER_MESSAGE,
    CloseCode,
    Fault,
)
from acerace_protocol.messages import (
    Hello,
    ListGames,
    Ping,
    Pong,
    Problem,
    Resume,
    Resumed,
    SaidDone,
    ServerMessage,
    Welcome,
)
from acerace_server.core.bucket import Bucket
from acerace_server.core.connection import PLAYER_FACTOR
from tests.server.core.support import SECOND, START, Client, World, one


@pytest.fixture
def world() -> World:
    return World(commands_per_second=COMMANDS_PER_SECOND)


def pings(count: int) -> list[Ping]:
    return [Ping(nonce=nonce) for nonce in range(count)]


def refused(messages: list[ServerMessage]) -> int:
    return sum(isinstance(message, Problem) and message.code == Fault.TOO_FAST for message in messages)


def flood(client: Client, count: int) -> list[ServerMessage]:
    return client.send(*pings(count))


def test_who_goes_on_after_too_fast_is_told_and_then_closed_and_nothing_more_counts(world: World) -> None:
    client, other = world.enter(), world.enter()
    got = flood(client, COMMANDS_BURST + FLOOD_MESSAGES + 500)
    assert client.closed == CloseCode.FLOOD
    assert refused(got) == FLOOD_MESSAGES + 1
    assert flood(client, 10) == []
    assert flood(other, 10) == [Pong(nonce=nonce) for nonce in range(10)]
    assert other.closed is None


def test_a_flood_before_hello_ends_in_the_same_way(world: World) -> None:
    client = world.connect()
    client.send(*(Hello(token="x" * 20) for _ in range(COMMANDS_BURST + FLOOD_MESSAGES + 1)))
    assert client.closed == CloseCode.FLOOD


def test_who_only_hurries_now_and_then_stays(world: World) -> None:
    client = world.enter()
    for _ in range(20):
        assert refused(flood(client, COMMANDS_BURST + FLOOD_MESSAGES // 2)) > 0
        world.wait(61)
    assert client.closed is None


def test_who_hurries_twice_within_a_minute_is_closed(world: World) -> None:
    client = world.enter()
    world.wait(61)
    assert refused(flood(client, COMMANDS_BURST + FLOOD_MESSAGES // 2)) == FLOOD_MESSAGES // 2
    world.wait(59)
    assert refused(flood(client, COMMANDS_BURST + FLOOD_MESSAGES // 2)) == FLOOD_MESSAGES // 2
    assert client.closed is None
    flood(client, 1)
    assert client.closed == CloseCode.FLOOD


def test_one_who_keeps_to_the_rate_is_never_refused(world: World) -> None:
    client = world.enter()
    for _ in range(200):
        assert refused(flood(client, COMMANDS_PER_SECOND // 10)) == 0
        world.wait(0.1)


def test_many_connections_of_one_player_have_no_more_than_the_player(world: World) -> None:
    token = world.connect().hello().token
    tabs = [world.enter(token=token) for _ in range(6)]
    world.wait(10)
    answered = sum(len(got) - refused(got) for got in (flood(tab, COMMANDS_BURST) for tab in tabs))
    assert answered == PLAYER_FACTOR * COMMANDS_BURST
    world.wait(1)
    answered = sum(len(got) - refused(got) for got in (flood(tab, COMMANDS_PER_SECOND) for tab in tabs))
    assert answered == PLAYER_FACTOR * COMMANDS_PER_SECOND
    world.wait(10)
    assert refused(tabs[5].send(ListGames())) == 0


@pytest.mark.parametrize("missed", [RESUMED_EVENTS_PER_MESSAGE - 1, RESUMED_EVENTS_PER_MESSAGE, HISTORY_EVENTS])
def test_a_long_resume_costs_as_much_as_a_message_for_so_many_events(world: World, missed: int) -> None:
    table = world.match(world.enter(), world.enter())
    hosted = world.hub.registry.get(table)
    assert hosted is not None
    for nonce in range(missed):
        hosted.match.emit(SaidDone, seat=0, nonce=nonce)
    spectator = world.enter()
    world.wait(10)
    resumed = one(Resumed, spectator.send(Resume(table=table, seen=hosted.match.seq - missed)))
    assert resumed.missed == missed
    got = flood(spectator, COMMANDS_BURST)
    assert len(got) - refused(got) == COMMANDS_BURST - 1 - missed // RESUMED_EVENTS_PER_MESSAGE


def test_an_operator_may_allow_more() -> None:
    fast = World(commands_per_second=500)
    assert refused(flood(fast.enter(), 900)) == 0


def test_one_address_makes_so_many_guests_and_who_has_a_token_comes_in_as_ever(world: World) -> None:
    def arrive(source: str, token: str | None = None) -> ServerMessage:
        client = world.connect()
        world.hub.disconnect(client.number, world.now)
        world.hub.connect(client.number, world.now, source)
        answer = client.send(Hello(token=token))[-1]
        client.hang_up()
        return answer

    welcomes = [arrive("192.0.2.1") for _ in range(GUESTS_PER_HOUR)]
    assert all(isinstance(answer, Welcome) for answer in welcomes)
    refusal = arrive("192.0.2.1")
    assert isinstance(refusal, Problem)
    assert refusal.code == Fault.TOO_MANY
    assert isinstance(welcomes[0], Welcome)
    assert isinstance(arrive("192.0.2.1", welcomes[0].token), Welcome)
    assert isinstance(arrive("192.0.2.2"), Welcome)
    assert isinstance(arrive(""), Welcome)
    for _ in range(3):
        world.wait(3600 / GUESTS_PER_HOUR)
        assert isinstance(arrive("192.0.2.1"), Welcome)
        assert isinstance(arrive("192.0.2.1"), Problem)


def test_a_bucket() -> None:
    bucket = Bucket(2, 3, START)
    assert bucket.is_full(START)
    assert [bucket.take(START) for _ in range(4)] == [True, True, True, False]
    assert not bucket.is_full(START)
    assert bucket.take(START + SECOND // 2)
    assert not bucket.take(START)  # stamps of several connections are not always in order
    bucket.charge(4)
    assert not bucket.take(START + 2 * SECOND)
    assert bucket.is_full(START + 10 * SECOND)
