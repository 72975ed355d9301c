"""Everybody says hello at once, as after a restart."""

from collections.abc import Iterator

import pytest

from acerace_protocol.accounts import ListTokens, Tokens
from acerace_protocol.limits import JOBS_MAX, Fault
from acerace_protocol.messages import Hello, Welcome
from acerace_server.core.jobs import FindPlayer
from acerace_server.core.session import sha256_of
from tests.server.core.support import Client
from tests.server.core.town import Town, fault, new_town

MANY = 300
DAYS_S = 2 * 86_400


@pytest.fixture
def town() -> Iterator[Town]:
    with new_town() as town:
        yield town


def forgotten(town: Town, number: int) -> list[str]:
    """Tokens of players whom only the store knows any more."""
    clients = [town.connect() for _ in range(number)]
    tokens = [client.hello().token for client in clients]
    for client in clients:
        client.hang_up()
    town.wait(DAYS_S)
    assert town.hub.health()["players"] == 0
    return tokens


def greet(town: Town, tokens: list[str]) -> list[Client]:
    """Let them all come in one loop turn; nothing is looked up yet."""
    clients = [town.connect() for _ in tokens]
    for client, token in zip(clients, tokens, strict=True):
        town.hub.receive(client.number, Hello(token=token), town.now)
    town.turn()
    return clients


def welcomed(clients: list[Client]) -> list[str]:
    return [message.token for client in clients for message in client.take() if isinstance(message, Welcome)]


def test_hundreds_at_once_wait_for_their_turn_and_are_all_welcomed(town: Town) -> None:
    tokens = forgotten(town, MANY)
    clients = greet(town, tokens)
    turns = 0
    while town.hub.jobs:
        assert len(town.hub.jobs) <= JOBS_MAX
        town.do_jobs()
        town.turn()
        turns += 1
    assert turns == -(-MANY // JOBS_MAX)
    assert welcomed(clients) == tokens


def test_nobody_else_waits_behind_all_of_them_or_is_one_too_many(town: Town) -> None:
    tokens = forgotten(town, MANY)
    ada = town.settle_in("Ada")
    clients = greet(town, tokens)
    town.hub.receive(ada.number, ListTokens(nonce=7), town.now)
    town.do_jobs()
    town.turn()
    assert ada.expect(Tokens).nonce == 7
    assert welcomed(clients) == tokens[:JOBS_MAX]


def test_who_hangs_up_while_waiting_is_not_looked_up(town: Town) -> None:
    tokens = forgotten(town, JOBS_MAX + 2)
    clients = greet(town, tokens)
    for gone in (0, JOBS_MAX):  # one who is being looked up, and the first of those who wait
        town.hub.disconnect(clients[gone].number, town.now)
        del town.clients[clients[gone].number]
    town.do_jobs()
    assert [job for _, job in town.hub.jobs] == [FindPlayer(sha256_of(tokens[-1]))]
    town.beat()
    assert welcomed(clients) == [*tokens[1:JOBS_MAX], tokens[-1]]


def test_a_second_hello_waits_for_the_first(town: Town) -> None:
    tokens = forgotten(town, 1)
    (client,) = greet(town, tokens)
    town.hub.receive(client.number, Hello(token=tokens[0]), town.now)
    assert len(town.hub.jobs) == 1
    town.turn()
    assert fault(client.take()) == Fault.TOO_FAST
    town.beat()
    assert welcomed([client]) == tokens
