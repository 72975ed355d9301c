"""Keeps a program running beside the server, in a process of its own."""

import asyncio
import logging
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from acerace_server.shell.logs import fields

_LOG: Final = logging.getLogger("acerace.keeper")
_FIRST_WAIT_S: Final = 1.0
_MOST_WAIT_S: Final = 60.0
_STOP_TIMEOUT_S: Final = 2.0


class Keeper:
    """Starts a program again when it ends: at once after a long run, later and later if it never runs for long."""

    def __init__(
        self, command: Sequence[str], environ: Mapping[str, str], *, first_wait_s: float = _FIRST_WAIT_S
    ) -> None:
        """The program can tell by the end of its stdin that this process is gone, however it went."""
        self._command = command
        self._environ = environ
        self._first_wait_s = first_wait_s
        self._task = asyncio.create_task(self._run(), name=f"keeper of {command[0]}")

    async def close(self) -> None:
        """Stop the program, by force if it takes its time."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        wait_s = self._first_wait_s
        while True:
            began = loop.time()
            code = await self._run_once()
            if loop.time() - began > _MOST_WAIT_S:
                wait_s = self._first_wait_s
            _LOG.warning("a program beside the server ended", extra=fields(code=code, again_in_s=wait_s))
            await asyncio.sleep(wait_s)
            wait_s = min(_MOST_WAIT_S, 2 * wait_s)

    async def _run_once(self) -> int | None:
        """The exit code; ``None``: it could not be started."""
        try:
            # of its own session: Ctrl-C is for the server, which stops this then
            process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=DEVNULL, env=dict(self._environ), start_new_session=True
            )
        except OSError as error:
            _LOG.error("cannot start a program beside the server", extra=fields(error=str(error)))
            return None
        try:
            return await process.wait()
        finally:
            await _stop(process)


async def _stop(process: Process) -> None:
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), _STOP_TIMEOUT_S)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
