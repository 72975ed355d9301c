"""Deals: from a seed or a deal code to the position at the start (RULES.md 8).

A solo deal has a code, ``DS1-D1N-AAAAAAB``: the game and the version of its shuffle, its options, its number from 1 to
999 999 written in seven letters. A two-player deal has none until it is over (D65); its key is secret.
"""

import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from acerace_rules.cards import full_deck, rank_of
from acerace_rules.catalogue import GAMES, UNLIMITED
from acerace_rules.options import Chosen, Value
from acerace_rules.shuffle import match_key, shuffled
from acerace_rules.table import Table
from acerace_rules.variant import Variant

NUMBER_MAX: Final = 999_999
ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_LETTERS: Final = 7
_SOLO_KEY: Final = b"acerace/solo"
_DAY_KEY: Final = b"acerace/day"

Letters = tuple[tuple[str, Mapping[str, Value]], ...]
"""An option's values by letter, in the order in which a code writes its options."""

_DRAW: Final = ("draw", {"D1": 1, "D3": 3})
_CODES: Final[Mapping[str, tuple[str, Letters]]] = {
    "double-solitaire": ("DS1", (_DRAW, ("scoring", {"N": "normal", "V": "vegas"}))),
    "russian": ("RU1", (("rule", {"C": "classic", "R": "flexible"}),)),
    "easy-harp": ("EH1", ()),
    "yukon": ("YU1", ()),
    "klondike": (
        "KL1",
        (
            _DRAW,
            ("passes", {"U": UNLIMITED, "P3": 3, "P1": 1}),
            ("scoring", {"M": "microsoft", "N": "none", "W": "windows", "V": "vegas"}),
            ("take_back", {"": True, "S": False}),
            ("thoughtful", {"": False, "T": True}),
        ),
    ),
}
_NO_OPTIONS: Final = "N"


class DealCodeError(ValueError):
    """Text that is no deal code; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class SoloDeal:
    """What a deal code says: a game, all its options, and the deal's number."""

    game: str
    options: Mapping[str, Value]
    number: int

    def __post_init__(self) -> None:
        if self.game not in _CODES:
            raise DealCodeError(f"{self.game!r} has no deal codes; expected one of {', '.join(_CODES)}")
        if not 1 <= self.number <= NUMBER_MAX:
            raise DealCodeError(f"deal number {self.number} is not from 1 to {NUMBER_MAX}")
        object.__setattr__(self, "options", GAMES[self.game].chosen(self.options))

    @property
    def variant(self) -> Variant:
        return GAMES[self.game].variant(self.options)

    @property
    def code(self) -> str:
        prefix, letters = _CODES[self.game]
        flags = "".join(
            next(letter for letter, value in values.items() if value == self.options[key]) for key, values in letters
        )
        return f"{prefix}-{flags or _NO_OPTIONS}-{number_text(self.number)}"

    def table(self) -> Table:
        """The position at the start. The same code gives the same position for ever (D69)."""
        prefix = _CODES[self.game][0]
        label = f"{prefix}/{self.number}/".encode()
        variant = self.variant
        cards = [card for copy in range(variant.decks) for card in full_deck(copy)]
        return Table.deal(variant, [shuffled(cards, _SOLO_KEY, label)])


def number_text(number: int) -> str:
    """A deal number in seven letters of the 24-letter alphabet, A = 0.

    >>> number_text(1)
    'AAAAAAB'
    """
    letters = ""
    for _ in range(_LETTERS):
        number, digit = divmod(number, len(ALPHABET))
        letters = ALPHABET[digit] + letters
    return letters


def read_code(text: str) -> SoloDeal:
    """Read a deal code, forgiving case, spaces and missing hyphens.

    Raises :class:`DealCodeError` for anything else.
    """
    squeezed = re.sub(r"[\s-]+", "", text).upper()
    for game, (prefix, letters) in _CODES.items():
        if squeezed.startswith(prefix) and len(squeezed) > len(prefix) + _LETTERS:
            flags = squeezed[len(prefix) : -_LETTERS]
            return SoloDeal(game, _read_flags(text, flags, letters), _read_number(text, squeezed[-_LETTERS:]))
    expected = ", ".join(prefix for prefix, _ in _CODES.values())
    raise DealCodeError(f"{text[:40]!r} is no deal code; expected one like DS1-D1N-AAAAAAB, beginning with {expected}")


def _read_flags(text: str, flags: str, letters: Letters) -> Chosen:
    options: dict[str, Value] = {}
    rest = flags
    for key, values in letters:
        # the empty spelling of a default comes last, or it would hide the others
        found = next((s for s in sorted(values, reverse=True) if rest.startswith(s)), None)
        if found is None:
            raise DealCodeError(f"{text[:40]!r}: {flags!r} does not say {key!r}; expected one of {', '.join(values)}")
        options[key] = values[found]
        rest = rest[len(found) :]
    if rest != ("" if letters else _NO_OPTIONS):
        raise DealCodeError(f"{text[:40]!r}: {rest!r} in {flags!r} says no option of this game")
    return options


def _read_number(text: str, letters: str) -> int:
    number = 0
    for letter in letters:
        if letter not in ALPHABET:
            raise DealCodeError(f"{text[:40]!r}: {letter!r} is not in the alphabet {ALPHABET}")
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    if not 1 <= number <= NUMBER_MAX:
        raise DealCodeError(f"{text[:40]!r}: its number {number} is not from 1 to {NUMBER_MAX}")
    return number


def deal_of_the_day(game: str, date: str, options: Chosen | None = None) -> SoloDeal:
    """The same deal for everyone on one UTC date, given as ``2026-11-30`` (D72).

    The number does not depend on the options, so draw 1 and draw 3 play the same cards.
    """
    digest = hmac.digest(_DAY_KEY, f"{game}/{date}".encode(), "sha256")
    return SoloDeal(game, options or {}, int.from_bytes(digest, "big") % NUMBER_MAX + 1)


def deal_match(variant: Variant, secret: bytes, player_seeds: Sequence[bytes], *, mirror: bool = False) -> Table:
    """Deal a two-player game from the server's secret and what the players added.

    With ``mirror`` both seats get the same order (D66), each from its own deck.
    """
    key = match_key(secret, player_seeds)
    return Table.deal(
        variant,
        [
            shuffled(full_deck(seat), key, b"acerace/deck/%d/" % (0 if mirror else seat))
            for seat in range(variant.seats)
        ],
    )


def first_mover(table: Table, key: bytes) -> int:
    """Who begins in alternating play: the lower last card on the one-card column, then the next, ... (D58).

    If all are equal the seed decides: the lowest bit of the first byte of ``HMAC-SHA256(key, "acerace/first/")``.
    """
    ranks = [[rank_of(column[-1]) for column in seat.columns] for seat in table.seats]
    if ranks[0] != ranks[1]:
        return int(ranks[1] < ranks[0])
    return hmac.digest(key, b"acerace/first/", "sha256")[0] & 1
