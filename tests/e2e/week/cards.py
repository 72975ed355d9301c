"""Cards, decks and deals, written from RULES.md 1, 8 and PROTOCOL.md 10, 12 alone.

Nothing in this file or in those beside it that recompute (``table``, ``stuck``, ``referee``, ``duels``, ``solos``,
``records``) uses the code that is audited: a card is its text, and a pile is a list of texts. There is one exception,
``stuck.shipped_proof``.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "shdc"
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def rank(card: str) -> int:
    """1 for the ace, 13 for the king."""
    return RANKS.index(card[0]) + 1


def is_red(card: str) -> bool:
    return card[1] in "hd"


def deck() -> list[str]:
    """Spades ace to king, then hearts, diamonds, clubs (PROTOCOL.md 12, 4)."""
    return [each + suit for suit in SUITS for each in RANKS]


def _stream(key: bytes, label: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.new(key, label + block.to_bytes(8, "big"), hashlib.sha256).digest()
        block += 1


def shuffled(key: bytes, label: str) -> list[str]:
    """One deck in the order that key and label decide (PROTOCOL.md 12, 1 to 4)."""
    cards, source = deck(), _stream(key, label.encode())
    for last in range(len(cards) - 1, 0, -1):
        below = last + 1
        byte = next(each for each in source if each < 256 - 256 % below)
        cards[last], cards[byte % below] = cards[byte % below], cards[last]
    return cards


def match_key(secret: bytes, seeds: Sequence[bytes]) -> bytes:
    """The key of a match of two."""
    mixed = b"".join(len(seed).to_bytes(2, "big") + seed for seed in seeds)
    return hmac.new(secret, b"acerace/match/1" + mixed, hashlib.sha256).digest()


def coin(key: bytes) -> int:
    """Who begins when all last cards are equal."""
    return hmac.new(key, b"acerace/first/", hashlib.sha256).digest()[0] & 1


def commitment(secret: bytes) -> str:
    return hashlib.sha256(secret).hexdigest()


def solo_deck(code: str) -> list[str]:
    """The deck behind a deal code of a game with one deck, such as ``KL1-D1UM-AAAAAAB``."""
    game, _, letters = code.split("-")
    number = 0
    for letter in letters:
        number = number * len(_LETTERS) + _LETTERS.index(letter)
    return shuffled(b"acerace/solo", f"{game}/{number}/")


def number_of_the_day(game: str, date: str) -> int:
    """The number of a game's deal of the day."""
    digest = hmac.new(b"acerace/day", f"{game}/{date}".encode(), hashlib.sha256).digest()
    return int.from_bytes(digest, "big") % 999_999 + 1


def number_text(number: int) -> str:
    """Seven letters, as at the end of a deal code."""
    digits: list[str] = []
    for _ in range(7):
        number, digit = divmod(number, len(_LETTERS))
        digits.insert(0, _LETTERS[digit])
    return "".join(digits)
