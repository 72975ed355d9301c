"""The server that Autobahn's suite is run against, by hand, still stands (tests/autobahn)."""

import subprocess
import sys
from pathlib import Path

from websockets.sync.client import connect
from websockets.typing import Subprotocol

ROOT = Path(__file__).parents[3]


def test_it_sends_back_whatever_it_is_sent() -> None:
    command = [sys.executable, "-m", "tests.autobahn.echo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        try:
            assert server.stdout
            with connect(server.stdout.readline().strip(), subprotocols=[Subprotocol("acerace.1.json")]) as line:
                for message in ("", "short", b"bytes", "more than one byte says " * 10, "x" * 70_000, ["in ", "parts"]):
                    line.send(message)
                    assert line.recv(timeout=60) == ("".join(message) if isinstance(message, list) else message)
        finally:
            server.kill()
