"""The deal done again from what PROTOCOL.md says, with nothing of this project's but the expected results."""

import hashlib
import hmac
from collections.abc import Iterator
from itertools import count, islice

import pytest

from acerace_protocol.messages import (
    Dealt,
    Ended,
    Snapshot,
)
from acerace_rules.deal import read_code
from tests.protocol.document import VECTORS, Copy, Json, plain, server_examples

DECK = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def own_stream(key: bytes, label: bytes) -> Iterator[int]:
    for block in count():
        yield from hmac.new(key, label + block.to_bytes(8, "big"), hashlib.sha256).digest()


def own_number(n: int, source: Iterator[int]) -> int:
    while True:
        byte = next(source)
        if byte < 256 - 256 % n:
            return byte % n


def own_shuffle(deck: list[str], key: bytes, label: str) -> list[str]:
    deck, source = [*deck], own_stream(key, label.encode())
    for i in range(len(deck) - 1, 0, -1):
        j = own_number(i + 1, source)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def own_seat(deck: list[str], sizes: list[int], down: list[int]) -> Json:
    columns: list[list[str]] = [[] for _ in sizes]
    cards = iter(deck)
    for row in range(max(sizes)):
        for column, size in zip(columns, sizes, strict=True):
            if row < size:
                column.append(next(cards))
    piles = [{"down": hidden, "up": column[hidden:]} for column, hidden in zip(columns, down, strict=True)]
    return {"columns": piles, "stock": len([*cards]), "waste": []}


SEVEN, NINE, RUSSIAN = [1, 2, 3, 4, 5, 6, 7], [*range(1, 10)], [1, 6, 7, 8, 9, 10, 11]
SHAPES = {
    "KL1": (1, SEVEN, [*range(7)]),
    "DS1": (2, NINE, [*range(9)]),
    "EH1": (2, NINE, [*range(9)]),
    "RU1": (1, RUSSIAN, [*range(7)]),
    "YU1": (1, RUSSIAN, [*range(7)]),
}


def test_the_stream_and_its_numbers_can_be_repeated() -> None:
    vector = VECTORS["stream"]
    source = own_stream(bytes.fromhex(vector["key"]), vector["label"].encode())
    expected = bytes.fromhex(vector["bytes"])
    assert bytes(islice(source, len(expected))) == expected
    vector = VECTORS["numbers"]
    source = own_stream(bytes.fromhex(vector["key"]), vector["label"].encode())
    assert [own_number(vector["below"], source) for _ in vector["first"]] == vector["first"]


def own_match_key(secret: bytes, seeds: list[bytes]) -> bytes:
    mixed = b"".join(len(seed).to_bytes(2, "big") + seed for seed in seeds)
    return hmac.new(secret, b"acerace/match/1" + mixed, hashlib.sha256).digest()


def test_a_match_can_be_verified_from_what_is_told_at_its_end() -> None:
    [ended] = [message for message in server_examples() if isinstance(message, Ended)]
    [opened] = [message for message in server_examples() if isinstance(message, Snapshot) and message.commitment]
    [dealt] = [message for message in server_examples() if isinstance(message, Dealt)]
    assert ended.secret
    secret, seeds = bytes.fromhex(ended.secret), [*map(bytes.fromhex, ended.seeds)]
    assert hashlib.sha256(secret).hexdigest() == opened.commitment
    key = own_match_key(secret, seeds)
    for number, seat in enumerate(plain(dealt)["state"]["seats"]):
        own = own_seat(own_shuffle(DECK, key, f"acerace/deck/{number}/"), SEVEN, [*range(7)])
        assert {name: seat[name] for name in own} == own


def test_the_vectors_of_a_match_can_be_repeated() -> None:
    vector = VECTORS["match"]
    secret, seeds = bytes.fromhex(vector["secret"]), [*map(bytes.fromhex, vector["seeds"])]
    key = own_match_key(secret, seeds)
    assert hashlib.sha256(secret).hexdigest() == vector["commitment"]
    assert key.hex() == vector["key"]
    decks = [own_shuffle(DECK, key, f"acerace/deck/{seat}/") for seat in (0, 1)]
    assert [" ".join(deck) for deck in decks] == vector["decks"]
    assert hmac.new(key, b"acerace/first/", hashlib.sha256).digest()[0] & 1 == vector["first_if_equal"]
    seats = [own_seat(deck, SEVEN, [*range(7)]) for deck in decks]
    ranks = [["A23456789TJQK".index(column["up"][-1][0]) for column in seat["columns"]] for seat in seats]
    assert (0 if ranks[0] < ranks[1] else 1) == vector["first_mover"]


@pytest.mark.parametrize("vector", VECTORS["solo"], ids=lambda vector: vector["code"])
def test_a_solo_deal_can_be_repeated(vector: Json) -> None:
    prefix = vector["code"][:3]
    decks, sizes, down = SHAPES[prefix]
    deck = own_shuffle(DECK * decks, b"acerace/solo", f"{prefix}/{vector['number']}/")
    assert " ".join(deck) == vector["deck"]
    foundations: Json = [{"owners": []} for _ in range(4 * decks)]
    assert Copy({"seats": [own_seat(deck, sizes, down)], "foundations": foundations}).digest() == vector["check"]


@pytest.mark.parametrize("vector", VECTORS["solo"] + VECTORS["day"], ids=lambda vector: vector["code"])
def test_the_number_of_a_code_can_be_read(vector: Json) -> None:
    number = 0
    for letter in vector["code"][-7:]:
        number = number * 24 + ALPHABET.index(letter)
    assert number == vector["number"] == read_code(vector["code"]).number


@pytest.mark.parametrize("vector", VECTORS["day"], ids=lambda vector: vector["code"])
def test_the_deal_of_a_day_can_be_repeated(vector: Json) -> None:
    day = hmac.new(b"acerace/day", f"{vector['game']}/{vector['date']}".encode(), hashlib.sha256).digest()
    assert int.from_bytes(day, "big") % 999_999 + 1 == vector["number"]
