"""``acerace doctor``: whether a server that runs does all it should, from end to end; or whether its data are whole."""

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit
from urllib.request import urlopen

import msgspec

from acerace_client.bots.registry import make_bot
from acerace_client.commands.common import FAILED, OK, Subparsers, UsageError, add_url, new_parser
from acerace_client.connection import Connection
from acerace_client.errors import ClientError, first_error
from acerace_client.pacing import Retry
from acerace_client.runner import Result, play_one
from acerace_protocol.codec import JSON, MSGPACK, Codec
from acerace_protocol.messages import Accept, Ended, Event, EventBase, Ping, Pong, Resume, Resumed, Seek, Snapshot, Solo

_CHECK_TIMEOUT_S: Final = 60
"""For one check; a whole match at the speed a server allows takes about ten seconds."""
_HTTP_TIMEOUT_S: Final = 5
_SERVER_PROGRAM: Final = "acerace_server"
_ONCE: Final = Retry(attempts=0)
_SEEDS: Final = ("0a", "0b")
_SCHEMES: Final = {"ws": "http", "wss": "https"}


class UnwellError(ClientError):
    """A server that does not do what it should; the message says what."""


Check = Callable[[str], Awaitable[str]]
"""Looks at one thing of the server at a URL; the answer is what is worth saying if all is well."""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(
        subparsers,
        "doctor",
        "check a running server from end to end, or its data directory",
        ["doctor", "doctor --url wss://play.example.org/ws", "doctor --data /var/lib/acerace"],
    )
    add_url(parser)
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="look over this data directory instead: every page and every reference; a server may run on it meanwhile",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.data is not None:
        return asyncio.run(_examine({"data": _data}, str(args.data)))
    url: str = args.url
    if urlsplit(url).scheme not in _SCHEMES:
        raise UsageError(f"{url!r} is no address of a WebSocket: ws://... or wss://...")
    return asyncio.run(_examine(_checks(), url, _CHECK_TIMEOUT_S))


async def _examine(checks: Mapping[str, Check], what: str, timeout_s: float | None = None) -> int:
    code = OK
    for name, check in checks.items():
        began = time.perf_counter()
        try:
            async with asyncio.timeout(timeout_s):
                verdict = f"ok    {name}: {await check(what)}"
        except TimeoutError:
            verdict, code = f"FAIL  {name}: no answer within {timeout_s} s", FAILED
        except (ClientError, ExceptionGroup) as error:
            reason = first_error(error)
            verdict, code = f"FAIL  {name}: {' '.join(str(reason).split())}", FAILED
        print(f"{verdict} ({(time.perf_counter() - began) * 1000:.0f} ms)", flush=True)
    return code


def _checks() -> Mapping[str, Check]:
    """By name, in the order in which they are made."""
    match = _Match()
    return {
        "health": _health,
        "MessagePack": lambda url: _greets(url, MSGPACK),
        "JSON": lambda url: _greets(url, JSON),
        "solo game": _solo,
        "match": match.played,
        "resume": match.resumed,
        "fair deal": match.fair,
    }


async def _data(directory: str) -> str:
    """The server's own program looks, as only it knows what it keeps."""
    command = ("-m", _SERVER_PROGRAM, "--check-data", "--data", directory)
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=pipe, stderr=pipe)
    found, wrong = await process.communicate()
    if process.returncode:
        raise UnwellError(wrong.decode().strip().removeprefix("acerace serve: "))
    return found.decode().strip()


class _Health(msgspec.Struct):
    """What the report of a server says, as far as it is looked at."""

    status: str
    version: str
    connections: int
    tables_live: int
    loop_stall_max_us: int


async def _health(url: str) -> str:
    report = await asyncio.to_thread(_read_report, health_url(url))
    if report.status != "ok":
        raise UnwellError(f"the server says that it is {report.status!r}")
    return (
        f"version {report.version}, {report.connections} connections, {report.tables_live} live tables, "
        f"busy for {report.loop_stall_max_us / 1000:.1f} ms at most"
    )


def health_url(url: str) -> str:
    """Where a server whose WebSockets are at ``url`` says how it is."""
    parts = urlsplit(url)
    path = parts.path.removesuffix("/").rpartition("/")[0] + "/healthz"
    return urlunsplit((_SCHEMES[parts.scheme], parts.netloc, path, "", ""))


def _read_report(url: str) -> _Health:
    try:
        with urlopen(url, timeout=_HTTP_TIMEOUT_S) as answer:  # noqa: S310  # http or https: see health_url
            return msgspec.json.decode(answer.read(), type=_Health)
    except (OSError, msgspec.MsgspecError) as error:
        raise UnwellError(f"{url}: {error}") from error


async def _greets(url: str, codec: Codec) -> str:
    async with _connected(url, codec) as connection:
        began = time.perf_counter()
        await connection.send(Ping(nonce=7))
        pong = await connection.expect(Pong)
        if pong.nonce != 7:  # noqa: PLR2004  # as sent
            raise UnwellError(f"a ping with nonce 7 was answered with nonce {pong.nonce}")
        round_trip_ms = (time.perf_counter() - began) * 1000
        server = connection.welcome.server if connection.welcome else "a server"
        return f"{server} answers a ping in {round_trip_ms:.1f} ms"


async def _solo(url: str) -> str:
    async with _connected(url) as connection:
        result = await play_one(connection, make_bot("patient"), Solo(game="klondike"))
        return f"{result.mirror.code}, {result.ended.moves[0]} moves, {result.ended.reason}"


class _Match:
    """A match of two connections, and what can be said of it when it is over."""

    def __init__(self) -> None:
        self._results: list[Result] = []
        self._token: str | None = None

    async def played(self, url: str) -> str:
        async with _connected(url) as one, _connected(url) as two:
            self._token = one.token
            code: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            async with asyncio.TaskGroup() as tasks:
                first = tasks.create_task(self._first(one, code))
                second = tasks.create_task(self._second(two, code))
        self._results = [first.result(), second.result()]
        ended, other = (result.ended for result in self._results)
        if ended != other or self._results[0].mirror.view != self._results[1].mirror.view:
            raise UnwellError("the two players did not see the same end")
        scores = ":".join(map(str, ended.scores))
        return f"{scores}, {sum(ended.moves)} moves, {len(ended.races)} lost races, {ended.reason}"

    async def _first(self, connection: Connection, code: asyncio.Future[str]) -> Result:
        seek = Seek(private=True)
        return await play_one(connection, make_bot("greedy"), seek, seed=_SEEDS[0], on_seek=code.set_result)

    async def _second(self, connection: Connection, code: asyncio.Future[str]) -> Result:
        return await play_one(connection, make_bot("patient"), Accept(seek=await code), seed=_SEEDS[1])

    async def resumed(self, url: str) -> str:
        """The same player on another connection is sent all that was missed, in order, or how it stands."""
        first, _ = self._both()
        async with Connection(url, token=self._token, agent="acerace doctor", retry=_ONCE) as connection:
            seen = max(0, first.ended.seq - _history_of(connection))
            await connection.send(Resume(table=first.table, seen=seen))
            resumed = await connection.expect(Resumed)
            events: list[Event] = []
            while not events or not isinstance(events[-1], Ended):
                message = await connection.receive()
                if isinstance(message, Snapshot):
                    raise UnwellError("what was missed was not sent, but a snapshot")
                if isinstance(message, EventBase):
                    events.append(message)
        if [event.seq for event in events] != [*range(seen + 1, first.ended.seq + 1)] or events[-1] != first.ended:
            raise UnwellError(f"events {seen + 1} to {first.ended.seq} were asked for, and others came")
        return f"{resumed.missed} events sent again, none missing, none twice"

    async def fair(self, url: str) -> str:
        del url
        for result in self._both():
            if result.deal_fault or not result.deal_checked:
                raise UnwellError(result.deal_fault or "not the whole match was seen")
        return "the secret is the one committed to; with both seeds it gives the cards that were dealt"

    def _both(self) -> list[Result]:
        if not self._results:
            raise UnwellError("there is no match to look at")
        return self._results


def _history_of(connection: Connection) -> int:
    """How many events the server says it keeps of a table."""
    limits = connection.welcome.limits if connection.welcome else {}
    return limits.get("history_events", 0)


def _connected(url: str, codec: Codec = MSGPACK) -> Connection:
    return Connection(url, name="doctor", bot=True, agent="acerace doctor", codecs=(codec,), retry=_ONCE)
