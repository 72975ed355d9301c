"""Short ways to say what a match is told, and to see what it answers; and a whole hub with clients, without wires."""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import TypeVar

from acerace_protocol.messages import (
    Claim,
    ClientMessage,
    Command,
    Done,
    Ended,
    EventBase,
    Hello,
    Pass,
    Play,
    PlayerInfo,
    Ready,
    Refused,
    Resign,
    Seated,
    Seek,
    ServerMessage,
    Solo,
    Welcome,
)
from acerace_protocol.messages import Played as PlayedEvent
from acerace_rules.catalogue import GAMES
from acerace_rules.deal import read_code
from acerace_rules.diagram import read_table
from acerace_rules.moves import Reason
from acerace_rules.options import Value
from acerace_rules.turns import Turns
from acerace_server.core.duel import DuelMatch
from acerace_server.core.hub import Hub
from acerace_server.core.match import Match, Setup
from acerace_server.core.solitaire import SoloMatch
from acerace_server.core.voice import EVERYONE

MS = 1_000_000
SECOND = 1000 * MS
START = 5_000 * SECOND
"""Times in tests are of a clock that has been running for a while, as a monotonic clock has."""
SECRET = bytes(range(32))
TABLE = "t1"
A, B = 0, 1
"""The two seats."""

M = TypeVar("M", bound=ServerMessage)


def one(kind: type[M], messages: list[ServerMessage]) -> M:
    """The only message of this kind among these."""
    found = [message for message in messages if isinstance(message, kind)]
    assert len(found) == 1, messages
    return found[0]


class Driver:
    """A match, and a clock that goes only when it is told to."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.now = match.setup.opened_at
        self.heard: list[ServerMessage] = []
        """All that was ever sent, to anyone."""
        self._nonces: Iterator[int] = count(1000)

    def nonce(self) -> int:
        return next(self._nonces)

    def send(self, seat: int, command: Command, *, at: int | None = None) -> list[ServerMessage]:
        """Give the match a command; what it says to this seat."""
        self.match.receive(seat, command, self.now if at is None else at)
        return [message for receiver, message in self._drain() if receiver in {EVERYONE, seat}]

    def ask(self, seat: int, command: Command, *, at: int | None = None) -> ServerMessage:
        """The answer to a command."""
        said = self.send(seat, command, at=at)
        answers = [message for message in said if getattr(message, "nonce", None) == command.nonce]
        assert len(answers) == 1, said
        return answers[0]

    def play(self, seat: int, move: str, *, seen: int | None = None, card: str | None = None) -> ServerMessage:
        seen = self.match.seq if seen is None else seen
        return self.ask(seat, Play(table=TABLE, nonce=self.nonce(), move=move, seen=seen, card=card))

    def plays(self, seat: int, *moves: str) -> PlayedEvent:
        """Make moves that must all be accepted; the last one's event."""
        assert moves
        event: ServerMessage | None = None
        for move in moves:
            event = self.play(seat, move)
            assert isinstance(event, PlayedEvent), (move, event)
        assert isinstance(event, PlayedEvent)
        return event

    def refused(self, seat: int, move: str, *, seen: int | None = None, card: str | None = None) -> Reason:
        """Try a move that must be refused; why it was."""
        answer = self.play(seat, move, seen=seen, card=card)
        assert isinstance(answer, Refused), answer
        return answer.reason

    def wait(self, seconds: float) -> list[ServerMessage]:
        """Let time pass; what the timers say."""
        return self.until(self.now + round(seconds * SECOND))

    def until(self, at: int) -> list[ServerMessage]:
        self.now = at
        self.match.tick(at)
        return [message for _, message in self._drain()]

    def goes(self, seat: int) -> list[ServerMessage]:
        return self._presence(seat, away=True)

    def comes(self, seat: int) -> list[ServerMessage]:
        return self._presence(seat, away=False)

    @property
    def ended(self) -> Ended:
        assert self.match.ended is not None
        assert self.match.phase == "over"
        return self.match.ended

    @property
    def ends(self) -> int:
        """How often the end was told."""
        return sum(isinstance(message, Ended) for message in self.heard)

    def _presence(self, seat: int, *, away: bool) -> list[ServerMessage]:
        self.match.presence(seat, away=away, at=self.now)
        return [message for _, message in self._drain()]

    def _drain(self) -> list[tuple[int, ServerMessage]]:
        said = self.match.outgoing.copy()
        self.match.outgoing.clear()
        self.heard += [message for _, message in said]
        return said


def duel_setup(secret: bytes = SECRET, **options: Value) -> Setup:
    return Setup(
        table=TABLE,
        game="double-klondike",
        options=GAMES["double-klondike"].chosen(options),
        players=(PlayerInfo(player="p1", name="Ada"), PlayerInfo(player="p2", name="Bruno")),
        opened_at=START,
        secret=secret,
    )


class Duel(Driver):
    """A match of two; with a picture it is dealt, and the picture lies on the table."""

    def __init__(
        self,
        picture: str | None = None,
        *,
        dealt: bool = True,
        first: int = A,
        secret: bytes = SECRET,
        **options: Value,
    ) -> None:
        self.duel = DuelMatch(duel_setup(secret, **options))
        super().__init__(self.duel)
        if dealt or picture is not None:
            self.ready(A)
            self.ready(B)
        if picture is not None:
            self.duel.deal(read_table(picture, self.duel.variant))
            if self.duel.terms.alternating:
                self.duel.turns = Turns(first, self.now, bicycle=self.duel.terms.bicycle)

    def ready(self, seat: int, seed: str = "") -> list[ServerMessage]:
        return self.send(seat, Ready(table=TABLE, nonce=self.nonce(), seed=seed))

    def done(self, seat: int) -> ServerMessage:
        return self.ask(seat, Done(table=TABLE, nonce=self.nonce()))

    def passes(self, seat: int) -> ServerMessage:
        return self.ask(seat, Pass(table=TABLE, nonce=self.nonce()))

    def resign(self, seat: int) -> ServerMessage:
        return self.ask(seat, Resign(table=TABLE, nonce=self.nonce()))

    def claim(self, seat: int) -> ServerMessage:
        return self.ask(seat, Claim(table=TABLE, nonce=self.nonce()))

    @property
    def turn(self) -> int | None:
        return self.duel.turns.seat if self.duel.turns else None


def reason(answer: ServerMessage) -> Reason:
    """Why a command was refused."""
    assert isinstance(answer, Refused), answer
    return answer.reason


class SoloDriver(Driver):
    """A solo game; with a picture instead of the deal's own position."""

    def __init__(self, picture: str | None = None, *, code: str = "KL1-D1UM-AAAAAAB") -> None:
        deal = read_code(code)
        setup = Setup(
            table=TABLE,
            game=deal.game,
            options=deal.options,
            players=(PlayerInfo(player="p1", name="Ada"),),
            opened_at=START,
            code=code,
        )
        self.solo = SoloMatch(setup)
        super().__init__(self.solo)
        if picture is not None:
            table = read_table(picture, self.solo.variant)
            self.solo.game.table = table
            self.solo.deal(table)


# --- a hub with clients ------------------------------------------------------------------------------------


class Client:
    """One connection of one player."""

    def __init__(self, world: "World", number: int) -> None:
        self.world = world
        self.number = number
        self.got: list[ServerMessage] = []
        self.closed: int | None = None
        self._nonces = count(number * 100_000)

    def nonce(self) -> int:
        return next(self._nonces)

    def send(self, *messages: ClientMessage) -> list[ServerMessage]:
        """Send messages in one loop turn; all that this client gets in it."""
        for message in messages:
            self.world.hub.receive(self.number, message, self.world.now)
        self.world.beat()
        return self.take()

    def take(self) -> list[ServerMessage]:
        got = self.got.copy()
        self.got.clear()
        return got

    def expect(self, kind: type[M]) -> M:
        """Take what came: one message of this kind, and perhaps others."""
        return one(kind, self.take())

    def hello(self, name: str | None = None, token: str | None = None) -> Welcome:
        return one(Welcome, self.send(Hello(name=name, token=token)))

    def hang_up(self) -> None:
        self.world.hub.disconnect(self.number, self.world.now)
        del self.world.clients[self.number]
        self.world.beat()


class World:
    """A hub, its clients and the time."""

    def __init__(
        self,
        *,
        seed: bytes | None = b"test",
        commands_per_second: int = 1_000_000,
        house_secret: str | None = None,
    ) -> None:
        self.hub = Hub(
            entropy=Random(1).randbytes,
            server="test",
            today=lambda: "2026-11-30",
            seed=seed,
            limits={"commands_per_second": commands_per_second},
            house_secret=house_secret,
        )
        self.now = START
        self.clients: dict[int, Client] = {}
        self._numbers = count(1)

    def connect(self, source: str = "") -> Client:
        client = Client(self, next(self._numbers))
        self.clients[client.number] = client
        self.hub.connect(client.number, self.now, source)
        return client

    def enter(self, name: str | None = None, token: str | None = None) -> Client:
        client = self.connect()
        client.hello(name, token)
        return client

    def beat(self) -> None:
        """The end of a loop turn: judge what waits, and bring everyone what is for them."""
        for number, _ in (*self.hub.jobs,):
            self.hub.finished(number, None, self.now)  # a store that has nothing
        self.hub.jobs.clear()
        self.hub.settle()
        self.deliver()

    def deliver(self) -> None:
        for out in self.hub.outgoing:
            for receiver in out.receivers:
                client = self.clients[receiver]  # a KeyError: something is sent to a connection that is gone
                if out.message is not None:
                    client.got.append(out.message)
                client.closed = out.close if out.close is not None else client.closed
        self.hub.outgoing.clear()

    def wait(self, seconds: float) -> None:
        """Let time pass, ticking whenever the hub has asked for it."""
        end = self.now + round(seconds * SECOND)
        while (due := self.hub.deadline()) is not None and due <= end:
            self.now = max(self.now, due)
            self.hub.tick(self.now)
            self.deliver()
        self.now = end
        self.hub.tick(self.now)
        self.deliver()

    def table(self, one_player: Client, other: Client, **options: Value) -> str:
        """Seat two clients at a table, the first in seat 0; its id. Nothing is left to be read."""
        one_player.send(Seek(options=options))
        other.send(Seek(options=options))
        seated = one_player.expect(Seated)
        for client in self.clients.values():
            client.take()
        return seated.table

    def match(self, one_player: Client, other: Client, **options: Value) -> str:
        """A table where both are ready and the cards are dealt."""
        table = self.table(one_player, other, **options)
        one_player.send(Ready(table=table, nonce=1))
        other.send(Ready(table=table, nonce=1))
        for client in self.clients.values():
            client.take()
        return table

    def solo(self, player: Client, game: str = "klondike") -> str:
        return one(Seated, player.send(Solo(game=game))).table


def numbers(messages: list[ServerMessage]) -> list[int]:
    """The sequence numbers of the events among these."""
    return [message.seq for message in messages if isinstance(message, EventBase)]
