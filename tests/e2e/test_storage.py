"""``acerace serve`` with a data directory that fills up, is locked, damaged, in use, of another version, or well."""

import itertools
import re
import resource
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from acerace_protocol.codec import JSON
from acerace_protocol.messages import (
    ClientMessage,
    Closing,
    Event,
    EventBase,
    Hello,
    Play,
    Played,
    Refused,
    Resume,
    Resumed,
    Seated,
    ServerMessage,
    Solo,
    Welcome,
)
from tests.e2e.lives import PROCESSES, serve
from tests.small_disk import on_small_disk

ARGUMENTS = ["--port", "0", "--no-house-bots", "--log-level", "warning"]
COMMAND = [sys.executable, "-m", "acerace_server", *ARGUMENTS]
FAST = ("--commands-per-second", "100000")
PATIENCE_S = 100
STOP_S = 10
"""So soon a server ends that was asked to: it waits 2 s for who does not read, and 2 s for its bots."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")


@dataclass
class Server:
    """A server as a process of its own, and what it says."""

    process: subprocess.Popen[str] | ForkServerProcess
    out: IO[str]
    err: IO[str]

    @property
    def url(self) -> str:
        """Its address, once it listens."""
        return self.out.readline().removeprefix("listening on ").strip()

    def ends(self) -> tuple[int | None, list[str], list[str]]:
        """Its exit code, and the rest of its lines on stdout and stderr, once it has ended by itself."""
        out, err = self.out.read(), self.err.read()
        if isinstance(self.process, subprocess.Popen):
            return self.process.wait(PATIENCE_S), out.splitlines(), err.splitlines()
        self.process.join(PATIENCE_S)
        return self.process.exitcode, out.splitlines(), err.splitlines()


@contextmanager
def running(*command: str) -> Generator[Server]:
    """A server that was started with this command."""
    with subprocess.Popen([*command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stderr
        try:
            yield Server(process, process.stdout, process.stderr)
        finally:
            process.kill()


@contextmanager
def serving(data: Path, *arguments: str) -> Generator[Server]:
    """A server with this data directory, forked from a process that has imported everything."""
    (out, out_end), (err, err_end) = PROCESSES.Pipe(duplex=False), PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=serve, args=([*ARGUMENTS, "--data", str(data), *arguments], out_end, err_end))
    process.start()
    out_end.close()
    err_end.close()
    with out, err, open(out.fileno(), closefd=False) as said, open(err.fileno(), closefd=False) as complained:
        try:
            yield Server(process, said, complained)
        finally:
            process.kill()
            process.join()


class Client:
    """A client that remembers the events it was sent."""

    def __init__(self, websocket: ClientConnection) -> None:
        self._websocket = websocket
        self.events: list[Event] = []
        self._nonces = itertools.count(1)

    def send(self, message: ClientMessage) -> None:
        self._websocket.send(JSON.encode(message).decode())

    def receive(self) -> ServerMessage:
        message = JSON.decode_server(self._websocket.recv(timeout=PATIENCE_S, decode=False))
        if isinstance(message, EventBase):
            self.events.append(message)
        return message

    def until(self, *kinds: type) -> ServerMessage:
        while not isinstance(message := self.receive(), kinds):
            pass
        return message

    def greet(self, token: str | None = None) -> Welcome:
        self.send(Hello(token=token))
        welcome = self.until(Welcome)
        assert isinstance(welcome, Welcome)
        return welcome

    def solo(self) -> str:
        self.send(Solo())
        seated = self.until(Seated)
        assert isinstance(seated, Seated)
        return seated.table

    def draw_on(self, table: str, most: int = 1_000_000) -> None:
        """Draw, and recycle, again and again: each waits for its answer."""
        refused = False
        for nonce in itertools.islice(self._nonces, most):
            self.send(Play(table=table, nonce=nonce, move="r" if refused else "d"))
            refused = isinstance(self.until(Played, Refused), Refused)


@contextmanager
def client(url: str) -> Generator[Client]:
    with connect(url, subprotocols=[Subprotocol(JSON.subprotocol)], proxy=None, max_size=None) as websocket:
        yield Client(websocket)


def all_events(url: str, token: str, table: str) -> list[Event]:
    """What a player who comes back is sent of a table, from its beginning."""
    with client(url) as back:
        assert back.greet(token).tables == (table,)
        back.send(Resume(table=table, seen=0))
        resumed = back.until(Resumed)
        assert isinstance(resumed, Resumed)
        while len(back.events) < resumed.missed:
            back.receive()
        return back.events


def fails(server: Server) -> str:
    """The one line with which a server says why it does not start."""
    code, out, err = server.ends()
    assert (code, out) == (1, [])
    (line,) = err
    return line


@contextmanager
def one_that_never_reads(url: str) -> Generator[None]:
    """A WebSocket whose other end neither reads nor closes."""
    address = urlsplit(url)
    assert address.port
    lines = [
        "GET /ws HTTP/1.1",
        f"Host: {address.netloc}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Sec-WebSocket-Protocol: {JSON.subprotocol}",
    ]
    with socket.create_connection((address.hostname, address.port)) as plain:
        plain.sendall("\r\n".join([*lines, "", ""]).encode())
        yield


# --- it goes wrong while people play: what is not kept is not told ---


def disk_full(server: Server, data: Path) -> None:
    """From now on no file of this process can grow."""
    size = max(file.stat().st_size for file in data.glob("acerace.sqlite3*"))
    assert server.process.pid
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("moves", [1, 60])
def test_a_disk_that_cannot_be_written_stops_the_server_before_it_tells_what_it_cannot_keep(
    tmp_path: Path, moves: int
) -> None:
    with serving(tmp_path, *FAST) as server:
        url = server.url
        with client(url) as ada:
            token = ada.greet().token
            table = ada.solo()
            ada.draw_on(table, most=moves)
            disk_full(server, tmp_path)
            with pytest.raises(ConnectionClosed):
                ada.draw_on(table)
        code, _, err = server.ends()
    assert code == 1
    assert re.fullmatch(
        "acerace serve: it stopped, because it could not keep what happened: the disk cannot be .*", err[-1]
    )
    assert "Traceback" not in "".join(err)
    with serving(tmp_path, *FAST) as server:
        kept = all_events(server.url, token, table)
    assert kept[: len(ada.events)] == ada.events
    assert len(kept) <= len(ada.events) + 2, "told less than was kept, by more than what was on its way"


def test_a_file_system_that_is_full(tmp_path: Path) -> None:
    command = [*on_small_disk(tmp_path, "1m"), *COMMAND, "--data", str(tmp_path / "data"), *FAST]
    with running(*command) as server:
        with client(server.url) as ada:
            ada.greet()
            table = ada.solo()
            with pytest.raises(ConnectionClosed):
                ada.draw_on(table)
        code, _, err = server.ends()
    assert code == 1
    assert "could not keep what happened: the disk is full" in err[-1]
    assert len(ada.events) > 10


def test_a_database_that_another_program_keeps_locked_stops_the_server(tmp_path: Path) -> None:
    with serving(tmp_path, *FAST) as server, client(server.url) as ada:
        token = ada.greet().token
        table = ada.solo()
        ada.draw_on(table, most=5)
        with closing(sqlite3.connect(tmp_path / "acerace.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(ConnectionClosed):
                ada.draw_on(table)
            code, _, err = server.ends()
    assert code == 1
    assert "another program keeps the database locked" in err[-1]
    with serving(tmp_path, *FAST) as server:
        assert all_events(server.url, token, table)[: len(ada.events)] == ada.events


# --- it does not start ---


@pytest.fixture
def used(tmp_path: Path) -> Path:
    """A directory that a server has used."""
    with serving(tmp_path) as server:
        assert server.url
        server.process.terminate()
        assert server.ends()[0] == 0
    return tmp_path


def test_one_server_a_directory(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert server.url
        with serving(tmp_path) as second:
            assert fails(second) == f"acerace serve: {tmp_path} is in use by another server"


@pytest.mark.parametrize(
    ("version", "reason"),
    [("9999", "it was used by a newer version; use that one, or another data directory")],
)
def test_a_newer_schema_is_refused_in_one_line(used: Path, version: str, reason: str) -> None:
    with closing(sqlite3.connect(used / "acerace.sqlite3", isolation_level=None)) as database:
        database.execute("UPDATE alembic_version SET version_num = ?", (version,))
    with serving(used) as server:
        line = fails(server)
    assert f"has schema {version}" in line
    assert line.endswith(reason)


def test_an_older_schema_is_brought_up_to_date_with_a_line_in_the_log(tmp_path: Path) -> None:
    with running(*COMMAND, "--data", str(tmp_path), "--log-level", "info") as server:  # not one that knows Alembic
        assert server.url
        server.process.terminate()
        code, _, err = server.ends()
    assert code == 0
    assert [line for line in err if "schema" in line and "logger=acerace." in line]
    assert not [line for line in err if "alembic" in line]


def test_a_damaged_database_is_refused_in_one_line(used: Path) -> None:
    (used / "acerace.sqlite3").write_bytes(b"\xa5" * 50_000)
    with serving(used) as server:
        assert "the database is damaged" in fails(server)


def test_a_directory_that_cannot_be_made_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with serving(tmp_path / "file" / "data") as server:
        assert "Not a directory" in fails(server)


# --- it stops as asked ---


@contextmanager
def connected(url: str) -> Generator[Client]:
    """A client among others that do not behave."""
    with client(url) as behaves, one_that_never_reads(url):
        yield behaves


def test_sigterm_tells_the_players_and_keeps_their_tables_for_the_next_start(tmp_path: Path) -> None:
    with serving(tmp_path, *FAST) as server, connected(server.url) as ada:
        token = ada.greet().token
        table = ada.solo()
        ada.draw_on(table, most=5)
        began = time.monotonic()
        server.process.terminate()
        assert isinstance(ada.until(Closing), Closing)
        code, out, err = server.ends()
        assert time.monotonic() - began < STOP_S
    assert (code, err) == (0, [])
    assert f"everything is kept in {tmp_path}" in out
    assert not [*tmp_path.glob("*-wal")], "a server that stops well leaves the database in one file"
    with serving(tmp_path, *FAST) as server:
        url = server.url
        assert all_events(url, token, table)[: len(ada.events)] == ada.events
        server.process.terminate()
        _, out, _ = server.ends()
    assert f"everything is kept in {tmp_path}; 1 live table goes on where the last run ended" in out


def test_memory_keeps_nothing_whatever_data_says(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--memory", *FAST) as server:
        url = server.url
        with client(url) as ada:
            token = ada.greet().token
            ada.draw_on(ada.solo(), most=30)
        with client(url) as again:
            assert len(again.greet(token).tables) == 1
        server.process.terminate()
        code, out, _ = server.ends()
    assert code == 0
    assert "nothing is kept: everything is gone when the server stops" in out
    assert not (tmp_path / "data").exists()
