"""A whole server's core with scripted clients over a faulty network, run by one seed."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from random import Random

from acerace_protocol.messages import Command, Resume, Seek, Solo
from acerace_server.core.hosted import Outgoing
from acerace_server.core.hub import Hub
from acerace_server.core.match import Entry
from acerace_server.core.records import TableOpened, TableOver, TableTold
from acerace_server.core.series import with_seats_exchanged
from tests.simulation.clients import Client, InvariantError, Player, Soloist, Spectator
from tests.simulation.invariants import AnswerBook, TableWatch
from tests.simulation.network import MS, SECOND, TURN, Clock, Line
from tests.simulation.options import SOLO_GAMES, duel_options

START = 1_000 * SECOND
LONGEST = 150 * SECOND
"""By then every simulated match is over, whatever happens to its clients."""
DUELS = 6
SOLOS = 1
SPECTATORS = 4
AGREE = 0.06
"""How often all are compared when something was heard. Each event is compared by its digest anyway."""


@dataclass
class Tally:
    """What happened, over many worlds."""

    matches: int = 0
    commands: int = 0
    events: int = 0
    breaks: int = 0
    lost: int = 0
    resent: int = 0
    batches: int = 0
    races: int = 0
    compared: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])


class World:
    """One run. Every step is decided by the seed, so that a failure can be seen again."""

    def __init__(self, seed: int, tally: Tally, hub: type[Hub] = Hub) -> None:
        self.random = random = Random(seed)
        self.clock = Clock(START)
        self.tally = tally
        self.hub = hub(
            entropy=random.randbytes,
            server="simulation",
            today=lambda: "2026-11-30",
            limits={"commands_per_second": 10**6},
        )
        self.lines: dict[int, Line] = {}
        self.owners: dict[int, Client] = {}
        """By connection, as the server knows them."""
        self.clients: list[Client] = []
        self.tables: dict[str, TableWatch] = {}
        self.journal: dict[str, list[Entry]] = {}
        self.over: dict[str, int] = {}
        """By table, how often the journal was told that it is over."""
        self.book = AnswerBook()
        self._dropped: set[int] = set()
        """Connections that went in this turn: something may have been said to them before."""
        self._numbers = count(1)
        self._nonces = count(1_000_000, 1_000_000)
        self._populate()

    # --- who is there ---

    def _populate(self) -> None:
        for number in range(DUELS):
            options = duel_options(self.random)
            other = with_seats_exchanged(options)  # each wants the part of a handicap that the other leaves
            for name, wanted in (("a", options), ("b", other)):
                self._add(Player(self, f"{name}{number}", next(self._nonces), Seek(options=wanted)))
        for number in range(SOLOS):
            wish_solo = Solo(game=self.random.choice(SOLO_GAMES))
            self._add(Soloist(self, f"s{number}", next(self._nonces), wish_solo))
        self.spectators = [Spectator(self, f"w{number}") for number in range(SPECTATORS)]
        for spectator in self.spectators:
            self._add(spectator)

    def _add(self, client: Client) -> None:
        self.clients.append(client)
        self.clock.after(self.random.randint(0, 300) * MS, client.connect)
        self._break_sometimes(client)
        if isinstance(client, Player):
            client.start()

    def _table_opened(self, key: str) -> None:
        """Watch it from now on. It may draw a spectator, and a second tab of one of its players."""
        hosted = self.hub.registry.get(key)
        assert hosted is not None
        match = hosted.match
        self.tables[key], self.journal[key], self.over[key] = TableWatch(match), [], 0
        if match.variant.seats == 1:
            return
        if idle := [spectator for spectator in self.spectators if spectator.table is None]:
            self.clock.after(self.random.randint(0, 3000) * MS, lambda: idle[0].look(key))
        if self.random.random() < 0.3:
            ids = {client.player: client for client in self.clients if isinstance(client, Player)}
            first = ids.get(match.setup.players[0].player)
            if first and first.token:
                tab = Player(self, first.name + "'", next(self._nonces), token=first.token)
                tab.table = key
                self._add(tab)

    # --- the network ---

    def open_line(self, client: Client) -> Line:
        number = next(self._numbers)
        delay = self.random.randint(1, 60) * MS
        jitter = self.random.choice([1, 20, 400]) * MS
        line = self.lines[number] = Line(number, delay, jitter, client.hear)
        self.owners[number] = client
        self.hub.connect(number, self.clock.now)
        return line

    def _break_sometimes(self, client: Client) -> None:
        def strike() -> None:
            if not client.settled:
                self._break(client)
                self.clock.after(int(self.random.expovariate(1 / 4) * SECOND), strike)

        self.clock.after(int(self.random.expovariate(1 / 4) * SECOND), strike)

    def _break(self, client: Client) -> None:
        """Break a client's connection. Both ends notice later, in any order (N14)."""
        line = client.line
        if line is None or line.broken:
            return
        self.tally.breaks += 1
        self.tally.lost += len(line.up) + len(line.down)
        line.snap()
        away = self.random.choice([1, 10, 100, 1000])
        if self.random.random() < 0.1:
            away = self.random.randint(5000, 15000)  # longer than a grace

        def come_back() -> None:
            client.line = None
            client.connect()

        def drop() -> None:
            del self.lines[line.number], self.owners[line.number]
            self._dropped.add(line.number)
            self.hub.disconnect(line.number, self.clock.now)

        self.clock.after(away * MS, come_back)
        self.clock.after(self.random.choice([1, 50, 500, 3000]) * MS, drop)

    # --- one loop turn of the server ---

    def run(self) -> None:
        """Play until every match is over and everybody knows it. Raises :class:`InvariantError`."""
        while self._wanted():
            at = self._next()
            if at > START + LONGEST:
                raise InvariantError(f"not over in time: {[key for key, t in self.tables.items() if not t.ends]}")
            self._turn(at)
        self._finish()

    def _wanted(self) -> bool:
        return any(client.waits for client in self.clients)

    def _next(self) -> int:
        """When the server's next loop turn begins: as soon as there is something to do, for it or for a client."""
        times = [self.clock.next_at(), self.hub.deadline()]
        for line in self.lines.values():
            if line.up:
                times.append(line.up[0][0])
            if line.down:
                times.append(line.down[0][0])
        soonest = min(time for time in times if time is not None)
        stall = self.random.randint(5, 40) if self.random.random() < 0.03 else 0  # the server was busy elsewhere
        return max(self.clock.now, (-(-soonest // TURN) + stall) * TURN)

    def _turn(self, at: int) -> None:
        self.clock.run_until(at)
        read = self._arrive(at)
        deadline = self.hub.deadline()
        if deadline is not None and deadline <= read:
            self.hub.tick(read)  # a timer may ring before what has arrived is judged
        self.hub.settle()
        self._journal()
        self._send()
        if self._hear(at) and self.random.random() < AGREE:
            for watch in self.tables.values():
                watch.agree(self.clients)
        self.clock.run_until(max(at, read))

    def _arrive(self, at: int) -> int:
        """Read what has arrived, one connection after the other; each frame is stamped when it is read."""
        reading = [line for line in self.lines.values() if line.up and line.up[0][0] <= at]
        if not reading:
            return at
        due, arrived = self.hub.deadline(), at
        # reading takes its time now and then, and whenever a timer is about to ring: some are read before, some after
        slow = self.random.random() < 0.1 or (due is not None and 0 < due - at < 40 * MS)
        self.random.shuffle(reading)
        for line in reading:
            frames = 0
            while line.up and line.up[0][0] <= arrived:
                _, message = line.up.popleft()
                frames += 1
                at += self.random.randint(1, 10 * MS if slow else MS // 10)
                if isinstance(message, Command) and isinstance(self.owners[line.number], Player):
                    self.book.came(line.number, message.nonce, self.tables[message.table], at)
                elif isinstance(message, Resume):
                    self.book.resumed(line.number)
                self.hub.receive(line.number, message, at)
            self.tally.batches += frames > 1
        return at + (self.random.randint(0, 20 * MS) if slow else 0)

    def _journal(self) -> None:
        """What a journal would be given, before anything is sent; and a look at each table it is about."""
        touched: set[str] = set()
        for record in self.hub.accepted:
            match record:
                case TableOpened():
                    self._table_opened(record.setup.table)
                case TableTold():
                    self.journal[record.table].append(record.entry)
                    touched.add(record.table)
                case TableOver():
                    self.over[record.table] += 1
                case _:
                    pass
        self.hub.accepted.clear()
        for key in touched:
            self.tables[key].step()

    def _send(self) -> None:
        outgoing: list[Outgoing] = self.hub.outgoing
        self.book.check((out.receivers, out.message) for out in outgoing if out.message is not None)
        now = self.clock.now
        for out in outgoing:
            for receiver in out.receivers:
                line = self.lines.get(receiver)
                if line is None and receiver not in self._dropped:
                    raise InvariantError(f"sent to connection {receiver}, which is gone: {out.message}")
                if line and out.message is not None and not line.broken:
                    line.send_down(out.message, now, self.random)
        outgoing.clear()
        self._dropped.clear()

    def _hear(self, at: int) -> bool:
        """Let the clients read what has come; whether there was anything."""
        hearing = [line for line in self.lines.values() if line.down and line.down[0][0] <= at]
        for line in hearing:
            while line.down and line.down[0][0] <= at:
                line.receive(line, line.down.popleft()[1])
        return bool(hearing)

    # --- when all is over ---

    def _finish(self) -> None:
        for key, watch in self.tables.items():
            if watch.ends != 1 or self.over[key] != 1 or watch.match.phase != "over":
                raise InvariantError(f"table {key} ended {watch.ends} times")
            before = watch.checked
            watch.agree(self.clients)
            followers = sum(client.table == key for client in self.clients)
            if watch.checked - before != followers:
                raise InvariantError(f"table {key}: {watch.checked - before} of {followers} know how it ended")
            if self.journal[key] != watch.match.log:
                raise InvariantError(f"table {key}: the journal is not the log")
            watch.replayed()
            self._count(watch)
        self.tally.commands += self.book.commands
        self.tally.resent += sum(client.resent for client in self.clients if isinstance(client, Player))

    def _count(self, watch: TableWatch) -> None:
        self.tally.matches += 1
        self.tally.events += watch.seq
        self.tally.races += len(watch.match.races)
        self.tally.compared += watch.checked
        self.tally.reasons[watch.match.ended.reason if watch.match.ended else "-"] += 1
