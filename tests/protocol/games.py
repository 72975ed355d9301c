"""Games played at random, for tests that must hold in every position of every game."""

from collections.abc import Iterator
from random import Random

import pytest

from acerace_rules.cards import full_deck
from acerace_rules.catalogue import GAMES, variant_of
from acerace_rules.legal import legal_moves
from acerace_rules.options import Value
from acerace_rules.play import Played, play, unplay
from acerace_rules.table import Table
from acerace_rules.variant import Variant

_MORE: list[tuple[str, dict[str, Value]]] = [
    ("double-klondike", {"draw": 3}),
    ("double-klondike", {"second_draw": 3, "passes": 1}),
    ("double-solitaire", {"draw": 3}),
    ("double-solitaire", {"scoring": "vegas"}),
    ("russian", {"rule": "flexible"}),
]
VARIANTS: list[tuple[str, dict[str, Value]]] = [
    *((key, {}) for game in GAMES.values() for key in (game.key, *game.presets)),
    *_MORE,
]
EVERY_VARIANT = pytest.mark.parametrize(
    "variant",
    [pytest.param(variant_of(key, options), id="-".join([key, *map(str, options)])) for key, options in VARIANTS],
)


def deal(variant: Variant, random: Random) -> Table:
    decks = [
        [card for copy in range(seat, seat + variant.decks) for card in full_deck(copy)]
        for seat in range(variant.seats)
    ]
    for deck in decks:
        random.shuffle(deck)
    return Table.deal(variant, decks)


def stroll(table: Table, random: Random, steps: int, *, back: float = 0.2) -> Iterator[Played]:
    """Play at random, every so often taking the last move back; yields after each of both."""
    line: list[Played] = []
    for _ in range(steps):
        choices = [(seat, move) for seat in range(len(table.seats)) for move in legal_moves(table, seat)]
        if line and (not choices or random.random() < back):
            played = line.pop()
            unplay(table, played)
        elif choices:
            played = play(table, *random.choice(choices))
            line.append(played)
        else:
            return
        yield played
