"""The parts of the shell that need no socket."""

import io
import json
import logging

import pytest
from websockets.frames import Frame, Opcode

from acerace_protocol.codec import JSON, MSGPACK, Codec
from acerace_protocol.limits import FRAME_MAX_BYTES
from acerace_protocol.messages import Problem
from acerace_server.shell.allowance import Allowance
from acerace_server.shell.bounds import READ_MAX_BYTES
from acerace_server.shell.frames import FrameCache, frame_bytes, frame_of
from acerace_server.shell.logs import Contained, KeyValueFormatter, fields, logging_to
from acerace_server.shell.outbox import Outbox
from acerace_server.shell.stall import StallMeter
from acerace_server.shell.watch import Watch
from tests.server.shell.fakes import FakeTransport

SECOND = 1_000_000_000


def test_what_waits_goes_out_in_one_write() -> None:
    transport = FakeTransport()
    outbox = Outbox(transport, 100)
    assert outbox.flush()
    for data in (b"a", b"bc", b"d"):
        outbox.put(data)
    assert outbox.flush()
    assert outbox.flush()
    assert transport.written == [b"abcd"]


@pytest.mark.parametrize(
    ("unsent", "waiting", "fits"), [(0, 100, True), (0, 101, False), (60, 40, True), (60, 41, False)]
)
def test_too_much_unsent_is_refused_and_forgotten(unsent: int, waiting: int, fits: bool) -> None:
    transport = FakeTransport(unsent)
    outbox = Outbox(transport, 100)
    outbox.put(b"x" * waiting)
    assert outbox.flush() is fits
    assert transport.written == ([b"x" * waiting] if fits else [])
    assert outbox.flush()
    assert len(transport.written) == fits


def test_what_is_on_its_way_no_longer_counts_as_waiting() -> None:
    transport = FakeTransport()
    outbox = Outbox(transport, 100)
    for _ in range(3):
        outbox.put(b"x" * 100)
        assert outbox.flush()
    outbox.put(b"x" * 101)
    assert not outbox.flush()
    outbox.put(b"x" * 100)
    assert outbox.flush()
    assert len(transport.written) == 4


def test_an_allowance_lets_a_burst_through_and_then_makes_one_wait() -> None:
    allowance = Allowance(10, at=0)
    assert allowance.spend(20, at=0) == 0
    assert allowance.spend(5, at=0) == 0.5
    assert allowance.spend(1, at=SECOND) == 0
    assert allowance.spend(0, at=1000 * SECOND) == 0
    assert allowance.spend(21, at=1000 * SECOND) == 0.1


def test_an_allowance_fills_up_once_for_the_time_that_has_passed() -> None:
    allowance = Allowance(10, at=5 * SECOND)
    assert allowance.spend(20, at=5 * SECOND) == 0
    assert allowance.spend(10, at=6 * SECOND) == 0
    assert allowance.spend(10, at=7 * SECOND) == 0
    assert allowance.spend(1, at=7 * SECOND) == 0.1


def test_the_longest_stall_is_forgotten_after_a_minute() -> None:
    meter = StallMeter()
    assert meter.longest_us(0) == 0
    meter.note(5_000_000, at=SECOND)
    meter.note(3_000_000, at=SECOND + 1)
    meter.note(2_000_000, at=30 * SECOND)
    assert meter.longest_us(40 * SECOND) == 5000
    assert meter.longest_us(61 * SECOND) == 5000
    assert meter.longest_us(62 * SECOND) == 2000
    for second in range(100, 300):
        meter.note(second, at=second * SECOND)
    assert meter.longest_us(300 * SECOND) == 0


def test_the_longest_stall_of_a_second_counts_whenever_in_it_it_was() -> None:
    meter = StallMeter()
    for stall in (2_000_000, 7_000_000, 3_000_000):
        meter.note(stall, at=5 * SECOND)
    assert meter.longest_us(6 * SECOND) == 7000
    for second in range(6, 66):  # one stall in each second of the minute, and the longest one is still there
        meter.note(1_000_000, at=second * SECOND)
    assert meter.longest_us(65 * SECOND) == 7000
    assert meter.longest_us(66 * SECOND) == 1000


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_a_frame_has_the_shortest_form_of_its_length(size: int) -> None:
    # RFC 6455, 5.2
    payload = b"x" * size
    assert frame_of(payload, binary=True) == Frame(Opcode.BINARY, payload).serialize(mask=False)


def test_the_watch_hands_out_what_is_due_the_earliest_first() -> None:
    watch = Watch()
    for due, number in ((5, 1), (3, 2), (9, 3)):
        watch.add(due, number)
    assert [*watch.due(2)] == []
    assert [*watch.due(5)] == [2, 1]
    assert len(watch) == 1


@pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=lambda codec: codec.subprotocol)
@pytest.mark.parametrize(
    "size", [0, 80, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 125, 200, 65400, 65500, 65536, 70000]
)
def test_frames_are_those_of_the_websocket_layer(codec: Codec, size: int) -> None:
    message = Problem(code="x", detail="x" * size)
    opcode = Opcode.BINARY if codec.binary else Opcode.TEXT
    assert frame_bytes(message, codec) == Frame(opcode, codec.encode(message)).serialize(mask=False)


def test_a_message_is_encoded_once_per_codec() -> None:
    cache = FrameCache()
    message = Problem(code="x")
    assert cache.frame(message, JSON) is cache.frame(message, JSON)
    assert cache.frame(message, MSGPACK) == frame_bytes(message, MSGPACK)
    before = cache.frame(message, JSON)
    cache.clear()
    assert cache.frame(message, JSON) is not before


def test_a_read_is_about_as_long_as_a_message() -> None:
    assert FRAME_MAX_BYTES <= READ_MAX_BYTES <= 2 * FRAME_MAX_BYTES


def render(message: str, **values: object) -> str:
    record = logging.LogRecord("acerace.x", logging.INFO, "", 0, message, None, None)
    record.__dict__.update(fields(**values))
    return KeyValueFormatter().format(record)


def test_a_log_line_is_pairs() -> None:
    line = render("it happened", conn=3, agent='evil" level=error\nx', empty="", path="/ws")
    _, _, pairs = line.partition(" ")
    assert pairs == (
        'level=info logger=acerace.x event="it happened" conn=3 agent="evil\\" level=error\\nx" empty="" path=/ws'
    )
    assert json.loads('"evil\\" level=error\\nx"') == 'evil" level=error\nx'


@pytest.mark.usefixtures("errors_expected")
def test_a_traceback_follows_its_line() -> None:
    stream = io.StringIO()
    with logging_to(stream, logging.INFO), Contained(logging.getLogger("acerace.test"), "it broke", conn=1):
        raise ValueError("why")
    lines = stream.getvalue().splitlines()
    assert lines[0].endswith('level=error logger=acerace.test event="it broke" conn=1')
    assert lines[1] == "Traceback (most recent call last):"
    assert lines[-1] == "ValueError: why"


def test_only_exceptions_are_contained() -> None:
    with pytest.raises(KeyboardInterrupt), Contained(logging.getLogger(), "never"):
        raise KeyboardInterrupt
    with Contained(logging.getLogger(), "never"):
        pass
