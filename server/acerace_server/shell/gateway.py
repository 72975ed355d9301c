"""All connections, and the two beats of a loop turn around the hub.

*Arrival*: each read is stamped, decoded and given to the hub, by :class:`Peer`. *Verdict*: once at the end of the loop
turn, :meth:`Gateway._beat` lets the hub judge, commits to the journal, encodes each message once, and writes once to
each connection. Both are plain calls on one thread: no task, queue or lock for a move, and nothing awaits in between.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from acerace_protocol.codec import MalformedMessageError
from acerace_protocol.limits import CloseCode
from acerace_protocol.messages import ClientMessage, Hello, Welcome
from acerace_server.core.hosted import Outgoing
from acerace_server.core.jobs import Job
from acerace_server.core.records import Record
from acerace_server.ports import Clock, Journal
from acerace_server.shell.bounds import MS_NS, READ_MAX_BYTES, Bounds
from acerace_server.shell.frames import FrameCache
from acerace_server.shell.logs import Contained, fields
from acerace_server.shell.pages import Pages
from acerace_server.shell.peer import Peer
from acerace_server.shell.stall import StallMeter
from acerace_server.shell.watch import Watch
from acerace_server.shell.workshop import Workshop

_LOG: Final = logging.getLogger("acerace.gateway")
_SECOND_NS: Final = 1_000_000_000
_TIMER_LEAST_S: Final = 0.001
"""A loop's timers are good to a millisecond; asking for less would spin."""
_CLOSE_TIMEOUT_S: Final = 2.0


class Referee(Protocol):
    """The hub, as the shell sees it (:class:`acerace_server.core.hub.Hub`)."""

    outgoing: list[Outgoing]

    @property
    def accepted(self) -> list[Record]: ...
    @property
    def jobs(self) -> list[tuple[int, Job]]: ...
    def finished(self, job: int, result: object, at: int) -> None: ...
    @property
    def faults(self) -> list[tuple[str, Exception]]: ...
    def connect(self, conn: int, at: int) -> None: ...
    def receive(self, conn: int, message: ClientMessage, at: int) -> None: ...
    def malformed(self, conn: int, error: MalformedMessageError, at: int) -> None: ...
    def settle(self) -> None: ...
    def disconnect(self, conn: int, at: int) -> None: ...
    def tick(self, at: int) -> None: ...
    def deadline(self) -> int | None: ...
    def close(self, at: int) -> None: ...
    def health(self) -> dict[str, int]: ...


@dataclass(frozen=True, slots=True)
class About:
    """What the gateway says of itself, and who may come."""

    version: str
    origins: Sequence[str] = ()
    """Web origins whose pages may connect, besides the server's own."""


def _nothing_is_kept(job: Job) -> object:
    """The jobs of a server without a store: whatever is asked for is not there."""
    del job
    return None


class Gateway:
    """Accepts connections for a hub. Lives on the loop that runs when it is made."""

    def __init__(
        self,
        hub: Referee,
        *,
        clock: Clock,
        journal: Journal,
        about: About,
        bounds: Bounds | None = None,
        perform: Callable[[Job], object] = _nothing_is_kept,
    ) -> None:
        self.bounds = bounds or Bounds()
        self.read_buffer = bytearray(READ_MAX_BYTES)
        self.now = clock.monotonic_ns
        self.failed: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()
        """Done when the server cannot go on."""
        self._hub = hub
        self._journal = journal
        self._about = about
        self._loop = asyncio.get_running_loop()
        self._workshop = Workshop(perform, self._job_done)
        self._pages = Pages(about.origins, self.health, self._has_room)
        self._peers: dict[int, Peer] = {}
        self._opened: dict[int, Peer] = {}
        """Those who speak WebSocket, as the hub knows them."""
        self._leaving: list[tuple[int, int]] = []
        """Pairs of connection and time: for the hub, after the verdict on what they sent before."""
        self._touched: list[Peer] = []
        self._last_number = 0
        self._turn_began: int | None = None
        """When the first thing of this loop turn arrived; ``None``: no beat is scheduled."""
        self._frames = FrameCache()
        self._stalls = StallMeter()
        self._watch = Watch()
        self._alarm: tuple[int, asyncio.TimerHandle] | None = None
        self._listener: asyncio.Server | None = None
        self._closing = False
        self._empty = asyncio.Event()
        self._in_beat = False
        self._probe = self._next_probe()

    # --- the server's life ---

    async def listen(self, host: str, port: int) -> tuple[str, int]:
        """Accept connections; the answer is the address, with the port that was found for 0. Raises ``OSError``."""
        self._listener = await self._loop.create_server(lambda: Peer(self), host, port, backlog=1024)
        address = self._listener.sockets[0].getsockname()
        return str(address[0]), int(address[1])

    async def close(self, timeout_s: float = _CLOSE_TIMEOUT_S) -> None:
        """Tell everyone, let them close, and cut off who does not in time."""
        self._closing = True
        if self._listener:
            self._listener.close()
        if not self.failed.done():
            with Contained(_LOG, "the hub failed to close"):
                self._hub.close(self.now())
            self._beat()
        for peer in [*self._peers.values()]:
            peer.close(CloseCode.GOING_AWAY, "the server stops")
            peer.flush()
        if self._peers:
            try:
                await asyncio.wait_for(self._empty.wait(), timeout_s)
            except TimeoutError:
                self._abort_all()
                await asyncio.sleep(0)  # for the transports to let go of their sockets
        self._workshop.close()
        self._probe.cancel()
        if self._alarm:
            self._alarm[1].cancel()

    def health(self) -> dict[str, object]:
        """For ``/healthz``: counts, and how busy the loop was."""
        return {
            "status": "closing" if self._closing else "ok",
            "version": self._about.version,
            **self._hub.health(),
            "sockets": len(self._peers),
            "loop_stall_max_us": self._stalls.longest_us(self.now()),
        }

    # --- what connections tell (peer.Owner) ---

    def joined(self, peer: Peer) -> bool:
        self._last_number += 1
        peer.number = self._last_number
        self._peers[peer.number] = peer
        return len(self._peers) <= self.bounds.connections_max + self.bounds.spare_connections and not self._closing

    def respond(self, websocket: ServerProtocol, request: Request) -> Response:
        return self._pages.respond(websocket, request)

    def opened(self, peer: Peer, at: int) -> None:
        self._opened[peer.number] = peer
        self._schedule(at)
        self._hub.connect(peer.number, at)
        _LOG.debug("connected", extra=fields(conn=peer.number, subprotocol=peer.codec.subprotocol))

    def received(self, peer: Peer, message: ClientMessage, at: int) -> None:
        if not peer.greeted and isinstance(message, Hello):
            _LOG.info("hello", extra=fields(conn=peer.number, bot=message.bot, agent=message.agent))
        self._schedule(at)
        self._hub.receive(peer.number, message, at)

    def malformed(self, peer: Peer, error: MalformedMessageError, at: int) -> None:
        self._schedule(at)
        self._hub.malformed(peer.number, error, at)

    def left(self, peer: Peer, at: int) -> None:
        self._opened.pop(peer.number, None)
        if not self._closing:  # when the server stops nobody has left it
            self._leaving.append((peer.number, at))
            self._schedule(at)

    def lost(self, peer: Peer) -> None:
        self._peers.pop(peer.number, None)
        if self._closing and not self._peers:
            self._empty.set()

    def touched(self, peer: Peer) -> None:
        self._touched.append(peer)
        if not self._in_beat:  # whose last step it is to flush whoever was touched
            self._schedule(self.now())

    def watch(self, peer: Peer, due: int) -> None:
        self._watch.add(due, peer.number)

    def _job_done(self, number: int, result: object) -> None:
        at = self.now()
        self._schedule(at)
        with Contained(_LOG, "the hub failed to go on with a job", job=number):
            self._hub.finished(number, result, at)

    # --- the verdict beat ---

    def _schedule(self, at: int) -> None:
        """See to it that there is a beat at the end of this loop turn.

        A callback is not run before all reads of the turn in which it was added: so the hub sees every claim of the
        turn before it judges the first.
        """
        if self._turn_began is None:
            self._turn_began = at
            self._loop.call_soon(self._beat)

    def _beat(self) -> None:
        began, self._turn_began = self._turn_began, None
        if self.failed.done():
            return
        self._in_beat = True
        with Contained(_LOG, "the hub failed to settle"):
            self._hub.settle()
        self._disconnect()
        self._log_faults()
        if self._commit():
            self._deliver()
            self._workshop.take(self._hub.jobs)
            self._set_alarm()
        self._in_beat = False
        ended = self.now()
        self._stalls.note(ended - (began or ended), ended)

    def _disconnect(self) -> None:
        leaving, self._leaving = self._leaving, []
        for number, at in leaving:
            with Contained(_LOG, "the hub failed to part with a connection", conn=number):
                self._hub.disconnect(number, at)

    def _log_faults(self) -> None:
        for table, fault in self._hub.faults:
            _LOG.error("the referee failed at a table, which is closed", extra=fields(table=table), exc_info=fault)
        self._hub.faults.clear()

    def _commit(self) -> bool:
        """Write ahead: nobody is told of anything that is not in the journal."""
        accepted = self._hub.accepted
        if not accepted:
            return True
        try:
            self._journal.commit(accepted)
        except Exception as error:  # noqa: BLE001  # a journal that fails in its own way has failed all the same
            _LOG.critical("the journal failed: the server stops", exc_info=error)
            self.failed.set_result(error)
            self._abort_all()
            return False
        accepted.clear()
        return True

    def _deliver(self) -> None:
        outgoing = self._hub.outgoing
        batch = outgoing.copy()
        outgoing.clear()
        for out in batch:
            try:
                self._hand_out(out)
            except Exception:  # noqa: BLE001  # a message that cannot be encoded is a fault of this one message
                _LOG.exception("a message could not be sent", extra=fields(kind=type(out.message).__name__))
        self._frames.clear()
        touched, self._touched = self._touched, []
        for peer in touched:
            try:
                peer.flush()
            except Exception:  # noqa: BLE001  # whatever it is, it is logged and is this connection's alone
                _LOG.exception("a connection could not be written to", extra=fields(conn=peer.number))
                peer.abort()

    def _hand_out(self, out: Outgoing) -> None:
        peers = [peer for number in out.receivers if (peer := self._opened.get(number))]
        message = out.message
        if message is not None:
            for peer in peers:
                peer.send(self._frames.frame(message, peer.codec))
            if isinstance(message, Welcome):
                for peer in peers:
                    peer.greeted = True
        if out.close is not None:
            for peer in peers:
                peer.close(out.close)

    # --- time ---

    def _set_alarm(self) -> None:
        """One timer for the hub's next deadline. A deadline that moved away needs no new one: it rings, and is set."""
        due = self._hub.deadline()
        if due is None or (self._alarm and self._alarm[0] <= due):
            return
        if self._alarm:
            self._alarm[1].cancel()
        delay = max(_TIMER_LEAST_S, (due - self.now()) / _SECOND_NS)
        self._alarm = due, self._loop.call_later(delay, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        with Contained(_LOG, "the hub failed to tick"):
            self._hub.tick(self.now())
        self._beat()

    def _look_around(self, expected: int) -> None:
        """Measure how late this call is, and look after timeouts."""
        now = self.now()
        self._stalls.note(max(0, now - expected), now)
        for number in self._watch.due(now):
            peer = self._peers.get(number)
            again = peer.check(now) if peer else None
            if again is not None:
                self._watch.add(again, number)
        self._probe = self._next_probe()

    def _next_probe(self) -> asyncio.TimerHandle:
        interval_ms = self.bounds.probe_interval_ms
        return self._loop.call_later(interval_ms / 1000, self._look_around, self.now() + interval_ms * MS_NS)

    def _has_room(self) -> bool:
        return len(self._opened) < self.bounds.connections_max

    def _abort_all(self) -> None:
        for peer in [*self._peers.values()]:
            peer.abort()
