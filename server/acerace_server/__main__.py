"""``acerace serve``, also as ``python -m acerace_server``."""

import os
import sys
from collections.abc import Sequence

from acerace_server.app import Started, TlsError, check_data, reachable, run, serve
from acerace_server.config import only_checks_data, read_config
from acerace_server.ports import JournalError, StoreError
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
        if only_checks_data(argv):
            print(check_data(config))
            return 0
        with logging_to(sys.stderr, config.level):
            return run(serve(config, announce))
    except (StoreError, TlsError) as error:
        return _stopped(str(error))
    except JournalError as error:
        return _stopped(f"it stopped, because it could not keep what happened: {error}")
    except OSError as error:
        return _stopped(f"cannot listen on {config.host}:{config.port}: {error}")
    except KeyboardInterrupt:
        return 0


def announce(started: Started) -> None:
    """Say on stdout where the server is; the first line is for programs that wait for it."""
    place = f"{reachable(started.host)}:{started.port}"
    web, sockets = ("https", "wss") if started.secure else ("http", "ws")
    print(f"listening on {sockets}://{place}{WEBSOCKET_PATH}", flush=True)
    if started.data is None:
        print("nothing is kept: everything is gone when the server stops")
    else:
        tables = "1 live table goes" if started.tables == 1 else f"{started.tables} live tables go"
        again = f"; {tables} on where the last run ended" if started.tables else ""
        print(f"everything is kept in {started.data}{again}")
    print(f"a bot comes with: acerace bot patient --url {sockets}://{place}{WEBSOCKET_PATH}")
    print(f"how it is: {web}://{place}{HEALTH_PATH} or: acerace doctor --url {sockets}://{place}{WEBSOCKET_PATH}")
    print("Ctrl-C stops it")
    print(f"\n    play at {web}://{place}/\n", flush=True)  # what a person looks for stands apart


def _stopped(why: str) -> int:
    """Say in one line on stderr why there is no server (any more)."""
    print(f"acerace serve: {' '.join(why.split())}", file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
