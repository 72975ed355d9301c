"""The house bots of a server, as a program of its own: ``python -m acerace_client.house --url ws://...``.

The server starts it and shares a secret with it (``ACERACE_HOUSE_SECRET``), by which it knows them. For the rest they
are clients like any other, on the same socket and under the same limits: they take the seeks they are offered, play
who challenges them, want every rematch, and move no faster than a person.
"""

import argparse
import asyncio
import json
import logging
import os
import random
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from acerace_client.bots.patient import PatientBot
from acerace_client.bots.position import Bot, Position
from acerace_client.bots.simple import GreedyBot
from acerace_client.connection import Connection
from acerace_client.errors import ClientError, ProblemError, first_error
from acerace_client.runner import Player
from acerace_client.tables import TableLine
from acerace_protocol.limits import TABLES_PER_PLAYER, Fault
from acerace_protocol.messages import (
    Accept,
    Claim,
    Done,
    Leave,
    Pass,
    Play,
    Problem,
    Resign,
    ServerMessage,
    Snapshot,
    Watch,
    Welcome,
)
from acerace_protocol.people import HOUSE_LEVELS, Offered, Rematch, RematchOffered, ServeHouse
from acerace_rules.moves import Move

SECRET: Final = "ACERACE_HOUSE_SECRET"  # noqa: S105  # where it is, not what it is
CONNECTIONS_PER_LEVEL: Final = 4
_WHIM: Final = 0.25
_JITTER: Final = (0.6, 1.6)
"""A move comes after so many times the level's pace, at random."""
_HURRY: Final = 0.25
"""So much of a pause is left when only the bot still plays: whoever sees nothing more is not kept waiting."""
_LOG: Final = logging.getLogger("acerace.house")


class WhimsicalBot:
    """Greedy, but now and then it plays something else, whatever it is."""

    def __init__(self) -> None:
        self._greedy = GreedyBot()

    def choose(self, view: Position) -> Move | None:
        """Never anything when the greedy one has nothing, so it ends as surely."""
        move = self._greedy.choose(view)
        if move is not None and random.random() < _WHIM:  # noqa: S311  # a game, not a secret
            return random.choice(view.legal)  # noqa: S311
        return move


@dataclass(frozen=True, slots=True)
class Level:
    """How a house bot plays."""

    make: Callable[[], Bot]
    pace_s: float
    """From one move to the next, on average."""
    reaction_s: float
    """From what happens to when it is seen."""

    def pause_s(self, *, awaited: bool) -> float:
        """``awaited``: the opponent sees nothing more to play."""
        return self.pace_s * random.uniform(*_JITTER) * (_HURRY if awaited else 1)  # noqa: S311  # a game, not a secret


LEVELS: Final[Mapping[str, Level]] = {
    "easy": Level(WhimsicalBot, 2.5, 0.6),
    "medium": Level(GreedyBot, 1.2, 0.35),
    "hard": Level(PatientBot, 0.7, 0.25),
}
"""By name, weakest first."""


class HumanPlayer(Player):
    """Plays with pauses that are never twice the same."""

    def __init__(self, line: TableLine, snapshot: Snapshot, seat: int, level: Level) -> None:
        super().__init__(line, snapshot, seat, level.make())
        self._level = level

    async def _command(self, command: Play | Pass | Done | Resign | Claim, move: Move | None = None) -> None:
        if move is not None:
            self._not_before = self._now + self._level.pause_s(awaited=self.follower.mirror.done[1 - self.seat])
        await super()._command(command, move)


class Tokens:
    """The house bots' tokens, kept in a file so that a new run plays on where the last one stopped."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._tokens: dict[str, list[str]] = {level: [] for level in LEVELS}
        if path is not None:
            with suppress(OSError, ValueError, TypeError, AttributeError):  # a file that is no good is made anew
                found = json.loads(path.read_text(encoding="ascii"))
                self._tokens |= {level: [*map(str, found[level])] for level in LEVELS if level in found}

    def of(self, level: str) -> Sequence[str]:
        return self._tokens[level]

    def keep(self, level: str, place: int, token: str) -> None:
        """Keep the token of one of the connections of a level; ``place`` counts them from 0."""
        tokens = self._tokens[level]
        if tokens[place : place + 1] == [token]:
            return
        tokens[place : place + 1] = [token]
        if self._path is not None:
            new = self._path.with_suffix(".new")
            with open(new, "w", encoding="ascii", opener=_for_oneself) as file:
                json.dump(self._tokens, file)
            new.replace(self._path)


def _for_oneself(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


class Host:
    """One connection: one player of the house, at as many tables as a player may have."""

    def __init__(self, connection: Connection, level: str, secret: str, changed: Callable[[], None]) -> None:
        """``changed`` is told when a game begins."""
        self._connection = connection
        self._level = level
        self._serve = ServeHouse(secret=secret, level=level)
        self._changed = changed
        self._lines: dict[str, TableLine] = {}

    @property
    def games(self) -> int:
        """How many it plays."""
        return len(self._lines)

    async def run(self, welcome: Welcome) -> None:
        """Serve for ever. Raises :class:`ClientError`."""
        async with asyncio.TaskGroup() as tasks:
            await self._begin(welcome)
            while True:
                message = await self._connection.receive()
                if self._begins(message):
                    tasks.create_task(self._play(cast("Snapshot", message)))
                else:
                    await self._take(message)

    async def _begin(self, welcome: Welcome) -> None:
        """Say what this connection is for, and look after the tables where there is a seat already."""
        await self._connection.send(self._serve)
        for table in welcome.tables:
            if table not in self._lines:
                await self._connection.send(Watch(table=table))

    def _begins(self, message: ServerMessage) -> bool:
        return (
            isinstance(message, Snapshot)
            and message.ended is None
            and message.table not in self._lines
            and message.table in self._connection.seats
        )

    async def _take(self, message: ServerMessage) -> None:
        for line in self._lines.values():
            if line.concerns(message):
                line.deliver(message)
        match message:
            case Welcome():
                await self._begin(message)
            case Offered(seek=seek):
                await self._connection.send(Accept(seek=seek.seek))
            case RematchOffered(table=table, seat=seat) if seat != self._connection.seats.get(table):
                await self._connection.send(Rematch(table=table, nonce=self._connection.nonce()))
            case Problem(code=Fault.NOT_ALLOWED, nonce=None):
                raise ProblemError(message)  # the secret is another server's
            case _:
                pass

    async def _play(self, snapshot: Snapshot) -> None:
        connection, level, table = self._connection, LEVELS[self._level], snapshot.table
        line = self._lines[table] = TableLine(connection, table, reaction_s=level.reaction_s)
        self._changed()
        try:
            await HumanPlayer(line, snapshot, connection.seats[table], level).play()
        except ClientError as error:
            _LOG.warning("table %s is gone: %s", table, error)
        except Exception:  # noqa: BLE001  # whatever it is, the other tables play on
            _LOG.exception("a house bot failed at table %s", table)
            await connection.send(Resign(table=table, nonce=connection.nonce()))
        finally:
            del self._lines[table]
        await connection.send(Leave(table=table))


class House:
    """All house bots of a server."""

    def __init__(self, url: str, secret: str, tokens: Tokens) -> None:
        self._url = url
        self._secret = secret
        self._tokens = tokens
        self._hosts: dict[str, list[Host]] = {level: [] for level in LEVELS}
        self._opening: set[str] = set()
        """Levels for which one more connection is being opened."""
        self._tasks: asyncio.TaskGroup

    async def run(self) -> None:
        """Serve until the server is gone. Raises an ``ExceptionGroup`` of :class:`ClientError`."""
        async with asyncio.TaskGroup() as self._tasks:
            for level in HOUSE_LEVELS:
                for _ in range(min(CONNECTIONS_PER_LEVEL, max(1, len(self._tokens.of(level))))):
                    await self._open(level)

    def _look_for_room(self, level: str) -> None:
        """Have one more connection when the last seats of those that there are will soon be taken."""
        hosts = self._hosts[level]
        free = sum(TABLES_PER_PLAYER - host.games for host in hosts)
        if free <= 1 and len(hosts) < CONNECTIONS_PER_LEVEL and level not in self._opening:
            self._opening.add(level)
            self._tasks.create_task(self._open(level))

    async def _open(self, level: str) -> None:
        place = len(self._hosts[level])
        known = self._tokens.of(level)
        connection = await self._connected(level, known[place] if place < len(known) else None)
        host = Host(connection, level, self._secret, lambda: self._look_for_room(level))
        self._hosts[level].append(host)
        self._opening.discard(level)
        self._tasks.create_task(self._serve(host, connection))
        self._tokens.keep(level, place, connection.token or "")

    async def _connected(self, level: str, token: str | None) -> Connection:
        name = f"House {level}"
        connection = Connection(self._url, token=token, name=name, bot=True, agent="acerace-house")
        try:
            await connection.open()
        except ProblemError as problem:
            if token is None or problem.fault not in {Fault.UNKNOWN_TOKEN, Fault.TOKEN_REVOKED}:
                raise
            connection = Connection(self._url, name=name, bot=True, agent="acerace-house")
            await connection.open()
        return connection

    @staticmethod
    async def _serve(host: Host, connection: Connection) -> None:
        try:
            if connection.welcome is not None:
                await host.run(connection.welcome)
        finally:
            await connection.close()


# --- the program -------------------------------------------------------------------------------------------


async def serve(house: House, *, with_parent: bool) -> None:
    """Serve until the server is gone; ``with_parent``: or until stdin ends. Raises as :meth:`House.run`."""
    serving = asyncio.create_task(house.run())
    if with_parent:
        _when_stdin_ends(serving.cancel)
    with suppress(asyncio.CancelledError):
        await serving


def _when_stdin_ends(then: Callable[[], object]) -> None:
    """A pipe from the parent ends when the parent does, however it does: no signal is as sure."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        while sys.stdin.buffer.read(1):
            pass
        with suppress(RuntimeError):  # the loop is closed already
            loop.call_soon_threadsafe(then)

    threading.Thread(target=read, daemon=True, name="stdin").start()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the house bots; the answer is the exit code: 0 stopped, 1 the server is gone, 2 wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m acerace_client.house", description="The house bots of a server.")
    parser.add_argument("--url", required=True, help="the server's WebSocket, such as ws://127.0.0.1:8080/ws")
    parser.add_argument("--tokens", type=Path, metavar="FILE", help="where to keep who they are, for the next run")
    parser.add_argument("--with-parent", action="store_true", help="stop when stdin ends")
    given = parser.parse_args(argv)
    secret = os.environ.get(SECRET, "")
    logging.basicConfig(level=logging.WARNING, format="%(name)s %(levelname)s %(message)s")
    if not secret:
        _LOG.error("%s is not set; the server that starts the house bots sets it", SECRET)
        return 2
    code = 0
    try:
        asyncio.run(serve(House(given.url, secret, Tokens(given.tokens)), with_parent=given.with_parent))
    except* ClientError as errors:
        _LOG.error("%s", first_error(errors))
        code = 1
    except* KeyboardInterrupt:
        pass
    return code


if __name__ == "__main__":
    sys.exit(main())
