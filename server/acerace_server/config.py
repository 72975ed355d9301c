"""What the operator may set, from the command line or the environment."""

import argparse
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Final, Literal, NoReturn, cast, get_args

from acerace_protocol.limits import COMMANDS_PER_SECOND, CONNECTIONS_PER_ADDRESS
from acerace_server.config_file import ConfigFileError, read_config_file, require_known

PREFIX: Final = "ACERACE_"
LOG_LEVELS: Final = ("debug", "info", "warning", "error")
Durability = Literal["normal", "full"]
Network = IPv4Network | IPv6Network
_CHECK_DATA: Final = "--check-data"
_PORT_MAX: Final = 65_535
_EPILOG: Final = (
    f"Each setting can also come from the environment, as {PREFIX}HOST, {PREFIX}PORT, {PREFIX}DATA, {PREFIX}MEMORY=1, "
    f"{PREFIX}DURABILITY, {PREFIX}SEED, {PREFIX}ORIGIN (separated by commas), {PREFIX}COMMANDS_PER_SECOND, "
    f"{PREFIX}HOUSE_BOTS=0, {PREFIX}LOG_LEVEL, {PREFIX}TLS_CERTIFICATE, {PREFIX}TLS_KEY, {PREFIX}TRUSTED_PROXY "
    f"(separated by commas), {PREFIX}CONNECTIONS_PER_ADDRESS, {PREFIX}CONFIG; or from the file of --config, in TOML, "
    "by the option's name, as in: port = 8080. The command line wins over the environment, and that over the file."
)


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting with its default."""

    host: str = "127.0.0.1"
    port: int = 8080
    """0: any that is free."""
    data: Path | None = None
    """The directory that keeps everything; ``None``: the user's own (``app.py`` knows where that is)."""
    memory: bool = False
    """Keep nothing, whatever ``data`` says."""
    durability: Durability = "normal"
    """``normal``: what was acknowledged outlives the process; ``full``: a loss of power too, for a slower commit."""
    seed: str | None = None
    """If set, every deal follows from it."""
    origins: tuple[str, ...] = ()
    """Besides the server's own."""
    commands_per_second: int = COMMANDS_PER_SECOND
    house_bots: bool = True
    """Have bots of one's own, in a process beside the server."""
    log_level: str = "info"
    tls_certificate: Path | None = None
    """A file in PEM with the certificate, and those that vouch for it; with ``tls_key``: speak TLS."""
    tls_key: Path | None = None
    trusted_proxy: tuple[Network, ...] = ()
    """Whose ``X-Forwarded-For`` is believed."""
    connections_per_address: int = CONNECTIONS_PER_ADDRESS

    @property
    def level(self) -> int:
        """The log level as :mod:`logging` counts."""
        return logging.getLevelNamesMapping()[self.log_level.upper()]


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong; how it is done right is for ``--help``."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def read_config(argv: Sequence[str] | None, environ: Mapping[str, str]) -> Config:
    """The settings; the command line wins over the environment, and that over the file of ``--config``.

    Raises ``SystemExit``: 0 after ``--help``, 2 with a line on stderr for what makes no sense.
    """
    environ = _with_file(argv, environ)
    parser = _parser(environ)
    given = parser.parse_args(argv)
    if (given.tls_certificate is None) != (given.tls_key is None):
        parser.error("--tls-certificate and --tls-key go together")
    return Config(
        host=given.host,
        port=given.port,
        data=given.data,
        memory=given.memory,
        durability=given.durability,
        seed=given.seed,
        origins=tuple(given.origin) or _listed(environ.get(f"{PREFIX}ORIGIN", "")),
        commands_per_second=given.commands_per_second,
        house_bots=given.house_bots,
        log_level=given.log_level,
        tls_certificate=given.tls_certificate,
        tls_key=given.tls_key,
        trusted_proxy=tuple(given.trusted_proxy) or _networks(parser, environ.get(f"{PREFIX}TRUSTED_PROXY", "")),
        connections_per_address=given.connections_per_address,
    )


def only_checks_data(argv: Sequence[str] | None) -> bool:
    """Whether what is kept is to be looked over, and nothing else to be done: no setting, but something to do once."""
    only = Parser(prog="acerace serve", add_help=False)
    only.add_argument(_CHECK_DATA, action="store_true", dest="check")
    return bool(only.parse_known_args(argv)[0].check)


def _with_file(argv: Sequence[str] | None, environ: Mapping[str, str]) -> Mapping[str, str]:
    """The environment, with what the file of ``--config`` says where the environment says nothing."""
    only = Parser(prog="acerace serve", add_help=False, allow_abbrev=False)
    only.add_argument("--config", type=Path)
    path: Path | None = only.parse_known_args(argv)[0].config
    if path is None and environ.get(f"{PREFIX}CONFIG"):
        path = Path(environ[f"{PREFIX}CONFIG"])
    if path is None:
        return environ
    known = frozenset(name.replace("_", "-") for name in Config.__slots__) - {"origins"} | {"origin"}
    try:
        settings = read_config_file(path)
        require_known(path, settings, known)
    except ConfigFileError as error:
        _parser(environ).error(str(error))
    return {PREFIX + key.replace("-", "_").upper(): value for key, value in settings.items()} | dict(environ)


def _parser(environ: Mapping[str, str]) -> argparse.ArgumentParser:
    default = Config()
    parser = Parser(
        prog="acerace serve",
        description="Run an Ace Race server: the page at /, WebSockets at /ws, how it is at /healthz and /metrics.",
        epilog=_EPILOG,
    )

    def add(name: str, fallback: object, **more: object) -> None:
        # argparse checks a default that is text like an argument: so the environment is held to the same rules
        key = PREFIX + name.strip("-").replace("-", "_").upper()
        parser.add_argument(name, default=environ.get(key, fallback), **more)  # type: ignore[arg-type]

    add("--config", None, type=Path, metavar="FILE", help="read settings from this TOML file")
    _add_address(parser, add)
    _add_storage(parser, environ, add)
    _add_network(parser, add)
    add("--seed", None, metavar="TEXT", help="make every deal follow from TEXT: for tests and duels only")
    add(
        "--commands-per-second",
        default.commands_per_second,
        type=_positive,
        metavar="NUMBER",
        help=f"of one connection, before it is refused as too fast (default: {default.commands_per_second})",
    )
    parser.add_argument(
        "--house-bots",
        action=argparse.BooleanOptionalAction,
        default=environ.get(f"{PREFIX}HOUSE_BOTS", "1") not in {"", "0"},
        help="let bots of the house play whoever finds nobody else, in a process of their own (default: yes)",
    )
    add(
        "--log-level",
        default.log_level,
        type=_level,
        metavar="LEVEL",
        help=f"{', '.join(LOG_LEVELS)} (default: {default.log_level}); the log goes to stderr",
    )
    return parser


def _add_address(parser: argparse.ArgumentParser, add: Callable[..., None]) -> None:
    default = Config()
    add("--host", default.host, metavar="ADDRESS", help=f"where to listen (default: {default.host})")
    add(
        "--port",
        default.port,
        type=_port,
        metavar="NUMBER",
        help=f"TCP port; 0: any that is free (default: {default.port})",
    )
    parser.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="URL",
        help="a web origin whose pages may connect, such as https://example.org; repeatable; *: any "
        "(default: only pages from the server's own address)",
    )


def _add_storage(parser: argparse.ArgumentParser, environ: Mapping[str, str], add: Callable[..., None]) -> None:
    add(
        "--data",
        None,
        type=Path,
        metavar="DIR",
        help="where everything is kept that outlives the server; made if it is not there, used by one server at a time "
        "(default: a directory of yours, which the server names when it starts)",
    )
    parser.add_argument(
        "--memory",
        action="store_true",
        default=environ.get(f"{PREFIX}MEMORY", "") not in {"", "0"},
        help="keep nothing on disk, whatever --data says: everything is gone when the server stops",
    )
    add(
        "--durability",
        Config().durability,
        type=_durability,
        metavar="HOW",
        help="normal: what was acknowledged outlives a crash of the server; full: also a loss of power, "
        f"but each commit waits for the disk (default: {Config().durability})",
    )
    parser.add_argument(
        _CHECK_DATA,
        action="store_true",
        help="read everything that is kept, say in one line what was found, and end; a server may run on it meanwhile",
    )


def _add_network(parser: argparse.ArgumentParser, add: Callable[..., None]) -> None:
    add(
        "--tls-certificate",
        None,
        type=Path,
        metavar="FILE",
        help="speak TLS (https and wss), with this certificate in PEM; goes with --tls-key",
    )
    add("--tls-key", None, type=Path, metavar="FILE", help="the certificate's private key, in PEM, without a password")
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        type=_network,
        metavar="ADDRESS",
        help="a proxy, or a network of them (10.0.0.0/8), whose X-Forwarded-For says where a connection comes from; "
        "repeatable (default: none is believed)",
    )
    add(
        "--connections-per-address",
        Config().connections_per_address,
        type=_positive,
        metavar="NUMBER",
        help="open at once from one address, but from this machine as many as there are "
        f"(default: {Config().connections_per_address})",
    )


def _network(text: str) -> Network:
    try:
        return ip_network(text.strip())
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no address and no network: {error}") from error


def _networks(parser: argparse.ArgumentParser, text: str) -> tuple[Network, ...]:
    try:
        return tuple(map(_network, _listed(text)))
    except argparse.ArgumentTypeError as error:
        parser.error(str(error))


def _durability(text: str) -> Durability:
    for known in get_args(Durability):
        if text.lower() == known:
            return cast("Durability", known)
    raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(get_args(Durability))}")


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
