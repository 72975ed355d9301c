"""Random games as the server's referee judges them, of every kind there is, with all that people do besides moving."""

from collections.abc import Callable
from random import Random

from acerace_protocol.meaning import meant_card
from acerace_protocol.messages import Claim, Command, Done, Pass, Play, PlayerInfo, Ready, Redo, Resign, Undo
from acerace_protocol.replay_text import Replay
from acerace_rules.cards import FACE
from acerace_rules.catalogue import GAMES
from acerace_rules.deal import SoloDeal
from acerace_rules.legal import legal_moves
from acerace_rules.moves import Move
from acerace_rules.options import Value
from acerace_server.core.match import Match, Setup
from acerace_server.core.replay import open_match
from acerace_server.core.replay_file import replay_of

TABLE = "t1"
OPENED_AT = 5_000_000_000_007
OPENED_US = 1_796_040_000_000_000
PLAYERS = (PlayerInfo(player="p1", name="Ada  =  Ω"), PlayerInfo(player="p2", name="Bruno", bot=True))
FOOLISH = ["c1>f", "w>c9", "?! x", "f:h>f", "c1:1>c1", "r", "w>f"]
MS = 1_000_000
Making = Callable[[str, int], Command]
"""A command for a table, under a nonce."""
OTHERS: list[Making] = [
    lambda table, nonce: Done(table=table, nonce=nonce),
    lambda table, nonce: Pass(table=table, nonce=nonce),
    lambda table, nonce: Claim(table=table, nonce=nonce),
    lambda table, nonce: Undo(table=table, nonce=nonce),
    lambda table, nonce: Redo(table=table, nonce=nonce),
    lambda table, nonce: Ready(table=table, nonce=nonce, seed="00ff"),
]


def _claims(move: str, seen: int, card: str | None = None) -> Making:
    return lambda table, nonce: Play(table=table, nonce=nonce, move=move, seen=seen, card=card)


def _ready(seed: bytes) -> Making:
    return lambda table, nonce: Ready(table=table, nonce=nonce, seed=seed.hex())


class Table:
    """A match with its clock, played at random."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.match: Match = open_match(setup)
        self.random = Random(seed)
        self.now = setup.opened_at
        self._nonce = 0

    def command(self, seat: int, kind: Making) -> None:
        """As an inbox hands it over: some have let the other seat's claim pass, whose stamp was later."""
        self._nonce += 1
        early = self.random.randrange(3 * MS) if self.random.random() < 0.1 else 0
        self.match.receive(seat, kind(TABLE, self._nonce), self.now - early)

    def wait(self, ns: int) -> None:
        self.now += ns
        self.match.tick(self.now)

    def play(self, steps: int, *, pause_ms: int = 900) -> "Table":
        seats = self.match.variant.seats
        for _ in range(steps):
            if self.match.phase == "over":
                return self
            self.wait(self.random.randrange(pause_ms * MS))
            seat, chance = self.random.randrange(seats), self.random.random()
            if chance < 0.06:
                self.command(seat, self.random.choice(OTHERS))
            elif chance < 0.08:
                away = self.match.away[seat]
                self.match.presence(seat, away=not away, at=self.now)
            elif self.match.table is not None and self.match.phase == "playing":
                self._move(seat)
        if self.match.phase != "over":
            self.command(0, lambda table, nonce: Resign(table=table, nonce=nonce))
        return self

    def _race(self) -> bool:
        """Let both seats try for the same place, if there is one that both could take; whether there was."""
        table, seats = self.match.dealt, range(self.match.variant.seats)
        faces: list[dict[int, Move]] = [{}, {}]
        for seat in seats:
            for move in legal_moves(table, seat):
                if str(move).endswith(">f"):
                    faces[seat][(meant_card(table, seat, move) or 0) & FACE] = move
        for face in {*faces[0]} & {*faces[1]}:
            first, seen = self.random.choice([*seats]), self.match.seq
            for seat in (first, 1 - first):
                self.command(seat, _claims(str(faces[seat][face]), seen))
                self.now += self.random.randrange(5 * MS)
            return True
        return False

    def _move(self, seat: int) -> None:
        if self._race():
            return
        legal = legal_moves(self.match.dealt, seat)
        up = [move for move in legal if str(move).endswith(">f")]
        foolish = not legal or self.random.random() < 0.05
        move = self.random.choice(FOOLISH) if foolish else str(self.random.choice(up or legal))
        card = self.random.choice([None, None, None, "Ah"])
        seen = max(0, self.match.seq - self.random.randrange(4))
        self.command(seat, _claims(move, seen, card))

    def replay(self) -> Replay:
        assert self.match.ended
        return replay_of(self.match.setup, self.match.log, self.match.ended, OPENED_US)


def duel(seed: int, **options: Value) -> Table:
    chosen = GAMES["double-klondike"].chosen(options)
    secret = Random(seed).randbytes(32)
    table = Table(Setup(TABLE, "double-klondike", chosen, PLAYERS, OPENED_AT, secret, rated=bool(seed % 2)), seed)
    for seat in (0, 1):
        table.wait(table.random.randrange(1000 * MS))
        if table.random.random() < 0.9:
            table.command(seat, _ready(secret[:seat]))
    if table.match.table is None:
        table.wait(11_000 * MS)
    return table


def solo(seed: int, game: str, **options: Value) -> Table:
    deal = SoloDeal(game, options, seed + 1)
    return Table(Setup(TABLE, game, deal.options, PLAYERS[:1], OPENED_AT, code=deal.code), seed)
