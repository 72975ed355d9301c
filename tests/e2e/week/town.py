"""The town that lives through the week: its server, its people, and what is still going on from earlier days."""

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from acerace_protocol.codec import MSGPACK, Codec
from tests.e2e.week.diary import PATIENCE_S, Diary
from tests.e2e.week.people import Person
from tests.e2e.week.serving import Server


class Town:
    """An async context manager: at its end everybody goes home and the server is no more."""

    def __init__(self, data: Path) -> None:
        self.diary = Diary()
        self.server = Server(data)
        self.people: dict[str, Person] = {}
        self.gone: set[str] = set()
        """Those who will not come back."""
        self._going_on: dict[str, asyncio.Task[Any]] = {}
        self._stack = AsyncExitStack()

    def __getitem__(self, called: str) -> Person:
        return self.people[called]

    @property
    def url(self) -> str:
        return self.server.url

    async def come(  # what one may say of oneself
        self,
        called: str,
        *,
        token: str | None = None,
        bot: bool = False,
        codec: Codec = MSGPACK,
        device: str = "",
        url: str | None = None,
    ) -> Person:
        """Somebody comes in, and stays until the end of the week."""
        person = Person(self.diary, url or self.url, called, token=token, bot=bot, codec=codec, device=device)
        await self._stack.enter_async_context(person)
        self.people[person.called] = person
        return person

    async def goes(self, called: str) -> None:
        """Somebody hangs up for good."""
        self.gone.add(called)
        await self.people[called].close()

    def begin(self, what: str, doing: Coroutine[Any, Any, Any]) -> None:
        """Something that goes on, perhaps over a night."""
        self._going_on[what] = asyncio.create_task(doing, name=what)

    async def done(self, what: str) -> Any:
        """What came of it, once it is over."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._going_on.pop(what)

    async def __aenter__(self) -> Self:
        self._stack.enter_context(self.server)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._going_on.values():
            task.cancel()
        await asyncio.gather(*self._going_on.values(), return_exceptions=True)
        await self._stack.aclose()
