"""A client's bytes become the same messages, however they are cut into reads (RFC 6455)."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from acerace_server.shell.reading import Message, Reader
from tests.server.shell.support import frame

LARGEST = 300
TEXT, BINARY, CONT, CLOSE, PING = 1, 2, 0, 8, 9
WASTEFUL = b"\x82\xfe\x00\x05mask" + bytes(5)
"""A length that one byte has room for, in two."""

payloads = st.one_of(
    st.binary(max_size=8), st.sampled_from([0, 1, 124, 125, 126, 200, LARGEST, LARGEST + 1]).map(bytes)
)
good = st.builds(frame, st.sampled_from([TEXT, BINARY]), payloads)
fragments = st.builds(frame, st.sampled_from([TEXT, BINARY, CONT]), payloads, fin=st.booleans())
anything = st.builds(
    frame, st.integers(0, 15), payloads, fin=st.booleans(), masked=st.booleans(), rsv=st.sampled_from([0, 4])
)
pieces = st.one_of(
    good, good, fragments, st.builds(frame, st.just(PING), st.binary(max_size=3)), anything, st.just(WASTEFUL)
)
A_MOVE = frame(BINARY, b"move")
A_MOVE_WITHIN = bytes([0x82, 0x80 | len(A_MOVE)]) + bytes(4) + A_MOVE
"""A message that holds what looks like one, as its mask is zero."""
NO_MASK_BUT_AS_LONG = frame(BINARY, b"ab", masked=False) + bytes(4)


class Listener(ServerProtocol):
    """The WebSocket layer, and what it was given."""

    def __init__(self) -> None:
        super().__init__(state=State.OPEN, max_size=LARGEST)
        self.given: list[bytes] = []

    def receive_data(self, data: bytes | bytearray) -> None:
        self.given.append(bytes(data))
        super().receive_data(data)


def read(reads: list[bytes]) -> tuple[Listener, list[Message], int]:
    websocket = Listener()
    reader = Reader(websocket, LARGEST)
    taken = [reader.take(data) for data in reads]
    return websocket, [message for messages, _ in taken for message in messages], sum(frames for _, frames in taken)


def by_the_layer_alone(stream: bytes) -> tuple[ServerProtocol, list[Message], int]:
    websocket = ServerProtocol(state=State.OPEN, max_size=LARGEST)
    websocket.receive_data(stream)
    frames = [event for event in websocket.events_received() if isinstance(event, Frame)]
    messages: list[Message] = []
    payload, is_text = b"", False
    for each in frames:
        if each.opcode in {Opcode.TEXT, Opcode.BINARY}:
            payload, is_text = b"", each.opcode is Opcode.TEXT
        if each.opcode in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
            payload += each.data
            if each.fin:
                messages.append(Message(payload, is_text))
    return websocket, messages, len(frames)


@given(st.lists(st.tuples(pieces, st.integers(0, 12)), max_size=8))
@example([(frame(TEXT, b"a", fin=False), 0), (A_MOVE, 0)])  # a message within a message
@example([(frame(TEXT, b"", fin=False), 0), (frame(CONT, b"x"), 0), (A_MOVE, 0)])
@example([(WASTEFUL, 0), (A_MOVE, 0), (A_MOVE[:3], 0), (A_MOVE[3:], 0)])
@example([(A_MOVE_WITHIN, len(A_MOVE))])
@example([(frame(CLOSE, b"\x03\xe8"), 0), (A_MOVE, 0)])
@example([(NO_MASK_BUT_AS_LONG, 0)])
@example([(A_MOVE, 1), (A_MOVE, 7), (A_MOVE, 0)])
def test_reads_are_taken_apart_as_by_the_websocket_layer_alone(sent: list[tuple[bytes, int]]) -> None:
    """Each piece is cut so many bytes before its end: the rest comes with the next one."""
    stream = b"".join(piece for piece, _ in sent)
    ends, at = [0], 0
    for piece, before_end in sent:
        at += len(piece)
        ends.append(max(ends[-1], at - before_end))
    reads = [stream[begin:end] for begin, end in zip(ends, [*ends[1:], len(stream)], strict=True) if end > begin]

    websocket, messages, frames = read(reads)
    alone, expected, expected_frames = by_the_layer_alone(stream)
    assert (messages, frames) == (expected, expected_frames)
    assert websocket.state is alone.state
    assert websocket.close_sent == alone.close_sent
    assert websocket.data_to_send() == alone.data_to_send()


@pytest.mark.parametrize("size", [0, 1, 125])
@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_a_short_message_does_without_the_websocket_layer(opcode: int, size: int) -> None:
    websocket, messages, frames = read([frame(opcode, b"x" * size)])
    assert (messages, frames) == ([Message(b"x" * size, opcode == TEXT)], 1)
    assert websocket.given == []


def test_it_does_so_again_after_a_message_that_came_in_parts() -> None:
    cut, long, ping = frame(BINARY, b"cut"), frame(BINARY, bytes(126)), frame(PING, b"")
    begun, ended = frame(BINARY, b"a", fin=False), frame(CONT, b"b")
    websocket, messages, _ = read([cut[:5], cut[5:], A_MOVE, long, A_MOVE, ping, A_MOVE, begun, ended, A_MOVE])
    assert [message.data for message in messages] == [b"cut", b"move", bytes(126), b"move", b"move", b"ab", b"move"]
    assert A_MOVE not in websocket.given
