"""A server on the loop of the test: for tests of a client, which need no process that first imports a whole server."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from acerace_protocol.limits import COMMANDS_PER_SECOND
from acerace_server import app
from acerace_server.config import Config
from acerace_server.shell.pages import WEBSOCKET_PATH

FAST = 100_000
"""Commands per second, for players who need no time to think."""


@asynccontextmanager
async def serving(seed: str | None = None, commands_per_second: int = COMMANDS_PER_SECOND) -> AsyncGenerator[str]:
    """A server that keeps nothing, put together as ``acerace serve`` does; its URL."""
    config = Config(port=0, memory=True, seed=seed, commands_per_second=commands_per_second)
    with app.open_store(config, app.data_directory(config)) as store:
        gateway = app.open_gateway(config, app.open_hub(config, store), store)
        host, port = await gateway.listen(config.host, config.port)
        try:
            yield f"ws://{host}:{port}{WEBSOCKET_PATH}"
        finally:
            await gateway.close()
