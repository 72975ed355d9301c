"""What runs in a thread and a loop of its own beside a test, as each command has a loop of its own."""

import asyncio
from collections.abc import Generator
from contextlib import AbstractAsyncContextManager, contextmanager
from queue import Queue
from threading import Event, Thread
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def running(manager: AbstractAsyncContextManager[T]) -> Generator[T]:
    """What an asynchronous context manager gives, entered there and left when the test is done."""
    given: Queue[T | BaseException] = Queue()
    stop = Event()

    async def run() -> None:
        try:
            async with manager as value:
                given.put(value)
                await asyncio.to_thread(stop.wait)
        except BaseException as error:
            given.put(error)
            raise

    thread = Thread(target=asyncio.run, args=(run(),))
    thread.start()
    try:
        value = given.get(timeout=60)
        if isinstance(value, BaseException):
            raise value
        yield value
    finally:
        stop.set()
        thread.join()
