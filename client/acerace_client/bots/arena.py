"""Two bots at one table without a server: for measuring, thousands of games at a time.

In simultaneous pace each makes one move after the other, as if both were equally fast; in alternating pace a turn is
as in the rules (D59-D61). What ends a match on the clock, or by absence, is not here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from acerace_client.bots.position import Bot, Position
from acerace_rules.cards import DECK_SIZE
from acerace_rules.catalogue import GAMES
from acerace_rules.deal import deal_match, first_mover
from acerace_rules.legal import legal_moves
from acerace_rules.moves import FOUNDATION_PLAYS, Kind, Move
from acerace_rules.options import Value
from acerace_rules.play import play
from acerace_rules.shuffle import match_key
from acerace_rules.table import Table
from acerace_rules.terms import Terms
from acerace_rules.view import view

MOVES_MAX: Final = 5000
"""Of both together; no bot here comes near it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: by seat."""

    winner: int | None
    contributions: tuple[int, int]
    moves: tuple[int, int]
    out: bool
    """Whether a seat played all its cards."""


class _Game:
    def __init__(self, bots: Sequence[Bot], key: bytes, options: Mapping[str, Value]) -> None:
        game = GAMES["double-klondike"]
        chosen = game.chosen(options)
        terms = Terms.of(chosen)
        self.table: Table = deal_match(game.variant(options), key, [b"", b""], mirror=terms.mirror)
        self.bots = bots
        self.seat = first_mover(self.table, match_key(key, [b"", b""])) if terms.alternating else 0
        self.alternating = terms.alternating
        self.seq = 0
        self.done = [False, False]
        self.last_up: int | None = None
        self.recycled = False

    def ask(self) -> Move | None:
        """The next move of the seat whose turn it is. Raises ``IllegalMoveError`` for a bot that cheats."""
        legal = legal_moves(self.table, self.seat)
        if self.recycled:
            legal = [move for move in legal if move.kind is not Kind.RECYCLE]
        turn = self.seat if self.alternating else None
        move = self.bots[self.seat].choose(
            Position(view(self.table), self.seat, legal, self.seq, turn, tuple(self.done))
        )
        self.done[self.seat] = move is None
        if move is not None:
            play(self.table, self.seat, move)
            self.seq += 1
            if move.kind in FOUNDATION_PLAYS:
                self.last_up = self.seat
                self.done = [False, False]
        return move

    def next_turn(self, move: Move | None) -> None:
        self.recycled = self.alternating and move is not None and move.kind is Kind.RECYCLE
        if not self.alternating or move is None or move.kind is Kind.DRAW:
            self.seat = 1 - self.seat
            self.recycled = False


def play_game(bots: Sequence[Bot], key: bytes, options: Mapping[str, Value] | None = None) -> Outcome:
    """One match of Double Klondike between two bots; ``key`` decides the deal.

    Raises ``IllegalMoveError`` when a bot chooses a move the rules refuse, ``UnknownChoiceError`` for bad options.
    """
    game = _Game(bots, key, options or {})
    out = False
    while not all(game.done) and game.seq < MOVES_MAX and not out:
        move = game.ask()
        out = game.table.seats[game.seat].score == DECK_SIZE
        game.next_turn(move)
    first, second = (game.table.contribution(seat) for seat in (0, 1))
    moves = game.table.seats[0].moves, game.table.seats[1].moves
    winner = game.last_up if first == second else int(second > first)
    return Outcome(winner, (first, second), moves, out)
