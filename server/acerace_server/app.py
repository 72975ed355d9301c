"""The composition root: the only module that names adapters."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine
from importlib.metadata import version
from typing import Any, Final

from acerace_server.adapters.memory import MemoryJournal
from acerace_server.adapters.system import SystemClock, SystemEntropy
from acerace_server.config import Config
from acerace_server.core.hub import Hub
from acerace_server.shell.bounds import FRAMES_PER_COMMAND, Bounds
from acerace_server.shell.gateway import About, Gateway

VERSION: Final = version("acerace")
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def build(config: Config) -> Gateway:
    """A gateway with all that it needs, for the loop that runs."""
    clock = SystemClock()
    hub = Hub(
        entropy=SystemEntropy().token_bytes,
        server=f"acerace {VERSION}",
        seed=None if config.seed is None else config.seed.encode(),
        today=clock.utc_date,
        commands_per_second=config.commands_per_second,
    )
    return Gateway(
        hub,
        clock=clock,
        journal=MemoryJournal(),
        about=About(VERSION, config.origins),
        bounds=Bounds(frames_per_second=FRAMES_PER_COMMAND * config.commands_per_second),
    )


async def serve(config: Config, announce: Callable[[str, int], None]) -> int:
    """Serve until SIGINT or SIGTERM, or until it cannot go on; the answer is the exit code.

    ``announce`` is told the address once connections are accepted. Raises ``OSError`` if it cannot listen there.
    """
    gateway = build(config)
    stop = asyncio.Event()
    try:
        host, port = await gateway.listen(config.host, config.port)
        _on_signals(stop.set)
        announce(host, port)
        gateway.failed.add_done_callback(lambda _: stop.set())
        await stop.wait()
    finally:
        await gateway.close()
    return 1 if gateway.failed.done() else 0


def _on_signals(stop: Callable[[], None]) -> None:
    """Stop gently at the first signal; at the second as if there were no handler."""
    loop = asyncio.get_running_loop()

    def first() -> None:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
        stop()

    with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt
        for number in _SIGNALS:
            loop.add_signal_handler(number, first)


def run(main: Coroutine[Any, Any, int]) -> int:
    """Run on uvloop where it is installed, else on asyncio's own loop."""
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(main)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415  # optional
    except ImportError:
        return None
    return uvloop.new_event_loop
