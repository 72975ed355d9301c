"""A hub that knows no game: it greets, echoes pings, and makes every command an event for everyone."""

import asyncio

from acerace_protocol.codec import MalformedMessageError
from acerace_protocol.messages import (
    ClientMessage,
    Closing,
    Hello,
    ListGames,
    Passed,
    Ping,
    Pong,
    Problem,
    Resign,
    TableCommand,
    Watch,
    Welcome,
)
from acerace_server.core.hosted import Outgoing
from acerace_server.core.jobs import Job
from acerace_server.core.match import Entry, PresenceChange
from acerace_server.core.records import Record, TableTold
from acerace_server.core.tally import Tally

MALFORMED_MAX = 20


class FakeHub:
    """Implements :class:`acerace_server.shell.referee.Referee`."""

    def __init__(self) -> None:
        self.outgoing: list[Outgoing] = []
        self.accepted: list[Record] = []
        self.tally = Tally()
        self.faults: list[tuple[str, Exception]] = []
        self.jobs: list[tuple[int, Job]] = []
        self.connected: dict[int, int] = {}
        """By connection: how many malformed messages it has sent."""
        self.left: list[int] = []
        self.beats: list[list[int]] = []
        """The stamps judged by each call of :meth:`settle` that had any."""
        self.ticks: list[int] = []
        self.alarm: int | None = None
        self.settles_badly = False
        self._inbox: list[tuple[int, int]] = []
        self._seq = 0

    def connect(self, conn: int, at: int, source: str = "") -> None:
        assert conn not in self.connected
        self.connected[conn] = 0

    def receive(self, conn: int, message: ClientMessage, at: int) -> None:
        assert conn in self.connected
        match message:
            case Hello():
                limits = {"none": 0}
                self._send(conn, Welcome(player=str(conn), name="n", token="t" * 16, server="fake", limits=limits))
            case Ping(nonce=nonce):
                self._send(conn, Pong(nonce=nonce))
            case Resign():
                self.outgoing.append(Outgoing(tuple(self.connected), Closing(detail="x" * 30_000)))
            case TableCommand(nonce=nonce):
                self._inbox.append((at, nonce))
            case Watch(table="explode"):
                raise RuntimeError("made to fail")
            case ListGames():
                self._send(conn, Problem(code="long", detail="x" * 60_000))
            case _:
                self._send(conn, Problem(code="malformed", detail=type(message).__name__))

    def malformed(self, conn: int, error: MalformedMessageError, at: int) -> None:
        self.connected[conn] += 1
        close = 4002 if self.connected[conn] > MALFORMED_MAX else None
        self.outgoing.append(Outgoing((conn,), Problem(code=error.fault, detail=error.detail), close))

    def settle(self) -> None:
        if self.settles_badly:
            self.settles_badly = False
            raise RuntimeError("made to fail")
        if self._inbox:
            judged, self._inbox = self._inbox, []
            self.beats.append([at for at, _ in judged])
            for at, nonce in judged:
                self.say(nonce)
                self.accepted.append(TableTold("t", Entry(at, 0, PresenceChange(away=False))))

    def say(self, nonce: int) -> None:
        """Tell everyone something."""
        self._seq += 1
        event = Passed(table="t", seq=self._seq, at_us=0, seat=0, nonce=nonce, turn=0)
        self.outgoing.append(Outgoing(tuple(self.connected), event))

    def disconnect(self, conn: int, at: int) -> None:
        del self.connected[conn]
        self.left.append(conn)

    def finished(self, job: int, result: object, at: int) -> None:
        raise AssertionError("this hub asks for nothing")

    def tick(self, at: int) -> None:
        if self.alarm is None or at < self.alarm:
            return  # a loop's timers may ring a little early
        self.ticks.append(at)
        self.alarm = None
        self.say(0)

    def deadline(self) -> int | None:
        return self.alarm

    def close(self, at: int) -> None:
        self.outgoing.append(Outgoing(tuple(self.connected), Closing(detail="the server stops"), 1001))

    def health(self) -> dict[str, int]:
        return {"connections": len(self.connected)}

    def _send(self, conn: int, message: Welcome | Pong | Problem) -> None:
        self.outgoing.append(Outgoing((conn,), message))


class FakeTransport(asyncio.WriteTransport):
    """A transport that keeps what is written, and claims that so much is unsent."""

    def __init__(self, unsent: int = 0) -> None:
        super().__init__()
        self.unsent = unsent
        self.written: list[bytes] = []

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))
