"""Tokens: more than one, told apart, and made worthless."""

from collections.abc import Iterator

import pytest

from acerace_protocol.accounts import ListTokens, NewToken, RevokeToken, TokenKey, Tokens
from acerace_protocol.limits import TOKENS_PER_PLAYER, CloseCode, Fault
from acerace_protocol.messages import Hello, Ping, Presence, Problem, Resume
from acerace_server.core.session import sha256_of
from tests.server.core.support import Client, one
from tests.server.core.town import Town, claim, fault, new_token, new_town


@pytest.fixture
def town() -> Iterator[Town]:
    with new_town() as town:
        yield town


def key(token: str) -> str:
    return sha256_of(token)[:12]


def listed(client: Client) -> tuple[TokenKey, ...]:
    return one(Tokens, client.send(ListTokens(nonce=1))).tokens


def revoke(client: Client, token: str) -> tuple[TokenKey, ...]:
    return one(Tokens, client.send(RevokeToken(key=key(token), nonce=1))).tokens


def test_a_token_needs_a_name(town: Town) -> None:
    assert fault(town.enter("Ada").send(NewToken(label="bot", nonce=1))) == Fault.NAME_NEEDED


def test_a_new_token_is_the_same_player_now_and_after_a_restart(town: Town) -> None:
    ada = town.settle_in("Ada")
    token = new_token(ada)
    assert town.connect().hello(token=token).name == "Ada"
    assert town.restarted().connect().hello(token=token).name == "Ada"


def test_a_bot_is_an_account_marked_as_such(town: Town) -> None:
    client = town.connect()
    client.send(Hello(name="Robot", bot=True))
    assert claim(client, "Robot") == "Robot"
    token = new_token(client)
    bot = town.enter(token=token)
    other = town.enter("Bruno")
    table = town.table(bot, other)
    hosted = town.hub.registry.get(table)
    assert hosted
    assert [(player.name, player.bot) for player in hosted.match.setup.players] == [("Robot", True), ("Bruno", False)]


def test_tokens_are_listed_by_what_can_be_told_of_them(town: Town) -> None:
    ada = town.connect()
    first = ada.hello().token
    claim(ada, "Ada")
    bot = new_token(ada, "bot at home")
    tokens = listed(ada)
    assert [(token.key, token.label, token.revoked) for token in tokens] == [
        (key(bot), "bot at home", False),
        (key(first), "", False),
    ]
    assert tokens[0].made_us > tokens[1].made_us
    assert bot not in repr(tokens)


def test_so_many_are_listed_the_oldest_are_not(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = town.settle_in("Ada")
    made = [key(new_token(ada)) for _ in range(3)]
    monkeypatch.setattr("acerace_server.adapters.jobs.LISTED_MAX", 2)
    assert [token.key for token in listed(ada)] == [made[2], made[1]]


def test_a_guest_can_list_and_revoke_too(town: Town) -> None:
    guest = town.connect()
    token = guest.hello().token
    tab = town.enter(token=token)
    assert [one_token.key for one_token in listed(guest)] == [key(token)]
    guest.send(RevokeToken(key=key(token), nonce=1))
    assert guest.closed == tab.closed == CloseCode.TOKEN_REVOKED


def test_a_revoked_token_closes_its_connections_and_no_others(town: Town) -> None:
    ada = town.settle_in("Ada")
    token = new_token(ada)
    bot, second = town.enter(token=token), town.enter(token=token)
    assert [one_token.revoked for one_token in revoke(ada, token)] == [False, True]
    for client in (bot, second):
        assert one(Problem, client.take()).code == Fault.TOKEN_REVOKED
        assert client.closed == CloseCode.TOKEN_REVOKED
    assert ada.closed is None
    assert fault(town.connect().send(Hello(token=token))) == Fault.UNKNOWN_TOKEN
    assert fault(town.restarted().connect().send(Hello(token=token))) == Fault.UNKNOWN_TOKEN


def test_what_comes_in_the_same_read_as_the_end_does_not_count(town: Town) -> None:
    ada = town.settle_in("Ada")
    token = new_token(ada)
    bot = town.enter(token=token)
    town.hub.receive(ada.number, RevokeToken(key=key(token), nonce=1), town.now)
    town.hub.receive(bot.number, Ping(nonce=1), town.now)
    town.beat()
    assert one(Problem, bot.take()).code == Fault.TOKEN_REVOKED


def test_a_token_that_is_revoked_while_it_is_looked_up_is_worthless(town: Town) -> None:
    ada = town.settle_in("Ada")
    token = new_token(ada)
    for client in [*town.clients.values()]:
        client.hang_up()
    town.wait(2 * 86_400)  # so that it must be looked up
    late = town.connect()
    town.hub.receive(late.number, Hello(token=token), town.now)
    town.turn()
    ((number, job),) = town.hub.jobs
    town.hub.jobs.clear()
    found = town.perform(job)
    owner, _ = town.log_in("Ada")
    revoke(owner, token)
    town.hub.finished(number, found, town.now)
    town.turn()
    assert fault(late.take()) == Fault.UNKNOWN_TOKEN


def test_a_seat_stays_with_the_player_when_a_token_goes(town: Town) -> None:
    ada, bruno = town.settle_in("Ada"), town.enter("Bruno")
    token = new_token(ada)
    phone = town.enter(token=token)
    table = town.match(phone, bruno)
    ada.send(Resume(table=table, seen=0))
    bruno.take()
    revoke(ada, token)
    phone.hang_up()
    assert not [message for message in bruno.take() if isinstance(message, Presence)]


@pytest.mark.parametrize("wrong", ["", "a" * 11, "a" * 12, "g" * 12, "%" * 12])
def test_only_a_token_of_ones_own_can_be_revoked(town: Town, wrong: str) -> None:
    ada, bruno = town.settle_in("Ada"), town.settle_in("Bruno")
    token = new_token(bruno)
    for what in (wrong, key(token)):
        if what:
            assert fault(ada.send(RevokeToken(key=what, nonce=1))) == Fault.NO_SUCH_TOKEN
    assert town.connect().hello(token=token).name == "Bruno"


def test_twice_is_no_token(town: Town) -> None:
    ada = town.settle_in("Ada")
    token = new_token(ada)
    revoke(ada, token)
    assert fault(ada.send(RevokeToken(key=key(token), nonce=1))) == Fault.NO_SUCH_TOKEN


def test_a_player_has_so_many_tokens(town: Town) -> None:
    ada = town.settle_in("Ada")
    tokens = [new_token(ada) for _ in range(TOKENS_PER_PLAYER - 1)]
    assert fault(ada.send(NewToken(label="bot", nonce=1))) == Fault.TOO_MANY
    revoke(ada, tokens[0])
    assert new_token(ada)
