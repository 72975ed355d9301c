"""Scripted clients: they play, repeat what was not answered, come back after a break, and watch."""

from collections.abc import Callable
from random import Random
from typing import Protocol

from acerace_client.mirror import Mirror, MirrorError
from acerace_protocol.limits import Fault
from acerace_protocol.messages import (
    Claim,
    ClientMessage,
    Closing,
    Command,
    Done,
    Event,
    EventBase,
    Hello,
    Pass,
    Play,
    Problem,
    Ready,
    Redo,
    Refused,
    Resign,
    Resume,
    Seated,
    Seek,
    ServerMessage,
    Snapshot,
    Solo,
    Undo,
    Watch,
    Watchers,
    Welcome,
)
from acerace_rules.moves import Kind, Move
from tests.simulation.network import MS, Clock, Line

SOLO_TURNS = 60
Told = Event | Snapshot | Watchers


class InvariantError(AssertionError):
    """Something that must always hold did not."""


class Net(Protocol):
    """What a client needs of the world around it."""

    clock: Clock
    random: Random

    def open_line(self, client: "Client") -> Line: ...


class Client:
    """One program on one connection at a time, following one table."""

    def __init__(self, net: Net, name: str, token: str | None = None) -> None:
        self.net = net
        self.name = name
        self.line: Line | None = None
        self.token = token
        self.player: str | None = None
        self.table: str | None = None
        self.mirror: Mirror | None = None

    # --- the connection ---

    def connect(self) -> None:
        self.line = self.net.open_line(self)
        self.say(Hello(token=self.token, name=None if self.token else self.name))
        if self.table:
            self.come_back(self.table)

    def come_back(self, table: str) -> None:
        """Said right behind the hello, without waiting for the welcome."""
        self.say(Resume(table=table, seen=self.mirror.seq) if self.mirror else Watch(table=table))

    def welcomed(self, welcome: Welcome) -> None:
        self.token, self.player = welcome.token, welcome.player

    def say(self, message: ClientMessage) -> None:
        if self.line:
            self.line.send_up(message, self.net.clock.now, self.net.random)

    def hear(self, line: Line, message: ServerMessage) -> None:
        if line is not self.line:
            return  # a connection that was given up
        match message:
            case Welcome():
                self.welcomed(message)
            case Snapshot() | EventBase() | Watchers():
                if message.table == self.table and (self.mirror or not isinstance(message, Watchers)):
                    self.follow(message)
            case Problem() if message.nonce is None and message.code != Fault.ALREADY_SEEKING:
                raise InvariantError(f"{self.name} was told {message}")
            case Closing():
                raise InvariantError(f"{self.name} was sent away: {message}")
            case _:
                pass

    def follow(self, message: Told) -> None:
        """Keep the mirror: a gap or a drift must not happen on a connection that keeps its order (N22, N24, N33)."""
        try:
            if isinstance(message, Snapshot):
                if self.mirror and message.seq < self.mirror.seq:
                    raise InvariantError(f"{self.name} was thrown back from {self.mirror.seq} to {message.seq}")
                self.mirror = self.mirror or Mirror(message)
            if self.mirror is None:
                raise InvariantError(f"{self.name} was told of events before a snapshot: {message}")
            if not self.mirror.apply(message):
                self.repeated(message)
        except MirrorError as error:
            raise InvariantError(f"{self.name}: {error}; then came {message}") from error

    def repeated(self, message: Told) -> None:
        """An event came twice: only as the answer to a command that was sent twice."""
        raise InvariantError(f"{self.name} was told again of {message}")

    @property
    def over(self) -> bool:
        return self.mirror is not None and self.mirror.phase == "over"

    @property
    def settled(self) -> bool:
        """Whether it knows the end and has all its answers."""
        return self.over

    @property
    def waits(self) -> bool:
        """Whether the world must go on for it: a spectator need not find a table."""
        return self.table is not None and not self.settled


class Spectator(Client):
    """Follows, and tries to meddle, which must come to nothing (N31)."""

    def look(self, table: str) -> None:
        """Begin to watch, on the connection there is or on the next; one table only."""
        if self.table is not None:
            return
        self.table = table
        self.say(Watch(table=table))
        self.say(Resign(table=table, nonce=666))

    def hear(self, line: Line, message: ServerMessage) -> None:
        if isinstance(message, Refused):
            raise InvariantError(f"a spectator was heard: {message}")
        super().hear(line, message)


class Player(Client):
    """Plays one seat by a simple strategy. Nonces are different from any other client's."""

    def __init__(
        self, net: Net, name: str, nonces: int, wish: Seek | Solo | None = None, token: str | None = None
    ) -> None:
        super().__init__(net, name, token)
        self.wish = wish
        """What it looks for, once, until it has a seat; a second tab looks for nothing."""
        self.seat: int | None = None
        self.unanswered: dict[int, Command] = {}
        self.resent = 0
        self.pace = net.random.randint(60, 250) * MS
        self.turns = 0
        self._nonce = nonces

    def come_back(self, table: str) -> None:
        super().come_back(table)
        for command in self.unanswered.values():
            self.again(command)

    def welcomed(self, welcome: Welcome) -> None:
        super().welcomed(welcome)
        if self.table is None and welcome.tables:  # seated while the connection was gone
            self.table = welcome.tables[0]
            self.say(Watch(table=self.table))
        elif self.table is None and self.wish:
            self.say(self.wish)

    def hear(self, line: Line, message: ServerMessage) -> None:
        if line is self.line and isinstance(message, Seated) and self.table is None:
            self.table = message.table
        super().hear(line, message)
        if line is self.line and isinstance(message, Snapshot) and message.table == self.table:
            self.seat = [player.player for player in message.players].index(self.player or "")
        nonce = getattr(message, "nonce", None)
        if line is self.line and nonce is not None:
            self.unanswered.pop(nonce, None)

    def repeated(self, message: Told) -> None:
        if getattr(message, "nonce", None) is None or getattr(message, "seat", self.seat) != self.seat:
            super().repeated(message)

    @property
    def settled(self) -> bool:
        return self.over and not self.unanswered

    @property
    def waits(self) -> bool:
        return not self.settled

    # --- playing ---

    def start(self) -> None:
        self.net.clock.after(self.net.random.randint(1, 400) * MS, self.think)

    def think(self) -> None:
        """Do something, and think again in a while, until it is over and all is answered."""
        if self.settled:
            return
        random = self.net.random
        if self.line and self.mirror and self.seat is not None:
            if self.unanswered and random.random() < 0.1:
                self.again(random.choice([*self.unanswered.values()]))  # impatience
            elif len(self.unanswered) < 3 and not self.over:
                self.act(self.mirror, self.seat)
        self.net.clock.after(int(self.pace * (0.5 + random.random())), self.think)

    def act(self, mirror: Mirror, seat: int) -> None:
        random = self.net.random
        if mirror.phase == "waiting":
            if not mirror.ready[seat]:
                self.command(Ready, seed=random.choice(["", "c0ffee"]))
            return
        roll = random.random()
        if mirror.away[1 - seat] and roll < 0.2:
            self.command(Claim)
        elif roll < 0.002:
            self.command(Resign)
        elif roll < 0.05:
            self.play(random.choice(["r", "d", "c3:2>c4", "w>f", "c7>f", "nonsense"]))
        elif move := self.choose(mirror, seat):
            self.play(str(move))
            if random.random() < 0.05:
                self.again(next(reversed(self.unanswered.values())))  # a double click (N23)
        elif mirror.turn == seat:
            self.command(Pass)
        elif mirror.turn is None and not mirror.done[seat]:
            self.command(Done)

    def choose(self, mirror: Mirror, seat: int) -> Move | None:
        """A foundation play, else one that gets on with it, else a draw; now and then anything."""
        random = self.net.random
        moves = mirror.legal(seat)
        if not moves or mirror.view is None:
            return None
        if random.random() < 0.1:
            return random.choice(moves)
        me = mirror.view.seats[seat]
        for move in moves:
            if move.kind in {Kind.COLUMN_TO_FOUNDATION, Kind.WASTE_TO_FOUNDATION, Kind.WASTE_TO_COLUMN}:
                return move
            if (
                move.kind is Kind.COLUMN_TO_COLUMN
                and 0 < me.down[move.source] == len(me.columns[move.source]) - move.size
            ):
                return move
        return moves[-1] if moves[-1].kind in {Kind.DRAW, Kind.RECYCLE} else None

    def play(self, move: str) -> None:
        self.command(Play, move=move, seen=self.mirror.seq if self.mirror else 0)

    def command(self, kind: Callable[..., Command], **fields: object) -> None:
        self._nonce += 1
        command = kind(table=self.table or "", nonce=self._nonce, **fields)
        self.unanswered[self._nonce] = command
        self.say(command)

    def again(self, command: Command) -> None:
        self.resent += 1
        self.say(command)


class Soloist(Player):
    """Plays a game of its own for a while, with much taking back, and then gives it up."""

    def act(self, mirror: Mirror, seat: int) -> None:
        roll = self.net.random.random()
        self.turns += 1
        if self.turns > SOLO_TURNS:
            roll = 0.255
        if roll < 0.15:
            self.command(Undo)
        elif roll < 0.25:
            self.command(Redo)
        elif roll < 0.26:
            self.command(Resign)
        elif moves := mirror.legal(seat):
            self.play(str(self.net.random.choice(moves)))
