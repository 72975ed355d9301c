"""The composition root: the only module that names adapters."""

import asyncio
import contextlib
import gc
import ipaddress
import os
import signal
import ssl
import sys
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from platformdirs import user_data_path

from acerace_protocol.limits import CONNECTIONS_MAX
from acerace_server.adapters.argon2 import Argon2Passwords
from acerace_server.adapters.jobs import account_jobs, jobs_of, performing
from acerace_server.adapters.sql.check import look_over
from acerace_server.adapters.sql.store import SqlStore
from acerace_server.adapters.system import SystemClock, SystemEntropy
from acerace_server.config import Config
from acerace_server.core.hub import Hub
from acerace_server.shell.bounds import FRAMES_PER_COMMAND, Bounds
from acerace_server.shell.gateway import About, Gateway
from acerace_server.shell.keeper import Keeper
from acerace_server.shell.pages import WEBSOCKET_PATH

VERSION: Final = version("acerace")
_HOUSE_PROGRAM: Final = "acerace_client.house"
_HOUSE_SECRET_BYTES: Final = 24
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class Started:
    """What there is to say of a server once it accepts connections."""

    host: str
    port: int
    data: Path | None
    """``None``: nothing is kept."""
    tables: int
    """Live tables that an earlier run has left."""
    secure: bool = False
    """It speaks TLS."""


class TlsError(Exception):
    """The certificate or its key cannot be used; the message says why."""


async def serve(config: Config, announce: Callable[[Started], None]) -> int:
    """Serve until SIGINT or SIGTERM; the answer is the exit code.

    Raises ``OSError`` if it cannot listen there, :class:`acerace_server.ports.StoreError` if it cannot use the data,
    and what made it unable to go on, such as :class:`acerace_server.ports.JournalError`.
    """
    data = data_directory(config)
    with open_store(config, data) as store:
        house_secret = SystemEntropy().token_bytes(_HOUSE_SECRET_BYTES).hex() if config.house_bots else None
        hub = open_hub(config, store, house_secret)
        gateway = open_gateway(config, hub, store)
        house: Keeper | None = None
        stop = asyncio.Event()
        try:
            host, port = await gateway.listen(config.host, config.port, tls_context(config))
            _on_signals(stop.set)
            gateway.failed.add_done_callback(lambda _: stop.set())
            announce(Started(host, port, data, hub.registry.live, config.tls_certificate is not None))
            if house_secret is not None:
                place = (host, port) if config.tls_certificate is None else await gateway.listen_inside()
                house = keep_house(place, house_secret, data)
            await stop.wait()
        finally:
            await gateway.close()
            if house:
                await house.close()
        if gateway.failed.done():
            raise gateway.failed.result()
    return 0


def data_directory(config: Config) -> Path | None:
    """Where a server with this configuration keeps everything; ``None``: nowhere."""
    if config.memory:
        return None
    return (config.data or user_data_path("acerace", appauthor=False)).absolute()


def check_data(config: Config) -> str:
    """What is kept, in one line. Raises :class:`acerace_server.ports.StoreError` for what is damaged."""
    data = data_directory(config)
    return "nothing is kept on disk" if data is None else look_over(data)


def open_store(config: Config, data: Path | None) -> SqlStore:
    """Raises :class:`acerace_server.ports.StoreError`."""
    utc_us = SystemClock().utc_us
    if data is None:
        return SqlStore.in_memory(utc_us=utc_us)
    return SqlStore.open(data, utc_us=utc_us, synchronous=config.durability)


def open_hub(config: Config, store: SqlStore, house_secret: str | None = None) -> Hub:
    """A hub with all that the store has kept. Raises :class:`acerace_server.ports.StoreError`."""
    clock = SystemClock()
    hub = Hub(
        entropy=SystemEntropy().token_bytes,
        server=f"acerace {VERSION}",
        seed=None if config.seed is None else config.seed.encode(),
        today=clock.utc_date,
        limits={
            "commands_per_second": config.commands_per_second,
            "connections_per_address": config.connections_per_address,
        },
        house_secret=house_secret,
    )
    with _much_that_stays():
        now = clock.monotonic_ns()
        # More than can be connected are looked up when they come.
        hub.restore(store.recovery.recover(now, players_most=CONNECTIONS_MAX), now)
    return hub


def open_gateway(config: Config, hub: Hub, store: SqlStore) -> Gateway:
    """A gateway for the loop that runs."""
    return Gateway(
        hub,
        clock=SystemClock(),
        journal=store.journal,
        about=About(VERSION, config.origins, config.trusted_proxy),
        bounds=Bounds(
            frames_per_second=FRAMES_PER_COMMAND * config.commands_per_second,
            connections_per_address=config.connections_per_address,
        ),
        perform=performing({**jobs_of(store), **account_jobs(store.accounts, Argon2Passwords())}),
    )


def tls_context(config: Config) -> ssl.SSLContext | None:
    """What speaks TLS with the operator's certificate, if there is one. Raises :class:`TlsError`."""
    if config.tls_certificate is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(config.tls_certificate, config.tls_key, password=_no_password)
    except (OSError, ValueError) as error:  # SSLError is an OSError
        reason = getattr(error, "strerror", None) or str(error)
        raise TlsError(f"cannot use {config.tls_certificate} with {config.tls_key}: {reason}") from error
    return context


def _no_password() -> str:
    """Rather than to ask on the terminal."""
    raise ValueError("the key has a password")


def keep_house(place: tuple[str, int], secret: str, data: Path | None) -> Keeper:
    """The house bots, beside the server that listens there without TLS.

    They belong to the client, which the server does not import: it knows no more than the name of their program.
    """
    host, port = place
    url = f"ws://{reachable(host)}:{port}{WEBSOCKET_PATH}"
    command = [sys.executable, "-m", _HOUSE_PROGRAM, "--url", url, "--with-parent"]
    if data is not None:  # so that they play on after a restart, as people do
        command += ["--tokens", str(data / "house.json")]
    return Keeper(command, {**os.environ, "ACERACE_HOUSE_SECRET": secret})


def reachable(host: str) -> str:
    """An address to connect to, as a URL has it; a server on every address is reached by the loopback one."""
    address = ipaddress.ip_address(host.partition("%")[0])
    if address.is_unspecified:
        return "127.0.0.1" if address.version == 4 else "[::1]"  # noqa: PLR2004  # IPv4
    return host if address.version == 4 else f"[{host}]"  # noqa: PLR2004  # IPv4


@contextmanager
def _much_that_stays() -> Generator[None]:
    """Make many objects that are there to stay: looking for garbage among them takes time and finds none."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


def _on_signals(stop: Callable[[], None]) -> None:
    """Stop gently at the first signal; at the second as if there were no handler."""
    loop = asyncio.get_running_loop()

    def first() -> None:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
        stop()

    with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt
        for number in _SIGNALS:
            loop.add_signal_handler(number, first)


def run(main: Coroutine[Any, Any, int]) -> int:
    """Run on uvloop where it is installed, else on asyncio's own loop."""
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(main)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415  # optional
    except ImportError:
        return None
    return uvloop.new_event_loop
