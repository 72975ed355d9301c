"""``acerace serve`` as a process of its own."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosedOK
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from acerace_protocol.codec import JSON
from acerace_protocol.messages import Closing, Hello, Snapshot, Solo, Welcome
from acerace_protocol.people import HOUSE_LEVELS, Levels, ListLevels
from acerace_server.__main__ import main
from acerace_server.config import Config, read_config
from tests.client.beside import running
from tests.client.serving import serving as in_process

PATIENCE_S = 100
COMMAND = [sys.executable, "-m", "acerace_server"]


@contextmanager
def serving(*args: str) -> Generator[tuple[subprocess.Popen[str], str]]:
    """A server, and its WebSocket's address, from the first line it prints."""
    where = [] if "--data" in args else ["--memory"]
    with subprocess.Popen(
        [*COMMAND, "--port", "0", *where, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            first = process.stdout.readline()
            assert first.startswith("listening on ws://127.0.0.1:")
            assert first.endswith("/ws\n")
            yield process, first.split()[-1]
        finally:
            process.kill()


def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    """The rest of what a process says on stdout, and all of stderr, once it has ended.

    ``communicate`` would lose what came along with the first line and waits in the buffer behind it.
    """
    assert process.stdout
    assert process.stderr
    process.wait(timeout=PATIENCE_S)
    return process.stdout.read(), process.stderr.read()


def first_deal(url: str) -> Snapshot:
    with connect(url, subprotocols=[Subprotocol(JSON.subprotocol)], proxy=None) as websocket:
        for message in (Hello(), Solo()):
            websocket.send(JSON.encode(message).decode())
        got = [JSON.decode_server(websocket.recv(timeout=PATIENCE_S, decode=False)) for _ in range(3)]
    assert isinstance(got[0], Welcome)
    assert isinstance(got[2], Snapshot)
    return got[2]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_tells_everyone_and_ends_well(number: signal.Signals) -> None:
    with serving("--memory") as (process, url):
        with connect(url, subprotocols=[Subprotocol(JSON.subprotocol)], proxy=None) as websocket:
            websocket.send(JSON.encode(Hello()).decode())
            websocket.recv(timeout=PATIENCE_S)
            process.send_signal(number)
            assert isinstance(JSON.decode_server(websocket.recv(timeout=PATIENCE_S, decode=False)), Closing)
            with pytest.raises(ConnectionClosedOK):
                websocket.recv(timeout=PATIENCE_S)
            assert websocket.close_code == 1001
        out, err = ended(process)
        assert process.returncode == 0
        assert "play at http://127.0.0.1:" in out
        assert "nothing is kept" in out
        assert "Traceback" not in err


def test_it_is_healthy() -> None:
    with running(in_process()) as url:
        address = url.replace("ws://", "http://").removesuffix("/ws")
        with urlopen(f"{address}/healthz", timeout=PATIENCE_S) as answer:  # noqa: S310  # http, to ourselves
            assert answer.status == 200
        with urlopen(f"{address}/", timeout=PATIENCE_S) as answer:  # noqa: S310
            assert b"Ace Race" in answer.read()


def test_a_seed_makes_deals_that_can_be_foretold() -> None:
    codes: list[str | None] = []
    for seed in ("seven", "seven", None):
        with running(in_process(seed)) as url:
            codes.append(first_deal(url).code)
    assert codes[0] == codes[1] != codes[2]


@pytest.fixture
def taken() -> Generator[int]:
    """A port on which somebody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_port_in_use_is_one_line_and_1(taken: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--memory", "--port", str(taken)]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    [line] = shown.err.splitlines()
    assert f"cannot listen on 127.0.0.1:{taken}" in line


def test_a_seed_is_warned_of(taken: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--memory", "--port", str(taken), "--seed", "seven"]) == 1
    assert "warning: with --seed every deal can be foretold" in capsys.readouterr().err


@pytest.mark.parametrize(
    "argv",
    [["--port", "x"], ["--port", "70000"], ["--port", "-1"], ["--nope"], ["extra"], ["--log-level", "loud"],
     ["--commands-per-second", "0"], ["--durability", "best"]],
)  # fmt: skip
def test_wrong_usage_is_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    [line] = captured.err.splitlines()
    assert line.startswith("acerace serve: ")
    assert line.endswith("; see acerace serve --help")


def test_help_documents_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for field in Config.__slots__:
        name = field.removesuffix("s") if field == "origins" else field
        assert f"--{name.replace('_', '-')}" in text
        assert f"ACERACE_{name.upper()}" in text


def test_settings_come_from_the_environment_unless_given() -> None:
    environ = {
        "ACERACE_HOST": "::1",
        "ACERACE_PORT": "9000",
        "ACERACE_DATA": "some/where",
        "ACERACE_MEMORY": "1",
        "ACERACE_DURABILITY": "FULL",
        "ACERACE_SEED": "s",
        "ACERACE_ORIGIN": "https://a.example, https://b.example",
        "ACERACE_COMMANDS_PER_SECOND": "99",
        "ACERACE_LOG_LEVEL": "WARNING",
    }
    expected = Config(
        host="::1",
        port=9000,
        data=Path("some/where"),
        memory=True,
        durability="full",
        seed="s",
        origins=("https://a.example", "https://b.example"),
        commands_per_second=99,
        log_level="warning",
    )
    assert read_config([], environ) == expected
    assert read_config(["--port", "1", "--origin", "https://c.example"], environ).port == 1
    assert read_config(["--origin", "https://c.example"], environ).origins == ("https://c.example",)
    assert read_config([], {}) == Config()
    with pytest.raises(SystemExit):
        read_config([], {"ACERACE_PORT": "x"})


def test_it_runs_where_uvloop_is_not_installed() -> None:
    code = "import sys; sys.modules['uvloop'] = None; from acerace_server import __main__ as it; sys.exit(it.main())"
    command = [sys.executable, "-c", code, "--memory", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert first_deal(process.stdout.readline().split()[-1]).game == "klondike"
        process.terminate()
        assert process.wait(timeout=PATIENCE_S) == 0


def test_the_house_bots_are_there_and_go_with_the_server_however_it_goes(tmp_path: Path) -> None:
    with serving("--house-bots", "--data", str(tmp_path)) as (process, url):
        with connect(url, subprotocols=[Subprotocol(JSON.subprotocol)], proxy=None) as websocket:
            websocket.send(JSON.encode(Hello()).decode())
            websocket.recv(timeout=PATIENCE_S)
            until = time.monotonic() + PATIENCE_S
            levels: tuple[str, ...] = ()
            while levels != HOUSE_LEVELS and time.monotonic() < until:
                websocket.send(JSON.encode(ListLevels()).decode())
                message = JSON.decode_server(websocket.recv(timeout=PATIENCE_S, decode=False))
                assert isinstance(message, Levels)
                levels = message.levels
                time.sleep(0.05)
            assert levels == HOUSE_LEVELS
        (house,) = processes_with(url)
        process.kill()
        while is_there(house):
            assert time.monotonic() < until, "the house has outlived its server"
            time.sleep(0.05)


def processes_with(argument: str) -> list[int]:
    """Those that have this in their command line, but not as the server does."""
    command_lines = {path: path.joinpath("cmdline") for path in Path("/proc").glob("[0-9]*")}
    found: list[int] = []
    for path, command_line in command_lines.items():
        with suppress(OSError):
            if argument.encode() in command_line.read_bytes().split(b"\0"):
                found.append(int(path.name))
    return found


def is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
