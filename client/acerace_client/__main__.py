"""``acerace``: the command line, also as ``python -m acerace_client``."""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Final

from acerace_client.commands import bot, deal, doctor, duel, games, records, replay, solo, token, watch
from acerace_client.commands.common import EXIT_CODES, FAILED, OK, USAGE, Parser, UsageError
from acerace_client.errors import ClientError

PLUGINS: Final = "acerace.commands"
"""Entry points of other packages that are commands here: ``main(argv) -> exit code``. The server's ``serve`` is one."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the answer is the exit code (see ``acerace --help``)."""
    words = sys.argv[1:] if argv is None else [*argv]
    if words and (plugin := _plugin(words[0])):
        return plugin(words[1:])
    try:
        args = _parser().parse_args(words)
    except SystemExit as stop:  # argparse has said why
        return stop.code if isinstance(stop.code, int) else USAGE
    try:
        code: int = args.run(args)
    except UsageError as error:
        print(f"acerace {args.command}: {error}", file=sys.stderr)
        return USAGE
    except (ClientError, TimeoutError) as error:
        print(f"acerace {args.command}: {str(error) or 'the server does not answer'}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return FAILED
    except BrokenPipeError:  # whoever read our output has seen enough
        sys.stderr.close()
        return OK
    return code


def _plugin(name: str) -> Callable[[Sequence[str]], int] | None:
    for found in entry_points(group=PLUGINS, name=name):
        loaded: Callable[[Sequence[str]], int] = found.load()
        return loaded
    return None


def _parser() -> argparse.ArgumentParser:
    others = sorted({found.name for found in entry_points(group=PLUGINS)})
    more = f"more commands:\n  {', '.join(others)}\n\n" if others else ""
    parser = Parser(
        prog="acerace",
        description="Ace Race: Double Klondike over WebSockets, and solo games.",
        epilog=f"{more}examples:\n  acerace serve\n  acerace bot patient\n  acerace duel greedy patient --seed 7\n"
        f"  acerace solo klondike draw=3\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in (bot, duel, solo, watch, replay, records, games, deal, token, doctor):
        command.add(subparsers)
    return parser


if __name__ == "__main__":
    sys.exit(main())
