"""House bots: who is taken for one, and whom they play."""

import pytest

from acerace_protocol.limits import HOUSE_WAIT_MS, TABLES_PER_PLAYER, Fault
from acerace_protocol.messages import Accept, Hello, Problem, Seated, Seek, Seeking, ServerMessage, Snapshot, Unseek
from acerace_protocol.people import Challenge, Levels, ListLevels, Offered, ServeHouse
from tests.server.core.support import Client, World, one

SECRET = "the secret of the house"
WAIT_S = HOUSE_WAIT_MS / 1000


def world() -> World:
    return World(house_secret=SECRET)


def robot(where: World) -> Client:
    client = where.connect()
    client.send(Hello(name="House", bot=True))
    return client


def house(where: World, level: str = "medium") -> Client:
    client = robot(where)
    assert level in one(Levels, client.send(ServeHouse(secret=SECRET, level=level))).levels
    return client


def fault(messages: list[ServerMessage]) -> str:
    return one(Problem, messages).code


def offers(client: Client) -> list[str]:
    return [message.seek.seek for message in client.take() if isinstance(message, Offered)]


# --- who is one --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("secret", ["wrong, but long enough", SECRET + "!", SECRET[:-1], "é" * 20])
def test_a_wrong_secret_is_refused(secret: str) -> None:
    assert fault(robot(world()).send(ServeHouse(secret=secret, level="easy"))) == Fault.NOT_ALLOWED


def test_a_server_without_a_secret_has_no_house() -> None:
    where = World()
    for secret in (SECRET, "", "0" * 16):
        assert fault(robot(where).send(ServeHouse(secret=secret, level="easy"))) == Fault.NOT_ALLOWED


def test_a_person_is_no_house_bot() -> None:
    assert fault(world().enter("Ada").send(ServeHouse(secret=SECRET, level="easy"))) == Fault.NOT_ALLOWED


def test_a_level_has_a_known_name() -> None:
    assert fault(robot(world()).send(ServeHouse(secret=SECRET, level="godlike"))) == Fault.NO_SUCH_LEVEL


def test_the_levels_that_are_there_are_listed_weakest_first() -> None:
    where = world()
    ada = where.enter("Ada")
    assert one(Levels, ada.send(ListLevels())).levels == ()
    hard = house(where, "hard")
    house(where, "easy")
    assert one(Levels, ada.send(ListLevels())).levels == ("easy", "hard")
    hard.hang_up()
    assert one(Levels, ada.send(ListLevels())).levels == ("easy",)


# --- seeks that nobody takes -------------------------------------------------------------------------------


def test_a_seek_that_nobody_takes_is_offered_after_a_few_seconds() -> None:
    where = world()
    bot, ada = house(where), where.enter("Ada")
    key = one(Seeking, ada.send(Seek(options={"draw": 3}))).seek
    where.wait(WAIT_S - 0.1)
    assert offers(bot) == []
    where.wait(0.2)
    assert offers(bot) == [key]
    assert one(Seated, bot.send(Accept(seek=key))).seat == 1
    snapshot = ada.expect(Snapshot)
    assert snapshot.players[1].bot
    assert not snapshot.rated
    where.wait(10 * WAIT_S)
    assert offers(bot) == []


@pytest.mark.parametrize("seek", [Seek(private=True), Seek(rated=True), Seek(house=False)])
def test_private_and_rated_seeks_and_those_that_want_people_are_not_offered(seek: Seek) -> None:
    where = world()
    bot, ada = house(where), where.enter("Ada")
    ada.send(seek)
    where.wait(10 * WAIT_S)
    assert offers(bot) == []


def test_the_seek_of_a_bot_is_not_offered() -> None:
    where = world()
    bot = house(where)
    robot(where).send(Seek())
    where.wait(10 * WAIT_S)
    assert offers(bot) == []


def test_a_seek_that_is_gone_is_not_offered() -> None:
    where = world()
    bot = house(where)
    ada, bruno, carla, dora = (where.enter(name) for name in ("Ada", "Bruno", "Carla", "Dora"))
    ada.send(Seek(), Unseek())
    bruno.send(Seek())
    bruno.hang_up()
    carla.send(Seek())
    dora.send(Seek())
    where.wait(2 * WAIT_S)
    assert offers(bot) == []


def test_one_who_lets_an_offer_lie_is_not_asked_again_before_others() -> None:
    where = world()
    bots = [house(where, level) for level in ("easy", "medium", "hard")]
    key = one(Seeking, where.enter("Ada").send(Seek())).seek
    heard: list[int] = []
    for _ in range(3):
        where.wait(WAIT_S)
        heard += [number for number, bot in enumerate(bots) if offers(bot) == [key]]
    assert heard[0] == 1
    assert heard[1] != 1
    assert len(heard) == 3


def test_of_two_of_a_level_the_other_is_asked_next_and_the_only_one_again() -> None:
    where = world()
    bots = [house(where), house(where)]
    key = one(Seeking, where.enter("Ada").send(Seek())).seek
    heard: list[int] = []
    for _ in range(4):
        where.wait(WAIT_S)
        heard += [number for number, bot in enumerate(bots) if offers(bot) == [key]]
    assert heard in ([0, 1, 0, 1], [1, 0, 1, 0])
    bots[0].hang_up()
    for _ in range(2):
        where.wait(WAIT_S)
        assert offers(bots[1]) == [key]


def test_a_house_bot_that_comes_later_gets_it_too() -> None:
    where = world()
    key = one(Seeking, where.enter("Ada").send(Seek())).seek
    where.wait(3 * WAIT_S)
    bot = house(where)
    where.wait(WAIT_S)
    assert offers(bot) == [key]


def test_of_a_person_and_a_house_bot_that_accept_at_once_one_succeeds() -> None:
    # N17
    where = world()
    bot, ada, bruno = house(where), where.enter("Ada"), where.enter("Bruno")
    key = one(Seeking, ada.send(Seek())).seek
    where.wait(WAIT_S)
    where.hub.receive(bruno.number, Accept(seek=key), where.now)
    where.hub.receive(bot.number, Accept(seek=key), where.now)
    where.beat()
    assert one(Seated, bruno.take()).seat == 1
    assert fault(bot.take()) == Fault.NO_SUCH_SEEK


# --- challenges --------------------------------------------------------------------------------------------


def test_a_challenger_is_seated_at_once() -> None:
    where = world()
    easy, hard, ada = house(where, "easy"), house(where, "hard"), where.enter("Ada")
    got = ada.send(Challenge(level="hard", options={"pace": "alternating"}))
    assert one(Seated, got).seat == 0
    assert one(Snapshot, got).options["pace"] == "alternating"
    assert one(Seated, hard.take()).seat == 1
    assert easy.take() == []


def test_a_challenge_that_is_sent_again_is_one() -> None:
    where = world()
    house(where)
    ada = where.enter("Ada")
    seats = [one(Seated, ada.send(Challenge(level="medium", nonce=1))) for _ in range(2)]
    assert seats[0] == seats[1]
    assert len(where.hub.registry) == 1


def test_a_challenger_seeks_no_longer() -> None:
    where = world()
    house(where)
    ada, bruno = where.enter("Ada"), where.enter("Bruno")
    key = one(Seeking, ada.send(Seek())).seek
    ada.send(Challenge(level="medium"))
    assert fault(bruno.send(Accept(seek=key))) == Fault.NO_SUCH_SEEK


@pytest.mark.parametrize(
    ("challenge", "expected"),
    [
        (Challenge(level="hard"), Fault.NO_SUCH_LEVEL),
        (Challenge(level="godlike"), Fault.NO_SUCH_LEVEL),
        (Challenge(level="medium", game="chess"), Fault.NO_SUCH_GAME),
        (Challenge(level="medium", game="klondike"), Fault.NO_SUCH_GAME),
        (Challenge(level="medium", options={"draw": 2}), Fault.BAD_OPTIONS),
    ],
)
def test_what_is_not_there_cannot_be_challenged(challenge: Challenge, expected: Fault) -> None:
    where = world()
    house(where)
    assert fault(where.enter("Ada").send(challenge)) == expected


def test_a_house_bot_cannot_challenge_itself() -> None:
    bot = house(world())
    assert fault(bot.send(Challenge(level="medium"))) == Fault.NO_SUCH_LEVEL


def test_many_are_played_at_once_on_all_connections_and_one_more_is_refused() -> None:
    # N17
    where = world()
    bots = [house(where) for _ in range(2)]
    hopeful = [where.enter(f"p{number}") for number in range(100)]
    for client in hopeful:
        where.hub.receive(client.number, Challenge(level="medium"), where.now)
    where.beat()
    got = [client.take() for client in hopeful]
    seated = [messages for messages in got if any(isinstance(message, Seated) for message in messages)]
    assert len(seated) == 2 * TABLES_PER_PLAYER
    assert {fault(messages) for messages in got if messages not in seated} == {Fault.TOO_MANY}
    for bot in bots:
        assert sum(isinstance(message, Seated) for message in bot.take()) == TABLES_PER_PLAYER


def test_a_house_without_a_seat_left_is_offered_nothing() -> None:
    where = world()
    bot = house(where)
    for number in range(TABLES_PER_PLAYER):
        where.enter(f"p{number}").send(Challenge(level="medium"))
    where.enter("Ada").send(Seek())
    where.wait(3 * WAIT_S)
    assert offers(bot) == []
