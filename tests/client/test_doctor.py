"""``acerace doctor``: one line a check, and 1 if any fails."""

import asyncio
from pathlib import Path

import pytest

from acerace_client.__main__ import main
from acerace_client.commands import doctor
from acerace_server.adapters.sql.store import SqlStore
from tests.client.serving import FAST, serving

CHECKS = ("health", "MessagePack", "JSON", "solo game", "match", "resume", "fair deal")


def verdicts(shown: str) -> dict[str, str]:
    """By check, ``ok`` or ``FAIL``."""
    lines = [line.partition(":")[0].split(maxsplit=1) for line in shown.splitlines()]
    return {name: verdict for verdict, name in lines}


def test_a_server_that_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    async def examine() -> int:
        async with serving(commands_per_second=FAST) as url:
            return await asyncio.to_thread(main, ["doctor", "--url", url])

    assert asyncio.run(examine()) == 0
    shown = capsys.readouterr().out
    assert verdicts(shown) == dict.fromkeys(CHECKS, "ok")
    assert "events sent again, none missing" in shown


def test_no_server_fails_every_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--url", "ws://127.0.0.1:9/ws"]) == 1
    assert verdicts(capsys.readouterr().out) == dict.fromkeys(CHECKS, "FAIL")


def test_a_data_directory_that_is_whole_and_one_that_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with SqlStore.open(tmp_path, utc_us=lambda: 1):
        pass
    assert main(["doctor", "--data", str(tmp_path)]) == 0
    assert "no fault found" in capsys.readouterr().out
    (tmp_path / "acerace.sqlite3").write_bytes(b"\xa5" * 50_000)
    assert main(["doctor", "--data", str(tmp_path)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"FAIL  data: {tmp_path / 'acerace.sqlite3'}: the database is damaged")


def test_what_is_no_address_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--url", "http://127.0.0.1:9/"]) == 2
    assert "no address of a WebSocket" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("url", "health"),
    [
        ("ws://h:1/ws", "http://h:1/healthz"),
        ("wss://h/ws", "https://h/healthz"),
        ("wss://h/games/ws/", "https://h/games/healthz"),
    ],
)
def test_where_a_server_says_how_it_is(url: str, health: str) -> None:
    assert doctor.health_url(url) == health
