"""The secret-keeping test (RULES.md 6, D65; N1 to N6): whole matches, and every byte that anybody is sent.

``tests/server/core/test_secrets.py`` looks at single answers; here it is the sum of all that leaves the server: events,
lists, advice, emotes, refusals and problems, what late spectators are told, pages, metrics and the log.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from random import Random

import pytest
import pytest_asyncio

from acerace_protocol.codec import JSON, MSGPACK
from acerace_protocol.messages import (
    Ask,
    ClientMessage,
    Dealt,
    Ended,
    Hello,
    Legal,
    ListTables,
    Play,
    Played,
    Ready,
    Refused,
    Resign,
    Resume,
    Seated,
    Seek,
    ServerMessage,
    Snapshot,
    Watch,
)
from acerace_protocol.people import Say
from acerace_rules.legal import legal_moves
from acerace_rules.moves import Kind, Move
from acerace_rules.table import Table
from acerace_server.adapters.memory import MemoryJournal
from acerace_server.adapters.system import SystemClock
from acerace_server.core.hub import Hub
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.counts import Counts
from acerace_server.shell.gateway import About, Gateway
from acerace_server.shell.logs import KeyValueFormatter
from acerace_server.shell.metrics import Metrics
from tests.e2e.hall import LATE, SPECTATOR, Hall
from tests.e2e.prying import LeakError, Watched, encodings, hidden_cards
from tests.server.shell.support import PATIENCE_S, Client, Running, client, handshake, raw, real_hub

MATCHES = 1000
PER_HALL = 50
MOVES = 30

# --- a thousand matches ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(MATCHES // PER_HALL))
def test_nothing_secret_is_in_any_byte_of_a_match(number: int) -> None:
    hall = Hall(number)
    for _ in range(PER_HALL):
        hall.play(MOVES)
        for conn in (SPECTATOR, LATE):  # or there was nothing to search
            assert {type(message) for message in hall.got[conn]} >= {Snapshot, Played, Ended}
    assert hall.hub.tally.opened == PER_HALL + 1
    assert hall.hub.tally.moves > PER_HALL * MOVES / 4
    assert hall.cards_named > 10 * hall.hub.tally.moves
    assert hall.bytes_sent > 100 * hall.cards_named


def test_the_search_finds_what_it_should() -> None:
    [watched] = Hall(0).watched
    snapshot = watched.match.snapshot()
    hidden = watched.unseen()
    for data in encodings(snapshot):
        assert watched.search(snapshot, data, hidden) > 10
    both, only = min(hidden[0] & hidden[1]), min(hidden[0] - hidden[1])
    move = Played(table="t", seq=1, at_us=0, seat=0, nonce=1, move="d", cards=(only,), score=0, check=1)
    anything = Seated(table=both, seat=0)
    for message in (move, anything):
        for data in encodings(message):
            with pytest.raises(LeakError):
                watched.search(message, data, hidden)
    secret = watched.match.setup.secret
    for form in (secret.hex(), secret.hex().upper(), str(secret), watched.seed):
        with pytest.raises(LeakError):
            watched.search_secret(f"something {form} more".encode())
    with pytest.raises(LeakError):
        watched.search_secret(b"\xc4\x20" + secret)


# --- twins -------------------------------------------------------------------------------------------------


def twin(table: Table, random: Random) -> Table:
    """A position that looks the same: each seat's hidden cards lie in another order."""
    other = table.copy()
    for seat in other.seats:
        cards = hidden_cards(seat)
        random.shuffle(cards)
        for column, down in zip(seat.columns, seat.down, strict=True):
            column[:down] = [cards.pop() for _ in range(down)]
        if cards:  # else the stock has been seen
            seat.stock = [cards.pop() for _ in seat.stock]
    return other


def turns_up(table: Table, seat: int, move: Move) -> bool:
    me = table.seats[seat]
    if move.kind not in {Kind.COLUMN_TO_COLUMN, Kind.COLUMN_TO_FOUNDATION}:
        return move.kind is Kind.DRAW
    return 0 < me.down[move.source] == len(me.columns[move.source]) - move.size


class Twin:
    """One of two hubs that are told the same; keeps all bytes for all connections, in both encodings."""

    def __init__(self, number: int) -> None:
        self.hub = Hub(entropy=Random(number).randbytes, server="test", today=lambda: "2026-11-30")
        self.now = 5_000_000_000_000
        self.sent: list[tuple[tuple[int, ...], bytes]] = []
        self._metrics = Metrics(self.hub.tally, Counts(), lambda: {"version": "1", "loop_stall_max_us": 0})

    def turn(self, *told: tuple[int, ClientMessage]) -> None:
        self.now += 500_000_000
        self.hub.tick(self.now)
        for conn, message in told:
            self.hub.receive(conn, message, self.now)
        self.hub.settle()
        for out in self.hub.outgoing:
            if out.message is not None:
                self.sent += [(out.receivers, data) for data in encodings(out.message)]
        self.hub.outgoing.clear()

    def page(self) -> str:
        lines = self._metrics.page().splitlines()
        return "\n".join(line for line in lines if "acerace_" in line) + str(self.hub.health())

    def begin(self, options: dict[str, str | int | bool]) -> str:
        """A match between connections 1 and 2, watched by 3, and by 4 a little late; its key."""
        for conn in range(1, 5):
            self.hub.connect(conn, self.now)
            self.turn((conn, Hello(name=f"Player {conn}")))
        self.turn((1, Seek(options=options)), (2, Seek(options=options)))
        key = next(iter(self.hub.registry.listed(1).tables)).table
        self.turn((1, Ready(table=key, nonce=1)), (2, Ready(table=key, nonce=1)))
        self.turn((3, Watch(table=key)), (4, Watch(table=key, delay_s=1)), (1, Legal(table=key)))
        return key


def question(key: str, random: Random, nonce: int) -> ClientMessage:
    pile = random.choice(["w", "c7", "c7:2", "c3:3", "f:h"])
    questions: list[ClientMessage] = [
        Ask(table=key, nonce=nonce, about="places", pile=pile),
        Ask(table=key, nonce=nonce, about="blocked"),
        Legal(table=key),
        Resume(table=key, seen=random.randrange(6)),
        Watch(table=key),
        ListTables(),
        Say(table=key, emote="ouch"),
    ]
    return random.choice(questions)


@pytest.mark.parametrize("pace", ["simultaneous", "alternating"])
def test_twin_matches_are_the_same_bytes_until_a_card_turns_up(pace: str) -> None:
    told = different = 0
    for number in range(100):
        random = Random(number)
        twins = [Twin(number), Twin(number)]
        draw = random.choice([1, 3])
        [key] = {each.begin({"pace": pace, "draw": draw}) for each in twins}
        real, other = (hosted.match for each in twins if (hosted := each.hub.registry.get(key)))
        for nonce in range(100, 130):  # into the middle of both
            seat = random.randrange(2)
            if moves := real.legal(seat).moves:
                move = random.choice(moves)
                for each in twins:
                    each.turn((seat + 1, Play(table=key, nonce=nonce, move=move)))
        other.deal(twin(real.dealt, random))
        for each in twins:
            each.sent.clear()
        different += real.dealt != other.dealt
        for nonce in range(2, 30):
            seat = random.randrange(2)
            legal = legal_moves(real.dealt, seat)
            quiet = [move for move in legal if not turns_up(real.dealt, seat, move)]
            text = random.choice([*map(str, quiet), *map(str, quiet), "c7:9>c2", "c9>f", "?"])
            guess, seen = random.choice([None, None, "Kd", "5c"]), random.randrange(9)
            play = Play(table=key, nonce=nonce, move=text, card=guess, seen=seen)
            asks = [(random.randint(1, 4), question(key, random, 1000 + nonce)) for _ in range(3)]
            for each in twins:
                each.turn((seat + 1, play), *asks)
        assert twins[0].sent == twins[1].sent
        assert twins[0].page() == twins[1].page()
        told += sum(b'"type":"played"' in data for _, data in twins[0].sent)
    assert different > 95
    assert told > 100


# --- over sockets, with pages and the log ------------------------------------------------------------------


class Lines(logging.Handler):
    """Keeps the log as the server would write it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(KeyValueFormatter())
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith("websockets."):  # the test's own clients
            self.text += self.format(record) + "\n"


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler, root = Lines(), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield handler
    root.removeHandler(handler)
    root.setLevel(before)


@pytest_asyncio.fixture
async def running() -> AsyncIterator[tuple[Running, Hub]]:
    hub, journal = real_hub(), MemoryJournal()
    bounds = Bounds(frames_per_second=100_000)
    gateway = Gateway(hub, clock=SystemClock(), journal=journal, about=About("0.0"), bounds=bounds)
    yield Running(gateway, journal, *await gateway.listen("127.0.0.1", 0)), hub
    await gateway.close(timeout_s=0.5)


class Recorder:
    """A client that keeps what it is sent, and has it searched as it comes."""

    def __init__(self, inner: Client) -> None:
        self.inner = inner
        self.watched: Watched | None = None
        self.named = 0

    async def until(self, *kinds: type[ServerMessage]) -> ServerMessage:
        while True:
            async with asyncio.timeout(PATIENCE_S):
                data = await self.inner.websocket.recv(decode=False)
            message = self.inner.codec.decode_server(data)
            if self.watched and self.watched.running:
                self.watched.search_secret(data)
                self.named += self.watched.search(message, data, self.watched.unseen())
            if isinstance(message, kinds):
                return message


async def page(running: Running, path: str) -> bytes:
    """All the bytes of an answer."""
    async with raw(running) as browser:
        browser.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return await browser.rest()


async def play(running: Running, hub: Hub, number: int, lines: Lines) -> int:
    """A match over three sockets; how many cards were named."""
    random = Random(number)
    async with (
        client(running, JSON) as ada,
        client(running, MSGPACK) as bruno,
        client(running, JSON) as carla,
    ):
        one, two, _ = everyone = [Recorder(each) for each in (ada, bruno, carla)]
        options: dict[str, str | int | bool] = {
            "pace": "simultaneous",
            "grace_s": 30 + number,
        }  # so that these two are paired and nobody else
        for each in (one, two):
            await each.inner.send(Seek(options=options, house=False))
        seated = await two.until(Seated)
        assert isinstance(seated, Seated)
        key = seated.table
        hosted = hub.registry.get(key)
        assert hosted is not None
        watched = Watched(hosted.match)
        for each in everyone:
            each.watched = watched
        await carla.send(Watch(table=key))
        for each in (one, two):
            await each.inner.send(Ready(table=key, nonce=1, seed=watched.seed))
        for each in everyone:
            await each.until(Dealt)
        for nonce in range(2, 22):
            player = random.choice((one, two))
            moves = hosted.match.legal(int(player is two)).moves
            await player.inner.send(Play(table=key, nonce=nonce, move=random.choice([*moves, "d", "c9>f"])))
            await player.until(Played, Refused)
            await carla.websocket.send(
                random.choice(["null", '{"type":"watch","table":"x"}', '{"type":"list_tables"}'])
            )
        for path in ("/", "/healthz", "/metrics", "/nowhere", f"/{key}", f"/ws?table={key}"):
            watched.search_secret(await page(running, path))
        async with raw(running) as odd:
            odd.write(handshake(None, f"/ws?table={key}"))
            watched.search_secret(await odd.rest())
        watched.search_secret(lines.text.encode())
        assert key not in lines.text
        assert watched.running
        await ada.send(Resign(table=key, nonce=99))
        for each in everyone:
            ended = await each.until(Ended)
            assert isinstance(ended, Ended)
            assert ended.secret == hosted.match.setup.secret.hex()
    return sum(each.named for each in everyone)


async def test_nor_in_any_byte_over_sockets_nor_in_the_log(running: tuple[Running, Hub], lines: Lines) -> None:
    server, hub = running
    matches = 30
    for first in range(0, matches, 5):
        named = await asyncio.gather(*(play(server, hub, number, lines) for number in range(first, first + 5)))
        assert min(named) > 30
    assert lines.text.count("event=hello") == 3 * matches
    assert hub.tally.ended["resigned"] == matches
