"""What the client makes of each way to be hung up on, or not let in: come back, wait, or stop with a reason."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from http import HTTPStatus

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from acerace_client import connection
from acerace_client.connection import Connection
from acerace_client.dial import Line
from acerace_client.errors import ClientError, ConnectionLostError, ProblemError
from acerace_client.pacing import Retry
from acerace_protocol.codec import MSGPACK
from acerace_protocol.limits import Fault
from acerace_protocol.messages import ClientMessage, Hello, Ping, Problem, ServerMessage, Welcome
from tests.client.fake_server import FakeServer, running
from tests.protocol.document import close_codes, handshake_statuses

PATIENCE_S = 60
AGAIN, LATER, NEVER = "comes back", "comes back later", "stops"
RETRY_AFTER_S = 10
QUICK = Retry(attempts=3, first_s=0.001, most_s=0.01)

CODES = {
    1000: (AGAIN, ""),  # a proxy may say so
    1001: (AGAIN, ""),
    1002: (NEVER, "breaks the WebSocket protocol"),
    1007: (NEVER, "no UTF-8"),
    1009: (NEVER, "far too large"),
    1011: (AGAIN, ""),
    4001: (AGAIN, ""),
    4002: (NEVER, "too many malformed messages"),
    4005: (NEVER, "token_revoked"),
    4006: (LATER, ""),
}
STATUSES = {
    400: (NEVER, "mend me"),
    403: (NEVER, "mend me"),
    404: (NEVER, "mend me"),
    405: (NEVER, "mend me"),
    408: (AGAIN, ""),
    414: (NEVER, "mend me"),
    426: (NEVER, "mend me"),
    429: (LATER, ""),
    431: (NEVER, "mend me"),
    503: (LATER, ""),
}
OTHERS = {1006: AGAIN, 1012: AGAIN, 4999: AGAIN}
"""Of a broken network, a proxy, or a newer server."""


def test_every_documented_code_and_status_is_here() -> None:
    assert set(CODES) == close_codes()
    assert set(STATUSES) == handshake_statuses()


class Closing(FakeServer):
    """Closes its first connection with a code when it is pinged."""

    code = 1000
    closed = False

    async def tell(self, socket: ServerConnection, codec: object, messages: list[ServerMessage]) -> None:
        if isinstance(self.got[-1], Ping) and not self.closed:
            self.closed = True
            if self.code == 1006:
                socket.transport.abort()
            else:
                await socket.close(self.code)
            return
        await super().tell(socket, MSGPACK, messages)


class Hurried:
    """The client's ``asyncio``, in which waiting takes no time."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def __getattr__(self, name: str) -> object:
        return getattr(asyncio, name)

    async def sleep(self, delay: float) -> None:
        self.waits.append(delay)


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the client has waited before it came back."""
    hurried = Hurried()
    monkeypatch.setattr(connection, "asyncio", hurried)
    return hurried.waits


async def after_a_break(connection: Connection) -> str:
    """Why the connection stopped, if it did."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not isinstance(await connection.receive(), Welcome):
                pass
    except ClientError as error:
        return str(error)
    return ""


def expect(said: str, does: str, says: str, waits: list[float]) -> None:
    if does == NEVER:
        assert says in said
        assert "\n" not in said
    else:
        assert said == ""
        assert max(waits) <= QUICK.most_s if does == AGAIN else max(waits) >= RETRY_AFTER_S


@pytest.mark.parametrize(("code", "does", "says"), [(code, *row) for code, row in CODES.items()])
async def test_each_close_code(code: int, does: str, says: str, waits: list[float]) -> None:
    fake = Closing()
    fake.code = code
    async with running(fake), Connection(fake.url, retry=QUICK) as connection:
        await connection.send(Ping(nonce=1))
        expect(await after_a_break(connection), does, says, waits)
        assert len(fake.hellos) == 1 + (does != NEVER)


@pytest.mark.parametrize(("code", "does"), OTHERS.items())
async def test_codes_that_mean_nothing_in_particular(code: int, does: str, waits: list[float]) -> None:
    fake = Closing()
    fake.code = code
    async with running(fake), Connection(fake.url, retry=QUICK) as connection:
        await connection.send(Ping(nonce=1))
        expect(await after_a_break(connection), does, "", waits)


async def test_a_revoked_token_is_told_from_a_lost_connection() -> None:
    fake = Closing()
    fake.code = 4005
    async with running(fake), Connection(fake.url, retry=QUICK) as connection:
        await connection.send(Ping(nonce=1))
        with pytest.raises(ProblemError) as revoked:
            await connection.receive(PATIENCE_S)
    assert revoked.value.fault == Fault.TOKEN_REVOKED


# --- before there is a WebSocket ---------------------------------------------------------------------------


@asynccontextmanager
async def refusing(fake: FakeServer, status: int, *, at: int) -> AsyncGenerator[str]:
    """A server that answers the handshake number ``at`` (from 0) with a status, and the others as ever."""
    handshakes = 0

    def answer(connection: ServerConnection, _request: Request) -> Response | None:
        nonlocal handshakes
        handshakes += 1
        if handshakes != at + 1:
            return None
        response = connection.respond(HTTPStatus(status), "mend me\nand more\n")
        if STATUSES[status][0] == LATER:
            response.headers["Retry-After"] = str(RETRY_AFTER_S)
            response.headers["Retry-After"] = str(RETRY_AFTER_S - 1)  # one more, by a proxy in between
        return response

    async with serve(fake.handle, "127.0.0.1", 0, subprotocols=[MSGPACK.subprotocol], process_request=answer) as server:  # type: ignore[list-item]  # it is one
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/ws"


@pytest.mark.parametrize(("status", "does", "says"), [(status, *row) for status, row in STATUSES.items()])
async def test_each_status_after_a_break(status: int, does: str, says: str, waits: list[float]) -> None:
    fake = FakeServer()
    async with refusing(fake, status, at=1) as url, Connection(url, retry=QUICK) as connection:
        await fake.drop_all()
        expect(await after_a_break(connection), does, says, waits)
        assert len(fake.hellos) == 1 + (does != NEVER)


@pytest.mark.parametrize("status", STATUSES)
async def test_the_first_time_each_status_is_an_error_in_the_servers_words(status: int) -> None:
    async with refusing(FakeServer(), status, at=0) as url:
        with pytest.raises(ConnectionLostError) as refused:
            await Connection(url).open()
    assert str(refused.value) == f"cannot connect to {url}: mend me (HTTP {status})"


# --- what else ends a connection ---------------------------------------------------------------------------


class Shy(FakeServer):
    """Has a problem with every hello but the first."""

    fault: Fault

    def carry_out(self, message: ClientMessage) -> list[ServerMessage]:
        if isinstance(message, Hello) and len(self.hellos) == 1:
            self.hellos.append(message)
            return [Problem(code=self.fault)]
        return super().carry_out(message)


@pytest.mark.parametrize(
    ("fault", "does"),
    [
        (Fault.SERVER_CLOSING, AGAIN),
        (Fault.STORE_FAILED, AGAIN),
        (Fault.TOO_FAST, AGAIN),
        (Fault.UNKNOWN_TOKEN, NEVER),
        (Fault.TOO_MANY, AGAIN),
    ],
)
async def test_a_hello_that_is_refused_after_a_break(fault: Fault, does: str, waits: list[float]) -> None:
    fake = Shy()
    fake.fault = fault
    async with running(fake), Connection(fake.url, retry=QUICK) as connection:
        await fake.drop_all()
        expect(await after_a_break(connection), does, fault, waits)


async def test_a_fault_of_ours_ends_the_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_line: Line) -> None:
        raise KeyError("made to fail")

    async with running(FakeServer()) as fake:
        connection = Connection(fake.url)
        await connection.open()
        monkeypatch.setattr(Line, "receive", broken)
        await fake.drop_all()
        assert await after_a_break(connection) == f"reading from {fake.url} failed: KeyError('made to fail')"
