"""All connections, and the two beats of a loop turn around the hub.

*Arrival*: each read is stamped, decoded and given to the hub, by :class:`Peer`. *Verdict*: once at the end of the loop
turn, :meth:`Gateway._beat` lets the hub judge, commits to the journal, encodes each message once, and writes once to
each connection. Both are plain calls on one thread: no task, queue or lock for a move, and nothing awaits in between.
"""

import asyncio
import logging
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from acerace_protocol.codec import MalformedMessageError
from acerace_protocol.limits import CloseCode
from acerace_protocol.messages import ClientMessage, Hello, Welcome
from acerace_protocol.units import MS_NS, SECOND_NS
from acerace_server.core.hosted import Outgoing
from acerace_server.core.jobs import Job
from acerace_server.ports import Clock, Journal, JournalError
from acerace_server.shell.bounds import READ_MAX_BYTES, Bounds
from acerace_server.shell.counts import Counts
from acerace_server.shell.door import TOO_MANY, TOO_OFTEN, Door, Network
from acerace_server.shell.frames import FrameCache
from acerace_server.shell.logs import Contained, fields
from acerace_server.shell.metrics import Metrics
from acerace_server.shell.pages import Pages, reject
from acerace_server.shell.peer import Peer
from acerace_server.shell.referee import Referee
from acerace_server.shell.stall import StallMeter
from acerace_server.shell.watch import Watch
from acerace_server.shell.workshop import Workshop

_LOG: Final = logging.getLogger("acerace.gateway")
_TIMER_LEAST_S: Final = 0.001
"""A loop's timers are good to a millisecond; asking for less would spin."""
_CLOSE_TIMEOUT_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class About:
    """What the gateway says of itself, and who may come."""

    version: str
    origins: Sequence[str] = ()
    """Web origins whose pages may connect, besides the server's own."""
    proxies: Sequence[Network] = ()
    """Whose word counts for where a connection comes from."""


def _nothing_is_kept(job: Job) -> object:
    """The jobs of a server without a store: whatever is asked for is not there."""
    del job
    return None


class Gateway:
    """Accepts connections for a hub. Lives on the loop that runs when it is made."""

    _last_number = 0
    _closing = False
    _in_beat = False

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
        self._counts = Counts()
        self._door = Door(self.bounds, about.proxies)
        metrics = Metrics(hub.tally, self._counts, self.health)
        self._pages = Pages(about.origins, self.health, metrics.page, self._has_room)
        self._peers: dict[int, Peer] = {}
        self._opened: dict[int, Peer] = {}
        """Those who speak WebSocket, as the hub knows them."""
        self._leaving: list[tuple[int, int]] = []
        """Pairs of connection and time: for the hub, after the verdict on what they sent before."""
        self._touched: list[Peer] = []
        self._turn_began: int | None = None
        """When the first thing of this loop turn arrived; ``None``: no beat is scheduled."""
        self._frames = FrameCache()
        self._stalls = StallMeter()
        self._watch = Watch()
        self._alarm: tuple[int, asyncio.TimerHandle] | None = None
        self._listeners: list[asyncio.Server] = []
        self._empty = asyncio.Event()
        self._probe = self._next_probe()

    # --- the server's life ---

    async def listen(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> tuple[str, int]:
        """Accept connections; the answer is the address, with the port that was found for 0. Raises ``OSError``."""
        handshake_s = self.bounds.hello_timeout_ms / 1000 if tls else None
        listener = await self._loop.create_server(
            lambda: Peer(self), host, port, backlog=1024, ssl=tls, ssl_handshake_timeout=handshake_s
        )
        self._listeners.append(listener)
        self._schedule(self.now())  # tables of an earlier run have timers, and more to be kept, before anyone comes
        address = listener.sockets[0].getsockname()
        return str(address[0]), int(address[1])

    async def listen_inside(self) -> tuple[str, int]:
        """Accept connections without TLS too, from this machine only; the answer is the address."""
        listener = await self._loop.create_server(lambda: Peer(self), "127.0.0.1", 0)
        self._listeners.append(listener)
        host, port = listener.sockets[0].getsockname()
        return str(host), int(port)

    async def close(self, timeout_s: float = _CLOSE_TIMEOUT_S) -> None:
        """Tell everyone, let them close, and cut off who does not in time."""
        self._closing = True
        for listener in self._listeners:
            listener.close()
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

    def joined(self, peer: Peer) -> tuple[HTTPStatus, str] | None:
        self._last_number += 1
        peer.number = self._last_number
        self._peers[peer.number] = peer
        peer.address = self._door.address_of(peer.remote)
        if not self._door.enter(peer.address):
            self._counts.turned_away["too_many_from_address"] += 1
            return TOO_MANY
        if self._closing or len(self._peers) > self.bounds.connections_max + self.bounds.spare_connections:
            self._counts.turned_away["full"] += 1
            return HTTPStatus.SERVICE_UNAVAILABLE, "The server is full; try again later."
        return None

    def respond(self, peer: Peer, websocket: ServerProtocol, request: Request, at: int) -> Response:
        if not peer.address:
            peer.address = self._door.forwarded(peer.remote, request.headers)
            if not self._door.enter(peer.address):
                return self._refuse(websocket, "too_many_from_address", TOO_MANY)
        response = self._pages.respond(websocket, request)
        accepted = response.status_code == HTTPStatus.SWITCHING_PROTOCOLS
        if accepted and not self._door.knock(peer.address, at):
            return self._refuse(websocket, "too_often", TOO_OFTEN)
        return response

    def _refuse(self, websocket: ServerProtocol, why: str, refusal: tuple[HTTPStatus, str]) -> Response:
        self._counts.turned_away[why] += 1
        return reject(websocket, *refusal)

    def dropped(self, why: str) -> None:
        self._counts.dropped[why] += 1

    def opened(self, peer: Peer, at: int) -> None:
        self._opened[peer.number] = peer
        self._counts.opened += 1
        self._schedule(at)
        self._hub.connect(peer.number, at, peer.address)
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
        if self._peers.pop(peer.number, None):
            self._door.leave(peer.address)
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
        took = ended - (began or ended)
        self._stalls.note(took, ended)
        self._counts.beats_ns.note(took)

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
        began = self.now()
        try:
            self._journal.commit(accepted)
        except Exception as error:  # noqa: BLE001  # a journal that fails in its own way has failed all the same
            foreseen = isinstance(error, JournalError)
            event = "the journal failed: the server stops, and what was not kept is told to nobody"
            _LOG.critical(event, exc_info=None if foreseen else error, extra=fields(reason=error))
            self.failed.set_result(error)
            self._abort_all()
            return False
        accepted.clear()
        self._counts.commits_ns.note(self.now() - began)
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
            self._counts.closed(out.close, len(peers))
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
        delay = max(_TIMER_LEAST_S, (due - self.now()) / SECOND_NS)
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
