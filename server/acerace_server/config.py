"""What the operator may set, from the command line or the environment."""

import argparse
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from acerace_protocol.limits import COMMANDS_PER_SECOND

PREFIX: Final = "ACERACE_"
LOG_LEVELS: Final = ("debug", "info", "warning", "error")
_PORT_MAX: Final = 65_535


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting with its default."""

    host: str = "127.0.0.1"
    port: int = 8080
    """0: any that is free."""
    memory: bool = False
    seed: str | None = None
    """If set, every deal follows from it."""
    origins: tuple[str, ...] = ()
    """Besides the server's own."""
    commands_per_second: int = COMMANDS_PER_SECOND
    log_level: str = "info"

    @property
    def level(self) -> int:
        """The log level as :mod:`logging` counts."""
        return logging.getLevelNamesMapping()[self.log_level.upper()]


def read_config(argv: Sequence[str] | None, environ: Mapping[str, str]) -> Config:
    """The settings; the command line wins over the environment.

    Raises ``SystemExit``: 0 after ``--help``, 2 with a line on stderr for what makes no sense.
    """
    parser = _parser(environ)
    given = parser.parse_args(argv)
    return Config(
        host=given.host,
        port=given.port,
        memory=given.memory,
        seed=given.seed,
        origins=tuple(given.origin) or _listed(environ.get(f"{PREFIX}ORIGIN", "")),
        commands_per_second=given.commands_per_second,
        log_level=given.log_level,
    )


def _parser(environ: Mapping[str, str]) -> argparse.ArgumentParser:
    default = Config()
    parser = argparse.ArgumentParser(
        prog="acerace serve",
        description="Run an Ace Race server: WebSockets at /ws, a health report at /healthz.",
        epilog=f"Each setting can also come from the environment, as {PREFIX}HOST, {PREFIX}PORT, {PREFIX}MEMORY=1, "
        f"{PREFIX}SEED, {PREFIX}ORIGIN (separated by commas), {PREFIX}COMMANDS_PER_SECOND, {PREFIX}LOG_LEVEL.",
    )

    def add(name: str, fallback: object, **more: object) -> None:
        # argparse checks a default that is text like an argument: so the environment is held to the same rules
        key = PREFIX + name.strip("-").replace("-", "_").upper()
        parser.add_argument(name, default=environ.get(key, fallback), **more)  # type: ignore[arg-type]

    add("--host", default.host, metavar="ADDRESS", help=f"where to listen (default: {default.host})")
    add(
        "--port",
        default.port,
        type=_port,
        metavar="NUMBER",
        help=f"TCP port; 0: any that is free (default: {default.port})",
    )
    parser.add_argument(
        "--memory",
        action="store_true",
        default=environ.get(f"{PREFIX}MEMORY", "") not in {"", "0"},
        help="keep nothing on disk: all tables are gone when the server stops (so far the only way there is)",
    )
    add("--seed", None, metavar="TEXT", help="make every deal follow from TEXT: for tests and duels only")
    parser.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="URL",
        help="a web origin whose pages may connect, such as https://example.org; repeatable; *: any "
        "(default: only pages from the server's own address)",
    )
    add(
        "--commands-per-second",
        default.commands_per_second,
        type=_positive,
        metavar="NUMBER",
        help=f"of one connection, before it is refused as too fast (default: {default.commands_per_second})",
    )
    add(
        "--log-level",
        default.log_level,
        type=_level,
        metavar="LEVEL",
        help=f"{', '.join(LOG_LEVELS)} (default: {default.log_level}); the log goes to stderr",
    )
    return parser


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) > _PORT_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: 0 to {_PORT_MAX}")
    return int(text)


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 up")
    return int(text)


def _level(text: str) -> str:
    if text.lower() not in LOG_LEVELS:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(LOG_LEVELS)}")
    return text.lower()


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
