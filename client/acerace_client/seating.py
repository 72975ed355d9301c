"""How a program gets a seat: by asking for a game, or as the next match of a series."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from msgspec.structs import replace

from acerace_client.connection import Connection
from acerace_client.errors import ConnectionLostError, NoRematchError, ProblemError
from acerace_protocol.limits import REMATCH_MS, Fault
from acerace_protocol.messages import (
    Accept,
    Problem,
    Seek,
    Seeking,
    SeriesInfo,
    ServerMessage,
    Snapshot,
    Solo,
    Watch,
    Welcome,
)
from acerace_protocol.people import Challenge, Rematch, SeriesStands

Start = Seek | Accept | Challenge | Rematch | Solo
"""How a game begins: with a public or private seek, somebody's seek or code, a house bot, the same again, or alone."""
Seat = tuple[Snapshot, int]
"""The table as it is first told, and the number of one's own seat."""

_PROMPT_S: Final = 2.0
"""What the server tells by itself at the end of a match is there by then, or was missed."""
_ASKS_MAX: Final = 15


def known_tables(connection: Connection) -> set[str]:
    """The tables where this player has a seat already."""
    return {*(connection.welcome.tables if connection.welcome else ()), *connection.seats}


async def take_seat(connection: Connection, start: Start, on_seek: Callable[[str], None] | None = None) -> Seat:
    """Begin as ``start`` says and wait for the seat.

    A connection that breaks meanwhile begins again, or finds the seat it got in between. ``on_seek`` is told the id or
    code of one's own open seek. Raises :class:`ProblemError`, :class:`NoRematchError`, :class:`ConnectionLostError`.
    """
    if not isinstance(start, Rematch):
        return await _take_seat(connection, start, on_seek)
    try:
        async with asyncio.timeout(REMATCH_MS / 1000):
            return await _take_seat(connection, start, on_seek)
    except TimeoutError:
        raise NoRematchError("the other player does not want one") from None
    except ProblemError as problem:
        raise NoRematchError(str(problem)) from None


async def _take_seat(connection: Connection, start: Start, on_seek: Callable[[str], None] | None) -> Seat:
    known = known_tables(connection)
    if start.nonce is None:  # so that it is one wish, however often it is sent
        start = replace(start, nonce=connection.nonce())
    again = seated = False
    sent_on = await connection.send(start)
    while True:
        message = await connection.receive()
        if seat := _new_seat(connection, message, known):
            return seat
        match message:
            case Seeking(seek=seek) if on_seek is not None:
                on_seek(seek)
            case Problem() as problem if _is_about(problem, start):
                if not (seated or (again and problem.code == Fault.ALREADY_SEEKING)):
                    raise ProblemError(problem)  # else it was heard before the break, and again after it
            case Welcome(tables=tables) as welcome if welcome is connection.welcome:  # else it has broken again
                again, seated = True, await _watch_new(connection, tables, known)
                if not seated and welcome is not sent_on:  # else the start waited for this connection, and went on it
                    sent_on = await connection.send(start)
            case _:
                pass


def _is_about(problem: Problem, start: Start) -> bool:
    """Not about a table of before, which may have been put away when it was left."""
    if problem.nonce is not None:
        return problem.nonce == start.nonce
    return problem.code not in {Fault.NOT_WATCHING, Fault.NO_SUCH_TABLE}


async def next_of_series(connection: Connection, table: str, known: set[str]) -> tuple[SeriesInfo | None, Seat | None]:
    """After the match at ``table``: where its series stands, and the seat at the next match, if one follows.

    ``known``: the tables where there was a seat before the match ended. The standing is ``None`` when the server has
    put the table away meanwhile; the next match tells it too. Raises :class:`ConnectionLostError`.
    """
    stands: SeriesInfo | None = None
    seat: Seat | None = None
    told, asks = False, 0
    while not told or (seat is None and _goes_on(stands, connection, known)):
        try:
            message = await connection.receive(_PROMPT_S)
        except TimeoutError:
            asks += 1
            if asks > _ASKS_MAX:
                raise ConnectionLostError(f"the server does not say how the series of {table} goes on") from None
            await connection.send(Watch(table=table))  # which tells it again
            await _watch_new(connection, known_tables(connection), known)
            continue
        seat = seat or _new_seat(connection, message, known)
        match message:
            case SeriesStands(table=of, series=series) if of == table:
                stands, told = series, True
            case Problem(code=Fault.NO_SUCH_TABLE, table=of) if of == table:
                told = True
            case Welcome(tables=tables) as welcome if welcome is connection.welcome:
                await _watch_new(connection, tables, known)
            case _:
                pass
    return stands, seat


def _goes_on(stands: SeriesInfo | None, connection: Connection, known: set[str]) -> bool:
    """Whether there is a next match, as far as it is known."""
    return not stands.over if stands else bool(known_tables(connection) - known)


def _new_seat(connection: Connection, message: ServerMessage, known: set[str]) -> Seat | None:
    if isinstance(message, Snapshot) and message.table not in known and message.table in connection.seats:
        return message, connection.seats[message.table]
    return None


async def _watch_new(connection: Connection, tables: Iterable[str], known: set[str]) -> bool:
    """Ask for the first of these tables that is not known, if there is one."""
    new = next((table for table in tables if table not in known), None)
    if new is not None:
        await connection.send(Watch(table=new))
    return new is not None
