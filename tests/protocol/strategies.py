"""Hypothesis strategies for messages, made from the structs themselves, so that no field can be forgotten."""

import re
from datetime import date
from functools import cache
from typing import Any, get_args

from hypothesis import strategies as st
from msgspec import Struct, inspect

from acerace_protocol.fields import PlayerSeed
from acerace_protocol.messages import ClientMessage, ServerMessage
from acerace_protocol.people import Date

FROM_CLIENT: tuple[type[Struct], ...] = get_args(ClientMessage)
FROM_SERVER: tuple[type[Struct], ...] = get_args(ServerMessage)
INT_MAX = 2**53 - 1
_SHORT = 8
"""Characters and items: what is longer costs time and finds nothing more. Limits have tests of their own."""


def pattern_of(field: object) -> str:
    """What a field of text is held to."""
    found = inspect.type_info(field)
    assert isinstance(found, inspect.StrType)
    assert found.pattern is not None
    return found.pattern


_PATTERNED: dict[str, st.SearchStrategy[str]] = {
    pattern_of(Date): st.dates().map(date.isoformat),
    pattern_of(PlayerSeed): st.binary(max_size=_SHORT // 2).map(bytes.hex),
}
"""What too few texts are like to be found by trying."""


def tag(message: type[Struct]) -> str:
    return str(message.__struct_config__.tag)


def messages(kind: type[Struct]) -> st.SearchStrategy[Any]:
    """Any message of this type."""
    return _strategy(inspect.type_info(kind))


def _strategy(info: inspect.Type) -> st.SearchStrategy[Any]:
    match info:
        case inspect.StructType():
            return _struct(info.cls)
        case inspect.UnionType():
            return st.one_of(*map(_strategy, info.types))
        case inspect.VarTupleType():
            return st.lists(_strategy(info.item_type), max_size=3).map(tuple)
        case inspect.DictType():
            return st.dictionaries(_strategy(info.key_type), _strategy(info.value_type), max_size=3)
        case inspect.EnumType():
            return st.sampled_from(list(info.cls))
        case inspect.LiteralType():
            return st.sampled_from(info.values)
        case _:
            return _scalar(info)


def _scalar(info: inspect.Type) -> st.SearchStrategy[Any]:
    match info:
        case inspect.IntType():
            least = -INT_MAX if info.ge is None else info.ge
            return st.integers(least, INT_MAX if info.le is None else info.le)
        case inspect.StrType():
            return _text(info)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case _:
            raise NotImplementedError(info)


def _text(info: inspect.StrType) -> st.SearchStrategy[str]:
    least = info.min_length or 0
    most = max(least, min(info.max_length or _SHORT, _SHORT))
    if info.pattern is None:
        return st.text(min_size=least, max_size=most)
    if info.pattern in _PATTERNED:
        return _PATTERNED[info.pattern]
    pattern = re.compile(info.pattern)
    words = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=least, max_size=most)
    ascii_words = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=least, max_size=most)
    return st.one_of(words, ascii_words).filter(lambda text: pattern.search(text) is not None)


@cache
def _struct(kind: type[Struct]) -> st.SearchStrategy[Any]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    fields = {field.name: _strategy(field.type) for field in info.fields}
    required = {field.name: fields.pop(field.name) for field in info.fields if field.required}
    return st.fixed_dictionaries(required, optional=fields).map(lambda values: kind(**values))
