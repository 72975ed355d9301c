"""How soon a killed server's tables are playable again, and how long its loop stands still under load.

    python -m bench.recovery [tables]

Plays that many matches of two at once (500) on a server with a data directory until each has 120 moves, kills it with
SIGKILL, starts it again, and measures from the start of the process until it listens, and until each table has
answered a command of one of its players. Then the load goes on for a few seconds, and /healthz says how long the loop
was busy at most. The clients' own work is on the same machine.
"""

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.request import urlopen

from acerace_client.dial import Line, dial
from acerace_protocol.codec import MSGPACK
from acerace_protocol.messages import (
    Accept,
    ClientMessage,
    Hello,
    Play,
    Played,
    Ready,
    Refused,
    Resume,
    Seated,
    Seek,
    Seeking,
    ServerMessage,
    Welcome,
)

TABLES: Final = 500
MOVES: Final = 120
"""Of each match before the kill: about half of one."""
LOAD_S: Final = 5.0
MOVES_PER_S: Final = 400
"""Of all tables together, as the load of the stall measurement."""


class Seat:
    """One player of one table, who only draws and recycles: every command is answered at once."""

    def __init__(self, line: Line, welcome: Welcome) -> None:
        self.line = line
        self.token = welcome.token
        self.table = ""
        self.seen = 0
        self._nonce = 0
        self._move = "d"

    async def until(self, *kinds: type[ServerMessage]) -> ServerMessage:
        while True:
            message = await self.line.receive()
            assert message is not None, "the server hung up"
            self.seen = max(self.seen, getattr(message, "seq", 0))
            if isinstance(message, kinds):
                return message

    async def act(self) -> None:
        """One command and its answer."""
        self._nonce += 1
        await self.line.send(Play(table=self.table, nonce=self._nonce, move=self._move))
        while getattr(answer := await self.until(Played, Refused), "nonce", None) != self._nonce:
            pass
        self._move = "d" if isinstance(answer, Played) or self._move == "r" else "r"

    async def back(self, url: str) -> None:
        self.line, _ = await dial(url, [MSGPACK], Hello(token=self.token))
        await self.line.send(Resume(table=self.table, seen=self.seen))
        await self.act()


class Server:
    """``acerace serve`` with a data directory, on a port that stays the same."""

    def __init__(self, data: str) -> None:
        self._arguments = ["--data", data, "--log-level", "warning", "--commands-per-second", "100000"]
        self._arguments += ["--no-house-bots", "--connections-per-address", "10000"]
        self._port = 0

    def start(self) -> float:
        """The seconds until it listens."""
        began = time.perf_counter()
        command = [sys.executable, "-m", "acerace_server", "--port", str(self._port), *self._arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.url = self.process.stdout.readline().removeprefix("listening on ").strip()
        self._port = int(self.url.rsplit(":", 1)[1].partition("/")[0])
        return time.perf_counter() - began

    def stall_ms(self) -> float:
        with urlopen(self.url.replace("ws:", "http:").removesuffix("/ws") + "/healthz") as answer:  # noqa: S310
            return float(json.load(answer)["loop_stall_max_us"]) / 1000


async def seated(url: str) -> list[Seat]:
    """The two seats of a new table, both ready."""
    one, two = [Seat(*await dial(url, [MSGPACK], Hello(bot=True))) for _ in range(2)]
    await one.line.send(Seek(private=True, options={"no_progress_s": 600}))
    code = await one.until(Seeking)
    assert isinstance(code, Seeking)
    await two.line.send(Accept(seek=code.seek))
    for seat in (one, two):
        got = await seat.until(Seated)
        assert isinstance(got, Seated)
        seat.table = got.table
        ready: ClientMessage = Ready(table=seat.table, nonce=0)
        await seat.line.send(ready)
    return [one, two]


async def play(table: list[Seat], moves: int) -> None:
    for number in range(moves):
        await table[number % 2].act()


async def measure(tables: int, data: str) -> None:
    server = Server(data)
    print(f"{'an empty server listens after':58}{server.start():8.2f} s")
    playing = [await seated(server.url) for _ in range(tables)]
    await asyncio.gather(*(play(table, MOVES) for table in playing))
    server.process.kill()
    server.process.wait()
    print(f"{tables} tables of {MOVES} moves each")
    began = time.perf_counter()
    print(f"{'after kill -9 it listens again after':58}{server.start():8.2f} s")
    await asyncio.gather(*(table[0].back(server.url) for table in playing))
    print(f"{'and every table has answered a command after':58}{time.perf_counter() - began:8.2f} s")
    await asyncio.gather(*(table[1].back(server.url) for table in playing))
    await asyncio.sleep(61)  # the report is of the last minute: leave the recovery behind
    print(f"{'the loop was busy at most, nobody playing':58}{server.stall_ms():8.1f} ms")
    await load(playing)
    print(f"{f'and at most, with {MOVES_PER_S} moves a second':58}{server.stall_ms():8.1f} ms")
    server.process.terminate()
    server.process.wait()


async def load(playing: list[list[Seat]]) -> None:
    begin, moves = time.perf_counter(), 0
    tasks: set[asyncio.Task[None]] = set()
    while (now := time.perf_counter() - begin) < LOAD_S:
        while moves < now * MOVES_PER_S:
            task = asyncio.create_task(playing[moves % len(playing)][0].act())
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            moves += 1
        await asyncio.sleep(0.005)
    await asyncio.gather(*tasks)


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    with TemporaryDirectory(dir=Path.cwd()) as data:  # on a disk; /tmp may be none
        asyncio.run(measure(tables, data))


if __name__ == "__main__":
    main()
