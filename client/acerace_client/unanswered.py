"""The table commands of a connection that have no answer yet: sent again after a break, and waited for."""

import asyncio
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from typing import Final

from acerace_protocol.messages import Command, Event, Problem, Refused

UNANSWERED_MAX: Final = 64
"""Commands on their way at once; one more waits."""

Answer = Event | Refused | Problem


class Unanswered:
    """Commands by their nonces, in the order in which they were given."""

    def __init__(self) -> None:
        self._commands: dict[int, Command] = {}
        self._awaited: dict[int, asyncio.Future[Answer]] = {}
        self._room = asyncio.Condition()

    async def wait_for_room(self, is_over: Callable[[], bool]) -> None:
        """Wait until one more command may be on its way, or until :meth:`give_up` if ``is_over`` then."""
        async with self._room:
            await self._room.wait_for(lambda: len(self._commands) < UNANSWERED_MAX or is_over())

    def add(self, command: Command) -> None:
        self._commands[command.nonce] = command

    def but(self, nonces: Collection[int]) -> list[Command]:
        """All commands without an answer but these."""
        return [command for nonce, command in self._commands.items() if nonce not in nonces]

    @contextmanager
    def awaited(self, nonce: int) -> Generator[asyncio.Future[Answer]]:
        """The answer to the command with this nonce, or the error of :meth:`give_up`."""
        answer = self._awaited[nonce] = asyncio.get_running_loop().create_future()
        try:
            yield answer
        finally:
            self._awaited.pop(nonce, None)

    def answered_by(self, event: Event, seats: Mapping[str, int]) -> int | None:
        """The nonce of the command that an event answers, if there is one; ``seats``: own ones, by table."""
        nonce: int | None = getattr(event, "nonce", None)
        command = self._commands.get(nonce) if nonce is not None else None
        if command is None or command.table != event.table:
            return None
        # the other seat chooses its nonces by itself, and may choose the same
        return nonce if getattr(event, "seat", None) in {None, seats.get(command.table)} else None

    async def answer(self, nonce: int, message: Answer) -> None:
        """Hand an answer to who waits for it; nothing for a nonce that has none to come."""
        if self._commands.pop(nonce, None) is None:
            return
        awaited = self._awaited.get(nonce)
        if awaited and not awaited.done():
            awaited.set_result(message)
        async with self._room:
            self._room.notify()

    async def give_up(self, error: Callable[[], Exception]) -> None:
        """Let everybody know who waits for an answer, or for room, that it will not come."""
        for awaited in self._awaited.values():
            if not awaited.done():
                awaited.set_exception(error())
        async with self._room:
            self._room.notify_all()
