"""The handshake, and what else is answered over HTTP."""

import json

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from acerace_protocol.codec import JSON, MSGPACK
from acerace_protocol.messages import Ping, Pong
from acerace_server.shell.bounds import Bounds
from tests.server.shell.fakes import FakeHub
from tests.server.shell.support import Running, Start, client, handshake, raw, until


async def refusal(running: Running, *, origin: str | None = None, subprotocols: tuple[str, ...] = ()) -> int:
    """The HTTP status with which a real client's handshake is refused."""
    with pytest.raises(InvalidStatus) as caught:
        await connect(
            running.url,
            origin=Origin(origin) if origin else None,
            subprotocols=[Subprotocol(name) for name in subprotocols] or None,
            proxy=None,
        )
    return caught.value.response.status_code


async def http(running: Running, request: str) -> tuple[int, bytes, bytes]:
    """Status, head and body of the answer to a raw request."""
    async with raw(running) as connection:
        connection.write(request.encode().replace(b"\n", b"\r\n"))
        head, _, body = (await connection.rest()).partition(b"\r\n\r\n")
    return int(head.split()[1]), head, body


@pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=lambda codec: codec.subprotocol)
async def test_either_subprotocol_is_spoken(start: Start, codec: object) -> None:
    chosen = MSGPACK if codec is MSGPACK else JSON
    async with client(await start(), chosen) as one:
        assert one.websocket.subprotocol == chosen.subprotocol
        await one.send(Ping(nonce=1))
        assert await one.receive() == Pong(nonce=1)


async def test_the_server_prefers_messagepack_whatever_the_client_names_first(start: Start) -> None:
    running = await start()
    names = [Subprotocol("other"), Subprotocol(JSON.subprotocol), Subprotocol(MSGPACK.subprotocol)]
    async with connect(running.url, subprotocols=names, proxy=None) as websocket:
        assert websocket.subprotocol == MSGPACK.subprotocol


async def test_compression_is_declined(start: Start) -> None:
    running = await start()
    async with connect(running.url, subprotocols=[Subprotocol(JSON.subprotocol)], proxy=None) as websocket:
        assert not websocket.protocol.extensions


async def test_without_a_known_subprotocol_the_handshake_fails_and_says_which_there_are(start: Start) -> None:
    running = await start()
    assert await refusal(running) == 400
    assert await refusal(running, subprotocols=("acerace.2.json",)) == 400
    async with raw(running) as connection:
        connection.write(handshake(None))
        answer = await connection.rest()
    assert b"acerace.1.msgpack or acerace.1.json" in answer


@pytest.mark.parametrize(
    ("origin", "welcome"),
    [
        (None, True),
        ("http://localhost", True),
        ("https://LOCALHOST", True),
        ("http://play.example", True),
        ("http://play.example:8000", False),
        ("http://localhost:9", False),
        ("http://evil.example", False),
        ("http://localhost.evil.example", False),
        ("ftp://localhost", False),
        ("null", False),
        ("", False),
    ],
)
async def test_origins(start: Start, origin: str | None, welcome: bool) -> None:
    running = await start(origins=("http://Play.example/",))
    more = () if origin is None else (f"Origin: {origin}",)
    async with raw(running) as connection:
        connection.write(handshake(JSON.subprotocol, "/ws", *more))
        head = await connection.head()
    assert head.split()[1] == (b"101" if welcome else b"403")


async def test_any_origin_can_be_allowed(start: Start) -> None:
    running = await start(origins=("*",))
    names = [Subprotocol(JSON.subprotocol)]
    async with connect(running.url, origin=Origin("http://else.example"), subprotocols=names, proxy=None):
        pass


async def test_two_origins_are_a_bad_request(start: Start) -> None:
    async with raw(await start()) as connection:
        connection.write(handshake(JSON.subprotocol, "/ws", "Origin: http://a", "Origin: http://b"))
        assert (await connection.head()).split()[1] == b"400"


HOST = "Host: localhost\n\n"


@pytest.mark.parametrize(
    ("request_text", "status"),
    [
        (f"GET / HTTP/1.1\n{HOST}", 200),
        (f"GET /?a=b HTTP/1.1\n{HOST}", 200),
        ("GET / HTTP/1.0\n\n", 200),
        (f"GET /healthz HTTP/1.1\n{HOST}", 200),
        (f"GET /ws HTTP/1.1\n{HOST}", 426),
        (f"GET /nowhere HTTP/1.1\n{HOST}", 404),
        (f"GET /ws/ HTTP/1.1\n{HOST}", 404),
        (f"GET /../etc/passwd HTTP/1.1\n{HOST}", 404),
        (f"HEAD /healthz HTTP/1.1\n{HOST}", 405),
        (f"OPTIONS /ws HTTP/1.1\n{HOST}", 405),
        (f"POST /healthz HTTP/1.1\nContent-Length: 0\n{HOST}", 405),
        (f"POST /healthz HTTP/1.1\nContent-Length: 3\n{HOST}abc", 405),
        (f"PUT /nowhere HTTP/1.1\nContent-Length: 3\n{HOST}abc", 404),
        (f"POST / HTTP/1.1\nTransfer-Encoding: chunked\n{HOST}", 405),
        ("GET / HTTP/1.1\n\n", 400),
        ("GET / HTTP/1.1\nHost: a\nHost: b\n\n", 400),
        (f"GET /healthz HTTP/1.1\nContent-Length: 3\n{HOST}abc", 400),
        ("GET /\n\n", 400),
        ("GET / HTTP/2\n\n", 400),
        ("GET / HTTP/1.1\nno colon\n\n", 400),
        ("\n\n", 400),
        ("hello there\n", 400),
        ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n\n", 400),
        (f"GET /{'x' * 9000} HTTP/1.1\n{HOST}", 414),
        (f"GET / HTTP/1.1\nLong: {'x' * 9000}\n{HOST}", 431),
        ("GET / HTTP/1.1\n" + "Many: more\n" * 200 + HOST, 431),
        ("GET / HTTP/1.1\n" + f"Half: {'x' * 4000}\n" * 5, 431),
    ],
)
async def test_http(start: Start, request_text: str, status: int) -> None:
    running = await start()
    got, head, body = await http(running, request_text)
    assert got == status, head
    assert body
    assert int(head.partition(b"Content-Length: ")[2].split()[0]) == len(body)
    if status == 405:
        assert b"\r\nAllow: GET" in head
    async with client(running) as one:
        assert await one.echoes()


async def test_at_the_root_there_is_a_page(start: Start) -> None:
    _, head, body = await http(await start(), f"GET / HTTP/1.1\n{HOST}")
    assert head.count(b"\r\nContent-Type") == 1
    assert b"Content-Type: text/html" in head
    assert b"Ace Race" in body


async def test_the_health_report_counts(start: Start) -> None:
    hub = FakeHub()
    running = await start(hub)
    async with client(running):
        hub.alarm = 1
        _, head, body = await http(running, f"GET /healthz HTTP/1.1\n{HOST}")
    assert b"Content-Type: application/json" in head
    report = json.loads(body)
    assert report["status"] == "ok"
    assert report["version"] == "0.0"
    assert report["connections"] == 1
    assert report["sockets"] == 2
    assert report["loop_stall_max_us"] > 0


async def test_a_request_in_single_bytes_is_understood(start: Start) -> None:
    async with raw(await start()) as connection:
        for byte in handshake(JSON.subprotocol):
            connection.write(bytes([byte]))
            await connection.writer.drain()
        assert (await connection.head()).startswith(b"HTTP/1.1 101 ")


async def test_a_half_closed_request_is_answered(start: Start) -> None:
    async with raw(await start()) as connection:
        connection.write(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.writer.write_eof()
        assert (await connection.rest()).startswith(b"HTTP/1.1 200 ")


async def test_a_request_that_ends_too_soon_is_bad(start: Start) -> None:
    async with raw(await start()) as connection:
        connection.write(b"GET /healthz HTTP/1.1\r\nHo")
        connection.writer.write_eof()
        assert (await connection.rest()).startswith(b"HTTP/1.1 400 ")


async def test_who_says_nothing_and_leaves_is_sent_nothing(start: Start) -> None:
    async with raw(await start()) as connection:
        connection.writer.write_eof()
        assert await connection.rest() == b""


async def test_a_header_that_is_a_list_may_come_in_several_lines(start: Start) -> None:
    running = await start()
    request = f"GET / HTTP/1.1\nAccept-Encoding: br\nAccept-Encoding: gzip\n{HOST}"
    status, head, _ = await http(running, request)
    assert (status, b"\r\nContent-Encoding: gzip" in head) == (200, True)
    tag = head.partition(b"ETag: ")[2].partition(b"\r\n")[0].decode()
    known = f'If-None-Match: "older"\nIf-None-Match: {tag}\n'
    assert (await http(running, request.replace(HOST, known + HOST)))[0] == 304


async def test_a_full_server_says_so_and_stays_healthy(start: Start) -> None:
    hub = FakeHub()
    running = await start(hub, Bounds(connections_max=2, spare_connections=2))
    async with client(running) as one, client(running) as two:
        assert await refusal(running, subprotocols=(JSON.subprotocol,)) == 503
        status, _, body = await http(running, f"GET /healthz HTTP/1.1\n{HOST}")
        assert (status, json.loads(body)["connections"]) == (200, 2)
        assert await one.echoes()
        assert await two.echoes()
    await until(lambda: len(hub.left) == 2)
    async with client(running) as three:
        assert await three.echoes()


async def test_too_many_sockets_are_turned_away(start: Start) -> None:
    running = await start(None, Bounds(connections_max=1, spare_connections=1))
    async with raw(running), raw(running), raw(running) as third:
        assert (await third.rest()).startswith(b"HTTP/1.1 503 ")
