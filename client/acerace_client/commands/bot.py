"""``acerace bot``: one of our bots plays on a server."""

import argparse
import asyncio
import secrets
import sys
from collections.abc import AsyncIterator
from itertools import count

from acerace_client.bots.registry import make_bot
from acerace_client.commands.common import (
    FAILED,
    OK,
    Subparsers,
    UsageError,
    add_game_options,
    add_pace,
    add_token,
    add_url,
    bot_name,
    chosen_options,
    given_token,
    new_parser,
    positive_number,
)
from acerace_client.commands.telling import series_text
from acerace_client.connection import Connection
from acerace_client.errors import NoRematchError
from acerace_client.runner import Result, play_all
from acerace_client.seating import Start
from acerace_protocol.messages import Accept, Seek
from acerace_protocol.people import Rematch

_PACE_MS = 400
"""Unless asked to hurry, a bot leaves people a chance."""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(
        subparsers,
        "bot",
        "let a bot play against whoever comes",
        [
            "bot patient",
            "bot greedy --games 10 --pace 0",
            "bot patient --private",
            "bot patient --accept KXQWAB --rematch",
            "bot greedy --series best --series-games 3",
            "bot patient --rated --token 0f6c2b9e7d41a85330cc91e4b7f2a6d8155e",
        ],
    )
    parser.add_argument("name", type=bot_name, help="random, greedy or patient")
    add_url(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--seek", action="store_true", help="look for an opponent in public (the default)")
    how.add_argument("--private", action="store_true", help="open an invitation, and print its code")
    how.add_argument("--accept", metavar="CODE", help="take this seek or invitation")
    parser.add_argument("--rated", action="store_true", help="play for the rating, against others who do")
    parser.add_argument(
        "--games",
        type=positive_number,
        metavar="N",
        help="games to play; a whole series is one (default: 1, with --rematch no end)",
    )
    parser.add_argument(
        "--rematch",
        action="store_true",
        help="after each game want another one with the same opponent; when it does not, look for another one if games "
        "are left of --games, or else stop",
    )
    add_pace(parser, _PACE_MS)
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--as", dest="called", metavar="NAME", help="be a guest with this name (default: the bot's)")
    add_token(who)
    add_game_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    options = chosen_options(args)
    if args.accept and (options or args.rated):
        raise UsageError("--accept takes a game as it is offered: no options go with it, and no --rated")
    if args.accept and (args.games or 1) > 1 and not args.rematch:
        raise UsageError("--accept takes one game: --games goes with it only if there is a --rematch")
    start = Accept(seek=args.accept) if args.accept else Seek(options=options, private=args.private, rated=args.rated)
    return asyncio.run(_play(args, start))


async def _play(args: argparse.Namespace, start: Start) -> int:
    code = OK
    name, token = args.called or args.name, None if args.called else given_token(args)
    async with Connection(args.url, token=token, name=name, bot=True, agent="acerace bot") as connection:
        async for result in _results(args, connection, start):
            print(_told(result), flush=True)
            if result.deal_fault:
                print(f"acerace bot: the deal was not fair: {result.deal_fault}", file=sys.stderr)
                code = FAILED
    return code


async def _results(args: argparse.Namespace, connection: Connection, start: Start) -> AsyncIterator[Result]:
    """All games, one after the other: as they were asked for, or the same again for as long as both want it."""
    last: Result | None = None
    for _ in range(args.games) if args.games else count() if args.rematch else range(1):
        if last and args.rematch:
            begin: Start = Rematch(table=last.table, nonce=connection.nonce())
        else:
            begin = start
        try:
            async for last in _game(args, connection, begin):
                yield last
        except NoRematchError as error:
            print(f"no rematch: {error}", flush=True)
            if args.accept or not args.games:
                return
            async for last in _game(args, connection, start):
                yield last


def _game(args: argparse.Namespace, connection: Connection, start: Start) -> AsyncIterator[Result]:
    return play_all(
        connection,
        lambda: make_bot(args.name, secrets.token_bytes(16)),
        start,
        pace_ms=args.pace,
        new_seed=lambda: secrets.token_hex(16),
        on_seek=_sought,
    )


def _sought(seek: str) -> None:
    print(f"waiting for an opponent; whoever knows it may accept {seek}", flush=True)


def _told(result: Result) -> str:
    ended = result.ended
    outcome = "a draw" if ended.winner is None else "won" if result.won else "lost"
    other = result.mirror.players[1 - result.seat].name
    own, theirs = ended.scores[result.seat], ended.scores[1 - result.seat]
    fair = "the deal was fair" if result.deal_checked and not result.deal_fault else "the deal could not be checked"
    told = f"{outcome} {own}:{theirs} against {other} ({ended.reason}, {ended.duration_ms / 1000:.1f} s); {fair}; "
    told += f"table {result.table}"
    return f"{told}; {series_text(result.series, result.seat)}" if result.series else told
