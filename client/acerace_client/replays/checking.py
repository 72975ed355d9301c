"""Whether a replay is true: every entry's outcome, the deal, and the result, by the rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from msgspec.structs import asdict

from acerace_client.errors import ReplayError
from acerace_client.replays.duel import DuelJudge
from acerace_client.replays.judge import Judge, JudgeError
from acerace_client.replays.solo import SoloJudge
from acerace_protocol.replay_text import Outcome, Replay, ReplayTextError, Told, entry_line, read_replay
from acerace_rules.catalogue import GAMES
from acerace_rules.shuffle import commitment
from acerace_rules.table import Table

_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class Step:
    """An entry that is true, and the table after it (``None`` before the deal); it goes on changing with the next."""

    line: int
    told: Told
    table: Table | None


def read(text: str) -> Replay:
    """What a file says. Raises :class:`ReplayError`."""
    try:
        return read_replay(text)
    except ReplayTextError as error:
        raise ReplayError(error.line, error.why) from None


def steps(replay: Replay, promised: str | None = None) -> Iterator[Step]:
    """Each entry, once it has proved true; after the last one the result has, too.

    ``promised`` is the commitment that was told before the deal, if one has kept it: the one in the file proves only
    that whoever made the file knew how to hash. Raises :class:`ReplayError` at the first thing that is not true.
    """
    judge = _judge(replay, promised)
    line = replay.first_entry_line
    for line, told in enumerate(replay.entries, replay.first_entry_line):
        try:
            outcome = judge.tell(told)
        except JudgeError as error:
            raise ReplayError(line, str(error)) from None
        if outcome != told.outcome:
            raise ReplayError(line, f"by the rules this is {_shown(told, outcome)}")
        yield Step(line, told, judge.table)
    if judge.ended is None:
        raise ReplayError(line, "this is the last entry, and the game is not over")
    differing = [key for key, value in asdict(judge.ended).items() if getattr(replay.ended, key) != value]
    if differing:
        key = differing[0]
        told_value, true_value = getattr(replay.ended, key), getattr(judge.ended, key)
        raise ReplayError(replay.line_of("ended"), f"{key} is {told_value!r}; by the rules it is {true_value!r}")


def check(replay: Replay, promised: str | None = None) -> None:
    """Raises :class:`ReplayError` as :func:`steps` does."""
    for _ in steps(replay, promised):
        pass


def _judge(replay: Replay, promised: str | None) -> Judge:
    game = GAMES.get(replay.game)
    if game is None:
        raise ReplayError(replay.line_of("game"), f"there is no game {replay.game!r}")
    try:
        game.chosen(replay.options)
    except ValueError as error:
        raise ReplayError(replay.line_of("options"), str(error)) from None
    if len(replay.players) != game.seats:
        raise ReplayError(
            replay.line_of("players"), f"{replay.game} is for {game.seats}, not for {len(replay.players)}"
        )
    duel = game.seats == _TWO
    if replay.ended.table != replay.table:
        raise ReplayError(replay.line_of("ended"), "it is of another table")
    if duel:
        _check_promise(replay, promised)
    elif replay.commitment is not None or replay.rated:
        raise ReplayError(replay.line_of("players"), "a solo game has no commitment, and is never rated")
    if duel == (replay.code is not None):
        raise ReplayError(replay.line_of("game"), "a solo game has a deal code, and a match of two has none")
    try:
        return DuelJudge(replay) if duel else SoloJudge(replay)
    except JudgeError as error:
        raise ReplayError(replay.line_of("ended" if duel else "code"), str(error)) from None


def _check_promise(replay: Replay, promised: str | None) -> None:
    """The secret must be the one that was committed to."""
    if replay.commitment is None:
        raise ReplayError(replay.line_of("players"), "a match of two needs a commitment")
    line = replay.line_of("commitment")
    if promised is not None and replay.commitment != promised.strip().lower():
        raise ReplayError(line, "it is not the commitment that was told before the deal")
    try:
        secret = bytes.fromhex(replay.ended.secret or "")
    except ValueError:
        raise ReplayError(replay.line_of("ended"), "the secret is not in hex") from None
    if commitment(secret) != replay.commitment:
        raise ReplayError(line, "the secret is not the one that was committed to")


def _shown(told: Told, outcome: Outcome) -> str:
    line = entry_line(Told(told.at_ns, told.seat, told.what, outcome))
    return line.rpartition(" = ")[2]
