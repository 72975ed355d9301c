"""Claiming a name: it is one player's, however it is written, and a guest cannot look like its owner."""

from collections.abc import Iterator

import pytest

from acerace_protocol.accounts import ClaimName, Login, Named
from acerace_protocol.limits import Fault
from acerace_protocol.messages import PlayerInfo, Snapshot, Watch, Welcome
from tests.server.core.support import one
from tests.server.core.town import PASSWORD, Town, answer_to_claim, claim, fault, new_town


@pytest.fixture
def town() -> Iterator[Town]:
    with new_town() as town:
        yield town


def test_a_guest_claims_a_name_and_is_shown_under_it(town: Town) -> None:
    ada, bruno = town.enter("Somebody"), town.enter("Bruno")
    assert claim(ada, "Ada") == "Ada"
    table = town.table(ada, bruno)
    watcher = town.enter()
    players: tuple[PlayerInfo, ...] = one(Snapshot, watcher.send(Watch(table=table))).players
    assert [player.name for player in players] == ["Ada", "Bruno"]


def test_a_claim_comes_after_hello(town: Town) -> None:
    assert fault(town.connect().send(ClaimName(name="Ada", password=PASSWORD, nonce=1))) == Fault.HELLO_FIRST


@pytest.mark.parametrize("alike", ["Ada", "ADA", " ada ", "\uff21da", "A\ufe0fda", "Ada\u3164"])
def test_a_name_is_one_players_however_it_is_written(town: Town, alike: str) -> None:
    town.settle_in("Ada")
    assert claim(town.enter(), alike) == Fault.NAME_TAKEN


def test_two_claims_in_one_turn_have_one_winner(town: Town) -> None:
    clients = [town.enter() for _ in range(5)]
    for client in clients:
        town.hub.receive(client.number, ClaimName(name="Ada", password=PASSWORD, nonce=7), town.now)
    town.beat()
    answers = [answer_to_claim(client.take(), 7) for client in clients]
    assert answers == ["Ada", *[Fault.NAME_TAKEN] * 4]


def test_a_claim_whose_password_is_still_being_hashed_keeps_the_name(town: Town) -> None:
    ada, bruno = town.enter(), town.enter()
    town.hub.receive(ada.number, ClaimName(name="Ada", password=PASSWORD, nonce=1), town.now)
    town.turn()
    town.hub.receive(bruno.number, ClaimName(name="ada", password=PASSWORD, nonce=1), town.now)
    town.turn()
    assert answer_to_claim(bruno.take(), 1) == Fault.NAME_TAKEN
    town.beat()
    assert one(Named, ada.take()).name == "Ada"


def test_a_hash_that_fails_frees_the_name_and_says_so(town: Town) -> None:
    ada = town.enter()
    town.hub.receive(ada.number, ClaimName(name="Ada", password=PASSWORD, nonce=1), town.now)
    town.turn()
    ((number, _),) = town.hub.jobs
    town.hub.jobs.clear()
    town.hub.finished(number, MemoryError(), town.now)
    town.turn()
    assert answer_to_claim(ada.take(), 1) == Fault.STORE_FAILED
    assert claim(town.enter(), "Ada") == "Ada"


def test_who_hangs_up_while_claiming_has_the_name_all_the_same(town: Town) -> None:
    ada = town.enter()
    town.hub.receive(ada.number, ClaimName(name="Ada", password=PASSWORD, nonce=1), town.now)
    town.turn()
    ada.hang_up()
    assert town.log_in("Ada")[1].name == "Ada"


@pytest.mark.parametrize("name", [" ", "a\tb", "\u202eadA", "\u3164", "\u200b"])
def test_a_name_is_text_that_can_be_seen(town: Town, name: str) -> None:
    assert claim(town.enter(), name) == Fault.MALFORMED


@pytest.mark.parametrize("name", ["Guest", "guest 12ab", "GUEST-1", "House patient"])
def test_names_of_guests_and_house_bots_cannot_be_claimed(town: Town, name: str) -> None:
    assert claim(town.enter(), name) == Fault.NAME_TAKEN


def test_a_name_that_only_begins_like_a_guests_can(town: Town) -> None:
    assert claim(town.enter(), "Guesthouse") == "Guesthouse"


# --- guests beside claimed names ---


def test_a_guest_who_comes_under_a_claimed_name_gets_another(town: Town) -> None:
    town.settle_in("Ada")
    assert town.connect().hello("ada").name.startswith("Guest ")
    assert town.connect().hello("Ada B").name == "Ada B"


def test_a_guest_who_is_here_under_a_name_that_is_claimed_loses_it(town: Town) -> None:
    guest = town.connect()
    token = guest.hello("Ada").token
    town.settle_in("Ada")
    assert town.connect().hello(token=token).name.startswith("Guest ")


def test_a_guest_who_was_away_when_the_name_was_claimed_loses_it_on_coming_back(town: Town) -> None:
    guest = town.connect()
    token = guest.hello("Ada").token
    guest.hang_up()
    town.settle_in("Ada")
    assert town.connect().hello(token=token).name.startswith("Guest ")
    assert town.restarted().connect().hello(token=token).name.startswith("Guest ")


def test_the_owner_keeps_it_with_the_old_token(town: Town) -> None:
    ada = town.connect()
    token = ada.hello("Ada").token
    assert claim(ada, "Ada") == "Ada"
    assert town.connect().hello(token=token).name == "Ada"


# --- another name, another password ---


def test_another_name_frees_the_one_before(town: Town) -> None:
    ada = town.settle_in("Ada")
    assert claim(ada, "Lovelace") == "Lovelace"
    assert claim(town.enter(), "Ada") == "Ada"
    assert town.log_in("lovelace")[1].name == "Lovelace"


def test_the_same_name_again_is_another_password(town: Town) -> None:
    ada = town.settle_in("Ada")
    assert claim(ada, "ADA", "battery staple") == "ADA"
    assert fault(town.connect().send(Login(name="Ada", password=PASSWORD))) == Fault.WRONG_PASSWORD
    assert town.log_in("Ada", "battery staple")[1].name == "ADA"


def test_a_token_alone_does_not_change_the_password(town: Town) -> None:
    """A token that got into wrong hands can be revoked, as long as it cannot lock the owner out."""
    ada = town.connect()
    token = ada.hello().token
    claim(ada, "Ada")
    thief = town.enter(token=token)
    assert claim(thief, "Ada", "mine from now on") == Fault.NOT_ALLOWED
    owner, _ = town.log_in("Ada")
    assert claim(owner, "Ada", "battery staple") == "Ada"


def test_a_player_claims_one_name_at_a_time(town: Town) -> None:
    ada = town.connect()
    tab = town.enter(token=ada.hello().token)
    for client, name in ((ada, "Ada"), (tab, "Lovelace")):
        town.hub.receive(client.number, ClaimName(name=name, password=PASSWORD, nonce=1), town.now)
    town.beat()
    assert answer_to_claim(ada.take(), 1) == "Ada"
    assert answer_to_claim(tab.take(), 1) == Fault.TOO_FAST
    assert claim(town.enter(), "Lovelace") == "Lovelace"


# --- another run of the server ---


def test_names_outlive_the_server(town: Town) -> None:
    ada = town.settle_in("Ada")
    claim(ada, "Lovelace")
    later = town.restarted()
    assert claim(later.enter(), "LOVELACE") == Fault.NAME_TAKEN
    assert later.connect().hello("Lovelace").name.startswith("Guest ")
    assert claim(later.enter(), "Ada") == "Ada"
    _, welcome = later.log_in("lovelace")
    assert isinstance(welcome, Welcome)
    assert welcome.name == "Lovelace"
