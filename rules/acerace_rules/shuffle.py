"""From bytes to a shuffled deck: documented in PROTOCOL.md so that any language can repeat it.

The stream is HMAC-SHA256 in counter mode: block ``i`` is ``HMAC(key, label || i)`` with ``i`` as eight bytes, big
endian, from 0. A number below ``n`` (at most 256) is the next byte ``b`` with ``b < 256 - 256 % n``, modulo ``n``;
other bytes are thrown away (rejection sampling, so no number is favoured). The shuffle is Fisher and Yates's in
Durstenfeld's form: for ``i`` from the last place down to 1, swap place ``i`` with place ``number below i + 1``.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final

SEED_BYTES: Final = 32
PLAYER_SEED_BYTES_MAX: Final = 64
_BYTE_VALUES: Final = 256


def stream(key: bytes, label: bytes) -> Iterator[int]:
    """Endless pseudo-random bytes, as numbers 0 to 255, that only ``key`` and ``label`` decide."""
    block = 0
    while True:
        yield from hmac.digest(key, label + block.to_bytes(8, "big"), "sha256")
        block += 1


def number_below(n: int, source: Iterator[int]) -> int:
    """An even draw from 0 to ``n - 1``; ``n`` at most 256."""
    bound = _BYTE_VALUES - _BYTE_VALUES % n
    return next(byte for byte in source if byte < bound) % n


def shuffled(cards: Sequence[int], key: bytes, label: bytes) -> list[int]:
    """These cards in the order that ``key`` and ``label`` decide."""
    deck = list(cards)
    source = stream(key, label)
    for last in range(len(deck) - 1, 0, -1):
        other = number_below(last + 1, source)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def commitment(secret: bytes) -> str:
    """What is told before the deal: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


def match_key(secret: bytes, player_seeds: Sequence[bytes]) -> bytes:
    """The key of a match's shuffles: the secret, mixed with what each player added (by seat; empty: nothing).

    ``HMAC-SHA256(secret, "acerace/match/1" || for each seat: length as two bytes, seed)``.
    """
    mixed = b"".join(len(seed).to_bytes(2, "big") + seed for seed in player_seeds)
    return hmac.digest(secret, b"acerace/match/1" + mixed, "sha256")
