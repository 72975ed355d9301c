"""The same referee behind our shell and behind ordinary WebSocket servers: what the way from frame to verdict costs.

    python -m bench.wire [--seconds 3] [--rounds 3] [--tables 32]

Each server is a process of its own with the real hub, uvloop where it is, no journal, MessagePack and no compression;
others than ours do what their documentation shows: a handler a connection, which judges each message as it comes and
tells whoever is concerned. They are measured in turn, some rounds, and the medians told. ``websockets`` is always
there; ``aiohttp``, and ``starlette`` with ``uvicorn``, are measured if they are installed.

Two jobs: ``ping`` (one in, one out) and ``draw``, a command of a two-player match (one in, two out, judged by the
rules, each player of a table at once). First everyone goes as fast as the answers come: moves a second, and the
server's own CPU time for each, which does not depend on who else uses the machine. Then at a steady pace, well
below that: the time from sending to hearing the verdict. Absolute figures are this machine's; read the ratios.
"""

import argparse
import asyncio
import importlib.util
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from itertools import count, cycle
from random import Random
from statistics import median, quantiles
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from acerace_protocol.codec import MSGPACK
from acerace_protocol.messages import ClientMessage, Hello, Ping, Play, Ready, Seek
from bench._servers import HOST, SERVERS, run

PACE_PER_S: Final = 10
"""Of one player, in the steady part."""
MOVES: Final = ["d"] * 24 + ["r"]
"""Round and round through the stock."""


# --- the players -------------------------------------------------------------------------------------------


class Seen(Struct):
    """As much of a message as a player here looks at."""

    type: str
    nonce: int | None = None
    table: str = ""
    reason: str = ""


_READ: Final = msgspec.msgpack.Decoder(Seen).decode
_UPGRADE: Final = (
    f"GET /ws HTTP/1.1\r\nHost: {HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: {MSGPACK.subprotocol}\r\n\r\n"
).encode()


_numbers: Final = count(1)


class Player(asyncio.Protocol):
    """One connection that does a job. By hand and without tasks, so that it costs less than what it measures."""

    _transport: asyncio.Transport

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray()
        self._upgraded = False
        self._heard: dict[str, asyncio.Future[Seen]] = {}
        number = next(_numbers)
        self._nonces = count(2**32 * number)  # so that no other player has the same
        self._random = Random(number)
        self._moves = cycle(MOVES)
        self._job: Callable[[int], ClientMessage] = lambda nonce: Ping(nonce=nonce)
        self._awaited = 0
        self._sent_at = 0
        self._until = 0.0
        self._pause_s = 0.0
        self.over: asyncio.Future[None] = self._loop.create_future()
        self.took_ns: list[int] = []

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(_UPGRADE)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._upgraded:
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._upgraded, self._buffer = True, rest
            self.first("upgraded").set_result(Seen("upgraded"))
        while (size := _frame_bytes(self._buffer)) is not None:
            begins, ends = size
            self._take(_READ(self._buffer[begins:ends]))
            del self._buffer[:ends]

    def send(self, message: ClientMessage) -> None:
        payload = MSGPACK.encode(message)
        size = len(payload)
        head = bytes((0x82, 0x80 | size)) if size < 126 else bytes((0x82, 0xFE)) + size.to_bytes(2)
        self._transport.write(head + bytes(4) + payload)  # a mask of zeros leaves it as it is

    def first(self, kind: str) -> asyncio.Future[Seen]:
        """The first message of this type."""
        return self._heard.setdefault(kind, self._loop.create_future())

    def start(self, job: str, table: str, until: float, pause_s: float) -> None:
        self._job = (
            (lambda nonce: Ping(nonce=nonce))
            if job == "ping"
            else lambda nonce: Play(table=table, nonce=nonce, move=next(self._moves))
        )
        self._until, self._pause_s = until, pause_s
        self.took_ns, self.over = [], self._loop.create_future()
        self._next()

    def close(self) -> None:
        self._transport.abort()

    def _take(self, seen: Seen) -> None:
        now = time.perf_counter_ns()
        if seen.type in {"refused", "problem"} and not self.over.done():
            self.over.set_exception(RuntimeError(str(seen)))
        elif seen.type in {"pong", "played"}:
            if seen.nonce == self._awaited:
                self.took_ns.append(now - self._sent_at)
                self._next()
        elif not (first := self.first(seen.type)).done():
            first.set_result(seen)

    def _next(self) -> None:
        if time.perf_counter() >= self._until:
            self.over.set_result(None)
        elif self._pause_s:
            # Nobody waits for the others: moves of many come one by one, as those of people do.
            self._loop.call_later(self._random.uniform(0, 2 * self._pause_s), self._go)
        else:
            self._go()

    def _go(self) -> None:
        self._awaited = next(self._nonces)
        self._sent_at = time.perf_counter_ns()
        self.send(self._job(self._awaited))


def _frame_bytes(buffer: bytearray) -> tuple[int, int] | None:
    """Where the payload of the first frame begins and ends, if it is there whole (RFC 6455, 5.2)."""
    if len(buffer) < 2:
        return None
    more = {126: 2, 127: 8}.get(buffer[1], 0)
    if len(buffer) < 2 + more:
        return None
    size = int.from_bytes(buffer[2 : 2 + more]) if more else buffer[1]
    return (2 + more, 2 + more + size) if len(buffer) >= 2 + more + size else None


@asynccontextmanager
async def room(port: int, tables: int) -> AsyncGenerator[dict[Player, str]]:
    """Players and their tables; two have each, where the cards are dealt."""
    loop = asyncio.get_running_loop()
    players = [(await loop.create_connection(Player, HOST, port))[1] for _ in range(2 * tables)]
    for player in players:
        await player.first("upgraded")
        player.send(Hello())
        player.send(Seek(options={"no_progress_s": 3600, "grace_s": 600}))
        await player.first("welcome")
    seated = {player: (await player.first("seated")).table for player in players}
    for player, table in seated.items():
        player.send(Ready(table=table, nonce=0))
    for player in players:
        await player.first("dealt")
    yield seated
    for player in players:
        player.close()


class Figures(NamedTuple):
    """Of one job at one server."""

    per_s: float
    cpu_us: float
    """The server's, for each answered message."""
    p50_us: float
    p99_us: float


async def measured(name: str, job: str, seconds: float, tables: int) -> Figures:
    command = [sys.executable, "-m", "bench._servers", name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:  # noqa: ASYNC220
        assert process.stdin
        assert process.stdout
        port = int(process.stdout.readline())

        def cpu_s() -> float:
            assert process.stdin
            assert process.stdout
            process.stdin.write("\n")
            process.stdin.flush()
            return float(process.stdout.readline())

        async with room(port, tables) as players:
            await everyone(players, job, seconds / 4, 0)
            before = cpu_s()
            answered = len(await everyone(players, job, seconds, 0))
            used = cpu_s() - before
            took = quantiles(await everyone(players, job, seconds, 1 / PACE_PER_S), n=100)
            process.kill()  # before anyone leaves: that is not measured
    return Figures(answered / seconds, used / answered * 1e6, took[49] / 1000, took[98] / 1000)


async def everyone(players: dict[Player, str], job: str, seconds: float, pause_s: float) -> list[int]:
    """How long each answer took, in nanoseconds."""
    until = time.perf_counter() + seconds
    for player, table in players.items():
        player.start(job, table, until, pause_s)
    await asyncio.gather(*(player.over for player in players))
    return [took for player in players for took in player.took_ns]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.wire", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="of each part of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tables", type=int, default=32, help="of two players each")
    given = parser.parse_args()
    there = [name for name, (_, needs) in SERVERS.items() if all(map(importlib.util.find_spec, needs))]
    print(f"{2 * given.tables} players; medians of {given.rounds} rounds; in brackets: how many times ours")
    for job in ("ping", "draw"):
        print(f"\n{job:<12}{'a second':>18}{'server CPU, us':>18}{'p50, us':>18}{'p99, us':>18}")
        found: dict[str, list[Figures]] = {name: [] for name in there}
        for _ in range(given.rounds):
            for name in there:
                found[name].append(run(measured(name, job, given.seconds, given.tables)))
        middle = {name: Figures(*map(median, zip(*rounds, strict=True))) for name, rounds in found.items()}
        for name, figures in middle.items():
            cells = (f"{value:9.0f} ({value / own:5.2f})" for value, own in zip(figures, middle["ours"], strict=True))
            print(f"{name:<12}" + "".join(f"{cell:>18}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
