"""Solo games, refereed from RULES.md 1, 3 and 5."""

from tests.e2e.week.cards import solo_deck
from tests.e2e.week.ledger import Entry, TableRow
from tests.e2e.week.referee import Referee, RefusedError
from tests.e2e.week.table import Json, Table


class Solo(Referee):
    """One seat; what can be undone is kept as whole tables."""

    def __init__(self, row: TableRow) -> None:
        super().__init__(row)
        self.table = Table(self.game, [solo_deck(row.code or "")])
        self.checks = [self.table.check]
        self._before: list[tuple[Table, str, Json]] = []
        self._undone: list[str] = []
        self._first_at: int | None = None

    def take(self, entry: Entry) -> None:
        told = entry.told
        match told["type"]:
            case "play":
                self._play(told)
            case "undo":
                self._undo(told)
            case "redo":
                if not self._undone:
                    raise RefusedError("nothing to redo")
                self._move(told["nonce"], self._undone.pop())
            case "resign":
                self.end("resigned", None, told["nonce"])
            case "presence":
                pass
            case _:
                raise RefusedError("not in a solo game")

    def _play(self, told: Json) -> None:
        if why := self.dealt.why_not(0, told["move"]):
            raise RefusedError(why)
        self._undone.clear()
        self._move(told["nonce"], told["move"])

    def _move(self, nonce: int, move: str) -> None:
        before = self.dealt.copy()
        if self._first_at is None:
            self._first_at = self.now
        effect = self.dealt.play(0, move)
        self._before = [*self._before, (before, move, effect)][-self.game.undos :]
        self.emit_move(0, nonce, move, effect)
        if self.dealt.won:
            self.end("won", 0)

    def _undo(self, told: Json) -> None:
        if not self._before:
            raise RefusedError("nothing to undo")
        moves = self.dealt.seats[0].moves
        self.table, move, effect = self._before.pop()
        self._undone.append(move)
        me = self.table.seats[0]
        me.moves = moves
        if move == "r":
            effect = {"cards": [*me.waste]}
        self.emit(
            "undone",
            seat=0,
            nonce=told["nonce"],
            move=move,
            **effect,
            score=me.score,
            moves=moves,
            check=self.table.check,
        )

    def no_timer_was_due(self, at: int) -> None:
        """There is none."""

    def scores(self) -> list[int]:
        return [self.dealt.seats[0].score]

    def began_at(self) -> int:
        return self.now if self._first_at is None else self._first_at

    def more_of_end(self) -> Json:
        return {"strict": [self.dealt.seats[0].strict]}
