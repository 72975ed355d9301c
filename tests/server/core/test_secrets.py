"""What nobody may know before it is turned up (RULES.md 6, D65; N1-N6, inside the core)."""

import re
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from acerace_protocol.codec import JSON
from acerace_protocol.messages import (
    Ask,
    Ended,
    Legal,
    ListSeeks,
    ListTables,
    Play,
    Ready,
    Resign,
    Resume,
    ServerMessage,
    Watch,
)
from acerace_protocol.messages import Played as PlayedEvent
from acerace_rules.cards import face_text
from acerace_rules.legal import legal_moves
from acerace_rules.moves import Kind, Move
from acerace_rules.table import Seat, Table
from acerace_server.core.deals import Deals
from acerace_server.core.match import Match
from tests.server.core.support import TABLE, A, B, Client, Duel, World


def hidden_cards(seat: Seat) -> list[int]:
    """The cards of a seat that nobody has seen yet: those face down, and the stock before its first recycle."""
    face_down = [card for column, down in zip(seat.columns, seat.down, strict=True) for card in column[:down]]
    return face_down + ([] if seat.recycles else seat.stock)


def twin(table: Table, random: Random) -> Table:
    """A position that looks the same: each seat's hidden cards lie in another order."""
    other = table.copy()
    for seat in other.seats:
        cards = hidden_cards(seat)
        random.shuffle(cards)
        for column, down in zip(seat.columns, seat.down, strict=True):
            column[:down] = [cards.pop() for _ in range(down)]
        seat.stock = [cards.pop() for _ in seat.stock]
    return other


def turns_up(table: Table, seat: int, move: Move) -> bool:
    me = table.seats[seat]
    if move.kind not in {Kind.COLUMN_TO_COLUMN, Kind.COLUMN_TO_FOUNDATION}:
        return move.kind is Kind.DRAW
    return 0 < me.down[move.source] == len(me.columns[move.source]) - move.size


# --- twins -------------------------------------------------------------------------------------------------


def walk(twins: list[Duel], random: Random) -> None:
    """Play the same into the middle of both."""
    for _ in range(30):
        seat = random.randrange(2)
        for move in random.sample(twins[0].match.legal(seat).moves, k=1) if twins[0].match.legal(seat).moves else ():
            for duel in twins:
                duel.play(seat, move)
    for duel in twins:
        duel.heard.clear()


def tell_everything(duel: Duel) -> None:
    """Hear all that a client could ask for."""
    match = duel.match
    duel.heard += [match.snapshot(), match.legal(A), match.legal(B)]
    for pile in ("w", "c7", "c7:2", "c3:3", "f:h"):
        duel.heard += [match.advise(seat, Ask(table=TABLE, nonce=1, about="places", pile=pile)) for seat in (A, B)]


def stream(messages: list[ServerMessage]) -> bytes:
    return b"\n".join(map(JSON.encode, messages))


@pytest.mark.parametrize("pace", ["simultaneous", "alternating"])
def test_two_matches_that_differ_in_hidden_cards_look_the_same_until_one_turns_up(pace: str) -> None:
    told = 0
    for number in range(100):
        random = Random(number)
        twins = [Duel(secret=bytes([number]) * 32, pace=pace) for _ in range(2)]
        real, other = twins
        walk(twins, random)
        other.duel.deal(twin(real.match.dealt, random))
        assert real.match.dealt != other.match.dealt
        for _ in range(15):
            seat = random.randrange(2)
            quiet = [m for m in legal_moves(real.match.dealt, seat) if not turns_up(real.match.dealt, seat, m)]
            # and, of those the rules refuse, one that lifts too much, one that cannot be and one that is no move
            text = random.choice([*map(str, quiet), *map(str, quiet), "c7:9>c2", "c9>f", "?"])
            guess, seen = random.choice([None, None, "Kd", "5c"]), random.randrange(9)
            for duel in twins:
                duel.play(seat, text, card=guess, seen=seen)
                tell_everything(duel)
        assert stream(real.heard) == stream(other.heard)
        told += sum(isinstance(message, PlayedEvent) for message in real.heard)
    assert told > 50  # moves were made


# --- everything that is sent -------------------------------------------------------------------------------


def texts(value: object) -> Iterator[str]:
    """All strings in a decoded message, keys too."""
    match value:
        case str():
            yield value
        case dict():
            for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
                yield from texts(key)  # pyright: ignore[reportUnknownArgumentType]
                yield from texts(inner)  # pyright: ignore[reportUnknownArgumentType]
        case list():
            for inner in value:  # pyright: ignore[reportUnknownVariableType]
                yield from texts(inner)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            pass


def assert_public(match: Match, messages: list[ServerMessage], never: set[str]) -> None:
    """No message names a card that nobody has seen, or anything the deal could be computed from."""
    assert match.table is not None
    unseen = [set(map(face_text, hidden_cards(seat))) for seat in match.table.seats]
    of_both = unseen[A] & unseen[B]
    for message in messages:
        text = JSON.encode(message).decode()
        assert not any(secret in text for secret in never), message
        named = {word for word in texts(msgspec.json.decode(text)) if re.fullmatch(r"[A23456789TJQK][shdc]", word)}
        assert not named & of_both, message
        if isinstance(message, PlayedEvent):
            assert not {*message.cards, message.turned} & unseen[message.seat], message


class Room:
    """A table with all who could pry: both players, a second tab of one of them, and a spectator."""

    def __init__(self, number: int, **options: str) -> None:
        self.world = world = World(seed=b"%d" % number)
        ada, bruno = world.enter("Ada"), world.connect()
        welcome = bruno.hello("Bruno")
        self.players = [ada, bruno]
        self.key = world.table(ada, bruno, **options)
        self.tab = world.enter(token=welcome.token)
        self.spectator = world.enter("Carla")
        hosted = world.hub.registry.get(self.key)
        assert hosted is not None
        self.match = hosted.match
        self.never = {self.match.setup.secret.hex(), str(self.match.setup.secret), "5eed5eed"}

    def everyone(self) -> list[Client]:
        return [*self.world.clients.values()]

    def heard(self) -> list[ServerMessage]:
        return [message for client in self.everyone() for message in client.take()]

    def begin(self) -> None:
        self.tab.send(Resume(table=self.key, seen=0), Legal(table=self.key))
        self.spectator.send(Watch(table=self.key), ListTables(), ListSeeks())
        for player in self.players:
            player.send(Ready(table=self.key, nonce=1, seed="5eed5eed"))


@pytest.mark.parametrize("number", range(6))
def test_nobody_is_sent_anything_secret_before_the_end(number: int) -> None:
    random = Random(number)
    room = Room(number, pace=random.choice(["simultaneous", "alternating"]))
    room.begin()
    for nonce in range(2, 250):
        seat = random.randrange(2)
        moves = [*room.match.legal(seat).moves, "c7:3>c1", "r", "w>f"]
        asking = room.players[seat]
        world = room.world
        world.hub.receive(asking.number, Play(table=room.key, nonce=nonce, move=random.choice(moves)), world.now)
        prying: list[Watch | Resume | ListTables] = [
            Watch(table=room.key),
            Resume(table=room.key, seen=0),
            ListTables(),
        ]
        pry = random.choice(prying)
        world.hub.receive(random.choice(room.everyone()).number, pry, world.now)
        world.beat()
        heard = room.heard()
        if any(isinstance(message, Ended) for message in heard) or room.match.phase == "over":
            break
        assert heard
        assert_public(room.match, heard, room.never)
    room.players[A].send(Resign(table=room.key, nonce=999))
    assert room.match.ended is not None
    assert room.match.ended.seeds == ("5eed5eed", "5eed5eed")


def test_a_second_tab_and_a_spectator_get_what_the_opponent_gets() -> None:
    # N4
    room = Room(1)
    room.begin()
    room.heard()
    room.players[A].send(Play(table=room.key, nonce=2, move="d"))
    room.players[A].take()
    events = [[m for m in client.take() if isinstance(m, PlayedEvent)] for client in room.everyone()[1:]]
    assert len(events) == 3
    assert events[0] == events[1] == events[2]


def test_a_running_match_of_two_has_no_deal_code() -> None:
    # N5, D65
    assert Duel().match.snapshot().code is None


# --- where deals come from ---------------------------------------------------------------------------------


def test_a_secret_is_what_the_entropy_gives_and_never_the_same_twice() -> None:
    # N6
    deals = Deals(Random(5).randbytes, lambda: "2026-11-30", None)
    secrets = {deals.secret() for _ in range(1000)}
    assert len(secrets) == 1000
    assert {len(secret) for secret in secrets} == {32}


def test_a_seeded_server_can_be_foretold() -> None:
    deals = [Deals(Random(number).randbytes, lambda: "2026-11-30", b"7") for number in range(2)]
    assert [deals[0].secret() for _ in range(5)] == [deals[1].secret() for _ in range(5)]
