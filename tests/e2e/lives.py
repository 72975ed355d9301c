"""A server that is killed and started again, clients that remember all they were told, and who compares the two."""

import asyncio
import multiprocessing
import os
import re
import shutil
from collections import Counter
from datetime import UTC, datetime
from multiprocessing.connection import Connection as Pipe
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Self, cast

from sqlalchemy import ColumnElement, Integer, literal_column, select

from acerace_client.connection import Connection
from acerace_client.pacing import Retry
from acerace_protocol.messages import Event, EventBase, Play, ServerMessage
from acerace_server import app
from acerace_server.__main__ import main
from acerace_server.adapters.sql import told
from acerace_server.adapters.sql.recovery import setup_of
from acerace_server.adapters.sql.schema import entries, tables
from acerace_server.adapters.sql.sqlite import open_database
from acerace_server.adapters.system import SystemClock
from acerace_server.core.match import Entry, Match
from acerace_server.core.replay import open_match, tell
from acerace_server.core.voice import EVERYONE
from tests.ports import KeptPort

QUICK: Final = Retry(attempts=20_000, first_s=0.01, most_s=0.04)
START_TIMEOUT_S: Final = 100
STOP_TIMEOUT_S: Final = 100
_LISTENING: Final = re.compile(rb"listening on (\S+)\n")
PROCESSES: Final = multiprocessing.get_context("forkserver")
# Processes that have imported everything before they begin, so that a life is short enough to live hundreds.
PROCESSES.set_forkserver_preload(["tests.e2e.preloaded"])


class Life:
    """A process that is ``acerace serve``, from its start to its violent end."""

    def __init__(self, argv: list[str], ahead_us: int = 0) -> None:
        """``ahead_us``: how many microseconds its calendar is ahead of the machine's."""
        self._output, writing = PROCESSES.Pipe(duplex=False)
        self._said = b""
        self.process: ForkServerProcess = PROCESSES.Process(target=serve, args=(argv, writing, writing, ahead_us))
        self.process.start()
        writing.close()

    async def listening(self) -> str:
        """Wait until it listens; where. Raises ``AssertionError`` with all it said if it never does."""
        async with asyncio.timeout(START_TIMEOUT_S):
            while not (found := _LISTENING.search(self._said)):
                data = await asyncio.to_thread(os.read, self._output.fileno(), 1 << 16)
                assert data, f"it ended: {self._said.decode()}"
                self._said += data
        return found[1].decode()

    def kill(self) -> None:
        """``kill -9``."""
        self.process.kill()
        self.process.join()
        self._output.close()

    async def stop(self) -> str:
        """SIGTERM. All it has said, once it has ended. Raises ``AssertionError`` when it does not end well."""
        self.process.terminate()
        while data := await asyncio.to_thread(os.read, self._output.fileno(), 1 << 16):
            self._said += data
        await asyncio.to_thread(self.process.join, STOP_TIMEOUT_S)
        self._output.close()
        assert self.process.exitcode == 0, self._said.decode()
        return self._said.decode()


class CalendarAhead(SystemClock):
    """The machine's clock, with another calendar."""

    ahead_us = 0

    def utc_us(self) -> int:
        return super().utc_us() + self.ahead_us

    def utc_date(self) -> str:
        return datetime.fromtimestamp(self.utc_us() / 1_000_000, UTC).date().isoformat()


def serve(argv: list[str], out: Pipe, err: Pipe, ahead_us: int = 0) -> None:
    """Run the server with its stdout and stderr in these pipes."""
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    if ahead_us:
        CalendarAhead.ahead_us = ahead_us
        setattr(app, "SystemClock", CalendarAhead)  # noqa: B010  # of all adapters the one that tells the date
    os._exit(main(argv))


class Server:
    """One life after the other, on the same port and with the same data: a context manager that ends the last one."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self._port = KeptPort()
        self.url = f"ws://127.0.0.1:{self._port.number}/ws"
        self._argv = ["--data", str(data), "--port", str(self._port.number), "--log-level", "warning"]
        self._argv += ["--no-house-bots", *arguments]
        self.life = Life(self._argv)

    def kill(self) -> None:
        """``kill -9``."""
        self.life.kill()

    def start(self) -> None:
        self.life = Life(self._argv)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.life.process.is_alive():
            self.life.kill()
        self._port.close()


class Witness(Connection):
    """A client that remembers every event it was sent, one that came twice twice."""

    def __init__(self, url: str, name: str, told: asyncio.Event) -> None:
        """``told`` is set with each event."""
        super().__init__(url, name=name, bot=True, retry=QUICK)
        self.events: list[Event] = []
        self._told = told

    async def _take(self, message: ServerMessage) -> None:
        if isinstance(message, EventBase):
            self.events.append(message)
            self._told.set()
        await super()._take(message)


class Auditor:
    """Reads a journal while no server runs, each time only what is new, and tells it to matches of its own."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._matches: dict[int, Match] = {}
        self._entries = 0
        """The last row that was read."""
        self.events: dict[str, dict[int, Event]] = {}
        """By table, all events by their number."""
        self.plays: Counter[tuple[str, int, int]] = Counter()
        """How often the logs have a move with this table, seat and nonce."""

    @property
    def over(self) -> set[str]:
        """The tables whose match is over."""
        return {match.setup.table for match in self._matches.values() if match.phase == "over"}

    def read(self) -> Self:
        """Take in what has come to the journal since the last time."""
        with TemporaryDirectory(prefix="acerace-") as copies:
            # A copy: to open the files themselves would repair what the next server must repair by itself.
            for file in self._directory.glob("acerace.sqlite3*"):
                if not file.name.endswith("-shm"):
                    shutil.copy(file, copies)
            self._read(Path(copies))
        return self

    def _read(self, directory: Path) -> None:
        database = open_database(directory, synchronous="normal", busy_timeout_ms=0)
        row_number: ColumnElement[int] = literal_column("rowid", Integer)
        opened = select(tables).where(tables.c.number.not_in([*self._matches])).order_by(tables.c.number)
        heard = select(row_number, entries).where(row_number > self._entries).order_by(row_number)
        with database.reading() as connection:
            for row in connection.execute(opened):
                self._matches[row.number] = open_match(setup_of(row))
            for row in connection.execute(heard):
                self._entries = row.rowid
                self._tell(self._matches[row.table_number], row.at_ns, row.seat, row.told)
        database.engine.dispose()

    def _tell(self, match: Match, at_ns: int, seat: int, kept: bytes) -> None:
        entry = Entry(match.setup.opened_at + at_ns, seat, told.decode(kept))
        tell(match, entry)
        if isinstance(entry.told, Play):
            self.plays[match.setup.table, seat, entry.told.nonce] += 1
        events = self.events.setdefault(match.setup.table, {})
        for receiver, message in match.outgoing:
            if receiver == EVERYONE:
                event = cast("Event", message)
                events[event.seq] = event
        match.outgoing.clear()
