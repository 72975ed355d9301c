"""A data directory as a killed server leaves it: tables of two in the middle of a match, or near its end."""

import time
from pathlib import Path
from random import Random
from typing import NamedTuple

from acerace_protocol.meaning import meant_card
from acerace_protocol.messages import Command, Play, PlayerInfo, Ready
from acerace_rules.cards import face_text
from acerace_rules.catalogue import GAMES
from acerace_rules.legal import legal_moves
from acerace_rules.moves import Kind, Move
from acerace_server.adapters.sql.store import SqlStore
from acerace_server.core.match import Match, Setup
from acerace_server.core.records import PlayerMade, Record, TableOpened, TableTold
from acerace_server.core.replay import open_match
from acerace_server.core.session import sha256_of

_SECOND_NS = 1_000_000_000
_GAME = "double-klondike"
_UP = {Kind.COLUMN_TO_FOUNDATION, Kind.WASTE_TO_FOUNDATION}
_UP_SHARE = 0.5
"""How often a card goes up that can; always would end a match after less than 200 moves."""


class Left(NamedTuple):
    """What the two players of a table know of it."""

    table: str
    tokens: tuple[str, str]
    seen: int


def leave(directory: Path, tables: int, moves: int) -> list[Left]:
    """Write so many tables, each after so many accepted moves, and say what their players know."""
    with SqlStore.open(directory, utc_us=lambda: time.time_ns() // 1000) as store:
        return [_leave(store, number, moves) for number in range(tables)]


def _leave(store: SqlStore, number: int, moves: int) -> Left:
    tokens = f"{number:020} a", f"{number:020} b"
    players = tuple(PlayerInfo(player=f"player {token}", name=f"Player {token}") for token in tokens)
    match = _match(Random(number), f"{number:020x}", players, moves)
    records: list[Record] = [
        PlayerMade(player.player, sha256_of(token), player.name, bot=False)
        for player, token in zip(players, tokens, strict=True)
    ]
    records += [TableOpened(match.setup, public=True)]
    records += [TableTold(match.setup.table, entry) for entry in match.log]
    store.journal.commit(records)
    return Left(match.setup.table, tokens, match.seq)


def _match(random: Random, table: str, players: tuple[PlayerInfo, ...], moves: int) -> Match:
    """One that is not over after so many moves; those that are, are thrown away."""
    options = GAMES[_GAME].chosen({"no_progress_s": 600})
    while True:
        match = open_match(Setup(table, _GAME, options, players, _SECOND_NS, random.randbytes(32)))
        _play(match, random, moves)
        if match.phase == "playing":
            return match


def _play(match: Match, random: Random, moves: int) -> None:
    table, at = match.setup.table, match.setup.opened_at
    for seat in (0, 1):
        match.receive(seat, Ready(table=table, nonce=0), at)
    for number in range(moves):
        at += random.randrange(_SECOND_NS)
        seat, command = _choose(match, random, number)
        match.receive(seat, command, at)
        match.outgoing.clear()


def _choose(match: Match, random: Random, number: int) -> tuple[int, Command]:
    """A legal move of the seat whose turn it would be, or of the other one if it has none."""
    for seat in (number % 2, 1 - number % 2):
        legal = legal_moves(match.dealt, seat)
        up = [move for move in legal if move.kind in _UP]
        down = [move for move in legal if move.kind is not Kind.FOUNDATION_TO_COLUMN]
        if legal:
            move: Move = random.choice(up if up and random.random() < _UP_SHARE else down or legal)
            card = meant_card(match.dealt, seat, move)
            meant = face_text(card) if card else None
            return seat, Play(table=match.setup.table, nonce=number + 1, move=str(move), seen=match.seq, card=meant)
    raise AssertionError("a match in which nobody can move is over")
