"""``acerace token``, against a real server; passwords are typed, never given."""

import asyncio
import json
import re
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest

from acerace_client.__main__ import main
from acerace_client.commands import token as command
from acerace_client.commands.common import TOKEN_VARIABLE
from acerace_client.connection import Connection
from acerace_client.errors import ProblemError
from acerace_protocol.limits import Fault
from tests.client.beside import running
from tests.client.serving import serving

PASSWORD = "correct horse"


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    with running(serving()) as url:
        yield url


class Terminal(StringIO):
    """Somebody sits there."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the user will type, in order; the last for ever."""
    words = [PASSWORD]

    def getpass(prompt: str) -> str:
        return words.pop(0) if len(words) > 1 else words[0]

    monkeypatch.setattr(command, "getpass", getpass)
    monkeypatch.setattr(sys, "stdin", Terminal())
    return words


async def name_of(url: str, token: str) -> tuple[str, str]:
    async with Connection(url, token=token) as connection:
        assert connection.welcome
        return connection.welcome.name, connection.welcome.player


def test_from_a_name_to_a_token_for_a_bot_and_its_end(
    url: str, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--url", url]
    assert main(["token", "claim", "--name", "Robot", "--bot", *at]) == 0
    first = capsys.readouterr().out.strip()
    assert main(["token", "new", "--name", "robot", "--label", "at home", *at]) == 0
    shown = capsys.readouterr()
    second = shown.out.strip()
    assert "only now" in shown.err
    assert asyncio.run(name_of(url, first)) == asyncio.run(name_of(url, second))
    assert asyncio.run(name_of(url, second))[0] == "Robot"
    assert main(["token", "list", "--token", first, *at]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in listed] == ["valid", "valid", "revoked"]  # the last: of "new", by name
    assert main(["token", "revoke", second, "--name", "Robot", *at]) == 0
    assert "revoked" in capsys.readouterr().out
    with pytest.raises(ProblemError) as refused:
        asyncio.run(name_of(url, second))
    assert refused.value.fault == Fault.UNKNOWN_TOKEN
    assert first not in "".join(listed)


def test_the_token_may_come_from_the_environment(
    url: str, typed: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["token", "claim", "--name", "Ada", "--url", url]) == 0
    monkeypatch.setenv(TOKEN_VARIABLE, capsys.readouterr().out.strip())
    assert main(["token", "list", "--url", url]) == 0
    assert "(the first)" in capsys.readouterr().out


def test_a_program_gives_a_password_on_the_standard_input_and_nothing_is_asked(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO(f"{PASSWORD}\n{PASSWORD}\n"))
    assert main(["token", "claim", "--name", "Piped", "--url", url]) == 0
    token, err = capsys.readouterr()
    assert err == "Piped is yours; this is its token, which is shown only now:\n"
    assert asyncio.run(name_of(url, token.strip()))[0] == "Piped"


def test_a_bot_plays_rated_under_its_own_name_and_can_be_replayed(
    url: str, typed: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens: list[str] = []
    for name in ("Tik", "Tok"):
        assert main(["token", "claim", "--name", name, "--bot", "--url", url]) == 0
        tokens.append(capsys.readouterr().out.strip())
    monkeypatch.setenv(TOKEN_VARIABLE, tokens[1])
    play = ["bot", "greedy", "--rated", "--pace", "0", "--url", url]
    with ThreadPoolExecutor() as other:
        done = other.submit(main, [*play, "--token", tokens[0]])
        assert main(play) == 0
        assert done.result() == 0
    said = capsys.readouterr().out
    assert "against Tik (" in said
    assert "against Tok (" in said
    table = re.findall(r"; table (\w+)$", said, re.MULTILINE)[0]
    assert main(["replay", table, "--url", url]) == 0
    told = capsys.readouterr().out
    assert f"table    {table}, rated\n" in told
    assert main(["solo", "yukon", "--json", "--url", url]) == 0
    table = json.loads(capsys.readouterr().out)["table"]
    assert main(["replay", table, "--url", url]) == 0
    assert "players  Tok\n" in capsys.readouterr().out


def test_a_name_that_is_taken_and_a_wrong_password_are_said_in_one_line(
    url: str, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["token", "claim", "--name", "Zoe", "--url", url]) == 0
    assert main(["token", "claim", "--name", "ZOE", "--url", url]) == 1
    assert "name_taken" in capsys.readouterr().err
    typed[0] = "battery staple"
    assert main(["token", "list", "--name", "Zoe", "--url", url]) == 1
    assert capsys.readouterr().err.startswith("acerace token: wrong_password")


def test_its_help_names_the_actions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["token", "--help"]) == 0
    shown = capsys.readouterr().out
    for word in ("claim", "list", "new", "revoke", "acerace token", "exit codes"):
        assert word in shown


@pytest.mark.parametrize(
    ("words", "types", "says"),
    [
        (["claim", "--name", "A"], ["short"], "8 characters"),
        (["claim", "--name", "A"], [PASSWORD, "battery staple"], "two passwords"),
        (["list"], [PASSWORD], "who are you"),
        (["list", "--name", "A", "--token", "x"], [PASSWORD], "not allowed with"),
        (["claim", "--name", "A", "--password", "x"], [PASSWORD], "unrecognized"),
    ],
)
def test_wrong_usage_is_2(
    words: list[str],
    types: list[str],
    says: str,
    typed: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    typed[:] = types
    assert main(["token", *words]) == 2
    assert says in capsys.readouterr().err
