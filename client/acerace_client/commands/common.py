"""What several commands share: exit codes, arguments, and how options of a game are read."""

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from acerace_client.bots.registry import BOTS
from acerace_rules.catalogue import GAMES, find_game
from acerace_rules.options import Choice, Option, UnknownChoiceError, Value

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2
URL: Final = "ws://127.0.0.1:8080/ws"
SOLO_GAME: Final = "klondike"
TOKEN_VARIABLE: Final = "ACERACE_TOKEN"  # noqa: S105  # its name

EXIT_CODES: Final = """exit codes:
  0  done
  1  the game or the match failed, or the connection was lost
  2  wrong usage"""

Subparsers = Any  # argparse names their types with an underscore
Group = Any


class UsageError(Exception):
    """Arguments that make no sense; the text says why."""


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong; how it is done right is for ``--help``. So do the parsers of its commands."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {message}; see {self.prog} --help\n")


def new_parser(subparsers: Subparsers, name: str, summary: str, examples: Sequence[str]) -> argparse.ArgumentParser:
    """A command's parser, with examples and exit codes in its help."""
    shown = "\n".join(f"  acerace {example}" for example in examples)
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"examples:\n{shown}\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def add_url(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", default=URL, help=f"the server (default: {URL})")


def add_token(parser: argparse.ArgumentParser | Group) -> None:
    parser.add_argument(
        "--token",
        help=f"play as the player of this token; see: acerace token (default: what {TOKEN_VARIABLE} says, or else a "
        "new guest)",
    )


def given_token(args: argparse.Namespace) -> str | None:
    """The token that was given, or else that of the environment, if there is one."""
    return args.token or os.environ.get(TOKEN_VARIABLE) or None


def add_pace(parser: argparse.ArgumentParser, default: int = 0) -> None:
    parser.add_argument(
        "--pace",
        type=whole_number,
        default=default,
        metavar="MS",
        help=f"least time from one move of a bot to its next, in milliseconds (default: {default})",
    )


def bot_name(text: str) -> str:
    """The name of a bot that exists, for argparse."""
    if text not in BOTS:
        raise argparse.ArgumentTypeError(f"there is no bot {text!r}; expected one of {', '.join(BOTS)}")
    return text


def whole_number(text: str) -> int:
    """A number from 0 up, for argparse."""
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)


def positive_number(text: str) -> int:
    """A number from 1 up, for argparse."""
    number = whole_number(text)
    if not number:
        raise argparse.ArgumentTypeError("expected at least 1")
    return number


# --- options of Double Klondike ----------------------------------------------------------------------------


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Every option of Double Klondike as an argument: ``--draw 3``, ``--play-on``, and ``--alternating``."""
    group = parser.add_argument_group("the game", "options of Double Klondike; see: acerace games double-klondike")
    for option in GAMES["double-klondike"].options:
        # --pace is the time between moves; the pace of play is the option called "pace"
        flag = "--pace-of-play" if option.key == "pace" else "--" + option.key.replace("_", "-")
        if isinstance(option, Choice) and set(option.values) == {True, False}:
            group.add_argument(flag, action="store_const", const="true", dest=_dest(option), help="on")
        else:
            group.add_argument(
                flag, metavar="VALUE", dest=_dest(option), help=f"{option.expected} (default: {option.default!r})"
            )
    group.add_argument(
        "--alternating",
        action="store_const",
        const="alternating",
        dest=_dest(GAMES["double-klondike"].options[0]),
        help="the same as --pace-of-play alternating",
    )


def _dest(option: Option) -> str:
    return f"game_{option.key}"


def chosen_options(args: argparse.Namespace) -> dict[str, Value]:
    """The options that were given. Raises :class:`UsageError` for a value an option does not take."""
    chosen: dict[str, Value] = {}
    for option in GAMES["double-klondike"].options:
        given = getattr(args, _dest(option))
        if given is not None:
            chosen[option.key] = read_value(option, given)
    return chosen


def read_value(option: Option, text: str) -> Value:
    """The value of an option that a text means. Raises :class:`UsageError`."""
    known: Mapping[str, Value] = {"true": True, "false": False}
    values: list[Value] = [text, known[text]] if text in known else [text]
    if text.isascii() and text.isdecimal():
        values.append(int(text))
    for value in values:
        if option.accepts(value):
            return value
    raise UsageError(f"option {option.key!r} is {text!r}; expected {option.expected}")


# --- a solo game and its options ---------------------------------------------------------------------------


def add_solo_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", help=f"a game or preset; see: acerace games (default: {SOLO_GAME})")
    parser.add_argument("option", nargs="*", metavar="OPTION=VALUE", help="options of the game, as in draw=3")


def chosen_solo_game(args: argparse.Namespace) -> tuple[str, dict[str, Value]]:
    """The key of the game or preset, and the options that were given. Raises :class:`UsageError`."""
    key: str = args.game or SOLO_GAME
    try:
        game, _ = find_game(key)
    except UnknownChoiceError as error:
        raise UsageError(str(error)) from None
    if game.seats > 1:
        raise UsageError(f"{game.key} is a game for two; see: acerace duel")
    known = {option.key: option for option in game.options}
    options: dict[str, Value] = {}
    for text in args.option:
        name, _, value = text.partition("=")
        if name not in known:
            raise UsageError(f"{game.key} has no option {name!r}; its options: {', '.join(known) or 'none'}")
        options[name] = read_value(known[name], value)
    return key, options
