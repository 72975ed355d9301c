"""The other player of a match, where nobody looks at that one's page: a program, at a fraction of its cost."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Protocol

from playwright.async_api import Page

from acerace_client.connection import Connection
from acerace_protocol.fields import Options
from acerace_protocol.messages import (
    Command,
    Dealt,
    Done,
    Pass,
    Play,
    Ready,
    Resign,
    Seated,
    Seek,
    Seeking,
    Snapshot,
    Watch,
)
from acerace_protocol.people import Emote, Rematch, RematchOffered, Said, Say
from tests.web.pages import PATIENCE_MS, on_table
from tests.web.servers import Server

PATIENCE_S = PATIENCE_MS / 1000


class Opponent:
    """Does one thing at a time, when it is told to."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.table = ""
        self.names: list[str] = []
        """Of who sits at the table."""

    @property
    def name(self) -> str:
        assert self._connection.welcome
        return self._connection.welcome.name

    async def seek(self, options: Options | None = None, *, rated: bool = False) -> None:
        """Look for an opponent."""
        await self._connection.send(Seek(options=options or {}, rated=rated))

    async def found_nobody(self) -> None:
        """Wait until it is known that nobody else looks for an opponent yet."""
        await self._connection.expect(Seeking, PATIENCE_S)

    async def sit(self) -> None:
        """Take the seat that the server gives, and say ready."""
        self.table = (await self._connection.expect(Seated, PATIENCE_S)).table
        snapshot = await self._connection.expect(Snapshot, PATIENCE_S)
        self.names = [player.name for player in snapshot.players]
        await self._command(Ready(table=self.table, nonce=self._connection.nonce()))

    async def come_back(self, table: str) -> None:
        """To the seat that this player has."""
        self.table = table
        await self._connection.send(Watch(table=table))
        await self._connection.expect(Snapshot, PATIENCE_S)

    async def dealt(self) -> None:
        """Wait for the cards."""
        await self._connection.expect(Dealt, PATIENCE_S)

    async def play(self, move: str) -> int:
        """The number of the event."""
        return await self._command(Play(table=self.table, nonce=self._connection.nonce(), move=move))

    async def end_turn(self) -> None:
        await self._command(Pass(table=self.table, nonce=self._connection.nonce()))

    async def done(self) -> None:
        await self._command(Done(table=self.table, nonce=self._connection.nonce()))

    async def resign(self) -> None:
        await self._command(Resign(table=self.table, nonce=self._connection.nonce()))

    async def say(self, emote: Emote) -> None:
        await self._connection.send(Say(table=self.table, emote=emote))

    async def hears(self) -> str:
        """The next emote, of either."""
        return (await self._connection.expect(Said, PATIENCE_S)).emote

    async def ask_again(self) -> None:
        """For a rematch."""
        await self._connection.send(Rematch(table=self.table, nonce=self._connection.nonce()))

    async def asked_again(self) -> None:
        """Wait until the other one asks for a rematch."""
        await self._connection.expect(RematchOffered, PATIENCE_S)

    async def leave(self) -> None:
        """Go away for good."""
        await self._connection.close()

    async def _command(self, command: Command) -> int:
        return (await self._connection.command(command)).seq


class OpenOpponent(Protocol):
    """The fixture ``opponent``."""

    async def __call__(
        self, *, at: Server | None = None, token: str | None = None, name: str | None = None
    ) -> Opponent: ...


@asynccontextmanager
async def opponent_at(url: str, *, token: str | None, name: str | None) -> AsyncGenerator[Opponent]:
    """A player at the server of this address; with a ``token``, the one whose it is."""
    async with Connection(url, token=token, name=name) as connection:
        yield Opponent(connection)


async def match_against(opponent: Opponent, page: Page, options: Options | None = None, *, rated: bool = False) -> None:
    """Pair a page, by the button for a quick game, with a program, which has the first seat."""
    await opponent.seek(options, rated=rated)
    await opponent.found_nobody()
    await page.get_by_role("button", name="Quick game").click()
    await opponent.sit()
    await on_table(page)


async def match_between(first: Opponent, second: Opponent) -> str:
    """A match to be watched; its table."""
    for one in (first, second):
        await one.seek()
    for one in (first, second):
        await one.sit()
    await first.dealt()
    return first.table
