"""Servers as processes: so that they can be killed."""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_RIGGED = Path(__file__).with_name("rigged_server.py")


@dataclass
class Server:
    """A running server."""

    process: subprocess.Popen[str]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


def start(*arguments: str, port: int = 0, data: Path | None = None, rigged: dict[str, Any] | None = None) -> Server:
    """Start a server, and wait until it listens; without ``data`` it keeps nothing."""
    kept = ["--data", str(data)] if data else ["--memory"]
    command = [str(_RIGGED), json.dumps(rigged)] if rigged else ["-m", "acerace_server"]
    process = subprocess.Popen(
        [sys.executable, *command, *kept, "--port", str(port), "--log-level", "error", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout
    line = process.stdout.readline()
    assert line.startswith("listening on"), line
    return Server(process, int(line.rsplit(":", 1)[1].partition("/")[0]))


@contextmanager
def serving(*arguments: str, rigged: dict[str, Any] | None = None) -> Generator[Server]:
    """A server that is stopped at the end."""
    server = start(*arguments, rigged=rigged)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.terminate()
            server.process.wait(60)
        if server.process.stdout:
            server.process.stdout.close()
