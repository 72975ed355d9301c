"""Anything anybody may do to find a game, in any order: nobody is lost, seated twice or against oneself (N16, N17)."""

from random import Random

import pytest

from acerace_protocol.limits import TABLES_PER_PLAYER
from acerace_protocol.messages import (
    Accept,
    ClientMessage,
    Hello,
    ListSeeks,
    Play,
    Ready,
    Resign,
    Seek,
    SeekInfo,
    Seeks,
    Solo,
    Unseek,
)
from acerace_protocol.people import HOUSE_LEVELS, Challenge, Offered, Rematch, ServeHouse
from acerace_rules.options import Value
from acerace_server.core.records import TableOpened
from tests.server.core.support import SECOND, Client, World, one

SECRET = "the secret of the house"
OPTIONS: tuple[dict[str, Value], ...] = (
    {},
    {"draw": 3},
    {"series": "best"},
    {"second_draw": 3},
    {"draw": 3, "second_draw": 1},
    {"draw": 7},
)


class Fair:
    """Many who look for a game, some of them house bots, and one who asks what is sought."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.world = World(house_secret=SECRET)
        self.tokens: list[str] = []
        self.people = [self.come() for _ in range(8)]
        self.bots = [self.bot() for _ in range(2)]
        self.clerk = self.world.enter("clerk")
        self.tables = ["nowhere"]
        self.opened = 0

    def come(self) -> Client:
        """A new player, or one more tab of an old one."""
        client = self.world.connect()
        token = self.random.choice(self.tokens) if self.tokens and self.random.random() < 0.4 else None
        self.tokens.append(client.hello(f"p{client.number}", token).token)
        return client

    def bot(self) -> Client:
        client = self.world.connect()
        client.send(Hello(name="House", bot=True))
        client.send(ServeHouse(secret=SECRET, level=self.random.choice(HOUSE_LEVELS)))
        return client

    def seeks(self) -> tuple[SeekInfo, ...]:
        return one(Seeks, self.clerk.send(ListSeeks())).seeks

    def message(self, client: Client, seeks: tuple[SeekInfo, ...]) -> ClientMessage:
        random = self.random
        table = random.choice(self.tables)
        nonce = client.nonce()
        choices: list[ClientMessage] = [
            Seek(
                options=dict(random.choice(OPTIONS)),
                private=random.random() < 0.1,
                rated=random.random() < 0.4,
                house=random.random() < 0.8,
            ),
            Seek(),
            Accept(seek=random.choice(seeks).seek if seeks else "NOSEEK"),
            Unseek(),
            Challenge(level=random.choice(HOUSE_LEVELS)),
            Rematch(table=table, nonce=nonce),
            Ready(table=table, nonce=nonce),
            Play(table=table, nonce=nonce, move="d", seen=0),
            Resign(table=table, nonce=nonce),
            Solo(),
        ]
        return random.choice(choices)

    def turn(self) -> None:
        """One loop turn, in which several do something at once."""
        seeks = self.seeks()
        for client in self.random.sample(self.people, k=3):
            self.world.hub.receive(client.number, self.message(client, seeks), self.world.now)
        self.world.beat()
        for bot in self.bots:
            for message in bot.take():
                if isinstance(message, Offered) and self.random.random() < 0.7:
                    bot.send(Accept(seek=message.seek.seek))
        if self.random.random() < 0.15:
            place = self.random.randrange(len(self.people))
            self.people[place].hang_up()
            self.people[place] = self.come()
        self.world.wait(self.random.choice([0, 0, 0.5, 3, 15]))
        self.look()

    def look(self) -> None:
        """What must hold after every turn."""
        hub = self.world.hub
        assert hub.faults == []
        for record in hub.accepted:
            if isinstance(record, TableOpened):
                players = [info.player for info in record.setup.players]
                assert len({*players}) == len(players), "somebody plays against himself"
                self.tables = [*self.tables[-20:], record.setup.table]
                self.opened += record.setup.code is None
        hub.accepted.clear()
        seats: dict[str, int] = {}
        for key in self.tables:
            hosted = hub.registry.get(key)
            if hosted and hosted.match.phase != "over":
                for info in hosted.match.setup.players:
                    seats[info.player] = seats.get(info.player, 0) + 1
        assert max(seats.values(), default=0) <= TABLES_PER_PLAYER
        due = hub.deadline()
        assert due is None or due > self.world.now - SECOND, "a timer that never rings"


@pytest.mark.parametrize("seed", range(8))
def test_whatever_they_do_nobody_is_lost(seed: int) -> None:
    fair = Fair(Random(seed))
    for _ in range(150):
        fair.turn()
    assert fair.opened > 20
    for client in (*fair.people, *fair.bots):
        client.hang_up()
    fair.world.wait(1)
    assert fair.seeks() == ()
