"""``acerace results``, ``statistics``, ``ranking`` and ``day``: what the archive of a server knows."""

import argparse
import asyncio
import json
from collections.abc import Callable, Coroutine
from datetime import date
from typing import Any, Final

import msgspec

from acerace_client.commands.archive import day_text, ranking_text, results_text, statistics_text
from acerace_client.commands.common import (
    OK,
    TOKEN_VARIABLE,
    Subparsers,
    UsageError,
    add_solo_game,
    add_url,
    chosen_solo_game,
    given_token,
    new_parser,
    positive_number,
)
from acerace_client.connection import Connection
from acerace_protocol.people import (
    Day,
    GetDay,
    GetRanking,
    GetResults,
    GetStatistics,
    Ranking,
    Result,
    Results,
    Statistics,
)

_GAMES: Final = 20
_POOL: Final = "people-simultaneous"
_PAGE: Final = "results_per_page"

Answer = Results | Statistics | Ranking | Day


def add(subparsers: Subparsers) -> None:
    _add_results(subparsers)
    _add_statistics(subparsers)
    _add_ranking(subparsers)
    _add_day(subparsers)


def _add_results(subparsers: Subparsers) -> None:
    examples = ["results", "results 5f3e9a0c71d2", "results --games 200 --json"]
    parser = new_parser(subparsers, "results", "show a player's ratings and games, newest first", examples)
    parser.add_argument("player", nargs="?", help="a player's id, as ranking and day show it (default: you)")
    parser.add_argument(
        "--games", type=positive_number, default=_GAMES, metavar="N", help=f"so many games (default: {_GAMES})"
    )
    _add_token(parser)
    _finish(parser, _results, results_text)


def _add_statistics(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "statistics", "show the statistics of your solo games", ["statistics"])
    _add_token(parser)
    _finish(parser, _statistics, statistics_text)


def _add_ranking(subparsers: Subparsers) -> None:
    examples = ["ranking", "ranking bots-alternating --json"]
    parser = new_parser(subparsers, "ranking", "show the best rated players of a pool", examples)
    parser.add_argument(
        "pool",
        nargs="?",
        default=_POOL,
        help=f"people or bots, and their pace: people-alternating, bots-simultaneous ... (default: {_POOL})",
    )
    _finish(parser, _ranking, ranking_text)


def _add_day(subparsers: Subparsers) -> None:
    examples = ["day", "day klondike draw=3", "day yukon --date 2026-11-30 --json"]
    parser = new_parser(subparsers, "day", "show who was best at a deal of the day", examples)
    add_solo_game(parser)
    parser.add_argument("--date", type=_date, help="a date of UTC, such as 2026-11-30 (default: today)")
    _finish(parser, _day, day_text)


def _add_token(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--token", help=f"who you are; see: acerace token (default: what {TOKEN_VARIABLE} says)")


def _finish(
    parser: argparse.ArgumentParser,
    ask: Callable[[argparse.Namespace], Coroutine[Any, Any, Answer]],
    told: Callable[[Any], str],
) -> None:
    parser.add_argument("--json", action="store_true", help="print one object, with the fields of PROTOCOL.md")
    add_url(parser)

    def run(args: argparse.Namespace) -> int:
        answer = asyncio.run(ask(args))
        print(_as_json(answer) if args.json else told(answer))
        return OK

    parser.set_defaults(run=run)


def _date(text: str) -> str:
    """A day of the calendar, for argparse."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date such as 2026-11-30") from None


# --- asking ------------------------------------------------------------------------------------------------


async def _results(args: argparse.Namespace) -> Results:
    async with _connection(args, token=None if args.player else _own_token(args)) as connection:
        page_games = connection.welcome.limits.get(_PAGE, 1) if connection.welcome else 1
        results: list[Result] = []
        while True:
            before = results[-1].number if results else None
            await connection.send(GetResults(player=args.player, before=before, nonce=connection.nonce()))
            page = await connection.expect(Results)
            results += page.results
            if len(page.results) < page_games or len(results) >= args.games:
                return msgspec.structs.replace(page, results=tuple(results[: args.games]))


async def _statistics(args: argparse.Namespace) -> Statistics:
    async with _connection(args, token=_own_token(args)) as connection:
        await connection.send(GetStatistics(nonce=connection.nonce()))
        return await connection.expect(Statistics)


async def _ranking(args: argparse.Namespace) -> Ranking:
    async with _connection(args) as connection:
        await connection.send(GetRanking(pool=args.pool, nonce=connection.nonce()))
        return await connection.expect(Ranking)


async def _day(args: argparse.Namespace) -> Day:
    game, options = chosen_solo_game(args)
    async with _connection(args) as connection:
        await connection.send(GetDay(game=game, options=options, date=args.date, nonce=connection.nonce()))
        return await connection.expect(Day)


def _connection(args: argparse.Namespace, *, token: str | None = None) -> Connection:
    """Without a token as a guest: what is public is nobody's, and a player who asks would seem to be at the table."""
    return Connection(args.url, token=token, agent=f"acerace {args.command}")


def _own_token(args: argparse.Namespace) -> str:
    token = given_token(args)
    if not token:
        other = "give a player's id, or " if args.command == "results" else "give "
        raise UsageError(f"who are you? {other}--token, or set {TOKEN_VARIABLE}")
    return token


def _as_json(answer: Answer) -> str:
    told: dict[str, object] = msgspec.to_builtins(answer)
    return json.dumps({key: value for key, value in told.items() if key not in {"type", "nonce"}})
