"""Replay files of games that were played for it, without a server."""

from functools import cache
from itertools import count
from random import Random

from acerace_protocol.messages import Play, Redo, Refused, Resign, Undo
from acerace_protocol.replay_text import replay_text
from acerace_rules.hints import hint
from acerace_rules.legal import legal_moves
from acerace_rules.moves import Reason
from acerace_server.core.match import Match
from acerace_server.core.replay_file import replay_of
from tests.server.core.support import MS, TABLE, A, B, Duel, SoloDriver

OPENED_US = 1_796_040_000_000_000


def text_of(match: Match) -> str:
    assert match.ended
    return replay_text(replay_of(match.setup, match.log, match.ended, OPENED_US))


def solo(code: str, moves: int = 80) -> str:
    """Random moves, undos and redos, then it is given up."""
    random, driver = Random(code), SoloDriver(code=code)
    for _ in range(moves):
        driver.now += random.randrange(2000) * MS
        dice, nonce = random.random(), driver.nonce()
        found = legal_moves(driver.match.dealt)
        if dice < 0.2 or not found:
            driver.ask(A, Undo(table=TABLE, nonce=nonce))
        elif dice < 0.3:
            driver.ask(A, Redo(table=TABLE, nonce=nonce))
        else:
            driver.plays(A, str(random.choice(found)))
    driver.ask(A, Resign(table=TABLE, nonce=driver.nonce()))
    return text_of(driver.match)


def won(code: str) -> str:
    """A game that the hints win, at a person's pace."""
    driver = SoloDriver(code=code)
    while driver.match.phase == "playing":
        driver.now += 700 * MS
        driver.plays(A, str(hint(driver.match.dealt, 0)))
    return text_of(driver.match)


def _up(duel: Duel, seat: int) -> list[str]:
    return [str(move) for move in legal_moves(duel.match.dealt, seat) if str(move).endswith(">f")]


def _play_up(duel: Duel, seat: int, late_us: int) -> None:
    """Play one card up; what the other could have played up it tries as well, a little too late."""
    seen, wanted = duel.match.seq, _up(duel, 1 - seat)
    duel.plays(seat, _up(duel, seat)[0])
    duel.now += late_us * 1000
    for move in wanted:
        duel.ask(1 - seat, Play(table=TABLE, nonce=duel.nonce(), move=move, seen=seen))


def _raced(duel: Duel) -> bool:
    return any(isinstance(said, Refused) and said.reason == Reason.LOST_RACE for said in duel.heard)


def duel(
    secret: int,
    pace: str = "simultaneous",
    *,
    mirror: bool = False,
    second_draw: int = 0,
    turn: str = "draw",
    clear_bonus: str = "off",
) -> Duel:
    """A match that is played at random, but up whenever that is possible; then one resigns."""
    random = Random(secret)
    played = Duel(
        secret=secret.to_bytes(32, "big"),
        pace=pace,
        mirror=mirror,
        second_draw=second_draw,
        turn=turn,
        clear_bonus=clear_bonus,
    )
    for number in range(300):
        played.now += random.randrange(900) * MS
        if played.match.phase == "over":
            break
        seat = (A, B)[number % 2] if played.turn is None else played.turn
        found = played.match.legal(seat).moves
        if played.turn is None and _up(played, seat):
            _play_up(played, seat, 700 + number)
        elif found:
            played.plays(seat, random.choice(found))
        elif played.turn is not None:
            played.passes(seat)
        if number % 40 == 30:
            played.goes(B)
            played.now += 800 * MS
            played.comes(B)
    if played.match.phase != "over":
        played.resign(B)
    return played


@cache
def raced() -> str:
    """A match with a race in it."""
    return text_of(next(played.match for played in map(duel, count(1)) if _raced(played)))
