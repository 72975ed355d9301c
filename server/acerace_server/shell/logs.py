"""The log: one line an event, ``key=value``, written by a thread of its own.

What is logged is what happened to a connection: numbers, addresses, close codes. Never a message, a token or a card.
"""

import json
import logging
from collections.abc import Generator
from contextlib import contextmanager
from logging.handlers import QueueHandler, QueueListener
from queue import SimpleQueue
from types import TracebackType
from typing import Final, Self, TextIO

_PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:/+")
_FIELDS: Final = "fields"


def fields(**values: object) -> dict[str, dict[str, object]]:
    """The ``extra`` of a logging call: what the event was about."""
    return {_FIELDS: values}


class Contained:
    """Logs an exception raised within, once, and lets nobody else suffer from it: a context manager."""

    __slots__ = ("_event", "_fields", "_log")

    def __init__(self, log: logging.Logger, event: str, **about: object) -> None:
        self._log = log
        self._event = event
        self._fields = about

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        self._log.error(self._event, exc_info=error, extra=fields(**self._fields))
        return True


class KeyValueFormatter(logging.Formatter):
    """Renders a record as ``time=... level=info logger=... event="..." key=value``; a traceback follows on lines."""

    def format(self, record: logging.LogRecord) -> str:
        pairs: dict[str, object] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03}",
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, _FIELDS, {}),
        }
        line = " ".join(f"{key}={_value(value)}" for key, value in pairs.items())
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _value(value: object) -> str:
    text = str(value)
    # Quoted, what a client chose (its agent) can neither end the line nor look like another pair.
    return text if text and _PLAIN.issuperset(text) else json.dumps(text)


class _PassingHandler(QueueHandler):
    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        """Leave the record as it is: the queue stays within the process, and the listener formats."""
        return record


@contextmanager
def logging_to(stream: TextIO, level: int) -> Generator[None]:
    """Log to a stream from another thread, so that a reader that stalls cannot stall the loop."""
    writer = logging.StreamHandler(stream)
    writer.setFormatter(KeyValueFormatter())
    queue: SimpleQueue[logging.LogRecord] = SimpleQueue()
    listener = QueueListener(queue, writer)
    handler = _PassingHandler(queue)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(level)
    listener.start()
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
        listener.stop()
