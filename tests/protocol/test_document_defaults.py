"""PROTOCOL.md tells every field that the server may leave out, and what it means then."""

import json
from collections.abc import Iterator

from msgspec import NODEFAULT, Struct, inspect

from acerace_protocol.messages import Snapshot
from tests.protocol.document import rows, section
from tests.protocol.strategies import FROM_SERVER, tag

SERVER = section("What the server sends")
TABLE = SERVER.partition("### table\n")[2].partition("```")[0]
LEFT_OUT = SERVER.partition("### What may be left out\n")[2]


def structs(info: inspect.Type, path: str, seen: set[type[Struct]]) -> Iterator[tuple[str, type[Struct]]]:
    """Every struct within this type with the way to it, each where it is met first."""
    match info:
        case inspect.StructType():
            if info.cls not in seen:
                seen.add(info.cls)
                yield path, info.cls
                for field in info.fields:
                    yield from structs(field.type, f"{path}.{field.encode_name}", seen)
        case inspect.VarTupleType():
            yield from structs(info.item_type, f"{path}[]", seen)
        case inspect.UnionType():
            for each in info.types:
                yield from structs(each, path, seen)
        case _:
            pass


def fields(kind: type[Struct]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info.fields


def default(field: inspect.Field) -> str:
    """As the document writes it. A field that may be unset has no default for msgspec, and is not required."""
    if field.default is not NODEFAULT:
        return json.dumps(field.default)
    return json.dumps(field.default_factory()) if field.default_factory is not NODEFAULT else "as before"


def defaults(kind: type[Struct]) -> dict[str, str]:
    return {field.encode_name: default(field) for field in fields(kind) if not field.required}


def test_every_field_that_may_be_left_out_is_listed_with_its_default() -> None:
    seen: set[type[Struct]] = {*FROM_SERVER}
    messages = [(tag(kind), kind) for kind in FROM_SERVER]
    within = [
        found
        for name, kind in messages
        for field in fields(kind)
        for found in structs(field.type, f"{name}.{field.encode_name}", seen)
    ]
    expected = {
        (path, name, value)
        for path, kind in messages + within
        if kind is not Snapshot
        for name, value in defaults(kind).items()
    }
    found = rows(LEFT_OUT, 4)[2:]
    assert {tuple(row[:3]) for row in found} == expected
    assert len(found) == len(expected)
    assert all(row[3] for row in found)


def test_the_fields_of_a_table_are_listed_with_their_defaults() -> None:
    found = {name.strip("` "): row[2] for row in rows(TABLE, 3)[2:] for name in row[0].split(",")}
    assert [*found] == [field.encode_name for field in fields(Snapshot)]
    told = {name: default.split("`")[0] for name, default in found.items() if default}
    assert told == defaults(Snapshot)
