"""A hub with a store that answers what it asks, and real matches to put into it."""

from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from random import Random

from acerace_protocol.messages import (
    Accept,
    ClientMessage,
    Hello,
    Play,
    Ready,
    Resign,
    Seated,
    Seek,
    Seeking,
    ServerMessage,
    Solo,
)
from acerace_rules.legal import legal_moves
from acerace_rules.options import Value
from acerace_server.adapters.jobs import jobs_of, performing
from acerace_server.adapters.sql.store import SqlStore
from acerace_server.core.hub import Hub
from acerace_server.core.match import Match
from tests.contract.stores import UtcClock
from tests.server.core.support import MS, Client, World, one

MOVES_AT_MOST = 400


class ArchiveWorld(World):
    """Each beat is committed before anyone hears of it, and jobs are done between two beats."""

    now: int

    def __init__(self, store: SqlStore, run: int = 1) -> None:
        """``run`` counts the servers over one store, whose ids and secrets must differ."""
        super().__init__()
        self.hub = Hub(
            entropy=Random(run).randbytes,
            server="test",
            today=lambda: "2026-11-30",
            seed=b"run %d" % run,
            limits={"commands_per_second": 1_000_000},
        )
        self.store = store
        self.commits: list[list[object]] = []
        self._perform = performing(jobs_of(store))

    def deliver(self) -> None:
        if self.hub.accepted:
            self.commits.append([*self.hub.accepted])
            self.store.journal.commit(self.hub.accepted)
            self.hub.accepted.clear()
        super().deliver()

    def beat(self) -> None:
        self.hub.settle()
        self.deliver()
        for number, job in (*self.hub.jobs,):
            self.hub.jobs.remove((number, job))
            try:
                result = self._perform(job)
            except Exception as error:  # noqa: BLE001  # as the workshop does
                result = error
            self.hub.finished(number, result, self.now)
        self.hub.settle()
        self.deliver()

    def bot(self, name: str) -> Client:
        client = self.connect()
        client.send(Hello(name=name, bot=True))
        return client

    def match_of(self, table: str) -> Match:
        hosted = self.hub.registry.get(table)
        assert hosted
        return hosted.match

    def rated_table(self, one_player: Client, other: Client, **options: Value) -> str:
        seeking = one(Seeking, one_player.send(Seek(options=options, rated=True)))
        other.send(Accept(seek=seeking.seek))  # at once, however far apart their ratings are
        seated = one_player.expect(Seated)
        other.take()
        return seated.table

    def play_out(self, table: str, clients: list[Client], random: Random, moves: int = MOVES_AT_MOST) -> None:
        """Random legal moves, some foolish ones, and a resignation if it does not end by itself."""
        match = self.match_of(table)
        nonces = count(1)
        if match.phase == "waiting":
            for client in clients:
                client.send(Ready(table=table, nonce=next(nonces), seed=random.randbytes(4).hex()))
        for _ in range(moves):
            if match.phase == "over":
                return
            seat = random.randrange(len(clients))
            self.now += random.randrange(1, 2_000 * MS)
            clients[seat].send(self._try(match, seat, next(nonces), random))
        if match.phase != "over":
            clients[0].send(Resign(table=table, nonce=next(nonces)))

    def _try(self, match: Match, seat: int, nonce: int, random: Random) -> ClientMessage:
        legal = legal_moves(match.dealt, seat)
        up = [move for move in legal if str(move).endswith(">f")]
        move = str(random.choice(up or legal)) if legal and random.random() > 0.05 else random.choice(["c1>f", "?! x"])
        return Play(table=match.setup.table, nonce=nonce, move=move, seen=max(0, match.seq - random.randrange(3)))

    def solo_of(self, player: Client, code: str) -> str:
        return one(Seated, player.send(Solo(code=code))).table


@contextmanager
def archive_world() -> Generator[ArchiveWorld]:
    with SqlStore.in_memory(utc_us=UtcClock()) as store:
        yield ArchiveWorld(store)


def answer(client: Client, message: ClientMessage) -> ServerMessage:
    """The only message that comes back."""
    (got,) = client.send(message)
    return got
