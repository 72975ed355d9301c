"""Each field of a client's message takes its limit, and refuses what lies beyond it by name."""

import json
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest
from msgspec import Struct, inspect

from acerace_protocol.codec import JSON, MSGPACK, Codec, MalformedMessageError
from acerace_protocol.limits import Fault
from acerace_protocol.messages import ClientMessage
from acerace_protocol.people import Date
from tests.protocol.strategies import FROM_CLIENT, INT_MAX, pattern_of, tag

BOTH = pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=lambda codec: codec.subprotocol)
DATE = pattern_of(Date)
NO_STRING: list[object] = [1, True, ["a"], {}]
NO_INTEGER: list[object] = [True, False, 1.0, "1", [1], {}]
NO_BOOLEAN: list[object] = [0, 1, "true", [], {}]


def decode(codec: Codec, plain: object) -> ClientMessage:
    data = json.dumps(plain).encode() if codec is JSON else msgpack.packb(plain)
    assert data is not None
    return codec.decode_client(data)


def scalar(info: inspect.Type) -> inspect.Type:
    """The type beside ``None``."""
    if isinstance(info, inspect.UnionType):
        return next(part for part in info.types if not isinstance(part, inspect.NoneType))
    return info


def allowed(info: inspect.Type) -> list[object]:
    match scalar(info):
        case inspect.IntType(ge=least, le=most):
            return [least, most]
        case inspect.StrType(pattern=pattern) if pattern == DATE:
            return ["0001-01-01", "2028-02-29"]
        case inspect.StrType(min_length=least, max_length=most):
            return ["a" * (least or 0), "a" * (most or 0)]
        case inspect.LiteralType(values=values):
            return list(values)
        case inspect.BoolType():
            return [True, False]
        case inspect.DictType():
            return [{}, {"key": 1}, {"k" * 40: "v" * 40}, {str(number): True for number in range(32)}]
        case other:
            raise NotImplementedError(other)


def refused(info: inspect.Type) -> list[object]:
    match scalar(info):
        case inspect.IntType(ge=least, le=most):
            return [*NO_INTEGER, (least or 0) - 1, (most or 0) + 1, 2**64 - 1]
        case inspect.StrType(min_length=least, max_length=most):
            return [*NO_STRING, "a" * ((most or 0) + 1), *([""] if least else [])]
        case inspect.LiteralType():
            return [*NO_STRING, "", "other"]
        case inspect.BoolType():
            return NO_BOOLEAN
        case inspect.DictType():
            wrong: list[object] = [1.5, None, [], {}, "v" * 41, INT_MAX + 1, -INT_MAX - 1]
            too_many = {str(number): True for number in range(33)}
            return [1, "a", [], too_many, {"": 1}, {"k" * 41: 1}, *({"key": value} for value in wrong)]
        case other:
            raise NotImplementedError(other)


def fields() -> Iterator[Any]:
    for kind in FROM_CLIENT:
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)
        least = {field.name: allowed(field.type)[0] for field in info.fields if field.required}
        for field in info.fields:
            yield pytest.param({"type": tag(kind), **least}, field, id=f"{tag(kind)}.{field.name}")


@BOTH
@pytest.mark.parametrize(("plain", "field"), [*fields()])
def test_a_field_takes_its_limits(codec: Codec, plain: dict[str, object], field: inspect.Field) -> None:
    for value in allowed(field.type):
        message = decode(codec, plain | {field.name: value})
        assert getattr(message, field.name) == value


@BOTH
@pytest.mark.parametrize(("plain", "field"), [*fields()])
def test_a_field_refuses_what_is_beyond_them_and_says_where(
    codec: Codec, plain: dict[str, object], field: inspect.Field
) -> None:
    for value in refused(field.type):
        with pytest.raises(MalformedMessageError) as caught:
            decode(codec, plain | {field.name: value})
        assert caught.value.fault is Fault.MALFORMED
        assert f"$.{field.name}" in caught.value.detail


@BOTH
@pytest.mark.parametrize(("plain", "field"), [*fields()])
def test_a_field_without_a_default_must_be_there(codec: Codec, plain: dict[str, object], field: inspect.Field) -> None:
    without = {name: value for name, value in plain.items() if name != field.name}
    if field.required:
        with pytest.raises(MalformedMessageError, match=f"missing required field `{field.name}`"):
            decode(codec, without)
    else:
        decode(codec, without)


@pytest.mark.parametrize("seed", ["ab\n", "\n", "AB", "abc", "0x", "zz", " ab"])
def test_a_seed_is_bytes_in_lower_case_hex(seed: str) -> None:
    with pytest.raises(MalformedMessageError, match=r"\$\.seed"):
        decode(JSON, {"type": "ready", "table": "t", "nonce": 1, "seed": seed})


@pytest.mark.parametrize("password", ["12345678\n", "1234\t5678", "\x1b12345678", "1234567", "x" * 129])
def test_a_password_is_one_line_of_8_to_128_characters(password: str) -> None:
    for kind in ("login", "claim_name"):
        with pytest.raises(MalformedMessageError, match=r"\$\.password") as caught:
            decode(JSON, {"type": kind, "name": "Ada", "password": password, "nonce": 1})
        assert password not in caught.value.detail


@pytest.mark.parametrize("password", ["12345678", "correct horse", "        ", "密码密码密码密码", "ñandú-güell"])
def test_a_password_may_be_of_any_script(password: str) -> None:
    decode(JSON, {"type": "login", "name": "Ada", "password": password})


@pytest.mark.parametrize("label", ["", "a\n", "\x7f", "é", "x" * 41])
def test_a_tokens_label_is_one_short_line_of_ascii(label: str) -> None:
    with pytest.raises(MalformedMessageError, match=r"\$\.label"):
        decode(JSON, {"type": "new_token", "label": label, "nonce": 1})


@pytest.mark.parametrize("name", ["a\n", "a\x00b", "\x1b[2J", "a\u2028b", "\u202egnihton", "\u2066x", "   ", "\x7f"])
def test_a_name_is_one_visible_line(name: str) -> None:
    with pytest.raises(MalformedMessageError, match=r"\$\.name"):
        decode(JSON, {"type": "hello", "name": name})


@pytest.mark.parametrize("name", ["Zoë", "李 雷", "O'Neil", "👩‍🚀", "a b"])
def test_a_name_may_be_of_any_script(name: str) -> None:
    decode(JSON, {"type": "hello", "name": name})


def test_what_programs_say_of_themselves_cannot_begin_a_new_line_in_a_log() -> None:
    with pytest.raises(MalformedMessageError, match=r"\$\.agent"):
        decode(JSON, {"type": "hello", "agent": "bot/1\n2026-01-01 forged line"})


def test_every_type_of_message_is_looked_at() -> None:
    assert all(issubclass(kind, Struct) for kind in FROM_CLIENT)
    assert len(FROM_CLIENT) == len({*map(tag, FROM_CLIENT)})
