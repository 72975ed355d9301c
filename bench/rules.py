"""How fast the rules are: against another engine, and when they look for progress.

    python -m bench.rules --games 20

Processor time throughout. Absolute times depend on the machine; the ratio and the medians are to be compared.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import Random
from statistics import median, quantiles
from time import process_time_ns
from typing import NamedTuple

from soliterm.engine import (
    Card,
    Solitaire,
    new_solitaire,  # pyright: ignore[reportUnknownVariableType]  # its options are a bare dict
)

from acerace_rules.blocked import is_blocked
from acerace_rules.cards import SUIT_LETTERS, full_deck, make_card, suit_of
from acerace_rules.catalogue import variant_of
from acerace_rules.legal import legal_moves
from acerace_rules.moves import Kind, Move
from acerace_rules.options import Chosen
from acerace_rules.play import play, unplay
from acerace_rules.table import Seat, Table
from acerace_rules.variant import Variant

RATIO_WANTED = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="deals of each measurement")
    parser.add_argument("--steps", type=int, default=300, help="moves of each game")
    wanted = parser.parse_args()
    numbers = range(1, wanted.games + 1)
    against_soliterm(numbers, wanted.steps)
    looking_for_progress(numbers, wanted.steps)
    play_and_unplay(numbers, wanted.steps)


# --- against soliterm --------------------------------------------------------------------------------------

TheirMove = tuple[int, int, int] | None
"""From slot to slot, how many; ``None``: deal, that is draw or recycle."""


class Game(NamedTuple):
    """One game of Klondike, draw 1, unlimited passes, in both programs' terms."""

    number: int
    table: Table
    moves: list[Move]
    theirs: list[TheirMove]


def against_soliterm(numbers: Iterable[int], steps: int) -> None:
    """At each step all legal moves are listed and one is played: the same one of the same position in both.

    The two programs take turns, game by game, so that both meet the same state of the machine. Where soliterm
    plays a move it also writes down the position for its undo, which it cannot be asked to leave; so the lists
    of legal moves are also compared alone.
    """
    games = [play_both(number, steps) for number in numbers]
    rows = [("legal moves and a play", time_ours, time_theirs), ("legal moves alone", list_ours, list_theirs)]
    print(f"{'Klondike, a step in microseconds':34}{'here':>9}{'soliterm':>10}{'ratio':>8}")
    for name, ours, theirs in rows:
        pairs = [(ours(game) / len(game.moves), theirs(game) / len(game.moves)) for game in games]
        here, there = (median(times) / 1000 for times in zip(*pairs, strict=True))
        ratio = median(theirs / ours for ours, theirs in pairs)
        print(f"  {name:32}{here:9.1f}{there:10.1f}{ratio:8.1f}   (wanted: {RATIO_WANTED} or more)")


def play_both(number: int, steps: int) -> Game:
    """Choose a random game, and make sure that both programs agree on what is legal in it."""
    solitaire = their_game(number)
    table = same_position(solitaire)
    game = Game(number, table.copy(), [], [])
    random = Random(number)
    for _ in range(steps):
        by_ours = dict(zip(legal_moves(table), their_moves(table, solitaire), strict=True))
        listed = {as_one_ace(solitaire, move) for move in solitaire.legal_moves()}
        assert listed == {as_one_ace(solitaire, move) for move in by_ours.values() if move}, number
        assert solitaire.can_deal() == (None in by_ours.values()), number
        if not by_ours:
            break
        move = random.choice(list(by_ours))
        play(table, 0, move)
        assert play_theirs(solitaire, by_ours[move]), number
        game.moves.append(move)
        game.theirs.append(by_ours[move])
    return game


def their_game(number: int) -> Solitaire:
    return new_solitaire("klondike", seed=number, options={"draw": 1, "redeals": "unlimited"})


def same_position(solitaire: Solitaire) -> Table:
    def ours(cards: Iterable[Card]) -> list[int]:
        return [make_card(card.rank, SUIT_LETTERS.index(card.suit.lower())) for card in cards]

    piles = [slot.cards for slot in solitaire.slots_of("tableau")]
    down = [sum(not card.face_up for card in pile) for pile in piles]
    [stock] = solitaire.slots_of("stock")
    return Table(variant_of("klondike"), [Seat([ours(pile) for pile in piles], down, ours(stock.cards), [])])


def their_moves(table: Table, solitaire: Solitaire) -> list[TheirMove]:
    """Our legal moves in their terms; they give a foundation to a suit when its ace comes."""
    columns = solitaire.ids_of("tableau")
    foundations = solitaire.ids_of("foundation")
    [waste] = solitaire.ids_of("waste")
    at = {suit: slot for slot in foundations for suit in [their_suit(solitaire, slot)] if suit is not None}
    empty = next((slot for slot in foundations if solitaire.empty(slot)), -1)
    me = table.seats[0]
    found: list[TheirMove] = []
    for move in legal_moves(table):
        match move.kind:
            case Kind.DRAW | Kind.RECYCLE:
                found.append(None)
            case Kind.WASTE_TO_COLUMN:
                found.append((waste, columns[move.target], 1))
            case Kind.WASTE_TO_FOUNDATION:
                found.append((waste, at.get(suit_of(me.waste[-1]), empty), 1))
            case Kind.COLUMN_TO_COLUMN:
                found.append((columns[move.source], columns[move.target], move.size))
            case Kind.COLUMN_TO_FOUNDATION:
                found.append((columns[move.source], at.get(suit_of(me.columns[move.source][-1]), empty), 1))
            case Kind.FOUNDATION_TO_COLUMN:
                found.append((at[move.source], columns[move.target], 1))
    return found


def their_suit(solitaire: Solitaire, slot: int) -> int | None:
    top = solitaire.top(slot)
    return SUIT_LETTERS.index(top.suit.lower()) if top else None


def as_one_ace(solitaire: Solitaire, move: tuple[int, int, int]) -> tuple[int, int, int]:
    """They list an ace once for each empty foundation."""
    source, target, count = move
    empty = solitaire.kind(target) == "foundation" and solitaire.empty(target)
    return source, -1 if empty else target, count


def play_theirs(solitaire: Solitaire, move: TheirMove) -> bool:
    return solitaire.deal() if move is None else solitaire.attempt_move(*move)


def time_ours(game: Game) -> int:
    table = game.table.copy()
    start = process_time_ns()
    for move in game.moves:
        legal_moves(table)
        play(table, 0, move)
    return process_time_ns() - start


def time_theirs(game: Game) -> int:
    solitaire = their_game(game.number)
    start = process_time_ns()
    for move in game.theirs:
        solitaire.legal_moves()
        solitaire.can_deal()
        play_theirs(solitaire, move)
    return process_time_ns() - start


def list_ours(game: Game) -> int:
    table = game.table.copy()
    positions: list[Table] = []
    for move in game.moves:
        positions.append(table.copy())
        play(table, 0, move)
    return elapsed_ns(lambda: [legal_moves(position) for position in positions])


def list_theirs(game: Game) -> int:
    solitaire = their_game(game.number)
    positions: list[Solitaire] = []
    for move in game.theirs:
        positions.append(solitaire.clone())
        play_theirs(solitaire, move)
    return elapsed_ns(lambda: [position.legal_moves() for position in positions])


def elapsed_ns(act: Callable[[], object]) -> int:
    start = process_time_ns()
    act()
    return process_time_ns() - start


# --- blocked -----------------------------------------------------------------------------------------------

LATE: Sequence[tuple[str, Chosen]] = (
    ("double-klondike", {"draw": 1}),
    ("double-klondike", {"draw": 3}),
    ("double-klondike", {"draw": 1, "passes": 1}),
    ("double-klondike", {"draw": 3, "passes": 1}),
    ("klondike", {}),
    ("double-solitaire", {"draw": 3, "scoring": "vegas"}),
    ("russian", {}),
    ("yukon", {}),
    ("easy-harp", {}),
)


def looking_for_progress(numbers: Sequence[int], steps: int) -> None:
    """Is a seat blocked? Asked after each move of the second half of a game, as a server asks."""
    print(f"\n{'is_blocked, late, in ms':44}{'median':>9}{'p95':>9}{'max':>9}{'blocked':>9}")
    for key, options in LATE:
        variant = variant_of(key, options)
        times: list[float] = []
        answers = Counter[bool]()
        for table, seat in late_positions(variant, numbers, steps):
            answers[is_blocked(table, seat)] += 1
            # the best of three: the machine has other things to do as well
            times.append(min(elapsed_ns(partial(is_blocked, table, seat)) for _ in range(3)) / 1e6)
        name = " ".join([key, *(f"{option}={value}" for option, value in options.items())])
        share = answers[True] / answers.total()
        print(f"  {name:42}{median(times):9.3f}{quantiles(times, n=20)[-1]:9.3f}{max(times):9.3f}{share:9.0%}")


def late_positions(variant: Variant, numbers: Iterable[int], steps: int) -> Iterator[tuple[Table, int]]:
    for number in numbers:
        random = Random(number)
        table = random_deal(variant, random)
        for step in range(steps):
            seat = random.randrange(variant.seats)
            if move := eager_move(table, seat, random):
                play(table, seat, move)
            if step >= steps // 2:
                yield table, seat


def random_deal(variant: Variant, random: Random) -> Table:
    decks: list[list[int]] = []
    for seat in range(variant.seats):
        deck = [card for copy in range(seat, seat + variant.decks) for card in full_deck(copy)]
        random.shuffle(deck)
        decks.append(deck)
    return Table.deal(variant, decks)


def eager_move(table: Table, seat: int, random: Random) -> Move | None:
    """Mostly a move that gets on, and then mostly a draw, so that games become late."""
    moves = legal_moves(table, seat)
    if not moves:
        return None
    me = table.seats[seat]
    eager = [
        move
        for move in moves
        if move.kind in {Kind.WASTE_TO_COLUMN, Kind.WASTE_TO_FOUNDATION, Kind.COLUMN_TO_FOUNDATION}
        or (
            move.kind is Kind.COLUMN_TO_COLUMN
            and me.down[move.source]
            and len(me.columns[move.source]) - move.size == me.down[move.source]
        )
    ]
    eager = eager or [move for move in moves if move.kind is Kind.DRAW]
    return random.choice(eager if eager and random.random() < 0.9 else moves)


# --- plays -------------------------------------------------------------------------------------------------


def play_and_unplay(numbers: Iterable[int], steps: int) -> None:
    variant = variant_of("double-klondike")
    rates: list[float] = []
    sizes: list[int] = []
    for table, seat in late_positions(variant, numbers, steps):
        moves = legal_moves(table, seat)
        if not moves:
            continue
        sizes.append(bytes_of(table))
        start = process_time_ns()
        for move in moves:
            unplay(table, play(table, seat, move))
        rates.append(len(moves) / (process_time_ns() - start) * 1e9)
    print(f"\nplay and unplay     {median(rates):10,.0f} a second")
    print(f"a position          {median(sizes):10,.0f} bytes")


def bytes_of(table: Table) -> int:
    """The table's own objects; numbers are shared by all tables, and so is the variant."""
    parts: list[object] = [table, table.seats, table.foundations, *table.foundations]
    for seat in table.seats:
        parts += [seat, seat.columns, *seat.columns, seat.down, seat.stock, seat.waste]
    return sum(map(sys.getsizeof, parts))


if __name__ == "__main__":
    main()
