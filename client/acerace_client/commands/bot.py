"""``acerace bot``: one of our bots plays on a server."""

import argparse
import asyncio
import secrets
import sys

from acerace_client.bots.registry import make_bot
from acerace_client.commands.common import (
    FAILED,
    OK,
    Subparsers,
    UsageError,
    add_game_options,
    add_pace,
    add_url,
    bot_name,
    chosen_options,
    new_parser,
    positive_number,
)
from acerace_client.connection import Connection
from acerace_client.runner import Result, Start, play_one
from acerace_protocol.messages import Accept, Seek

_PACE_MS = 400
"""Unless asked to hurry, a bot leaves people a chance."""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(
        subparsers,
        "bot",
        "let a bot play against whoever comes",
        ["bot patient", "bot greedy --games 10 --pace 0", "bot patient --private", "bot patient --accept KXQWAB"],
    )
    parser.add_argument("name", type=bot_name, help="random, greedy or patient")
    add_url(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--seek", action="store_true", help="look for an opponent in public (the default)")
    how.add_argument("--private", action="store_true", help="open an invitation, and print its code")
    how.add_argument("--accept", metavar="CODE", help="take this seek or invitation")
    parser.add_argument("--games", type=positive_number, default=1, metavar="N", help="games to play (default: 1)")
    add_pace(parser, _PACE_MS)
    parser.add_argument("--as", dest="called", metavar="NAME", help="the name to play under (default: the bot's)")
    add_game_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    options = chosen_options(args)
    if args.accept and (args.games > 1 or options):
        raise UsageError("--accept takes one game as it is offered: neither --games nor options go with it")
    start = Accept(seek=args.accept) if args.accept else Seek(options=options, private=args.private)
    return asyncio.run(_play(args, start))


async def _play(args: argparse.Namespace, start: Start) -> int:
    code = OK
    async with Connection(args.url, name=args.called or args.name, bot=True, agent="acerace bot") as connection:
        for _ in range(args.games):
            seed = secrets.token_hex(16)
            bot = make_bot(args.name, bytes.fromhex(seed))
            result = await play_one(connection, bot, start, pace_ms=args.pace, seed=seed, on_seek=_sought)
            print(_told(result), flush=True)
            if result.deal_fault:
                print(f"acerace bot: the deal was not fair: {result.deal_fault}", file=sys.stderr)
                code = FAILED
    return code


def _sought(seek: str) -> None:
    print(f"waiting for an opponent; whoever knows it may accept {seek}", flush=True)


def _told(result: Result) -> str:
    ended = result.ended
    outcome = "a draw" if ended.winner is None else "won" if result.won else "lost"
    other = result.mirror.players[1 - result.seat].name
    own, theirs = ended.scores[result.seat], ended.scores[1 - result.seat]
    fair = "the deal was fair" if result.deal_checked and not result.deal_fault else "the deal could not be checked"
    return f"{outcome} {own}:{theirs} against {other} ({ended.reason}, {ended.duration_ms / 1000:.1f} s); {fair}"
