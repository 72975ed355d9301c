"""Every message survives both encodings, and other programs' codecs read and write the same."""

import json
from typing import Any, cast

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from acerace_protocol.codec import CODECS, JSON, MSGPACK, Codec, MalformedMessageError
from acerace_protocol.limits import FRAME_MAX_BYTES, Fault
from acerace_protocol.messages import ClientMessage, Hello, Ping, ServerMessage, Tables
from tests.protocol.strategies import FROM_CLIENT, FROM_SERVER, messages, tag

EVERY_TYPE = pytest.mark.parametrize("kind", [*FROM_CLIENT, *FROM_SERVER], ids=tag)
BOTH = pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=lambda codec: codec.subprotocol)
FEW = settings(max_examples=40)


def decode(codec: Codec, kind: type[Struct], data: bytes) -> object:
    return codec.decode_client(data) if kind in FROM_CLIENT else codec.decode_server(data)


def any_message(data: st.DataObject, kind: type[Struct]) -> ClientMessage | ServerMessage:
    return cast("ClientMessage | ServerMessage", data.draw(messages(kind)))


def is_decoded_to_the_same(kind: type[Struct], message: ClientMessage | ServerMessage) -> None:
    for codec in CODECS.values():
        assert decode(codec, kind, codec.encode(message)) == message


def other_programs_read_it_and_find_the_same_in_both(message: ClientMessage | ServerMessage) -> None:
    from_binary: object = msgpack.unpackb(MSGPACK.encode(message), raw=False, strict_map_key=True)
    assert from_binary == json.loads(JSON.encode(message))


def it_is_read_as_other_programs_write_it(kind: type[Struct], message: ClientMessage | ServerMessage) -> None:
    plain: dict[str, Any] = json.loads(JSON.encode(message))
    written = msgpack.packb(plain)
    assert written is not None
    assert decode(MSGPACK, kind, written) == message
    assert decode(JSON, kind, json.dumps(plain).encode()) == message
    assert decode(JSON, kind, json.dumps(plain, ensure_ascii=False, indent=1).encode()) == message


def it_is_a_map_with_its_type_first(kind: type[Struct], message: ClientMessage | ServerMessage) -> None:
    plain = json.loads(JSON.encode(message))
    assert next(iter(plain.items())) == ("type", tag(kind))


@EVERY_TYPE
@FEW
@given(data=st.data())
def test_a_message_survives_both_encodings_and_other_programs(kind: type[Struct], data: st.DataObject) -> None:
    """All of it with each example: to think of a message takes longer than to encode it in every way."""
    message = any_message(data, kind)
    is_decoded_to_the_same(kind, message)
    other_programs_read_it_and_find_the_same_in_both(message)
    it_is_read_as_other_programs_write_it(kind, message)
    it_is_a_map_with_its_type_first(kind, message)


def test_no_type_goes_both_ways() -> None:
    assert not {*map(tag, FROM_CLIENT)} & {*map(tag, FROM_SERVER)}


def test_binary_frames_carry_messagepack_and_text_frames_json() -> None:
    assert [(codec.subprotocol, codec.binary) for codec in CODECS.values()] == [
        ("acerace.1.msgpack", True),
        ("acerace.1.json", False),
    ]


@BOTH
def test_a_field_that_has_its_default_is_left_out(codec: Codec) -> None:
    assert codec.encode(Hello()) == codec.encode(Hello(bot=False, agent="", token=None))
    assert json.loads(JSON.encode(Hello(bot=True))) == {"type": "hello", "bot": True}


@BOTH
def test_unknown_fields_are_ignored_whatever_is_in_them(codec: Codec) -> None:
    plain = {"type": "ping", "nonce": 1, "later": {"deep": [1, "x", None, 1.5, {"type": "hello"}]}}
    data = json.dumps(plain).encode() if codec is JSON else msgpack.packb(plain)
    assert data is not None
    assert codec.decode_client(data) == Ping(nonce=1)


def test_a_frame_of_a_client_may_have_4096_bytes_and_no_more() -> None:
    ping = JSON.encode(Ping(nonce=1))
    assert JSON.decode_client(ping.ljust(FRAME_MAX_BYTES)) == Ping(nonce=1)
    with pytest.raises(MalformedMessageError) as caught:
        JSON.decode_client(ping.ljust(FRAME_MAX_BYTES + 1))
    assert caught.value.fault is Fault.FRAME_TOO_LARGE
    assert str(FRAME_MAX_BYTES) in caught.value.detail


@BOTH
def test_what_a_server_sends_may_be_larger(codec: Codec) -> None:
    empty = Tables(tables=())
    assert codec.decode_server(codec.encode(empty)) == empty
    long = Hello(agent="x" * 80)
    assert len(codec.encode(long)) < FRAME_MAX_BYTES
