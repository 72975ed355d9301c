"""The server in its seven days, and the command line beside it."""

import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

from tests.e2e.lives import Life
from tests.ports import KeptPort

_MONDAY_NOON_US: Final = 1_797_249_600_000_000  # 2026-12-14
_DAY_US: Final = 86_400_000_000
_COMMAND_TIMEOUT_S: Final = 90


class Server:
    """One server after the other on one port and with one data directory; a context manager that ends the last one."""

    def __init__(self, data: Path) -> None:
        self._port = KeptPort()
        self.url = f"ws://127.0.0.1:{self._port.number}/ws"
        self._data = data
        self._ahead_us = _MONDAY_NOON_US - time.time_ns() // 1000
        self._life: Life | None = None

    async def start(self, day: int = 0, *, house: bool = False, seed: str | None = None) -> None:
        """Start on a day of the week, Monday being 0: about noon, so that no test runs into the next day.

        ``seed``: what this life's deals follow from.
        """
        argv = ["--data", str(self._data), "--port", str(self._port.number), "--log-level", "warning"]
        argv += ["--commands-per-second", "100000"]
        argv.append("--house-bots" if house else "--no-house-bots")
        argv += [] if seed is None else ["--seed", seed]
        self._life = Life(argv, self._ahead_us + day * _DAY_US)
        await self._life.listening()

    @staticmethod
    def date(day: int) -> str:
        """The date of a day of the week."""
        return datetime.fromtimestamp((_MONDAY_NOON_US + day * _DAY_US) / 1_000_000, UTC).date().isoformat()

    def kill(self) -> None:
        """``kill -9``."""
        assert self._life
        self._life.kill()
        self._life = None

    async def stop(self) -> str:
        """SIGTERM; what it has said."""
        life, self._life = self._life, None
        assert life
        return await life.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._life:
            self._life.kill()
        self._port.close()


def acerace(*arguments: str, typed: str = "") -> str:
    """What the command prints, when somebody types this. Raises ``AssertionError`` when it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "acerace_client", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=_COMMAND_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
