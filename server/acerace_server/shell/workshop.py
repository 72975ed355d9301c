"""Where slow work is done: a few threads beside the loop's."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Final

from acerace_server.core.jobs import CheckPassword, HashPassword, Job

_LOG: Final = logging.getLogger("acerace.workshop")
_THREADS: Final = 2


class Workshop:
    """Does jobs one after the other on a few threads; how many may wait is the hub's to limit."""

    def __init__(self, perform: Callable[[Job], object], finished: Callable[[int, object], None]) -> None:
        """``finished`` is told a job's number and result (or exception) on the loop's thread."""
        self._perform = perform
        self._finished = finished
        self._loop = asyncio.get_running_loop()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="workshop")
        # By itself, so that nobody who sends passwords takes more than one core, or keeps a look-up waiting.
        self._hashing = ThreadPoolExecutor(1, thread_name_prefix="hashing")

    def take(self, jobs: list[tuple[int, Job]]) -> None:
        """Begin these jobs, and empty the list."""
        for number, job in jobs:
            threads = self._hashing if isinstance(job, HashPassword | CheckPassword) else self._threads
            future = threads.submit(self._perform, job)
            future.add_done_callback(partial(self._report, number))
        jobs.clear()

    def close(self) -> None:
        """Begin nothing more, and wait for the jobs that are being done: the store they use is closed next."""
        for threads in (self._threads, self._hashing):
            threads.shutdown(wait=True, cancel_futures=True)

    def _report(self, number: int, done: Future[object]) -> None:
        if done.cancelled():
            return
        error = done.exception()
        if error is not None:
            _LOG.error("a job failed", exc_info=error)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._finished, number, done.result() if error is None else error)
