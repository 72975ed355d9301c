"""``acerace games``: the catalogue."""

import argparse

from acerace_client.commands.common import OK, Subparsers, UsageError, new_parser
from acerace_rules.catalogue import GAMES, Game, find_game
from acerace_rules.options import UnknownChoiceError


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "games", "list the games and their options", ["games", "games klondike"])
    parser.add_argument("game", nargs="?", help="only this game, or the game of this preset")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    try:
        games = [find_game(args.game)[0]] if args.game else [*GAMES.values()]
    except UnknownChoiceError as error:
        raise UsageError(str(error)) from None
    print("\n\n".join(map(_described, games)))
    return OK


def _described(game: Game) -> str:
    players = "two players" if game.seats > 1 else "solo"
    lines = [f"{game.key}  ({game.name}, {players})"]
    lines += [f"  {option.key:<18} {option.expected}; default {option.default!r}" for option in game.options]
    for preset, options in game.presets.items():
        chosen = ", ".join(f"{key} {value}" for key, value in options.items())
        lines += [f"  {preset:<25} = {chosen}"]
    return "\n".join(lines)
