"""What must hold after every step of a simulated world, told from what goes in and out of the hub."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from acerace_protocol.digest import digest
from acerace_protocol.messages import Ended, EventBase, Played, SaidDone, ServerMessage
from acerace_rules.cards import DECK_SIZE, copy_of, full_deck
from acerace_rules.moves import Kind, Move, Reason
from acerace_rules.view import view
from acerace_server.core.duel import DuelMatch
from acerace_server.core.match import Match
from acerace_server.core.replay import replay
from tests.simulation.clients import Client, InvariantError

_LATER: Final = 1 << 62
_DECKS: Final = [sorted(full_deck(copy)) for copy in range(2)]
_BY_TIME: Final = {"time", "no_progress"}
_UP: Final = {Kind.COLUMN_TO_FOUNDATION, Kind.WASTE_TO_FOUNDATION}


def hold(condition: object, table: str, what: str, *seen: object) -> None:
    """What was seen is put into ``what`` only when that is told: to write out each message costs more than to look."""
    if not condition:
        raise InvariantError(f"table {table}: {what.format(*seen)}")


class TableWatch:
    """One table, followed from its first event to its last."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.key = match.setup.table
        self.seq = 0
        self.ends = 0
        self.checked = 0
        self.owners: dict[tuple[int, int], int] = {}
        """By foundation and height: whose card lies there."""
        self.contributions = [0, 0]
        self.last_up: int | None = None
        self.done = [False, False]
        self.effects: set[int] = set()
        self.answers: dict[int, ServerMessage] = {}
        self.logged = 0

    def step(self) -> None:
        """Look at all that is new."""
        match = self.match
        fresh = match.history.since(self.seq)
        self._hold(fresh is not None, "the history lost events that are only a moment old")
        for event in fresh or ():
            self._event(event)
        self._log()
        if match.table is not None:
            self._cards(match, complete=match.seq % 16 == 0 or match.phase == "over")
        if match.phase == "playing" and isinstance(match, DuelMatch):
            self._must_go_on(match)

    def _hold(self, condition: object, what: str, *seen: object) -> None:
        hold(condition, self.key, what, *seen)

    def _event(self, event: EventBase) -> None:
        self._hold(event.seq == self.seq + 1, "event {} follows {}", event.seq, self.seq)
        self._hold(self.ends == 0, "something after the end: {}", event)
        self.seq = event.seq
        if isinstance(event, Ended):
            self.ends += 1
            if isinstance(self.match, DuelMatch):
                self._result(self.match, event)
        elif isinstance(event, SaidDone):
            self.done[event.seat] = True
        elif isinstance(event, Played):
            self.done[event.seat] = False
            if Move.parse(event.move).kind in _UP and isinstance(self.match, DuelMatch):
                self._put_up(event)

    def _put_up(self, event: Played) -> None:
        self.done = [False, False]
        self.last_up = event.seat
        self.contributions[event.seat] += 1
        slot = event.slot if event.slot is not None else -1
        place = slot, "A23456789TJQK".index(event.cards[0][0])
        self._hold(place not in self.owners, "two seats have the place {}: {}", place, event)
        self.owners[place] = event.seat

    def _log(self) -> None:
        for entry in self.match.log[self.logged :]:
            nonce = getattr(entry.told, "nonce", None)
            if nonce is not None:
                self._hold(nonce not in self.effects, "nonce {} had two effects", nonce)
                self.effects.add(nonce)
        self.logged = len(self.match.log)

    def _cards(self, match: Match, *, complete: bool) -> None:
        """Each owner's cards are all there, each once; every place on a foundation is its first taker's (R29, N10)."""
        table = match.dealt
        if isinstance(match, DuelMatch):
            for number, seat in enumerate(table.seats):
                own = sum(map(len, seat.columns)) + len(seat.stock) + len(seat.waste)
                self._hold(own + self.contributions[number] == DECK_SIZE, "seat {} has lost or won cards", number)
        if complete:
            decks = range(max(match.variant.decks, match.variant.seats))
            piles = [*(seat.cards() for seat in table.seats), *table.foundations]
            cards = sorted(card for pile in piles for card in pile)
            self._hold(cards == [card for copy in decks for card in _DECKS[copy]], "the cards are not whole")
            if isinstance(match, DuelMatch):
                lying = {
                    (s, h): copy_of(card) for s, pile in enumerate(table.foundations) for h, card in enumerate(pile)
                }
                self._hold(lying == self.owners, "the foundations are not what was played there")
            self._hold(digest(table) == match.digest.value, "the running digest is not the table's")

    def _must_go_on(self, match: DuelMatch) -> None:
        """A match that goes on has no reason to be over."""
        out = [contribution == DECK_SIZE for contribution in self.contributions]
        self._hold(not (all(out) if match.terms.play_on else any(out)), "all cards are played and it goes on")
        self._hold(not all(self.done), "both are done and it goes on")

    def _result(self, match: DuelMatch, ended: Ended) -> None:
        scores = [*self.contributions]
        if match.terms.clear_bonus_cards and sum(ended.scores) > sum(scores):
            first = int(ended.scores[1] > scores[1])
            scores[first] += match.terms.clear_bonus_cards
        self._hold(list(ended.contributions) == self.contributions, "wrong counts: {}", ended)
        self._hold(list(ended.scores) == scores, "wrong scores: {}", ended)
        if ended.reason in {"out", "blocked", "agreed", "no_progress", "time"}:
            first, second = scores
            winner = self.last_up if first == second else int(second > first)
            self._hold(ended.winner == winner, "wrong winner, {} it should be: {}", winner, ended)
        elif ended.reason in {"resigned", "absent"}:
            self._hold(ended.winner in {0, 1}, "nobody won: {}", ended)

    # --- answers ---

    def answered(self, nonce: int, answer: ServerMessage, at: int) -> None:
        ended = self.match.ended
        if nonce not in self.answers and getattr(answer, "reason", None) is Reason.GAME_OVER and ended:
            late = ended.reason not in _BY_TIME or (at - self.match.setup.opened_at) // 1000 >= ended.at_us
            self._hold(late, "nonce {} came before the time that ended the match, and was refused (N25)", nonce)
        first = self.answers.setdefault(nonce, answer)
        self._hold(first == answer, "nonce {} was answered {} and then {}", nonce, first, answer)

    # --- at the end ---

    def agree(self, clients: Iterable[Client]) -> None:
        """Everybody's mirror shows the server's view."""
        match = self.match
        seen = match.table and view(match.table)
        for client in clients:
            mirror = client.mirror
            if client.table != self.key or mirror is None or mirror.seq != match.seq:
                continue
            self.checked += 1
            self._hold(mirror.phase == match.phase, "{} is in another phase", client.name)
            self._hold(mirror.view == seen, "{} sees another table", client.name)

    def replayed(self) -> None:
        """The log tells the same match again."""
        match = self.match
        again = replay(match.setup, match.log)
        self._hold(again.seq == match.seq, "the replay has {} events, not {}", again.seq, match.seq)
        self._hold(again.table == match.table, "the replay ends in another position")
        shows, showed = again.snapshot(_LATER), match.snapshot(_LATER)
        self._hold(shows == showed, "the replay ends otherwise: {}, not {}", shows, showed)
        self._hold(again.history.since(0) == match.history.since(0), "the replay tells other events")


class Arrival(NamedTuple):
    """A command at the hub: by which connection, for which table, with which stamp."""

    line: int
    watch: TableWatch
    at: int


class AnswerBook:
    """Every command that reaches the hub is answered, in the same loop turn, once for each time it came."""

    def __init__(self) -> None:
        self.commands = 0
        self._came: dict[int, list[Arrival]] = {}
        """By nonce, which no two clients have in common: each time it came."""
        self._resumed: set[int] = set()

    def came(self, line: int, nonce: int, watch: TableWatch, at: int) -> None:
        self.commands += 1
        self._came.setdefault(nonce, []).append(Arrival(line, watch, at))

    def resumed(self, line: int) -> None:
        """What this connection missed may hold the answer to what it now asks again."""
        self._resumed.add(line)

    def check(self, outgoing: Iterable[tuple[tuple[int, ...], ServerMessage]]) -> None:
        """At the end of a turn: match what went out with what came in."""
        if not self._came:
            return
        answers: Counter[tuple[int, int]] = Counter()
        for receivers, message in outgoing:
            nonce = getattr(message, "nonce", None)
            if nonce in self._came:
                first = self._came[nonce][0]
                first.watch.answered(nonce, message, first.at)
                answers.update((nonce, receiver) for receiver in receivers)
        for nonce, ways in self._came.items():
            for way in ways:
                got = answers[nonce, way.line]
                hold(
                    0 <= got - len(ways) <= (way.line in self._resumed),
                    way.watch.key,
                    "nonce {} came {} times and was answered {} times",
                    nonce,
                    len(ways),
                    got,
                )
        self._came.clear()
        self._resumed.clear()
