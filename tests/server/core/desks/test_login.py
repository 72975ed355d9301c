"""Logging in: the same player with the same seats, and no way to find a password by trying."""

from collections.abc import Iterator

import pytest

from acerace_protocol.accounts import ListTokens, Login, Tokens
from acerace_protocol.limits import (
    CONNECTIONS_PER_PLAYER,
    PASSWORDS_FOR_NAME_PER_MINUTE,
    PASSWORDS_FROM_ADDRESS_PER_MINUTE,
    PASSWORDS_PER_MINUTE,
    PASSWORDS_WAITING_MAX,
    TOKENS_PER_PLAYER,
    Fault,
)
from acerace_protocol.messages import Hello, Ping, Play, Pong, Problem, Resume, Welcome
from acerace_protocol.messages import Played as PlayedEvent
from acerace_server.core.jobs import CheckPassword
from tests.server.core.support import Client, one
from tests.server.core.town import PASSWORD, Town, claim, fault, new_token, new_town

RIGHT = Login(name="Ada", password=PASSWORD)
WRONG = Login(name="Ada", password="battery staple")
OWNER, STRANGER = "203.0.113.5", "198.51.100.200"


@pytest.fixture
def town() -> Iterator[Town]:
    with new_town() as town:
        yield town


def test_the_owner_is_the_same_player_with_a_token_of_its_own(town: Town) -> None:
    ada = town.connect()
    first = ada.hello()
    claim(ada, "Ada")
    client, welcome = town.log_in("ada")
    assert (welcome.player, welcome.name) == (first.player, "Ada")
    assert welcome.token != first.token
    assert one(Pong, client.send(Ping(nonce=3))).nonce == 3
    assert town.connect().hello(token=welcome.token).player == first.player


def test_seats_come_back_on_any_device(town: Town) -> None:
    ada, bruno = town.settle_in("Ada"), town.enter("Bruno")
    table = town.match(ada, bruno)
    ada.hang_up()
    phone, welcome = town.log_in("Ada")
    assert welcome.tables == (table,)
    assert one(PlayedEvent, phone.send(Resume(table=table, seen=3), Play(table=table, nonce=9, move="d"))).seat == 0


def test_it_works_after_a_restart_and_after_being_forgotten(town: Town) -> None:
    town.settle_in("Ada").hang_up()
    town.wait(2 * 86_400)
    assert town.log_in("Ada")[1].name == "Ada"
    assert town.restarted().log_in("Ada")[1].name == "Ada"


def test_login_comes_in_place_of_hello(town: Town) -> None:
    town.settle_in("Ada")
    guest = town.enter()
    assert fault(guest.send(RIGHT)) == Fault.HELLO_TWICE
    client, _ = town.log_in("Ada")
    assert fault(client.send(Hello())) == Fault.HELLO_TWICE
    assert fault(client.send(RIGHT)) == Fault.HELLO_TWICE


def test_who_says_hello_while_the_password_is_checked_stays_a_guest(town: Town) -> None:
    town.settle_in("Ada")
    client = town.connect()
    got = client.send(RIGHT, Hello(name="Eve"))
    assert one(Welcome, got).name == "Eve"
    assert fault(got) == Fault.HELLO_TWICE


def test_a_wrong_password_and_an_unknown_name_are_the_same(town: Town) -> None:
    town.settle_in("Ada")
    wrong = one(Problem, town.connect().send(WRONG))
    assert wrong == one(Problem, town.connect().send(Login(name="Zoe", password=PASSWORD)))
    assert wrong.code == Fault.WRONG_PASSWORD
    assert town.passwords.checked == 2


def test_after_a_wrong_one_another_may_be_tried(town: Town) -> None:
    town.settle_in("Ada")
    client = town.connect()
    assert fault(client.send(WRONG)) == Fault.WRONG_PASSWORD
    assert one(Welcome, client.send(RIGHT)).name == "Ada"


def test_who_hangs_up_before_the_answer_is_not_taken_for_present(town: Town) -> None:
    town.settle_in("Ada").hang_up()
    client = town.connect()
    town.hub.receive(client.number, RIGHT, town.now)
    town.turn()
    client.hang_up()
    for _ in range(CONNECTIONS_PER_PLAYER):  # none of which the one that is gone has taken
        town.log_in("Ada")
    assert fault(town.connect().send(RIGHT)) == Fault.TOO_MANY


# --- guessing ---


def test_a_connection_checks_one_password_at_a_time(town: Town) -> None:
    client = town.connect()
    assert [one_fault(message) for message in client.send(WRONG, WRONG)] == [Fault.TOO_FAST, Fault.WRONG_PASSWORD]


def one_fault(message: object) -> str:
    assert isinstance(message, Problem)
    return message.code


def test_a_connection_has_so_many_passwords_a_minute(town: Town) -> None:
    client = town.connect()
    for number in range(PASSWORDS_PER_MINUTE):
        assert fault(client.send(Login(name=f"Zoe {number}", password=PASSWORD))) == Fault.WRONG_PASSWORD
    assert fault(client.send(RIGHT)) == Fault.TOO_FAST
    assert town.passwords.checked == PASSWORDS_PER_MINUTE


def test_a_player_has_so_many_passwords_a_minute_on_all_connections_together(town: Town) -> None:
    both = [town.settle_in("Ada"), town.log_in("Ada")[0]]  # one of the player's, so far
    for number in range(1, PASSWORDS_PER_MINUTE):
        assert claim(both[number % 2], f"Ada {number}") == f"Ada {number}"
    assert [claim(client, "Ada") for client in both] == [Fault.TOO_FAST] * 2
    town.wait(60 / PASSWORDS_PER_MINUTE)
    assert claim(both[0], "Ada") == "Ada"


def guess(town: Town, source: str, name: str = "Ada") -> str:
    """One wrong password, on a connection of its own; what is said to it."""
    return fault(town.connect(source).send(Login(name=name, password="battery staple")))


def test_a_name_has_so_many_passwords_a_minute_from_one_address(town: Town) -> None:
    town.settle_in("Ada")
    for spelling in ["Ada", "ADA"] * (PASSWORDS_PER_MINUTE // 2):
        assert guess(town, STRANGER, spelling) == Fault.WRONG_PASSWORD
    assert fault(town.connect(STRANGER).send(RIGHT)) == Fault.TOO_FAST
    town.wait(60 / PASSWORDS_PER_MINUTE)
    assert one(Welcome, town.connect(STRANGER).send(RIGHT)).name == "Ada"


def test_a_stranger_who_guesses_without_end_does_not_keep_the_owner_out(town: Town) -> None:
    town.settle_in("Ada")
    said: list[str] = []
    for _ in range(5 * PASSWORDS_FOR_NAME_PER_MINUTE):
        said.append(guess(town, STRANGER))
        town.wait(0.1)
    assert said.count(Fault.WRONG_PASSWORD) == 2 * PASSWORDS_PER_MINUTE - 1  # the first ten, and one every six seconds
    assert one(Welcome, town.connect(OWNER).send(RIGHT)).name == "Ada"


def test_an_address_has_so_many_passwords_a_minute_whatever_the_names(town: Town) -> None:
    said = [guess(town, STRANGER, f"Zoe {number}") for number in range(PASSWORDS_FROM_ADDRESS_PER_MINUTE + 1)]
    assert said == [Fault.WRONG_PASSWORD] * PASSWORDS_FROM_ADDRESS_PER_MINUTE + [Fault.TOO_FAST]
    assert guess(town, OWNER, "Zoe 0") == Fault.WRONG_PASSWORD


def test_claims_and_logins_of_an_address_are_counted_together(town: Town) -> None:
    for number in range(PASSWORDS_FROM_ADDRESS_PER_MINUTE):
        client = town.connect(STRANGER)
        client.hello()
        claim(client, f"Zoe {number}")
    assert guess(town, STRANGER) == Fault.TOO_FAST


def test_a_name_has_so_many_passwords_a_minute_from_all_addresses_together(town: Town) -> None:
    for number in range(PASSWORDS_FOR_NAME_PER_MINUTE):
        assert guess(town, f"198.51.100.{number}") == Fault.WRONG_PASSWORD
    assert guess(town, OWNER) == Fault.TOO_FAST
    assert guess(town, OWNER, "Zoe") == Fault.WRONG_PASSWORD


def all_guess(town: Town) -> None:
    """From so many addresses that nothing is left of what a name has a minute."""
    for number in range(PASSWORDS_FOR_NAME_PER_MINUTE):
        guess(town, f"192.0.2.{number}")


@pytest.mark.parametrize("came_by", ["token", "password"])
def test_many_strangers_do_not_keep_the_owner_out_of_where_she_was_before(town: Town, came_by: str) -> None:
    token = new_token(town.settle_in("Ada"))
    home = town.connect(OWNER)
    home.send(Hello(token=token) if came_by == "token" else RIGHT)
    home.hang_up()
    all_guess(town)
    assert fault(town.connect(STRANGER).send(RIGHT)) == Fault.TOO_FAST
    assert one(Welcome, town.connect(OWNER).send(RIGHT)).name == "Ada"


def test_where_the_owner_was_before_passwords_are_not_tried_faster(town: Town) -> None:
    town.settle_in("Ada")
    assert one(Welcome, town.connect(OWNER).send(RIGHT)).name == "Ada"
    all_guess(town)
    said = [guess(town, OWNER) for _ in range(PASSWORDS_PER_MINUTE)]
    assert said == [Fault.WRONG_PASSWORD] * (PASSWORDS_PER_MINUTE - 1) + [Fault.TOO_FAST]


def test_whoever_else_was_there_is_not_the_owner(town: Town) -> None:
    town.settle_in("Ada")
    town.connect(STRANGER).hello("Zoe")
    all_guess(town)
    assert guess(town, STRANGER) == Fault.TOO_FAST


def test_only_the_last_places_of_a_player_are_remembered_and_none_over_a_restart(town: Town) -> None:
    token = new_token(town.settle_in("Ada"))
    for number in range(9):
        client = town.connect(f"203.0.113.{number}")
        client.hello(token=token)
        client.hang_up()
    all_guess(town)
    assert [guess(town, f"203.0.113.{number}") for number in (0, 1, 8)] == [
        Fault.TOO_FAST,
        Fault.WRONG_PASSWORD,
        Fault.WRONG_PASSWORD,
    ]
    later = town.restarted()
    all_guess(later)
    assert guess(later, "203.0.113.8") == Fault.TOO_FAST


@pytest.mark.parametrize("name", ["Ada", "Zoe"])
def test_what_is_said_does_not_tell_whether_there_is_such_a_name(town: Town, name: str) -> None:
    town.settle_in("Ada")
    said = [town.connect(STRANGER).send(Login(name=name, password="battery staple")) for _ in range(20)]
    wrong = Problem(code=Fault.WRONG_PASSWORD, detail="nobody has claimed this name with this password")
    fast = Problem(code=Fault.TOO_FAST, detail="more than 10 passwords a minute for this name from your address")
    assert said == [[wrong]] * PASSWORDS_PER_MINUTE + [[fast]] * (20 - PASSWORDS_PER_MINUTE)


def test_a_name_that_nobody_has_is_guessed_no_faster(town: Town) -> None:
    zoe = Login(name="Zoe", password=PASSWORD)
    for _ in range(PASSWORDS_PER_MINUTE):
        assert fault(town.connect().send(zoe)) == Fault.WRONG_PASSWORD
    assert fault(town.connect().send(zoe)) == Fault.TOO_FAST


def test_only_so_many_passwords_wait_and_leave_room_for_other_jobs(town: Town) -> None:
    clients: list[Client] = [town.connect() for _ in range(PASSWORDS_WAITING_MAX + 1)]
    for number, client in enumerate(clients):
        town.hub.receive(client.number, Login(name=f"Zoe {number}", password=PASSWORD), town.now)
    town.hub.receive(town.connect().number, Hello(token="x" * 20), town.now)
    assert len([job for _, job in town.hub.jobs if isinstance(job, CheckPassword)]) == PASSWORDS_WAITING_MAX
    town.beat()
    assert fault(clients[-1].take()) == Fault.TOO_MANY
    assert fault(clients[0].take()) == Fault.WRONG_PASSWORD


def test_a_password_is_in_no_ones_words(town: Town) -> None:
    client = town.connect()
    town.hub.receive(client.number, WRONG, town.now)
    assert "battery" not in repr(town.hub.jobs)


# --- tokens that logging in makes ---


def test_a_login_too_many_takes_the_place_of_the_oldest_login(town: Town) -> None:
    ada = town.connect()
    first = ada.hello().token
    claim(ada, "Ada")
    bot = new_token(ada)
    tokens: list[str] = []
    for _ in range(TOKENS_PER_PLAYER):
        client, welcome = town.log_in("Ada")
        tokens.append(welcome.token)
        client.hang_up()
        town.wait(10)
    for token in (first, bot, *tokens[2:]):
        client = town.connect()
        assert client.hello(token=token).name == "Ada"
        client.hang_up()
    for token in tokens[:2]:
        assert fault(town.connect().send(Hello(token=token))) == Fault.UNKNOWN_TOKEN
    listed = one(Tokens, ada.send(ListTokens(nonce=1))).tokens
    assert sum(not token.revoked for token in listed) == TOKENS_PER_PLAYER
