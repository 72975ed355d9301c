"""The AsyncAPI document: complete, and all its references lead somewhere."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from acerace_protocol.__main__ import main
from acerace_protocol.asyncapi import document
from tests.protocol.strategies import FROM_CLIENT, FROM_SERVER, tag

DOCUMENT = document()


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]  # any JSON
            if key == "$ref":
                yield str(inner)  # pyright: ignore[reportUnknownArgumentType]
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:  # pyright: ignore[reportUnknownVariableType]
            yield from references(inner)


def resolve(reference: str) -> Any:
    assert reference.startswith("#/")
    found: Any = DOCUMENT
    for part in reference[2:].split("/"):
        found = found[part]
    return found


def test_it_is_an_asyncapi_3_document() -> None:
    assert DOCUMENT["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= DOCUMENT["info"].keys()
    assert {"channels", "operations", "components"} <= DOCUMENT.keys()
    assert DOCUMENT["channels"]["socket"]["address"] == "/ws"


def test_every_reference_resolves() -> None:
    found = [*references(DOCUMENT)]
    assert len(found) > 2 * len(FROM_CLIENT + FROM_SERVER)
    for reference in found:
        assert resolve(reference)


@pytest.mark.parametrize(
    ("operation", "action", "kinds"),
    [("fromClient", "receive", FROM_CLIENT), ("fromServer", "send", FROM_SERVER)],
)
def test_each_operation_has_exactly_the_messages_of_its_direction(
    operation: str, action: str, kinds: tuple[type, ...]
) -> None:
    found = DOCUMENT["operations"][operation]
    assert found["action"] == action
    names = [resolve(resolve(message["$ref"])["$ref"])["name"] for message in found["messages"]]
    assert names == [*map(tag, kinds)]


@pytest.mark.parametrize("kind", [*FROM_CLIENT, *FROM_SERVER], ids=tag)
def test_each_message_has_a_summary_and_a_schema_that_fixes_its_type(kind: type) -> None:
    message = DOCUMENT["components"]["messages"][tag(kind)]
    assert message["summary"].endswith(".")
    schema = resolve(message["payload"]["$ref"])
    assert schema["properties"]["type"] == {"enum": [tag(kind)]}
    assert "type" in schema["required"]


def test_the_limits_of_fields_are_in_the_schemas() -> None:
    play = DOCUMENT["components"]["schemas"]["Play"]["properties"]
    assert play["move"]["maxLength"] == 16
    assert play["nonce"] == {"type": "integer", "minimum": 0, "maximum": 2**53 - 1}


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    assert json.loads(capsys.readouterr().out) == DOCUMENT


def test_the_package_is_that_command() -> None:
    printed = subprocess.run([sys.executable, "-m", "acerace_protocol"], capture_output=True, check=True)
    assert json.loads(printed.stdout) == DOCUMENT
