"""A hub in which matches are played before all who could pry, with everything that leaves it searched."""

import json
from random import Random
from typing import Final, TypeVar

from acerace_protocol.codec import JSON, MalformedMessageError
from acerace_protocol.limits import Fault
from acerace_protocol.messages import (
    Ask,
    ClientMessage,
    Hello,
    Leave,
    Legal,
    ListGames,
    ListSeeks,
    ListTables,
    Play,
    Ready,
    Resign,
    Resume,
    Seated,
    Seek,
    ServerMessage,
    Solo,
    Watch,
    Welcome,
)
from acerace_protocol.people import Say
from acerace_server.core.hub import Hub
from acerace_server.shell.counts import Counts
from acerace_server.shell.metrics import Metrics
from tests.e2e.prying import Watched, encodings, is_about

SECOND: Final = 1_000_000_000
ADA, BRUNO, TAB, SPECTATOR, LATE, EDDA, FLORA = range(1, 8)
"""The connections: ``TAB`` is Bruno's second one, Edda and Flora play a match of their own all the while."""

M = TypeVar("M", bound=ServerMessage)


class Hall:
    """Matches one after another, and one that never ends; every message is searched in both encodings as it is sent."""

    def __init__(self, number: int) -> None:
        self.random = Random(number)
        self.hub = Hub(
            entropy=self.random.randbytes,
            server="test",
            today=lambda: "2026-11-30",
            limits={"commands_per_second": 10**6},
        )
        self.now = 5_000 * SECOND
        self.metrics = Metrics(
            self.hub.tally, Counts(), lambda: self.hub.health() | {"version": 1, "loop_stall_max_us": 1}
        )
        self.bytes_sent = 0
        self.cards_named = 0
        self.watched: list[Watched] = []
        self.got: dict[int, list[ServerMessage]] = {}
        self._nonce = 0
        for conn in range(ADA, FLORA + 1):
            self.hub.connect(conn, self.now)
            self.got[conn] = []
            if conn != TAB:
                self.send(conn, Hello(name=f"Player {conn}"))
        self.send(TAB, Hello(token=self.last(BRUNO, Welcome).token))
        self.match(EDDA, FLORA)

    # --- in and out ---

    def send(self, conn: int, *messages: ClientMessage) -> None:
        """Send messages in one loop turn, and search all that comes of it."""
        for message in messages:
            self.hub.receive(conn, message, self.now)
        self.hub.settle()
        self.search()

    def wait(self, seconds: float) -> None:
        self.now += round(seconds * SECOND)
        self.hub.tick(self.now)
        self.search()

    def last(self, conn: int, kind: type[M]) -> M:
        """The newest message of this kind that a connection was sent."""
        return next(message for message in reversed(self.got[conn]) if isinstance(message, kind))

    def nonce(self) -> int:
        self._nonce += 1
        return self._nonce

    def search(self) -> None:
        """Raises :class:`tests.e2e.prying.LeakError`."""
        self.hub.accepted.clear()
        sent: list[tuple[ServerMessage, bytes]] = []
        for out in self.hub.outgoing:
            message = out.message
            if message is None:
                continue
            for conn in out.receivers:
                self.got[conn].append(message)
            for data in encodings(message):
                self.bytes_sent += len(data) * len(out.receivers)
                sent.append((message, data))
        self.hub.outgoing.clear()
        if sent:
            self._search(sent)

    def _search(self, sent: list[tuple[ServerMessage, bytes]]) -> None:
        """What was sent in one turn is searched at once: no match has gone on meanwhile."""
        everything = b"\n".join(data for _, data in sent)
        for watched in self.watched:
            if watched.running:
                watched.search_secret(everything)
                about = [each for each in sent if is_about(each[0], watched.match.setup.table)]
                hidden = watched.unseen() if about else []
                for message, data in about:
                    self.cards_named += watched.search(message, data, hidden)

    def search_pages(self) -> None:
        """What HTTP shows of the hub."""
        for data in (self.metrics.page().encode(), json.dumps(self.hub.health()).encode()):
            for watched in self.watched:
                if watched.running:
                    watched.search_secret(data)

    # --- a match ---

    def match(self, first: int, second: int) -> Watched:
        """Seat two, and let them be dealt to; from the first message on it is watched."""
        options: dict[str, str | int | bool] = {
            "pace": self.random.choice(["simultaneous", "alternating"]),
            "draw": self.random.choice([1, 3]),
        }
        self.send(first, Seek(options=options, house=False))
        self.hub.receive(second, Seek(options=options, house=False), self.now)
        key = next(out.message.table for out in self.hub.outgoing if isinstance(out.message, Seated))
        hosted = self.hub.registry.get(key)
        assert hosted is not None
        watched = Watched(hosted.match)
        self.watched = [*(each for each in self.watched if each.running), watched]
        self.search()
        for conn in (first, second):
            self.send(conn, Ready(table=key, nonce=self.nonce(), seed=watched.seed))
        assert hosted.match.table
        return watched

    def play(self, moves: int) -> None:
        """One match, with somebody prying after each move, given up at its end unless it was over before."""
        for messages in self.got.values():
            messages.clear()
        watched = self.match(ADA, BRUNO)
        match, key = watched.match, watched.match.setup.table
        self.send(TAB, Resume(table=key, seen=0), Legal(table=key))
        self.send(SPECTATOR, Watch(table=key))
        self.send(LATE, Watch(table=key, delay_s=2))
        for _ in range(moves):
            if not watched.running:
                break
            seat = self.random.randrange(2)
            legal = match.legal(seat).moves
            if not legal:
                seat = 1 - seat
                legal = match.legal(seat).moves or ("d",)
            text = self.random.choice([*legal, *legal[:2], self.random.choice(["c7:3>c1", "r", "w>f", "c9>f", "?"])])
            self.send((ADA, BRUNO)[seat], Play(table=key, nonce=self.nonce(), move=text, seen=match.seq))
            self.pry(key)
            self.wait(0.1)
        self.search_pages()
        if watched.running:
            self.send(ADA, Resign(table=key, nonce=self.nonce()))
        self.wait(3)
        for conn in (SPECTATOR, LATE):
            self.send(conn, Leave(table=key))

    def pry(self, key: str) -> None:
        """Ask for something, as one of those who are there."""
        conn = self.random.choice([ADA, BRUNO, TAB, SPECTATOR, LATE, EDDA])
        pile = self.random.choice(["w", "c7", "c7:2", "c3:3", "f:h", "c1:1"])
        questions: list[ClientMessage] = [
            Watch(table=key),
            Resume(table=key, seen=self.random.randrange(9)),
            ListTables(),
            ListSeeks(),
            ListGames(),
            Ask(table=key, nonce=self.nonce(), about="places", pile=pile),
            Ask(table=key, nonce=self.nonce(), about="hint"),
            Say(table=key, emote="thinking"),
            Solo(code="kl1 d1um aaaaaab"),
            Play(table=key, nonce=self.nonce(), move="c7:2>c6"),
            Watch(table="nowhere"),
        ]
        question = self.random.choice(questions)
        if conn == LATE and isinstance(question, Watch | Resume):
            return  # it stays late
        if isinstance(question, Solo):
            stranger = 1_000_000 + self.nonce()  # who sends too much that is malformed is closed for it
            self.got[stranger] = []
            self.hub.connect(stranger, self.now)
            self.hub.malformed(stranger, MalformedMessageError(Fault.MALFORMED, f"no {JSON.subprotocol}"), self.now)
            self.hub.disconnect(stranger, self.now)
            return
        self.send(conn, question)
