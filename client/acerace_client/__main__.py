"""``acerace``: the command line, also as ``python -m acerace_client``."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from acerace_client.commands.common import EXIT_CODES, FAILED, OK, USAGE, Parser, UsageError
from acerace_client.errors import ClientError

COMMANDS: Final[Mapping[str, str]] = {
    **{name: name for name in ("bot", "duel", "solo", "watch", "replay")},
    **dict.fromkeys(("results", "statistics", "ranking", "day"), "records"),
    **{name: name for name in ("games", "deal", "token", "doctor")},
}
"""By name, the module that has it. A command imports its own and no other: imports are most of what a start takes."""

PLUGINS: Final = "acerace.commands"
"""Entry points of other packages that are commands here: ``main(argv) -> exit code``. The server's ``serve`` is one."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the answer is the exit code (see ``acerace --help``)."""
    words = sys.argv[1:] if argv is None else [*argv]
    command = words[0] if words else ""
    if command not in COMMANDS and (plugin := _plugin(command)):
        return plugin(words[1:])
    try:
        args = _parser(command).parse_args(words)
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
    for found in _plugins():
        if found.name == name:
            loaded: Callable[[Sequence[str]], int] = found.load()
            return loaded
    return None


def _plugins() -> Sequence[Any]:
    from importlib.metadata import entry_points  # noqa: PLC0415  # takes as long as all of a command that needs none

    return [*entry_points(group=PLUGINS)]


def _parser(command: str) -> argparse.ArgumentParser:
    """For this command; for all of them if there is none of this name."""
    modules = [COMMANDS[command]] if command in COMMANDS else [*dict.fromkeys(COMMANDS.values())]
    parser = Parser(
        prog="acerace",
        description="Ace Race: Double Klondike over WebSockets, and solo games.",
        epilog=None if command in COMMANDS else _epilog(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in modules:
        import_module(f"acerace_client.commands.{module}").add(subparsers)
    return parser


def _epilog() -> str:
    others = sorted({found.name for found in _plugins()})
    more = f"more commands:\n  {', '.join(others)}\n\n" if others else ""
    return (
        f"{more}examples:\n  acerace serve\n  acerace bot patient\n  acerace duel greedy patient --seed 7\n"
        f"  acerace solo klondike draw=3\n\n{EXIT_CODES}"
    )


if __name__ == "__main__":
    sys.exit(main())
