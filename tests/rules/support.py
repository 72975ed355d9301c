"""Short ways for the rule tests to say a position and what may be done in it."""

from functools import cache
from random import Random

from acerace_rules.cards import SUITS, full_deck
from acerace_rules.catalogue import variant_of
from acerace_rules.diagram import read_table
from acerace_rules.legal import legal_moves
from acerace_rules.moves import Kind, Move, Reason
from acerace_rules.options import Value
from acerace_rules.play import Played, check, play
from acerace_rules.table import Table
from acerace_rules.variant import Variant

SOLO_GAMES = ("klondike", "double-solitaire", "russian", "yukon", "easy-harp")
ALL_GAMES = (*SOLO_GAMES, "double-klondike")
EVERY_MOVEMENT = (
    *ALL_GAMES,
    "klondike-three",
    "klondike-single",
    "klondike-thoughtful",
    "klondike/take_back=False",
    "double-solitaire/draw=3",
    "double-solitaire/scoring=vegas",
    "russian/rule=flexible",
    "double-klondike/draw=3",
    "double-klondike/second_draw=3",
)
"""Every game, and every option that changes what may move."""


def rules(name: str) -> Variant:
    key, _, options = name.partition("/")
    return variant_of(key, dict(map(_option, filter(None, options.split(",")))))


def _option(text: str) -> tuple[str, Value]:
    name, _, value = text.partition("=")
    if value in {"True", "False"}:
        return name, value == "True"
    return name, int(value) if value.isdecimal() else value


def position(picture: str, game: str = "klondike") -> Table:
    return read_table(picture, rules(game))


def deal(game: str, number: int = 1) -> Table:
    """A position at the start that depends on nothing but the number; not one of the game's own deals."""
    variant = rules(game)
    random = Random(number)
    decks: list[list[int]] = []
    for seat in range(variant.seats):
        deck = [card for copy in range(seat, seat + variant.decks) for card in full_deck(copy)]
        random.shuffle(deck)
        decks.append(deck)
    return Table.deal(variant, decks)


def candidates(table: Table) -> list[Move]:
    """Every move the notation can write for this game, legal or not."""
    return _candidates(len(table.seats[0].columns), table.variant.copies)


@cache
def _candidates(columns: int, copies: int) -> list[Move]:
    some, slots = range(columns), range(1 if copies == 1 else 3)
    return [
        *(Move(kind) for kind in (Kind.DRAW, Kind.RECYCLE, Kind.WASTE_TO_FOUNDATION)),
        *(Move(Kind.WASTE_TO_COLUMN, target=target) for target in some),
        *(Move(Kind.COLUMN_TO_FOUNDATION, source) for source in some),
        *(Move(Kind.COLUMN_TO_COLUMN, source, to, size) for source in some for to in some for size in range(1, 53)),
        *(Move(Kind.FOUNDATION_TO_COLUMN, suit, to, slot=slot) for suit in SUITS for slot in slots for to in some),
    ]


def moves(table: Table, seat: int = 0) -> set[str]:
    return {str(move) for move in legal_moves(table, seat)}


def do(table: Table, *texts: str, seat: int = 0) -> list[Played]:
    return [play(table, seat, Move.parse(text)) for text in texts]


def why_not(table: Table, text: str, seat: int = 0) -> Reason | None:
    return check(table, seat, Move.parse(text))


def walk(table: Table, random: Random, steps: int) -> list[Played]:
    """Play legal moves at random, by any seat, until there are none."""
    done: list[Played] = []
    for _ in range(steps):
        choices = [(seat, move) for seat in range(len(table.seats)) for move in legal_moves(table, seat)]
        if not choices:
            break
        seat, move = random.choice(choices)
        done.append(play(table, seat, move))
    return done
