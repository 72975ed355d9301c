"""The second referee of a solo game."""

from typing import Any

from acerace_client.replays.judge import Judge, JudgeError
from acerace_protocol.meaning import read_move
from acerace_protocol.messages import Command, Play, Redo, Resign, Undo
from acerace_protocol.replay_text import Denied, Replay
from acerace_protocol.units import SECOND_NS
from acerace_rules.deal import DealCodeError, read_code
from acerace_rules.moves import IllegalMoveError, Reason
from acerace_rules.play import Played
from acerace_rules.solo import SoloGame


class SoloJudge(Judge):
    """One seat, its deal code and its undo."""

    def __init__(self, replay: Replay) -> None:
        super().__init__(replay)
        try:
            deal = read_code(replay.code or "")
        except DealCodeError as error:
            raise JudgeError(str(error)) from None
        if (deal.game, deal.options, deal.code) != (replay.game, self.options, replay.code):
            raise JudgeError(f"the code {replay.code} is of another game, or of other options")
        self._game = SoloGame(deal.table())
        self._deal(self._game.table)
        self._first_at: int | None = None

    def _carry_out(self, seat: int, command: Command) -> None:
        match command:
            case Play():
                self._played(self._game.play(read_move(self.dealt, seat, command), self._elapsed_s))
            case Redo():
                self._played(self._game.redo(self._elapsed_s))
            case Undo():
                self._emit_move("undone", self._game.undo(self._elapsed_s))
            case Resign():
                self._resign(seat, command)
            case _:
                raise IllegalMoveError(Reason.TWO_PLAYERS_ONLY)

    def _played(self, played: Played) -> None:
        if self._first_at is None:  # the clock starts with the first accepted command
            self._first_at = self.now
        self._emit_move("played", played)
        if self._game.won:
            self._end("won", 0)

    @property
    def _elapsed_s(self) -> int:
        return 0 if self._first_at is None else (self.now - self._first_at) // SECOND_NS

    @property
    def _played_from(self) -> int:
        return self.now if self._first_at is None else self._first_at

    def _deny(self, seat: int, command: Command, reason: Reason) -> Denied:
        del seat, command
        return Denied(reason)

    def _require_no_timer(self, at: int) -> None:
        """There is none."""

    def _time_out(self) -> None:
        raise JudgeError("a solo game has no timer")

    def _presence(self, seat: int) -> None:
        """Nobody waits."""

    def _leader(self) -> None:
        """Nobody wins who has not won."""

    def _more_of_end(self) -> dict[str, Any]:
        me = self.dealt.seats[0]
        return {"scores": (me.score,), "strict": (me.strict,)}
