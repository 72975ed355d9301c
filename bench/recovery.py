"""How soon a killed server's tables are playable again, and how long its loop stands still under load.

    python -m bench.recovery [tables]

Leaves that many matches of two (500) in a data directory as a server that was killed leaves them, in the middle of a
match and near its end, starts a server there, and measures from the start of the process until it listens, and until
each table has answered a command of one of its players, with the processor's time that the server took. Then the load
goes on for a few seconds, and the server says how long its loop was busy at most. The clients' own work is on the
same machine.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Self
from urllib.request import urlopen

from acerace_client.dial import Line, dial
from acerace_protocol.codec import MSGPACK
from acerace_protocol.messages import Hello, Play, Played, Refused, Resume, ServerMessage
from bench._tables import Left, leave

TABLES: Final = 500
MOVES: Final = {"in the middle of a match": 120, "near its end": 290}
LOAD_S: Final = 5.0
MOVES_PER_S: Final = 400
"""Of all tables together, as the load of the stall measurement."""
_TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")


class Seat:
    """One player of one table, who only draws and recycles: every command is answered at once."""

    def __init__(self, url: str, left: Left, seat: int) -> None:
        self._url = url
        self._left = left
        self._token = left.tokens[seat]
        self._nonce = 1_000_000
        self._move = "d"
        self._line: Line | None = None
        self._turn = asyncio.Lock()

    async def act(self) -> None:
        """One command and its answer; the next one waits for it."""
        async with self._turn:
            await self._act()

    async def _act(self) -> None:
        assert self._line is not None
        self._nonce += 1
        await self._line.send(Play(table=self._left.table, nonce=self._nonce, move=self._move))
        while getattr(answer := await self._answer(), "nonce", None) != self._nonce:
            pass
        self._move = "d" if isinstance(answer, Played) or self._move == "r" else "r"

    async def _answer(self) -> ServerMessage:
        assert self._line is not None
        while not isinstance(message := await self._line.receive(), Played | Refused):
            assert message is not None, "the server hung up"
        return message

    async def come_back(self) -> None:
        self._line, _ = await dial(self._url, [MSGPACK], Hello(token=self._token))
        await self._line.send(Resume(table=self._left.table, seen=self._left.seen))
        await self.act()


class Server:
    """``acerace serve`` with a data directory."""

    def __init__(self, data: str) -> None:
        """Returns when it listens."""
        command = [sys.executable, "-m", "acerace_server", "--port", "0", "--data", data, "--log-level", "warning"]
        command += ["--commands-per-second", "100000", "--no-house-bots", "--connections-per-address", "10000"]
        self.began = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.url = self.process.stdout.readline().removeprefix("listening on ").strip()

    def report(self, what: str) -> None:
        """Print the time since the start: by the clock, and of the processor."""
        took = time.perf_counter() - self.began
        print(f"  {what:56}{took:8.2f} s{self._processor_s():8.2f} s", flush=True)

    def _processor_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S

    def stall_ms(self) -> float:
        with urlopen(self.url.replace("ws:", "http:").removesuffix("/ws") + "/healthz") as answer:  # noqa: S310
            return float(json.load(answer)["loop_stall_max_us"]) / 1000

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()


async def measure(tables: int, moves: int, data: str, *, with_load: bool) -> None:
    left = leave(Path(data), tables, moves)
    with Server(data) as server:
        await come_back(server, left, with_load=with_load)


async def come_back(server: Server, left: list[Left], *, with_load: bool) -> None:
    server.report("it listens after")
    seats = [[Seat(server.url, one, seat) for one in left] for seat in (0, 1)]
    await asyncio.gather(*(seat.come_back() for seat in seats[0]))
    server.report("and every table has answered a command after")
    if with_load:
        await asyncio.gather(*(seat.come_back() for seat in seats[1]))
        await asyncio.sleep(61)  # the report is of the last minute: leave the recovery behind
        print(f"  {'the loop was busy at most, nobody playing':56}{server.stall_ms():8.1f} ms", flush=True)
        await load(seats[0])
        print(f"  {f'and at most, with {MOVES_PER_S} moves a second':56}{server.stall_ms():8.1f} ms", flush=True)


async def load(playing: list[Seat]) -> None:
    begin, moves = time.perf_counter(), 0
    tasks: set[asyncio.Task[None]] = set()
    while (now := time.perf_counter() - begin) < LOAD_S:
        while moves < now * MOVES_PER_S:
            task = asyncio.create_task(playing[moves % len(playing)].act())
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            moves += 1
        await asyncio.sleep(0.005)
    await asyncio.gather(*tasks)


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    with TemporaryDirectory(dir=Path.cwd()) as data:  # on a disk; /tmp may be none
        print(f"an empty server{'':43}  by clock   processor")
        with Server(data) as server:
            server.report("it listens after")
    for number, (where, moves) in enumerate(MOVES.items(), 1):
        print(f"{tables} tables {where}, {moves} moves each")
        with TemporaryDirectory(dir=Path.cwd()) as data:
            asyncio.run(measure(tables, moves, data, with_load=number == len(MOVES)))


if __name__ == "__main__":
    main()
