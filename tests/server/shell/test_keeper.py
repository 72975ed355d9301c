"""A program that is kept running beside the server."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from acerace_server.shell.keeper import Keeper
from tests.server.shell.support import until

NOTES_AND = "import os, sys, time, signal; print(os.getpid(), file=open(sys.argv[1], 'a')); "


def keeper(code: str, notes: Path, first_wait_s: float = 0.01) -> Keeper:
    command = [sys.executable, "-c", NOTES_AND + code, str(notes)]
    return Keeper(command, {**os.environ, "SHARED": "secret"}, first_wait_s=first_wait_s)


def noted(notes: Path) -> list[str]:
    return notes.read_text().splitlines() if notes.exists() else []


async def runs(notes: Path, count: int) -> list[int]:
    """Wait until the program was started so often; its process ids."""
    await until(lambda: len(noted(notes)) >= count)
    return [int(line) for line in noted(notes)]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_program_that_ends_is_started_again_later_and_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = keeper("sys.exit(3)", tmp_path / "notes")
    await runs(tmp_path / "notes", 3)
    await kept.close()
    mine = [record for record in caplog.records if record.name == "acerace.keeper"]
    waits: list[float] = [getattr(record, "fields", {})["again_in_s"] for record in mine]
    assert waits[:2] == [0.01, 0.02]


async def test_it_stops_with_the_server(tmp_path: Path) -> None:
    kept = keeper("time.sleep(60)", tmp_path / "notes")
    (pid,) = await runs(tmp_path / "notes", 1)
    assert is_running(pid)
    await kept.close()
    assert not is_running(pid)


async def test_one_that_will_not_stop_is_stopped_by_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acerace_server.shell.keeper._STOP_TIMEOUT_S", 0.1)
    deaf = "signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    code = deaf + "print('deaf', file=open(sys.argv[1] + '2', 'w'), flush=True); time.sleep(60)"
    kept = keeper(code, tmp_path / "notes")
    (pid,) = await runs(tmp_path / "notes", 1)
    await until(lambda: bool(noted(tmp_path / "notes2")))
    await kept.close()
    assert not is_running(pid)


async def test_it_has_the_environment_and_a_stdin_that_does_not_end(tmp_path: Path) -> None:
    code = "open(sys.argv[1] + '2', 'w').write(os.environ['SHARED']); sys.stdin.read(); open(sys.argv[1] + '3', 'w')"
    kept = keeper(code, tmp_path / "notes")
    await runs(tmp_path / "notes", 1)
    await until(lambda: noted(tmp_path / "notes2") == ["secret"])
    await asyncio.sleep(0.05)
    assert not (tmp_path / "notes3").exists()
    await kept.close()


@pytest.mark.usefixtures("errors_expected")
async def test_a_program_that_is_not_there_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    kept = Keeper(["/no/such/program"], {}, first_wait_s=60)
    await until(lambda: "cannot start" in caplog.text)
    await kept.close()
