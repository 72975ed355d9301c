"""``acerace watch``: what is played on a server, or one table as it is played."""

import argparse
import asyncio

from acerace_client.commands.common import OK, Subparsers, add_url, new_parser
from acerace_client.commands.telling import picture, result_text, said
from acerace_client.connection import Connection
from acerace_client.follow import watch
from acerace_protocol.messages import ListTables, Snapshot, Tables


def add(subparsers: Subparsers) -> None:
    parser = new_parser(
        subparsers, "watch", "list the live tables, or follow one", ["watch", "watch 3f9c2a --url ws://example.org/ws"]
    )
    parser.add_argument("table", nargs="?", help="the table to follow; without it the tables are listed")
    add_url(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    return asyncio.run(_follow(args.url, args.table) if args.table else _list(args.url))


async def _list(url: str) -> int:
    async with Connection(url, agent="acerace watch") as connection:
        await connection.send(ListTables())
        tables = (await connection.expect(Tables)).tables
    for info in tables:
        scores = ":".join(map(str, info.scores)) or "not dealt"
        print(f"{info.table}  {info.game}  {' - '.join(info.players)}  {scores}  {info.watchers} watching")
    if not tables:
        print("nobody plays")
    return OK


async def _follow(url: str, table: str) -> int:
    async with Connection(url, agent="acerace watch") as connection:
        async for mirror, news in watch(connection, table):
            if isinstance(news, Snapshot) and mirror.view:
                print(picture(mirror.view), end="", flush=True)
            elif text := said(mirror, news):
                print(text, flush=True)
            if mirror.ended:
                print((picture(mirror.view) if mirror.view else "") + result_text(mirror, mirror.ended))
    return OK
