"""``acerace serve``, also as ``python -m acerace_server``."""

import ipaddress
import os
import sys
from collections.abc import Sequence

from acerace_server.app import run, serve
from acerace_server.config import Config, read_config
from acerace_server.shell.logs import logging_to
from acerace_server.shell.pages import HEALTH_PATH, WEBSOCKET_PATH


def main(argv: Sequence[str] | None = None) -> int:
    """Run a server; the answer is the exit code: 0 stopped as asked, 1 it could not go on, 2 wrong usage."""
    try:
        config = read_config(argv, os.environ)
    except SystemExit as usage:  # argparse has said why
        return usage.code if isinstance(usage.code, int) else 2
    if config.seed is not None:
        print("warning: with --seed every deal can be foretold; this is for tests and duels", file=sys.stderr)
    try:
        with logging_to(sys.stderr, config.level):
            return run(serve(config, lambda host, port: announce(config, host, port)))
    except OSError as error:
        print(f"acerace serve: cannot listen on {config.host}:{config.port}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


def announce(config: Config, host: str, port: int) -> None:
    """Say on stdout where the server is; the first line is for programs that wait for it."""
    place = f"{_reachable(host)}:{port}"
    print(f"listening on ws://{place}{WEBSOCKET_PATH}", flush=True)
    print(f"see http://{place}/ for what to do next, http://{place}{HEALTH_PATH} for how it is; Ctrl-C stops it")
    hint = "" if config.memory else " (as with --memory, so far the only way there is)"
    print(f"nothing is kept: all tables are gone when the server stops{hint}", flush=True)


def _reachable(host: str) -> str:
    """An address to connect to; a server on every address is reached by the loopback one."""
    address = ipaddress.ip_address(host.partition("%")[0])
    if address.is_unspecified:
        return "127.0.0.1" if address.version == 4 else "[::1]"  # noqa: PLR2004  # IPv4
    return host if address.version == 4 else f"[{host}]"  # noqa: PLR2004  # IPv4


if __name__ == "__main__":
    sys.exit(main())
