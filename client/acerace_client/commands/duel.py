"""``acerace duel``: two bots play real matches over WebSockets on this machine, with a spectator."""

import argparse
import asyncio
import json
import sys

from acerace_client.commands.common import (
    FAILED,
    OK,
    Subparsers,
    UsageError,
    add_game_options,
    add_pace,
    bot_name,
    chosen_options,
    new_parser,
    positive_number,
)
from acerace_client.commands.matches import Game, Plan, play_all
from acerace_client.commands.server import throwaway_server
from acerace_client.commands.telling import picture, result_text
from acerace_client.errors import ClientError
from acerace_rules.cards import DECK_SIZE

_COMMANDS_PER_SECOND = 100_000
"""Of the throw-away server: nobody else is on it."""

_SEEDS = """With --seed the deals are reproducible, and so is what each bot does by chance. What is not: which of two
moves that are on their way at once arrives first; so a match in simultaneous pace may go differently each time."""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(
        subparsers,
        "duel",
        "let two bots play each other on a throw-away server",
        [
            "duel greedy patient",
            "duel greedy patient --games 20 --seed 7 --parallel 4 --json",
            "duel patient patient --alternating --draw 3",
            "duel random greedy --pace 50",
        ],
    )
    parser.description = f"{parser.description}\n\n{_SEEDS}"
    parser.add_argument("a", metavar="A", type=bot_name, help="random, greedy or patient; seat 1 of the first game")
    parser.add_argument("b", metavar="B", type=bot_name, help="its opponent; they change seats after each game")
    parser.add_argument("--games", type=positive_number, default=1, metavar="N", help="games to play (default: 1)")
    parser.add_argument("--seed", help="make the deals and the bots' chances follow from this text")
    add_pace(parser)
    parser.add_argument(
        "--parallel", type=positive_number, default=1, metavar="K", help="games at the same time (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="print one object a game and line; the summary on stderr")
    add_game_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if getattr(args, "game_series", None) not in {None, "off"}:
        raise UsageError("--games is the series here, in which the bots change seats: --series does not go with it")
    plan = Plan((args.a, args.b), args.games, args.seed, args.pace, args.parallel, chosen_options(args))
    return asyncio.run(_duel(plan, as_json=args.json))


async def _duel(plan: Plan, *, as_json: bool) -> int:
    seed = [] if plan.seed is None else ["--seed", plan.seed]
    games: list[Game] = []
    failed = False
    async with throwaway_server(["--commands-per-second", str(_COMMANDS_PER_SECOND), *seed]) as url:
        async for game in play_all(url, plan):
            if isinstance(game, ClientError):
                print(f"acerace duel: {game}", file=sys.stderr)
                failed = True
                continue
            games.append(game)
            print(json.dumps(game.as_json()) if as_json else _told(plan, game), flush=True)
            if game.fault:
                print(f"acerace duel: game {game.number + 1}: {game.fault}", file=sys.stderr)
                failed = True
    if games and (as_json or len(games) > 1):
        print(_summary(plan, games), file=sys.stderr if as_json else sys.stdout)
    return FAILED if failed else OK


def _told(plan: Plan, game: Game) -> str:
    """One game alone is shown whole; of many, only how they ended."""
    mirror = game.seen
    if plan.games == 1:
        shown = picture(mirror.view) if mirror.view else ""
        up = sum(game.ended.contributions)
        cards = f"{2 * DECK_SIZE} cards accounted for: {up} on the foundations, {2 * DECK_SIZE - up} left in the seats"
        return f"{game.begun}\n{shown}\n{result_text(mirror, game.ended)}\n{game.fault or cards}"
    first, second = game.contributions
    winner = "draw" if game.winner is None else plan.labels[game.winner]
    return (
        f"game {game.number + 1:>3}  {plan.labels[0]} {first:>2} : {second:<2} {plan.labels[1]}  {winner:<12} "
        f"{game.ended.reason:<11} {sum(game.ended.moves):>4} moves  {len(game.ended.races):>2} races  "
        f"{game.ended.duration_ms / 1000:>6.2f} s"
    )


def _summary(plan: Plan, games: list[Game]) -> str:
    count = len(games)
    wins = [sum(game.winner == index for game in games) for index in (0, 1)]
    means = [sum(game.contributions[index] for game in games) / count for index in (0, 1)]
    lines = [
        f"{label:<12} {wins[index]:>4} wins ({wins[index] / count:.1%}), {means[index]:.1f} cards a game"
        for index, label in enumerate(plan.labels)
    ]
    reasons = [game.ended.reason for game in games]
    told = ", ".join(f"{reason} {reasons.count(reason)}" for reason in sorted(set(reasons)))
    durations = sorted(game.ended.duration_ms for game in games)
    races = sum(len(game.ended.races) for game in games)
    shortest, middle, longest = (durations[at] / 1000 for at in (0, count // 2, -1))
    lines += [
        f"{count} games, {count - sum(wins)} draws; ended by {told}",
        f"{races} races; a game took {shortest:.2f} to {longest:.2f} s, the one in the middle {middle:.2f} s",
    ]
    return "\n".join(lines)
