"""A throw-away server as a process of its own: the client may not import one, but it can start one."""

import asyncio
import sys
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from acerace_client.errors import ConnectionLostError

_START_TIMEOUT_S: Final = 20
_STOP_TIMEOUT_S: Final = 5
_LAST_WORDS_S: Final = 0.2
_SAYS: Final = "listening on "


@asynccontextmanager
async def throwaway_server(arguments: Sequence[str] = ()) -> AsyncGenerator[str]:
    """Start a server that keeps nothing, on a free port; gives its URL, and stops it afterwards.

    Raises :class:`ConnectionLostError` when none is installed or it does not start.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "acerace_server", "--memory", "--port", "0", "--log-level", "warning"),
        *("--no-house-bots", *arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    complaints: deque[str] = deque(maxlen=1)
    # a process that cannot write what it has to say stands still
    draining = asyncio.create_task(_drain(process.stderr, complaints))
    try:
        yield await _url(process, complaints)
    finally:
        if process.returncode is None:
            process.terminate()
        try:
            await asyncio.wait_for(asyncio.gather(process.wait(), _drain(process.stdout)), _STOP_TIMEOUT_S)
        except TimeoutError:
            process.kill()
            await process.wait()
        await draining


async def _url(process: asyncio.subprocess.Process, complaints: Sequence[str]) -> str:
    line = b""
    if process.stdout is not None:
        try:
            line = await asyncio.wait_for(process.stdout.readline(), _START_TIMEOUT_S)
        except TimeoutError:
            raise ConnectionLostError(f"the server did not start within {_START_TIMEOUT_S} s") from None
    text = line.decode().strip()
    if not text.startswith(_SAYS):
        await asyncio.sleep(_LAST_WORDS_S)
        why = complaints[-1] if complaints else "it said nothing"
        raise ConnectionLostError(f"the server did not start: {why}; is it installed? (pip install 'acerace[server]')")
    return text.removeprefix(_SAYS)


async def _drain(stream: asyncio.StreamReader | None, last: deque[str] | None = None) -> None:
    while stream is not None and (line := await stream.readline()):
        if last is not None:
            last.append(line.decode(errors="replace").strip())
