"""Whatever a client sends, it is answered with a typed problem or closed with a code; nobody else notices (N28)."""

import asyncio
import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acerace_protocol.codec import JSON, MSGPACK, Codec
from acerace_protocol.limits import FRAME_MAX_BYTES, MALFORMED_PER_CONNECTION, CloseCode, Fault
from acerace_protocol.messages import Hello, Problem
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.referee import Referee
from tests.server.shell.fakes import FakeHub
from tests.server.shell.support import Running, Start, client, frame, handshake, raw, real_hub, unmasked

TEXT, BINARY, CONT, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
CUT = Bounds().frame_cut_bytes
OPCODE = {JSON: TEXT, MSGPACK: BINARY}


@pytest.fixture(params=[FakeHub, real_hub], ids=["fake hub", "real hub"])
def hub(request: pytest.FixtureRequest) -> Referee:
    made: Referee = request.param()
    return made


BAD_JSON = [
    b"null",
    b"[]",
    b"0",
    b'"x"',
    b"{}",
    b'{"t":null}',
    b'{"type":null}',
    b'{"type":"nope"}',
    b"NaN",
    b"1e999",
    b'{"type":"ping","nonce":1e999}',
    b'{"type":"ping","nonce":NaN}',
    b'{"type":"ping","nonce":-1}',
    b"",
    b"{",
    b"[" * 2000 + b"]" * 2000,
    b'{"type":"ping","nonce":1,"deep":' + b"[" * 1500 + b"]" * 1500 + b"}",
]
BAD_MSGPACK = [
    b"",
    b"\xc0",
    b"\x90",
    b"\x00",
    b"\xa1x",
    b"\x80",
    b"\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00",
    b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\x91" * 3000 + b"\xc0",
    b"\xc1",
    b"\x81\xa4type\xa1\xff",
]
BAD = [(JSON, data) for data in BAD_JSON] + [(MSGPACK, data) for data in BAD_MSGPACK]


async def problem_after(running: Running, codec: Codec, *frames: bytes) -> Problem:
    """The problem that a greeted client is told after sending these frames; it is answered as ever afterwards."""
    async with client(running) as other, raw(running) as bad:
        await bad.upgrade(codec)
        bad.write(frame(OPCODE[codec], codec.encode(Hello(name="bad"))))
        for each in frames:
            bad.write(each)
        answers = await bad.frames(2)
        assert await other.echoes()
        problem = codec.decode_server(answers[1][1])
        assert isinstance(problem, Problem)
        return problem


@pytest.mark.parametrize(("codec", "data"), BAD, ids=[repr(data[:24]) for _, data in BAD])
async def test_what_is_no_message_is_a_problem(start: Start, hub: Referee, codec: Codec, data: bytes) -> None:
    problem = await problem_after(await start(hub), codec, frame(OPCODE[codec], data))
    assert problem.code in {Fault.MALFORMED, Fault.UNKNOWN_TYPE, Fault.TOO_DEEP}
    assert problem.detail


@pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=lambda codec: codec.subprotocol)
async def test_the_wrong_kind_of_frame_is_a_problem(start: Start, hub: Referee, codec: Codec) -> None:
    problem = await problem_after(await start(hub), codec, frame(TEXT + BINARY - OPCODE[codec], b"{}"))
    assert problem.code == Fault.WRONG_FRAME_KIND


@pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=lambda codec: codec.subprotocol)
@pytest.mark.parametrize("size", [FRAME_MAX_BYTES + 1, CUT])
async def test_what_is_a_little_too_large_is_a_problem(start: Start, hub: Referee, codec: Codec, size: int) -> None:
    whole = codec.encode(Hello()).ljust(size)
    for frames in ([frame(OPCODE[codec], whole)], [frame(OPCODE[codec], whole[:9], fin=False), frame(CONT, whole[9:])]):
        problem = await problem_after(await start(hub), codec, *frames)
        assert problem.code == Fault.FRAME_TOO_LARGE


async def test_a_problem_says_which_message_it_is_about(start: Start) -> None:
    for told in ({"nonce": 7, "table": "t"}, {"nonce": 7}, {"table": "t"}):
        for wrong in ({"type": "play", "move": "d", "seen": -1}, {"type": "nope"}):
            bad = json.dumps(wrong | told).encode()
            problem = await problem_after(await start(real_hub()), JSON, frame(TEXT, bad))
            assert (problem.nonce, problem.table) == (told.get("nonce"), told.get("table"))


FAILURES = {
    "oversized": (1009, [frame(TEXT, b"x" * (CUT + 1))]),
    "a header that announces a terabyte": (1009, [b"\x81\xff" + (2**40).to_bytes(8, "big") + b"mask"]),
    "10 MB": (1009, [frame(TEXT, b"x" * 10_000_000)]),
    "oversized in fragments": (1009, [frame(TEXT, b"x" * 3000, fin=False), frame(CONT, b"x" * (CUT - 2999))]),
    "invalid UTF-8": (1007, [frame(TEXT, b'{"type":"\xff\xfe"}')]),
    "UTF-8 cut short": (1007, [frame(TEXT, "ü".encode()[:1])]),
    "a lone surrogate": (1007, [frame(TEXT, b"\xed\xa0\x80")]),
    "unmasked": (1002, [frame(TEXT, b"{}", masked=False)]),
    "reserved opcode 3": (1002, [frame(3, b"")]),
    "reserved opcode 15": (1002, [frame(15, b"")]),
    "a reserved bit": (1002, [frame(TEXT, b"{}", rsv=4)]),
    "a fragmented ping": (1002, [frame(PING, b"", fin=False)]),
    "a ping of 126 bytes": (1002, [frame(PING, b"x" * 126)]),
    "a continuation of nothing": (1002, [frame(CONT, b"x")]),
    "a message within a message": (1002, [frame(TEXT, b"x", fin=False), frame(TEXT, b"y")]),
    "a close frame of one byte": (1002, [frame(CLOSE, b"\x03")]),
    "a close code that is reserved": (1002, [frame(CLOSE, b"\x03\xee")]),
    "a close reason that is no text": (1007, [frame(CLOSE, b"\x03\xe8\xff")]),
    "a close frame within a message": (1002, [frame(TEXT, b"x", fin=False), frame(CLOSE, b"\x03\xe8")]),
}


@pytest.mark.parametrize(("code", "frames"), FAILURES.values(), ids=FAILURES.keys())
async def test_what_breaks_the_websocket_closes_it_with_its_code(
    start: Start, hub: Referee, code: int, frames: list[bytes]
) -> None:
    running = await start(hub)
    async with client(running) as other, raw(running) as bad:
        await bad.upgrade()
        for each in frames:
            bad.write(each)
        assert await bad.close_code() == code
        assert await other.echoes()


async def test_a_real_client_learns_that_its_message_was_too_big(start: Start) -> None:
    async with client(await start()) as one:
        await one.websocket.send("x" * 3_000_000)
        assert await one.closed() == 1009


async def test_too_much_that_is_malformed_closes_the_connection(start: Start, hub: Referee) -> None:
    running = await start(hub)
    async with client(running) as other, client(running) as bad:
        for _ in range(MALFORMED_PER_CONNECTION):
            await bad.websocket.send("null")
            assert isinstance(await bad.receive(), Problem)
        assert await bad.echoes()
        await bad.websocket.send("null")
        assert isinstance(await bad.receive(), Problem)
        assert await bad.closed() == CloseCode.TOO_MANY_MALFORMED
        assert await other.echoes()


async def test_what_follows_a_close_frame_is_ignored(start: Start) -> None:
    hub = FakeHub()
    async with raw(await start(hub)) as bad:
        await bad.upgrade()
        bad.write(frame(CLOSE, b"\x03\xe8") + frame(TEXT, b'{"type":"watch","table":"explode"}') + b"\xff" * 500)
        assert await bad.close_code() == 1000
    assert hub.left == [1]


async def test_frames_right_behind_the_handshake_are_read_after_it(start: Start) -> None:
    async with raw(await start()) as eager:
        eager.write(handshake(JSON.subprotocol) + frame(PING, b"hi") + frame(TEXT, b'{"type":"ping","nonce":5}'))
        assert (await eager.head()).startswith(b"HTTP/1.1 101 ")
        assert await eager.frames(2) == [(PONG, b"hi"), (TEXT, b'{"type":"pong","nonce":5}')]


@pytest.mark.parametrize("tail", [frame(CLOSE, b""), frame(15, b""), b"\x00" * 9000], ids=["close", "bad", "zeros"])
async def test_what_follows_a_refused_handshake_is_ignored(start: Start, tail: bytes) -> None:
    async with raw(await start()) as eager:
        eager.write(handshake(None) + tail)
        assert (await eager.rest()).startswith(b"HTTP/1.1 400 ")


async def test_fragments_with_pings_between_make_one_message(start: Start) -> None:
    async with raw(await start()) as slow:
        await slow.upgrade()
        message = b'{"type":"ping","nonce":12345}'
        slow.write(frame(TEXT, b"", fin=False))
        for index, byte in enumerate(message):
            slow.write(frame(CONT, bytes([byte]), fin=False) + frame(PING, b"%d" % index))
            await slow.writer.drain()
        slow.write(frame(CONT, b""))
        frames = await slow.frames(len(message) + 1)
    assert frames[:-1] == [(PONG, b"%d" % index) for index in range(len(message))]
    assert frames[-1] == (TEXT, b'{"type":"pong","nonce":12345}')


async def test_a_message_of_the_greatest_length_is_read(start: Start) -> None:
    async with raw(await start()) as one:
        await one.upgrade()
        one.write(frame(TEXT, b'{"type":"ping","nonce":1}'.ljust(FRAME_MAX_BYTES)))
        assert (await one.frames(1))[0] == (TEXT, b'{"type":"pong","nonce":1}')


def sent_codes(frames: list[bytes]) -> set[int]:
    """The close codes that a server echoes if these frames are sent; 1005 for none."""
    payloads = [unmasked(sent) for sent in frames if sent[0] & 0x0F == CLOSE]
    return {int.from_bytes(payload[:2], "big") or 1005 for payload in payloads}


FUZZ = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def chunks(data: bytes, seed: int) -> list[bytes]:
    """The data cut at random places."""
    dice = random.Random(seed)
    cuts = sorted(dice.sample(range(len(data) + 1), min(len(data), dice.randrange(4))))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


@FUZZ
@given(data=st.binary(max_size=3000), seed=st.integers(0, 2**16), upgraded=st.booleans())
async def test_random_bytes(start: Start, data: bytes, seed: int, upgraded: bool) -> None:
    running = await start(real_hub())
    async with client(running) as other, raw(running) as bad:
        if upgraded:
            await bad.upgrade()
        for chunk in chunks(data, seed):
            bad.write(chunk)
            await asyncio.sleep(0)
        assert await other.echoes()


Frames = st.lists(
    st.builds(
        frame,
        st.sampled_from([0, 1, 1, 1, 2, 3, 8, 9, 10, 15]),
        st.one_of(
            st.binary(max_size=200),
            st.sampled_from(BAD_JSON),
            st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5).map(
                lambda value: json.dumps(value).encode()
            ),
        ),
        fin=st.sampled_from([True, True, True, False]),
        masked=st.sampled_from([True] * 19 + [False]),
    ),
    max_size=12,
)


@FUZZ
@given(frames=Frames, seed=st.integers(0, 2**16))
async def test_random_frames(start: Start, frames: list[bytes], seed: int) -> None:
    running = await start(real_hub())
    async with client(running) as other, raw(running) as bad:
        await bad.upgrade()
        for chunk in chunks(b"".join(frames), seed):
            bad.write(chunk)
            await asyncio.sleep(0)
        bad.write(frame(CLOSE, b"\x03\xe8"))
        assert await bad.close_code() in {1000, 1002, 1007, 1009} | sent_codes(frames)
        assert await other.echoes()


@FUZZ
@given(
    lines=st.lists(
        st.tuples(
            st.sampled_from(["Host", "Origin", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version",
                             "Sec-WebSocket-Protocol", "Content-Length", "X"]),
            st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=40),
        ),
        max_size=8,
    ),
    method=st.sampled_from(["GET", "GET", "POST", "get", "", "G\xe4T"]),
    path=st.sampled_from(["/", "/ws", "/healthz", "/x", "*", "/\xe4", "ws"]),
)  # fmt: skip
async def test_random_requests_are_answered(start: Start, lines: list[tuple[str, str]], method: str, path: str) -> None:
    running = await start()
    request = "\r\n".join([f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in lines), "", ""])
    async with raw(running) as connection:
        connection.write(request.encode("latin-1"))
        assert (await connection.head()).startswith(b"HTTP/1.1 ")
