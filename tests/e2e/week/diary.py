"""What everybody was told in the week, as it came over the wire."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from acerace_protocol.messages import ServerMessage

Json = dict[str, Any]
PATIENCE_S: Final = 90
"""For one thing that must happen, on a machine that is busy with other things."""


@dataclass(frozen=True)
class Told:
    """One message to one client."""

    to: str
    """The client: what the week calls it."""
    player: str
    """The public id of who it is."""
    at_s: float
    """On the loop's clock, which is the server's as well."""
    message: Json


@dataclass
class Diary:
    """All messages to all clients."""

    told: list[Told] = field(default_factory=list[Told])
    sent_at: dict[int, float] = field(default_factory=dict[int, float])
    """By nonce: when somebody first sent a command."""
    replays: dict[str, str] = field(default_factory=dict[str, str])
    """By table."""
    _waiting: list[tuple[Callable[[Told], bool], asyncio.Future[Told]]] = field(
        default_factory=list[tuple[Callable[[Told], bool], asyncio.Future[Told]]]
    )

    def note(self, to: str, player: str, message: ServerMessage) -> None:
        told = Told(to, player, asyncio.get_running_loop().time(), msgspec.json.decode(msgspec.json.encode(message)))
        self.told.append(told)
        for wanted, future in [*self._waiting]:
            if not future.done() and wanted(told):
                future.set_result(told)
        self._waiting = [(wanted, future) for wanted, future in self._waiting if not future.done()]

    async def until(self, wanted: Callable[[Told], bool]) -> Told:
        """The first message like this, whether it has come already or not."""
        for told in self.told:
            if wanted(told):
                return told
        future: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
        self._waiting.append((wanted, future))
        async with asyncio.timeout(PATIENCE_S):
            return await future

    async def event(self, table: str, seq: int = 0, kind: str | None = None) -> Told:
        """The first event of a table with this number or a later one, and of this kind."""
        return await self.until(
            lambda told: (
                told.message.get("table") == table
                and told.message.get("seq", -1) >= seq
                and told.message["type"] not in {"table", "resumed", "legal_moves"}
                and kind in {None, told.message["type"]}
            )
        )

    def lateness(self, to: str, table: str) -> list[float]:
        """How many seconds after each move was sent one client heard of it."""
        played = [told for told in self.of("played") if (told.to, told.message["table"]) == (to, table)]
        return [told.at_s - self.sent_at[told.message["nonce"]] for told in played]

    def of(self, *kinds: str) -> list[Told]:
        return [told for told in self.told if told.message["type"] in kinds]
