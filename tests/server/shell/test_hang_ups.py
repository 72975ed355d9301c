"""Each close code and each HTTP status of the protocol is sent, and these are the occasions."""

from collections.abc import Awaitable, Callable

import pytest

from acerace_protocol.accounts import ClaimName, ListTokens, NewToken, RevokeToken, TokenMade, Tokens
from acerace_protocol.codec import JSON
from acerace_protocol.messages import Hello, Welcome
from acerace_server.adapters.jobs import account_jobs, performing
from acerace_server.adapters.sql.store import SqlStore
from acerace_server.adapters.system import SystemClock
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.gateway import About, Gateway
from acerace_server.shell.pages import RETRY_AFTER_S
from tests.protocol.document import close_codes, handshake_statuses
from tests.server.core.town import PlainPasswords, UtcClock
from tests.server.shell.support import PATIENCE_S, Running, Start, client, frame, handshake, raw, real_hub, until

TEXT, CLOSE = 1, 8
HELLO = frame(TEXT, JSON.encode(Hello()))
QUICK = Bounds(hello_timeout_ms=150, probe_interval_ms=20, linger_ms=300)
QUICK_WHEN_IDLE = Bounds(idle_timeout_ms=150, probe_interval_ms=20, linger_ms=300)
SMALL = Bounds(connections_max=0, count_loopback=True)
BUSY = Bounds(arrivals_per_minute=0, count_loopback=True)


def sends(*frames: bytes) -> Callable[[Start], Awaitable[int]]:
    """A client that sends this; the code it is closed with."""

    async def occasion(start: Start) -> int:
        async with raw(await start(real_hub())) as bad:
            await bad.upgrade()
            bad.write(b"".join(frames))
            return await bad.close_code()

    return occasion


async def it_falls_silent(start: Start) -> int:
    running = await start(real_hub(), QUICK_WHEN_IDLE)
    async with raw(running) as bad:
        await bad.upgrade()
        bad.write(HELLO)
        await bad.frames(1)
        running.clock.skip(QUICK_WHEN_IDLE.idle_timeout_ms)
        return await bad.close_code()


async def it_never_says_hello(start: Start) -> int:
    running = await start(real_hub(), QUICK)
    async with raw(running) as bad:
        await bad.upgrade()
        running.clock.skip(QUICK.hello_timeout_ms)
        [(_, payload)] = await bad.frames(1)
        return int.from_bytes(payload[:2])


async def the_server_stops(start: Start) -> int:
    running = await start(real_hub())
    async with client(running) as one:
        await running.gateway.close(timeout_s=PATIENCE_S)
        await one.receive()
        return await one.closed()


async def the_token_is_revoked(start: Start) -> int:
    del start  # which has no store
    hub = real_hub()
    with SqlStore.in_memory(utc_us=UtcClock()) as store:
        perform = performing(account_jobs(store.accounts, PlainPasswords()))
        gateway = Gateway(hub, clock=SystemClock(), journal=store.journal, about=About("0.0"), perform=perform)
        running = Running(gateway, store.journal, *await gateway.listen("127.0.0.1", 0))  # type: ignore[arg-type]  # unused
        async with client(running) as owner, client(running, greet=False) as other:
            await owner.send(ClaimName(name="Ada", password="correct horse", nonce=1))
            await owner.receive()
            await owner.send(NewToken(label="lent", nonce=2))
            made = await owner.receive()
            assert isinstance(made, TokenMade)
            await other.send(Hello(token=made.token))
            assert isinstance(await other.receive(), Welcome)
            await owner.send(ListTokens(nonce=3))
            tokens = await owner.receive()
            assert isinstance(tokens, Tokens)
            [key] = [token.key for token in tokens.tokens if token.label == "lent"]
            await owner.send(RevokeToken(key=key, nonce=4))
            code = await other.closed()
        await gateway.close(timeout_s=0.5)
    return code


OCCASIONS = {
    1000: sends(HELLO, frame(CLOSE, b"\x03\xe8")),
    1001: the_server_stops,
    1002: sends(HELLO, frame(15, b"")),
    1007: sends(HELLO, frame(TEXT, b"\xff")),
    1009: sends(HELLO, frame(TEXT, b"x" * 100_000)),
    1011: it_falls_silent,
    4001: it_never_says_hello,
    4002: sends(HELLO, frame(TEXT, b"null") * 30),
    4005: the_token_is_revoked,
    4006: sends(HELLO, frame(TEXT, b'{"type":"list_games"}') * 600),
}
"""By the code that it is closed with."""


def test_there_is_an_occasion_for_each_code_of_the_protocol() -> None:
    assert set(OCCASIONS) == close_codes()


@pytest.mark.parametrize(("code", "occasion"), OCCASIONS.items())
async def test_each_close_code_is_sent(start: Start, code: int, occasion: Callable[[Start], Awaitable[int]]) -> None:
    assert await occasion(start) == code


# --- before there is a WebSocket ---------------------------------------------------------------------------

GOOD = handshake(JSON.subprotocol)
REQUESTS: dict[int, tuple[bytes, Bounds | None]] = {
    400: (handshake(None), None),
    403: (handshake(JSON.subprotocol, "/ws", "Origin: http://elsewhere.example"), None),
    404: (handshake(JSON.subprotocol, "/nowhere"), None),
    405: (GOOD.replace(b"GET", b"OPTIONS"), None),
    408: (GOOD[:-2], QUICK),
    414: (handshake(JSON.subprotocol, "/" + "x" * 9000), None),
    426: (b"GET /ws HTTP/1.1\r\nHost: localhost\r\n\r\n", None),
    429: (GOOD, BUSY),
    431: (handshake(JSON.subprotocol, "/ws", f"Long: {'x' * 9000}"), None),
    503: (GOOD, SMALL),
}
"""By the status it is answered with: a request, and the bounds of the server."""


def test_there_is_a_request_for_each_status_of_the_protocol() -> None:
    assert set(REQUESTS) == handshake_statuses()


@pytest.mark.parametrize(("status", "request_and_bounds"), REQUESTS.items())
async def test_each_status_is_sent_and_says_when_to_come_again_if_that_may_help(
    start: Start, status: int, request_and_bounds: tuple[bytes, Bounds | None]
) -> None:
    request, bounds = request_and_bounds
    running = await start(real_hub(), bounds)
    async with raw(running) as one:
        one.write(request)
        if bounds is QUICK:
            await until(lambda: running.gateway.health()["sockets"] == 1)
            running.clock.skip(QUICK.hello_timeout_ms)
        answer = await one.rest()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert int(head.split()[1]) == status, head
    assert body.strip()
    assert head.count(f"\r\nRetry-After: {RETRY_AFTER_S}".encode()) == (status in {429, 503})
