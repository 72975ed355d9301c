"""PROTOCOL.md is true: its examples are messages, and its tables are the code's."""

import json
import re
from collections.abc import Sequence
from typing import Any, get_args

import msgpack
import pytest

from acerace_protocol.codec import JSON, MSGPACK
from acerace_protocol.fields import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK
from acerace_protocol.limits import LIMITS, CloseCode, Fault
from acerace_protocol.messages import (
    ClientMessage,
    EndReason,
)
from acerace_rules.catalogue import GAMES
from acerace_rules.moves import Reason
from acerace_rules.options import Choice, Option
from tests.protocol.document import CLIENT_EXAMPLES, SERVER_EXAMPLES, TEXT, blocks, close_codes, rows, section
from tests.protocol.strategies import FROM_CLIENT, FROM_SERVER, tag


def numbered(examples: Sequence[str]) -> list[Any]:
    return [pytest.param(text, id=f"{json.loads(text)['type']}-{number}") for number, text in enumerate(examples)]


# --- the examples ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", numbered(CLIENT_EXAMPLES))
def test_an_example_of_a_client_is_a_message_and_nothing_is_lost(text: str) -> None:
    message: ClientMessage = JSON.decode_client(text.encode())
    assert json.loads(JSON.encode(message)) == json.loads(text)
    assert MSGPACK.decode_client(msgpack.packb(json.loads(text)) or b"") == message


@pytest.mark.parametrize("text", numbered(SERVER_EXAMPLES))
def test_an_example_of_the_server_is_a_message_and_nothing_is_lost(text: str) -> None:
    message = JSON.decode_server(text.encode())
    assert json.loads(JSON.encode(message)) == json.loads(text)
    assert MSGPACK.decode_server(msgpack.packb(json.loads(text)) or b"") == message


@pytest.mark.parametrize(
    ("examples", "kinds"), [(CLIENT_EXAMPLES, FROM_CLIENT), (SERVER_EXAMPLES, FROM_SERVER)], ids=["client", "server"]
)
def test_every_type_of_message_has_an_example(examples: list[str], kinds: tuple[type, ...]) -> None:
    assert {json.loads(text)["type"] for text in examples} == {*map(tag, kinds)}


def test_no_example_is_left_unmarked() -> None:
    assert len(re.findall(r"^```json", TEXT, re.MULTILINE)) == len(CLIENT_EXAMPLES) + len(SERVER_EXAMPLES) + 1


def test_the_bot_of_the_document_is_a_program() -> None:
    [bot] = blocks("python")
    compile(bot, "bot", "exec")
    assert len(bot.splitlines()) <= 60


# --- the tables --------------------------------------------------------------------------------------------


def test_the_reasons_are_all_there() -> None:
    found = rows(section("Refusals and problems").partition("The codes of")[0], 2)
    assert [row[0] for row in found[2:]] == [*Reason]


def test_the_faults_are_all_there() -> None:
    found = rows(section("Refusals and problems").partition("The codes of")[2], 2)
    assert [row[0] for row in found[2:]] == [*Fault]


def test_the_ways_to_end_are_all_there() -> None:
    after = section("What the server sends").partition("**ended**")[2].partition("### refused")[0]
    assert [row[0] for row in rows(after, 2)[2:]] == [*get_args(EndReason)]


def test_the_limits_are_those_of_the_code() -> None:
    found = {row[0]: int(row[1]) for row in rows(section("Limits"), 3)[2:]}
    assert found == LIMITS


def test_the_close_codes_are_those_of_the_code() -> None:
    assert close_codes() - {1002, 1007, 1009, 1011} == {*CloseCode}


def test_the_options_and_presets_are_those_of_the_catalogue() -> None:
    found = rows(section("Games, options and scores"), 4)[2:]
    expected = [
        [game.key, option.key, values(option), json.dumps(option.default)]
        for game in GAMES.values()
        for option in game.options
    ]
    assert [[cell.replace("`", "") for cell in row] for row in found] == expected
    presets = {row[0]: (row[1], json.loads(row[2])) for row in rows(section("Games, options and scores"), 3)[2:]}
    assert presets == {key: (game.key, sets) for game in GAMES.values() for key, sets in game.presets.items()}


def values(option: Option) -> str:
    if isinstance(option, Choice):
        return ", ".join(map(json.dumps, option.values))
    return f"{option.least} to {option.most}"


def test_the_subprotocols_and_the_command_are_named() -> None:
    assert [row[:2] for row in rows(section("Connecting").partition("A handshake that is refused")[0], 3)[2:]] == [
        [SUBPROTOCOL_MSGPACK, "binary"],
        [SUBPROTOCOL_JSON, "text"],
    ]
    assert "`python -m acerace_protocol`" in section("Versions")


def test_the_contents_lead_to_every_section() -> None:
    titles = re.findall(r"^## (\d+)\. (.*)$", TEXT, re.MULTILINE)
    contents = re.findall(r"^(?:1\. )?.*?$", TEXT.partition("## 1.")[0], re.MULTILINE)
    links = re.findall(r"\[([^\]]+)\]\(#(\d+)-", "\n".join(contents))
    assert [(number, title) for title, number in links] == titles
