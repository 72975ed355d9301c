"""Every test of the shell runs on asyncio's own loop and on uvloop."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
import pytest_asyncio
import uvloop

from acerace_server.adapters.memory import MemoryJournal
from acerace_server.adapters.system import SystemClock
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.gateway import About, Gateway
from acerace_server.shell.referee import Referee
from tests.server.shell.fakes import FakeHub
from tests.server.shell.support import HandClock, Running, Start


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    return {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


@pytest.fixture(autouse=True)
def _nothing_goes_wrong_unseen(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No test leaves an error in the log, except one marked ``errors_expected``."""
    yield
    if "errors_expected" not in request.fixturenames:
        errors = [record for record in caplog.get_records("call") if record.levelname in {"ERROR", "CRITICAL"}]
        assert not errors, [record.getMessage() for record in errors]


@pytest.fixture
def errors_expected() -> None:
    """For tests in which something is made to go wrong."""


@pytest_asyncio.fixture
async def start() -> AsyncIterator[Start]:
    """Starts gateways on a free port, and closes them. Without a clock of their own, for them no time passes."""
    started: list[Running] = []

    async def begin(
        hub: Referee | None = None,
        bounds: Bounds | None = None,
        origins: tuple[str, ...] = (),
        clock: SystemClock | None = None,
    ) -> Running:
        journal, hand = MemoryJournal(), HandClock()
        gateway = Gateway(
            hub or FakeHub(), clock=clock or hand, journal=journal, about=About("0.0", origins), bounds=bounds
        )
        host, port = await gateway.listen("127.0.0.1", 0)
        running = Running(gateway, journal, host, port, hand)
        started.append(running)
        return running

    yield begin
    for running in started:
        await running.gateway.close(timeout_s=0.5)
