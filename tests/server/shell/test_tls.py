"""The same server behind TLS, with a certificate from files."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from acerace_protocol.codec import MSGPACK
from acerace_protocol.messages import Closing, Hello, ListGames, Ping, Pong, Resign
from acerace_server.adapters.memory import MemoryJournal
from acerace_server.adapters.system import SystemClock
from acerace_server.app import TlsError, tls_context
from acerace_server.config import Config
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.gateway import About, Gateway
from tests.server.shell.fakes import FakeHub
from tests.server.shell.support import PATIENCE_S, Client, Running, raw, until

FILES = Path(__file__).parent / "tls"
"""A certificate for localhost and its key, made with openssl for these tests, and good until 2126."""
CERTIFICATE, KEY = FILES / "certificate.pem", FILES / "key.pem"
QUICK = Bounds(hello_timeout_ms=300, linger_ms=200, probe_interval_ms=10)


@pytest.fixture
def trust() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=CERTIFICATE)


@pytest.fixture
def bounds() -> Bounds:
    return Bounds()


@pytest_asyncio.fixture
async def running(bounds: Bounds) -> AsyncIterator[Running]:
    journal = MemoryJournal()
    gateway = Gateway(FakeHub(), clock=SystemClock(), journal=journal, about=About("0.0"), bounds=bounds)
    context = tls_context(Config(tls_certificate=CERTIFICATE, tls_key=KEY))
    host, port = await gateway.listen("127.0.0.1", 0, context)
    yield Running(gateway, journal, host, port)
    await gateway.close(timeout_s=0.5)


async def test_a_client_speaks_as_ever_and_the_end_is_orderly(running: Running, trust: ssl.SSLContext) -> None:
    url = running.url.replace("ws://", "wss://")
    names = [Subprotocol(MSGPACK.subprotocol)]
    async with connect(
        url, ssl=trust, subprotocols=names, proxy=None, server_hostname="localhost", open_timeout=PATIENCE_S
    ) as websocket:
        one = Client(websocket, MSGPACK)
        await one.send(Hello())
        await one.receive()
        await one.send(Ping(nonce=5))
        assert await one.receive() == Pong(nonce=5)
        await one.send(ListGames())  # more than TLS puts into one record
        await one.receive()
        await one.send(Resign(table="t", nonce=1))
        assert isinstance(await one.receive(), Closing)
    assert websocket.close_code == 1000
    await until(lambda: not running.gateway.health()["sockets"])


async def test_pages_come_whole_over_tls(running: Running, trust: ssl.SSLContext) -> None:
    reader, writer = await asyncio.open_connection(running.host, running.port, ssl=trust, server_hostname="localhost")
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    async with asyncio.timeout(PATIENCE_S):
        answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert int(head.partition(b"Content-Length: ")[2].split()[0]) == len(body)


@pytest.mark.parametrize("bounds", [QUICK])
async def test_who_speaks_no_tls_or_nothing_is_cut_off(running: Running) -> None:
    async with raw(running) as plain, raw(running) as silent:
        plain.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert not (await plain.rest()).startswith(b"HTTP")
        assert await silent.rest() == b""


@pytest.mark.parametrize(
    ("certificate", "key"), [("nowhere.pem", KEY), (CERTIFICATE, CERTIFICATE), (__file__, KEY), (KEY, KEY)]
)
def test_files_that_are_not_right_are_named(certificate: str | Path, key: Path) -> None:
    with pytest.raises(TlsError, match=r"cannot use \S+ with \S+: \S"):
        tls_context(Config(tls_certificate=Path(certificate), tls_key=key))


def test_without_a_certificate_there_is_no_tls() -> None:
    assert tls_context(Config()) is None
