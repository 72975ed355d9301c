"""One player's connection, which comes back by itself: commands and events are neither lost nor doubled.

After a break the same player (by token) is back with a ``welcome``; every followed table is resumed from its last
event, and the commands without an answer are sent again in their order, under the nonces they had, so that each takes
effect once. Other messages (``seek``, ``watch`` ...) are not repeated: who waits for an answer sees the ``welcome``.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from types import TracebackType
from typing import Final, Self, TypeVar

from acerace_client.dial import OPEN_TIMEOUT_S, Line, dial
from acerace_client.errors import ConnectionLostError, ProblemError, RefusedError
from acerace_client.pacing import Retry, Throttle
from acerace_client.unanswered import Unanswered
from acerace_protocol.codec import MSGPACK, Codec
from acerace_protocol.limits import Fault
from acerace_protocol.messages import (
    ClientMessage,
    Closing,
    Command,
    Event,
    EventBase,
    Hello,
    Leave,
    Problem,
    Refused,
    Resume,
    Seated,
    ServerMessage,
    Snapshot,
    TableCommand,
    Watch,
    Welcome,
)

INBOX_MESSAGES: Final = 1024
"""Read ahead of the program that iterates; then reading stops, and in the end the server drops us (we resume)."""
_NONCE_SPACE: Final = 1 << 40

_PATIENT: Final = Retry()
_PASSES: Final = frozenset({Fault.SERVER_CLOSING, Fault.TOO_MANY, Fault.TOO_FAST, Fault.STORE_FAILED})
"""Why a known player's ``hello`` may be refused now and accepted in a moment."""

M = TypeVar("M", bound=ServerMessage)


class Connection:
    """Use it with ``async with`` and read it with ``async for``; it ends only by :meth:`close` or an error."""

    def __init__(  # noqa: PLR0913  # each is one thing a player may want to say of itself
        self,
        url: str,
        *,
        token: str | None = None,
        name: str | None = None,
        bot: bool = False,
        agent: str = "acerace-client",
        codecs: Sequence[Codec] = (MSGPACK,),
        retry: Retry = _PATIENT,
    ) -> None:
        """Nothing happens before ``async with`` or :meth:`open`. ``url`` is like ``ws://127.0.0.1:8080/ws``."""
        self.url = url
        self.token = token
        self._name, self._bot, self._agent = name, bot, agent
        self._codecs = codecs
        self._retry = retry
        self.welcome: Welcome | None = None
        """The newest; its ``tables`` are the seats this player already has."""
        self.seats: dict[str, int] = {}
        """Own seats by table, as told on this connection."""
        self.reconnects = 0
        self._line: Line | None = None
        self._seen: dict[str, int] = {}
        """The followed tables, each with its last event."""
        self._late: dict[str, Watch] = {}
        """The tables that are followed some time after everybody else: after a break they are watched anew, as a
        ``resume`` would tell what is not to be known yet."""
        self._throttle = Throttle()
        self._unanswered = Unanswered()
        self._inbox: asyncio.Queue[ServerMessage | None] = asyncio.Queue(INBOX_MESSAGES)
        self._online = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._failure: Exception | None = None
        self._closed = False
        self._nonce = secrets.randbelow(_NONCE_SPACE)  # the token may have been used by another process

    # --- coming and going ----------------------------------------------------------------------------------

    async def open(self) -> Welcome:
        """Connect, once: a server that cannot be reached now is an error, not something to wait for.

        Raises :class:`ConnectionLostError`, :class:`ProblemError` (the ``hello`` was not accepted).
        """
        welcome = await self._connect()
        self._task = asyncio.create_task(self._run(), name=f"acerace connection to {self.url}")
        return welcome

    async def close(self) -> None:
        """Close for good: iterations end, and what is sent from now on is refused."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._hang_up()
        await self._finish()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # --- sending -------------------------------------------------------------------------------------------

    def nonce(self) -> int:
        """A fresh number for a command."""
        self._nonce += 1
        return self._nonce

    async def send(self, message: ClientMessage) -> Welcome | None:
        """Send one message, after those sent before it; waits while there is no connection.

        A table command is kept until it is answered, and sent again after a break. Of any other message the answer is
        the ``welcome`` of the connection on which it went: whether it went before or after a break.
        Raises :class:`ConnectionLostError`.
        """
        if isinstance(message, TableCommand):
            await self._send_command(message)
            return None
        if isinstance(message, Leave):
            self._forget(message.table)
        if isinstance(message, Watch):
            self._late.pop(message.table, None)
            if message.delay_s:
                self._late[message.table] = message
        await self._throttle.wait()
        while True:
            line = await self._live_line()
            welcome = self.welcome
            if await self._write(line, message):
                return welcome

    async def command(self, command: Command) -> Event:
        """Send a table command and wait for the event that answers it, which the iteration brings too.

        Somebody must be iterating, or the inbox fills and no answer is read any more.
        Raises :class:`RefusedError`, :class:`ProblemError`, :class:`ConnectionLostError`.
        """
        with self._unanswered.awaited(command.nonce) as answer:
            await self._send_command(command)
            message = await answer
        if isinstance(message, Refused):
            raise RefusedError(message)
        if isinstance(message, Problem):
            raise ProblemError(message)
        return message

    async def _send_command(self, command: Command) -> None:
        await self._unanswered.wait_for_room(lambda: self._over)
        await self._throttle.wait()
        self._raise_if_over()
        self._unanswered.add(command)
        # not yet or no longer connected: the reconnection sends all that is unanswered, in order
        if self._online.is_set() and self._line is not None:
            await self._write(self._line, command)

    async def _live_line(self) -> Line:
        while self._line is None or not self._online.is_set():
            self._raise_if_over()
            await self._online.wait()
        self._raise_if_over()
        return self._line

    async def _write(self, line: Line, message: ClientMessage) -> bool:
        sent = await line.send(message)
        if not sent and self._line is line:
            self._online.clear()
        return sent

    # --- receiving -----------------------------------------------------------------------------------------

    async def __aiter__(self) -> AsyncIterator[ServerMessage]:
        """All messages in order, to the end by :meth:`close`.

        Raises :class:`ConnectionLostError`, :class:`ProblemError` (the ``hello`` after a break was not accepted).
        """
        while (message := await self._next()) is not None:
            yield message

    async def receive(self, timeout_s: float | None = None) -> ServerMessage:
        """The next message.

        Raises :class:`TimeoutError` when none came in time, :class:`ConnectionLostError` also after :meth:`close`.
        """
        async with asyncio.timeout(timeout_s):
            message = await self._next()
        if message is None:
            raise ConnectionLostError("the connection is closed")
        return message

    @property
    def pending(self) -> int:
        """Messages that have come and were not read: while there are some, the newest is not known."""
        return self._inbox.qsize()

    async def expect(self, kind: type[M], timeout_s: float | None = OPEN_TIMEOUT_S) -> M:
        """The next message of this kind; others before it are thrown away, so it is for beginnings.

        Raises :class:`ProblemError` when a ``problem`` comes first; as :meth:`receive`.
        """
        async with asyncio.timeout(timeout_s):
            while True:
                message = await self.receive()
                if isinstance(message, kind):
                    return message
                if isinstance(message, Problem):
                    raise ProblemError(message)

    async def _next(self) -> ServerMessage | None:
        if self._inbox.empty() and self._over:
            message = None
        else:
            message = await self._inbox.get()
        if message is None and self._failure is not None:
            raise self._failure
        return message

    # --- the background task -------------------------------------------------------------------------------

    async def _run(self) -> None:
        try:
            while self._line is not None:
                why = await self._read(self._line)
                await self._reconnect(why)
        except (ConnectionLostError, ProblemError) as error:
            self._failure = error
        except Exception as fault:  # noqa: BLE001  # whatever it is, those who wait must not wait for ever
            self._failure = ConnectionLostError(f"reading from {self.url} failed: {fault!r}", retry_in_s=None)
            self._failure.__cause__ = fault
        finally:
            await self._hang_up()
        await self._finish()

    async def _read(self, line: Line) -> ConnectionLostError | ProblemError:
        """Read until the line breaks; why it did."""
        while (message := await line.receive()) is not None:
            await self._take(message)
        self._online.clear()
        return line.hung_up()

    async def _take(self, message: ServerMessage) -> None:
        match message:
            case Seated():
                self.seats[message.table] = message.seat
            case Snapshot():
                self._take_snapshot(message)
            case Closing(table=str(table)) | Problem(code=Fault.NO_SUCH_TABLE, nonce=None, table=str(table)):
                self._forget(table)  # the next break does not ask for it again
            case Refused(nonce=nonce) | Problem(nonce=int(nonce)):
                await self._unanswered.answer(nonce, message)
            case EventBase():
                await self._take_event(message)
            case _:
                pass
        await self._inbox.put(message)

    def _forget(self, table: str) -> None:
        self._seen.pop(table, None)
        self._late.pop(table, None)

    def _take_snapshot(self, snapshot: Snapshot) -> None:
        self._seen[snapshot.table] = snapshot.seq
        for seat, info in enumerate(snapshot.players):
            if self.welcome and info.player == self.welcome.player:
                self.seats[snapshot.table] = seat  # also of a seat that was got while the line was broken

    async def _take_event(self, event: Event) -> None:
        if self._seen.get(event.table) == event.seq - 1:  # after a gap, a break resumes from before it
            self._seen[event.table] = event.seq
        nonce = self._unanswered.answered_by(event, self.seats)
        if nonce is not None:
            await self._unanswered.answer(nonce, event)

    # --- connecting ----------------------------------------------------------------------------------------

    async def _reconnect(self, why: ConnectionLostError | ProblemError) -> None:
        """Come back, unless ``why`` we are not connected says that it would not help."""
        failures = 0
        while True:
            least_s = _worth_trying(why)
            if failures >= self._retry.attempts:
                if isinstance(why, ProblemError):
                    raise why
                raise ConnectionLostError(f"lost the connection to {self.url}: {why}")
            await asyncio.sleep(max(least_s, self._retry.wait_s(failures)))
            try:
                welcome = await self._connect()
            except (ConnectionLostError, ProblemError) as error:
                why = error
                failures += 1
                continue
            self.reconnects += 1
            await self._inbox.put(welcome)
            return

    async def _connect(self) -> Welcome:
        """One attempt. Raises :class:`ConnectionLostError`, :class:`ProblemError`."""
        hello = Hello(token=self.token, name=self._name, bot=self._bot, agent=self._agent)
        line, welcome = await dial(self.url, self._codecs, hello)
        self._line = line
        self.welcome, self.token = welcome, welcome.token
        self._throttle.limit(welcome.limits)
        # copies: meanwhile somebody may leave a table, or watch another
        for watched in [*self._late.values()]:
            await line.send(watched)
        for table, seen in [*self._seen.items()]:
            if table not in self._late:
                await line.send(Resume(table=table, seen=seen))
        await self._send_again(line)
        self._online.set()
        return welcome

    async def _send_again(self, line: Line) -> None:
        """Send what is unanswered; also what is added meanwhile, as it would otherwise wait for the next break."""
        sent: set[int] = set()
        while again := self._unanswered.but(sent):
            for command in again:
                sent.add(command.nonce)
                await self._throttle.wait()
                await line.send(command)

    # --- the end -------------------------------------------------------------------------------------------

    @property
    def _over(self) -> bool:
        return self._closed or self._failure is not None

    def _raise_if_over(self) -> None:
        if self._over:
            raise self._why_over()

    def _why_over(self) -> ConnectionLostError:
        return ConnectionLostError(str(self._failure or "the connection is closed"))

    async def _hang_up(self) -> None:
        self._online.clear()
        line, self._line = self._line, None
        if line is not None:
            await line.close()

    async def _finish(self) -> None:
        """Wake everybody who waits for something that will not come."""
        self._online.set()
        await self._unanswered.give_up(self._why_over)
        if not self._inbox.full():  # one who waits for a message waits at an empty inbox
            self._inbox.put_nowait(None)


def _worth_trying(error: ConnectionLostError | ProblemError) -> float:
    """For how many seconds to wait at least after an attempt that failed so. Raises it, if another will fail too."""
    if isinstance(error, ProblemError) and error.fault in _PASSES:
        return 0.0
    if isinstance(error, ProblemError) or error.retry_in_s is None:
        raise error
    return error.retry_in_s
