"""``acerace solo``: a bot plays a solo game on a server."""

import argparse
import asyncio
import json

from acerace_client.bots.registry import make_bot
from acerace_client.commands.common import (
    OK,
    Subparsers,
    UsageError,
    add_pace,
    add_solo_game,
    add_token,
    add_url,
    bot_name,
    chosen_solo_game,
    given_token,
    new_parser,
)
from acerace_client.commands.telling import picture
from acerace_client.connection import Connection
from acerace_client.runner import Result, play_one
from acerace_protocol.messages import Solo
from acerace_rules.deal import DealCodeError, read_code
from acerace_rules.scoring import score_text


def add(subparsers: Subparsers) -> None:
    parser = new_parser(
        subparsers,
        "solo",
        "let a bot play a solo game",
        ["solo klondike", "solo russian rule=flexible --strategy greedy", "solo --code KL1-D1UM-AAAAAAB --json"],
    )
    add_solo_game(parser)
    parser.add_argument("--code", help="the deal of this code, with the game and the options it says")
    parser.add_argument("--strategy", type=bot_name, default="patient", metavar="BOT", help="which (default: patient)")
    parser.add_argument("--json", action="store_true", help="print one object instead of text")
    add_pace(parser)
    add_url(parser)
    add_token(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    start = _start(args)
    result = asyncio.run(_play(args, start))
    print(json.dumps(_as_json(result)) if args.json else _as_text(result))
    return OK


def _start(args: argparse.Namespace) -> Solo:
    if not args.code:
        game, options = chosen_solo_game(args)
        return Solo(game=game, options=options)
    if args.game:
        raise UsageError("a code says game and options by itself")
    try:
        return Solo(code=read_code(args.code).code)
    except DealCodeError as error:
        raise UsageError(str(error)) from None


async def _play(args: argparse.Namespace, start: Solo) -> Result:
    token = given_token(args)
    async with Connection(args.url, token=token, name=args.strategy, bot=True, agent="acerace solo") as connection:
        # the bot's chances are the deal's: the same deal is played the same way
        bot = make_bot(args.strategy, (args.code or "").encode())
        return await play_one(connection, bot, start, pace_ms=args.pace)


def _as_json(result: Result) -> dict[str, object]:
    mirror = result.mirror
    return {
        "game": mirror.game,
        "code": mirror.code,
        "table": result.table,
        "won": result.ended.reason == "won",
        "score": result.ended.scores[0],
        "foundations": result.ended.contributions[0],
        "moves": result.ended.moves[0],
        "duration_ms": result.ended.duration_ms,
    }


def _as_text(result: Result) -> str:
    mirror, ended = result.mirror, result.ended
    outcome = "won" if ended.reason == "won" else "given up"
    score = score_text(mirror.variant.scoring, ended.scores[0])
    shown = picture(mirror.view) if mirror.view else ""
    return (
        f"{shown}{outcome}: {ended.contributions[0]} of {52 * mirror.variant.decks} cards up, "
        f"score {score}, {ended.moves[0]} moves\ncode {mirror.code}, table {result.table}"
    )
