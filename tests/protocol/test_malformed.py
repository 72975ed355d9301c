"""Whatever arrives, decoding gives a message or a MalformedMessageError, and nothing else (N28)."""

import json

import msgpack
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from acerace_protocol.codec import DETAIL_MAX_CHARACTERS, JSON, MSGPACK, Codec, MalformedMessageError
from acerace_protocol.limits import FRAME_MAX_BYTES, Fault
from acerace_protocol.messages import Ping

BOTH = pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=lambda codec: codec.subprotocol)


def packed(value: object) -> bytes:
    data = msgpack.packb(value)
    assert data is not None
    return data


def fault(codec: Codec, data: bytes) -> Fault:
    with pytest.raises(MalformedMessageError) as caught:
        codec.decode_client(data)
    assert caught.value.detail
    assert str(caught.value) == caught.value.detail
    assert len(caught.value.detail) <= DETAIL_MAX_CHARACTERS
    return caught.value.fault


@pytest.mark.parametrize("value", [None, [], 0, "x", {}, True, 1.5, {"nonce": 1}, [{"type": "ping", "nonce": 1}]])
def test_a_value_that_is_no_message_is_malformed(value: object) -> None:
    assert fault(JSON, json.dumps(value).encode()) is Fault.MALFORMED
    assert fault(MSGPACK, packed(value)) is Fault.MALFORMED


@pytest.mark.parametrize("value", [None, 0, True, [], {}, 1.5])
def test_a_type_that_is_no_text_is_malformed(value: object) -> None:
    assert fault(JSON, json.dumps({"type": value}).encode()) is Fault.MALFORMED
    assert fault(MSGPACK, packed({"type": value})) is Fault.MALFORMED


@pytest.mark.parametrize("name", ["", "nope", "HELLO", "welcome", "hello\x00", "x" * 3000])
def test_a_type_that_does_not_exist_is_called_unknown(name: str) -> None:
    assert fault(JSON, json.dumps({"type": name}).encode()) is Fault.UNKNOWN_TYPE
    assert fault(MSGPACK, packed({"type": name})) is Fault.UNKNOWN_TYPE


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"NaN",
        b"Infinity",
        b"1e999",
        b'{"type":"ping","nonce":NaN}',
        b'{"type":"ping","nonce":1e999}',
        b'{"type":"ping","nonce":1e3}',
        b'{"type":"ping","nonce":1}{}',
        b'{"type":"ping","nonce":1',
        b'{"type":"ping","nonce":01}',
        b"{'type':'ping','nonce':1}",
        b'\xef\xbb\xbf{"type":"ping","nonce":1}',
        b'{"type":"hello","name":"\xff\xfe"}',
        b'{"type":"hello","name":"\\ud800"}',
        b'{"type":"hello","name":"\xed\xa0\x80"}',
        b"\xff",
        b"\x00" * 100,
    ],
)
def test_text_that_is_no_json_is_malformed(data: bytes) -> None:
    assert fault(JSON, data) is Fault.MALFORMED


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        packed({"type": "ping", "nonce": 1}) + b"\x00",
        packed({"type": "ping", "nonce": 1})[:-1],
        packed({"type": "ping", "nonce": msgpack.ExtType(5, b"x")}),
        packed({"type": "ping", "nonce": msgpack.Timestamp(1)}),
        packed({"type": "hello", "name": msgpack.ExtType(5, b"x")}),
        packed({"type": b"ping", "nonce": 1}),
        packed({b"type": "ping", "nonce": 1}),
        packed({"type": "ping", "nonce": 1, 1: 2}),
        packed({"type": "hello", "name": b"bytes"}),
        b"\x82\xa4type\xa5hello\xa4name\xa2\xff\xfe",
        b"\xdf\xff\xff\xff\xff",
        b"\xdd\xff\xff\xff\xff",
        b"\x81\xa4type\xdb\xff\xff\xff\xff",
        b"\x82\xa4type\xa4seek\xa7options\xdf\xff\xff\xff\xff",
    ],
)
def test_bytes_that_are_no_messagepack_are_malformed(data: bytes) -> None:
    assert fault(MSGPACK, data) is Fault.MALFORMED


@BOTH
def test_ten_megabytes_are_refused_without_being_read(codec: Codec) -> None:
    assert fault(codec, b"[" * 10_000_000) is Fault.FRAME_TOO_LARGE


def outcome(codec: Codec, data: bytes) -> object:
    try:
        return codec.decode_client(data)
    except MalformedMessageError as error:
        return error.fault


def test_nesting_is_refused_or_ignored_but_never_an_overflow() -> None:
    head, depth = b'{"type":"ping","nonce":1,"x":', (FRAME_MAX_BYTES - 40) // 2
    for data, codec in [
        (head + b"[" * depth + b"]" * depth + b"}", JSON),
        (head + b'{"":' * 800 + b"1" + b"}" * 801, JSON),
        (b"\x83\xa4type\xa4ping\xa5nonce\x01\xa1x" + b"\x91" * (FRAME_MAX_BYTES - 40) + b"\x01", MSGPACK),
    ]:
        found = outcome(codec, data)
        assert found in (Fault.TOO_DEEP, Ping(nonce=1))  # an interpreter with a deep stack may read it all


@BOTH
@pytest.mark.parametrize(
    ("message", "nonce", "table"),
    [
        ({"type": "get_day", "game": "klondike", "date": "today", "nonce": 7}, 7, None),
        ({"type": "from a newer version", "nonce": 2**53 - 1, "table": "t7Qm2"}, 2**53 - 1, "t7Qm2"),
        ({"nonce": 0}, 0, None),
        ({"type": "play", "nonce": 2**53, "table": "t7Qm2"}, None, "t7Qm2"),
        ({"type": "ping", "nonce": True, "table": ""}, None, None),
        ({"type": "ping", "nonce": -1, "table": 5}, None, None),
        ({"type": "ping", "nonce": {"deep": [1.5, None]}}, None, None),
        ([{"type": "ping", "nonce": 1}], None, None),
    ],
)
def test_an_error_says_which_message_it_is_about_if_that_can_be_read(
    codec: Codec, message: object, nonce: int | None, table: str | None
) -> None:
    data = json.dumps(message).encode() if codec is JSON else packed(message)
    with pytest.raises(MalformedMessageError) as caught:
        codec.decode_client(data)
    assert (caught.value.nonce, caught.value.table) == (nonce, table)


def test_an_error_says_which_field_it_means() -> None:
    with pytest.raises(MalformedMessageError, match=r"Expected `int`, got `str` - at `\$\.nonce`"):
        JSON.decode_client(b'{"type":"ping","nonce":"1"}')
    with pytest.raises(MalformedMessageError, match=r"at `\$\.options\[...\]`"):
        JSON.decode_client(b'{"type":"seek","options":{"draw":null}}')


def test_an_error_does_not_send_back_all_that_was_sent() -> None:
    with pytest.raises(MalformedMessageError) as caught:
        JSON.decode_client(json.dumps({"type": "x" * 4000}).encode())
    assert len(caught.value.detail) <= DETAIL_MAX_CHARACTERS
    assert caught.value.detail.endswith("`$.type`")


def only_malformed(codec: Codec, data: bytes) -> None:
    for decode in (codec.decode_client, codec.decode_server):
        try:
            decode(data)
        except MalformedMessageError as error:
            assert error.detail  # noqa: PT017  # anything but this error is what fails the test


@given(st.binary(max_size=200))
@example(b"\x82\xa4type\xa6tables\xa6tables\xdd\xff\xff\xff\xff")
def test_random_bytes_never_raise_anything_else(data: bytes) -> None:
    only_malformed(JSON, data)
    only_malformed(MSGPACK, data)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ["nonce", "table", "move", "seen", "options", "seed", "about", "pile", "name", "token", "state", "limits"]
TYPES = ["hello", "ping", "seek", "ask", "play", "ready", "resume", "welcome", "table", "played", "ended", "games"]


@given(st.sampled_from(TYPES), st.dictionaries(st.sampled_from(FIELDS), VALUES))
def test_a_known_type_with_anything_in_its_fields_never_raises_anything_else(
    kind: str, fields: dict[str, object]
) -> None:
    plain = {"type": kind, **fields}
    only_malformed(MSGPACK, packed(plain))
    only_malformed(JSON, json.dumps(plain).encode())


@given(st.data())
def test_a_message_with_one_byte_changed_never_raises_anything_else(data: st.DataObject) -> None:
    plain = {"type": "play", "table": "t1", "move": "c3:4>c5", "nonce": 7, "seen": 12}
    for codec, whole in ((JSON, json.dumps(plain).encode()), (MSGPACK, packed(plain))):
        at = data.draw(st.integers(0, len(whole) - 1))
        only_malformed(codec, whole[:at] + data.draw(st.binary(max_size=2)) + whole[at + 1 :])
