"""What the journal of one table leads to: told entry by entry, it says every event, every refusal and the end.

An event is a dictionary as it is on the wire, with what has its default left out (PROTOCOL.md 2).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Final

from tests.e2e.week.ledger import Entry, TableRow
from tests.e2e.week.table import Game, Json, Table, game_of

CLOCK: Final = -1
US: Final = 1_000
MS: Final = 1_000_000
SECOND: Final = 1_000_000_000


class WrongError(Exception):
    """The journal has an entry that cannot be."""


@dataclass
class Verdict:
    """What came of one entry: events, or a refusal, or (both empty) nothing."""

    events: list[Json] = field(default_factory=list[Json])
    refused: str | None = None
    """Why, in this referee's own words; ``lost_race`` in those of the protocol."""
    race: Json | None = None


class RefusedError(Exception):
    """The rules refuse a command."""

    def __init__(self, why: str, race: Json | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.race = race


class Referee(ABC):
    """What both kinds of game have in common."""

    def __init__(self, row: TableRow) -> None:
        self.row = row
        self.game: Game = game_of(row.game, row.options)
        self.seats = range(len(row.players))
        self.table: Table | None = None
        self.verdicts: list[Verdict] = []
        self.events: list[Json] = []
        """All of all verdicts."""
        self.ended: Json | None = None
        self.races: list[Json] = []
        self.checks: list[int | None] = [None]
        """By event: the digest of the position after it, ``None`` before the deal."""
        self.last_entry = False
        """In the journal nothing comes after what is heard now."""
        self.now = 0
        self.seq = 0
        self._refusals = [0] * len(row.players)
        self._verdict = Verdict()

    @property
    def dealt(self) -> Table:
        if self.table is None:
            raise RefusedError("not dealt")
        return self.table

    def hear(self, entry: Entry) -> None:
        """Raises :class:`WrongError`."""
        if self.ended:
            raise WrongError("the game was over before this entry")
        if entry.at < self.now:
            raise WrongError("the log runs backwards")
        if entry.seat != CLOCK:
            self.no_timer_was_due(entry.at)
        self.now = entry.at
        verdict = self._verdict = Verdict()
        self.verdicts.append(verdict)
        try:
            self.take(entry)
        except RefusedError as refused:
            if verdict.events:
                raise WrongError("an event came of what was refused") from None
            verdict.refused, verdict.race = refused.why, refused.race
            self._refusals[entry.seat] += 1
            if refused.race and all(refused.race["seq"] != race["seq"] for race in self.races):
                self.races.append(refused.race)

    def emit(self, kind: str, **fields: Any) -> None:
        """Number an event, and leave out what is ``None`` or an empty list."""
        self.seq += 1
        told = {key: value for key, value in fields.items() if value is not None and value != []}
        head = {"type": kind, "table": self.row.id, "seq": self.seq, "at_us": self.now // US}
        self._verdict.events.append(head | told)
        self.events.append(self._verdict.events[-1])
        self.checks.append(told.get("check", self.checks[-1]))

    def emit_move(self, seat: int, nonce: int, move: str, effect: Json, *, turn: int | None = None) -> None:
        table = self.dealt
        score = table.seats[seat].score
        self.emit("played", seat=seat, nonce=nonce, move=move, **effect, score=score, check=table.check, turn=turn)

    def end(self, reason: str, winner: int | None, nonce: int | None = None) -> None:
        table = self.table
        self.emit(
            "ended",
            reason=reason,
            winner=winner,
            scores=self.scores(),
            contributions=[table.contribution(seat) if table else 0 for seat in self.seats],
            refusals=[*self._refusals],
            races=[*self.races],
            duration_ms=max(0, self.now - self.began_at()) // MS,
            nonce=nonce,
            **self.more_of_end(),
        )
        ended = self._verdict.events[-1]
        ended["moves"] = [seat.moves for seat in table.seats] if table else []
        self.ended = ended

    # --- what the two kinds say differently ---

    @abstractmethod
    def take(self, entry: Entry) -> None:
        """Raises :class:`RefusedError`, :class:`WrongError`."""

    @abstractmethod
    def no_timer_was_due(self, at: int) -> None:
        """Raises :class:`WrongError`."""

    @abstractmethod
    def scores(self) -> list[int]: ...

    @abstractmethod
    def began_at(self) -> int: ...

    @abstractmethod
    def more_of_end(self) -> Json: ...
