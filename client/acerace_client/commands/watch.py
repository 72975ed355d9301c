"""``acerace watch``: what is played on a server, or one table as it is played."""

import argparse
import asyncio
from typing import Final

from acerace_client.commands.common import (
    OK,
    Subparsers,
    UsageError,
    add_url,
    new_parser,
    positive_number,
    whole_number,
)
from acerace_client.commands.telling import picture, result_text, said
from acerace_client.connection import Connection
from acerace_client.follow import watch
from acerace_client.mirror import Mirror
from acerace_protocol.fields import DELAY_MAX_S
from acerace_protocol.messages import Ended, Leave, ListTables, ServerMessage, Snapshot, Tables
from acerace_protocol.people import NextMatch

_LOOK_AGAIN_S: Final = 2.0
"""Between two looks for a match to be featured."""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(
        subparsers,
        "watch",
        "list the live tables, or follow one",
        ["watch", "watch 3f9c2a --url ws://example.org/ws", "watch 3f9c2a --delay 60", "watch --featured --games 3"],
    )
    parser.add_argument(
        "table",
        nargs="?",
        help="the table to follow, and the next ones of its series; without it the tables are listed",
    )
    parser.add_argument(
        "--featured",
        action="store_true",
        help="follow the featured table, one match after the other, until you stop it",
    )
    parser.add_argument(
        "--games", type=positive_number, metavar="N", help="with --featured: stop after so many matches"
    )
    parser.add_argument(
        "--delay",
        type=_delay,
        default=0,
        metavar="SECONDS",
        help=f"be shown everything so much later than everybody else, up to {DELAY_MAX_S} (default: 0)",
    )
    parser.add_argument(
        "--rematch",
        action="store_true",
        help="with a table: wait for a rematch as long as there may be one, and follow that as well",
    )
    add_url(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.table and args.featured:
        raise UsageError("either a table, or --featured")
    if args.games and not args.featured:
        raise UsageError("--games goes with --featured")
    if args.rematch and not args.table:
        raise UsageError("--rematch goes with a table")
    if args.delay and not (args.table or args.featured):
        raise UsageError("--delay goes with a table, or with --featured")
    return asyncio.run(_run(args))


def _delay(text: str) -> int:
    seconds = whole_number(text)
    if seconds > DELAY_MAX_S:
        raise argparse.ArgumentTypeError(f"expected at most {DELAY_MAX_S}")
    return seconds


async def _run(args: argparse.Namespace) -> int:
    async with Connection(args.url, agent="acerace watch") as connection:
        if args.featured:
            await _follow_featured(connection, args.games, args.delay)
        elif args.table:
            await _follow_on(connection, args.table, args.delay, rematch=args.rematch)
        else:
            await _list(connection)
    return OK


async def _tables(connection: Connection) -> Tables:
    await connection.send(ListTables())
    return await connection.expect(Tables)


async def _list(connection: Connection) -> None:
    found = await _tables(connection)
    for info in found.tables:
        scores = ":".join(map(str, info.scores)) or "not dealt"
        marks = [mark for mark, is_so in (("rated", info.rated), ("featured", info.table == found.featured)) if is_so]
        line = [info.table, info.game, " - ".join(info.players), scores, f"{info.watchers} watching", *marks]
        print("  ".join(line))
    if not found.tables:
        print("nobody plays")


async def _follow_featured(connection: Connection, games: int | None, delay_s: int) -> None:
    followed, waiting = 0, False
    while games is None or followed < games:
        table = (await _tables(connection)).featured
        if table is None:
            if not waiting:
                print("nobody plays; waiting for a match", flush=True)
            waiting = True
            await asyncio.sleep(_LOOK_AGAIN_S)
            continue
        waiting = False
        await _follow(connection, table, delay_s)
        await connection.send(Leave(table=table))
        followed += 1


async def _follow_on(connection: Connection, table: str, delay_s: int, *, rematch: bool) -> None:
    """Follow a table, and where the same two play on."""
    while following := await _follow(connection, table, delay_s, rematch=rematch):
        await connection.send(Leave(table=table))
        table = following


async def _follow(connection: Connection, table: str, delay_s: int, *, rematch: bool = False) -> str | None:
    """Follow one table to its end; the table of the next match, if it was told."""
    if delay_s:
        print(f"everything is shown {delay_s} s later", flush=True)
    begun, following = False, None
    async for mirror, news in watch(connection, table, delay_s=delay_s, rematch=rematch):
        if text := _heading(mirror) + _shown(mirror, news) if not begun else _shown(mirror, news):
            print(text.rstrip("\n"), flush=True)
        begun = True
        if isinstance(news, NextMatch):
            following = news.next
    return following


def _heading(mirror: Mirror) -> str:
    """What is played, by whom, and who is there."""
    who = zip(mirror.players, mirror.away, strict=False)
    names = " - ".join(f"{info.name} (away)" if away else info.name for info, away in who)
    return f"{mirror.game}: {names}, {mirror.watchers} watching\n"


def _shown(mirror: Mirror, news: ServerMessage) -> str:
    """What a piece of news says: of a snapshot all of it."""
    shown = picture(mirror.view) if isinstance(news, Snapshot) and mirror.view else ""
    if isinstance(news, Snapshot | Ended) and mirror.ended:
        return (shown or (picture(mirror.view) if mirror.view else "")) + result_text(mirror, mirror.ended)
    return shown or said(mirror, news) or ""
