"""A hub with clients and a store: what is decided is committed before it is told, and jobs are done between turns."""

from collections.abc import Generator
from contextlib import contextmanager
from random import Random

from acerace_protocol.accounts import ClaimName, Login, Named, NewToken, TokenMade
from acerace_protocol.limits import Fault
from acerace_protocol.messages import Problem, ServerMessage, Welcome
from acerace_server.adapters.jobs import account_jobs, jobs_of, performing
from acerace_server.adapters.sql.store import SqlStore
from acerace_server.core.hub import Hub
from tests.server.core.support import Client, World, one

PASSWORD = "correct horse"


class PlainPasswords:
    """Implements :class:`acerace_server.ports.Passwords` without taking any time; counts what it is asked."""

    def __init__(self) -> None:
        self.checked = 0

    def hash(self, password: str) -> str:
        return f"plain:{password}"

    def verify(self, password_hash: str | None, password: str) -> bool:
        self.checked += 1
        return password_hash == f"plain:{password}"


class UtcClock:
    """Each time it is asked a second later."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000_000

    def __call__(self) -> int:
        self.now += 1_000_000
        return self.now


class Town(World):
    """A world that remembers."""

    def __init__(self, store: SqlStore, run: int = 1) -> None:
        super().__init__()
        self.store = store
        self._run = run
        self.hub = Hub(
            entropy=Random(run).randbytes,
            server="test",
            today=lambda: "2026-11-30",
            limits={"commands_per_second": 10**6},
        )
        self.passwords = PlainPasswords()
        self.perform = performing({**jobs_of(store), **account_jobs(store.accounts, self.passwords)})
        self.hub.restore(store.recovery.recover(self.now), self.now)

    def beat(self) -> None:
        """Loop turns until nothing is left to do."""
        self.turn()
        while self.hub.jobs:
            self.do_jobs()
            self.turn()

    def turn(self) -> None:
        """One loop turn; the jobs that were asked for in it wait."""
        self.hub.settle()
        self.store.journal.commit(self.hub.accepted)
        self.hub.accepted.clear()
        self.deliver()

    def do_jobs(self) -> None:
        asked = [*self.hub.jobs]
        self.hub.jobs.clear()
        for number, job in asked:
            self.hub.finished(number, self.perform(job), self.now)

    def settle_in(self, name: str, *, password: str = PASSWORD, guest: str | None = None) -> Client:
        """Somebody with a claimed name."""
        client = self.enter(guest)
        assert claim(client, name, password) == name
        return client

    def log_in(self, name: str, password: str = PASSWORD) -> tuple[Client, Welcome]:
        client = self.connect()
        return client, one(Welcome, client.send(Login(name=name, password=password)))

    def restarted(self) -> "Town":
        """Another run of the server with the same store."""
        return Town(self.store, self._run + 1)


@contextmanager
def new_town() -> Generator[Town]:
    with SqlStore.in_memory(utc_us=UtcClock()) as store:
        yield Town(store)


def claim(client: Client, name: str, password: str = PASSWORD) -> str:
    """Claim a name; the name that was given, or the fault."""
    nonce = client.nonce()
    return answer_to_claim(client.send(ClaimName(name=name, password=password, nonce=nonce)), nonce)


def answer_to_claim(got: list[ServerMessage], nonce: int) -> str:
    (answer,) = [message for message in got if isinstance(message, Named | Problem)]
    assert answer.nonce == nonce
    return answer.name if isinstance(answer, Named) else answer.code


def new_token(client: Client, label: str = "bot") -> str:
    return one(TokenMade, client.send(NewToken(label=label, nonce=client.nonce()))).token


def fault(got: list[ServerMessage]) -> Fault:
    """Why a message was not carried out."""
    return Fault(one(Problem, got).code)
