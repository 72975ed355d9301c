"""A hub that takes up what an earlier one has left: the same numbers, answers, seats and secrets; nobody's time ran."""

from dataclasses import replace

from acerace_protocol.limits import LEFT_PLAYER_KEPT_MS, OVER_TABLE_KEPT_MS, Fault
from acerace_protocol.messages import (
    Claim,
    Dealt,
    Ended,
    EventBase,
    Hello,
    Play,
    Presence,
    Problem,
    Ready,
    Refused,
    Resign,
    Resume,
    Resumed,
    ServerMessage,
    Snapshot,
    Undo,
    Warned,
    Welcome,
)
from acerace_rules.moves import Reason
from acerace_server.core.records import (
    KnownPlayer,
    LiveTable,
    PlayerMade,
    Record,
    Recovered,
    TableOpened,
    TableOver,
    TablePutAway,
    TableTold,
)
from acerace_server.core.session import sha256_of
from tests.server.core.support import MS, SECOND, Client, World, one

AGAIN = 77 * SECOND
"""When the second hub's clock is read first: it has nothing to do with the first one's."""


def kept(records: list[Record], now: int) -> Recovered:
    """What a journal makes of records: the newest stamp becomes ``now``."""
    opened = {record.setup.table: record for record in records if isinstance(record, TableOpened)}
    told = [record for record in records if isinstance(record, TableTold)]
    newest = max([record.entry.at for record in told] + [record.setup.opened_at for record in opened.values()])
    gone = {record.table for record in records if isinstance(record, TablePutAway)}
    tables: list[LiveTable] = []
    for key, record in opened.items():
        log = tuple(one.entry._replace(at=one.entry.at + now - newest) for one in told if one.table == key)
        setup = replace(record.setup, opened_at=record.setup.opened_at + now - newest)
        tables += [] if key in gone else [LiveTable(setup, record.public, log)]
    made = [record for record in records if isinstance(record, PlayerMade)]
    players = tuple(KnownPlayer(one.player, one.name, one.bot, (one.token_sha256,)) for one in made)
    return Recovered(players, tuple(tables))


def restarted(world: World) -> World:
    """Another hub with what this one has left."""
    again = World()
    again.now = AGAIN
    again.hub.restore(kept(world.hub.accepted, AGAIN), AGAIN)
    again.beat()
    return again


class Guests:
    """Two guests at a table of a first hub, and the tokens they come back with."""

    def __init__(self, no_progress_s: int = 120) -> None:
        self.world = World()
        self.clients = self.world.connect(), self.world.connect()
        self.tokens = [client.hello(name).token for client, name in zip(self.clients, ("Ada", "Bruno"), strict=True)]
        self.table = self.world.match(*self.clients, no_progress_s=no_progress_s, grace_s=60)
        self.seen = 3  # two ready, one deal

    def play(self, seat: int, move: str, nonce: int) -> EventBase | Refused:
        """The answer to a move."""
        self.clients[seat].take()
        said = self.clients[seat].send(Play(table=self.table, nonce=nonce, move=move))
        return one(Refused, said) if any(isinstance(message, Refused) for message in said) else one_event(said)

    def back(self, world: World, seat: int) -> Client:
        client = world.connect()
        welcome = client.hello(token=self.tokens[seat])
        assert welcome.tables == (self.table,)
        return client


def one_event(said: list[ServerMessage]) -> EventBase:
    (event,) = events(said)
    return event


def events(said: list[ServerMessage]) -> list[EventBase]:
    return [message for message in said if isinstance(message, EventBase)]


def test_who_comes_back_gets_exactly_what_was_missed() -> None:
    guests = Guests()
    told = [guests.play(0, "d", 10), guests.play(1, "d", 10), guests.play(0, "d", 11)]
    world = restarted(guests.world)
    ada = guests.back(world, 0)
    said = ada.send(Resume(table=guests.table, seen=guests.seen + 1))
    missed = events(said)
    assert missed[:2] == told[1:]
    assert [event.seq for event in missed] == [*range(guests.seen + 2, guests.seen + 2 + len(missed))]
    assert all(isinstance(event, Presence) for event in missed[2:])
    assert one(Resumed, said).seq == missed[-1].seq
    goes_on = one_event(ada.send(Play(table=guests.table, nonce=12, move="d")))
    assert goes_on.seq == missed[-1].seq + 1


def test_a_command_from_before_gets_the_answer_from_before() -> None:
    guests = Guests()
    accepted, refused = guests.play(0, "d", 10), guests.play(0, "r", 11)
    assert isinstance(refused, Refused)
    world = restarted(guests.world)
    ada = guests.back(world, 0)
    ada.send(Resume(table=guests.table, seen=0))
    assert ada.send(Play(table=guests.table, nonce=10, move="d")) == [accepted]
    assert ada.send(Play(table=guests.table, nonce=11, move="r")) == [refused]
    log = world.hub.registry.get(guests.table)
    assert log is not None
    assert [entry.told.nonce for entry in log.match.log if isinstance(entry.told, Play)] == [10, 11]


def test_every_seat_is_away_until_its_player_is_back_and_the_time_away_has_not_counted() -> None:
    guests = Guests(no_progress_s=600)
    guests.clients[1].hang_up()
    guests.world.wait(50)
    guests.play(0, "d", 10)  # Bruno has been away for 50 s of his 60 when the server goes
    world = restarted(guests.world)
    ada = guests.back(world, 0)
    missed = events(ada.send(Resume(table=guests.table, seen=guests.seen)))
    changes = [(event.seat, event.away) for event in missed if isinstance(event, Presence)]
    assert changes == [(1, True), (0, True), (0, False)]
    refused = one(Refused, ada.send(Claim(table=guests.table, nonce=20)))
    assert refused.reason is Reason.NOT_ABSENT
    world.wait(9)
    assert one(Refused, ada.send(Claim(table=guests.table, nonce=21))).reason is Reason.NOT_ABSENT
    world.wait(2)
    assert one(Ended, ada.send(Claim(table=guests.table, nonce=22))).winner == 0


def test_timers_go_on_where_they_were_and_ring_though_nobody_comes() -> None:
    guests = Guests(no_progress_s=100)
    guests.world.wait(49)
    guests.play(0, "d", 10)
    world = restarted(guests.world)
    spectator = world.enter()
    spectator.send(Resume(table=guests.table, seen=0))
    world.wait(2)
    assert one(Warned, spectator.take()).ends_in_ms == 50_000
    world.wait(50)
    assert one(Ended, [message for message in spectator.take() if isinstance(message, Ended)]).reason == "no_progress"


def test_a_table_that_waits_for_ready_is_dealt_from_its_secret() -> None:
    waiting = World()
    clients = waiting.connect(), waiting.connect()
    tokens = [client.hello().token for client in clients]
    table = waiting.table(*clients)
    before = waiting.hub.registry.get(table)
    assert before is not None
    clients[0].send(Ready(table=table, nonce=1, seed="0a"))
    world = restarted(waiting)
    client = world.connect()
    client.hello(token=tokens[1])
    snapshot = one(Snapshot, [m for m in client.send(Resume(table=table, seen=99)) if isinstance(m, Snapshot)])
    assert snapshot.ready == (True, False)
    assert snapshot.commitment == before.match.snapshot().commitment
    said = client.send(Ready(table=table, nonce=1, seed="0b"))
    assert one(Dealt, [message for message in said if isinstance(message, Dealt)])


def test_a_solo_game_comes_back_with_its_undo() -> None:
    world = World()
    ada = world.connect()
    token = ada.hello("Ada").token
    table = world.solo(ada)
    first = one_event(ada.send(Play(table=table, nonce=1, move="d")))
    again = restarted(world)
    back = again.connect()
    assert back.hello(token=token).tables == (table,)
    assert one_event(back.send(Undo(table=table, nonce=2))).seq == first.seq + 1


def test_a_match_that_ended_as_the_server_went_is_told_and_not_ended_again() -> None:
    guests = Guests()
    ended = one(Ended, guests.clients[0].send(Resign(table=guests.table, nonce=30)))
    world = restarted(guests.world)
    assert not [record for record in world.hub.accepted if isinstance(record, TableOver)]
    bruno = guests.back(world, 1)
    assert events(bruno.send(Resume(table=guests.table, seen=ended.seq - 1))) == [ended]
    assert world.hub.registry.live == 0
    world.wait(OVER_TABLE_KEPT_MS / 1000 + 1)
    assert len(world.hub.registry) == 0
    assert isinstance(world.hub.accepted[-1], TablePutAway)


def test_a_table_that_cannot_be_taken_up_is_put_away_and_the_others_play_on() -> None:
    guests = Guests()
    broken, good = kept(guests.world.hub.accepted, AGAIN).tables * 2
    broken = replace(broken, setup=replace(broken.setup, table="broken", game="no such game"))
    world = World()
    world.now = AGAIN
    world.hub.restore(Recovered((), (broken, good)), AGAIN)
    assert [table for table, _ in world.hub.faults] == ["broken"]
    assert TablePutAway("broken") in world.hub.accepted
    assert world.hub.registry.live == 1


def test_players_who_do_not_come_back_are_forgotten_after_as_long_as_any_other() -> None:
    guests = Guests()
    one(Ended, guests.clients[0].send(Resign(table=guests.table, nonce=30)))
    world = restarted(guests.world)
    day_s = LEFT_PLAYER_KEPT_MS / 1000
    world.wait(day_s - 60)
    assert world.hub.health()["players"] == 2
    world.wait(180)
    assert world.hub.health()["players"] == 0


def test_who_is_not_known_by_heart_is_looked_up_and_a_store_that_fails_is_not_an_unknown_token() -> None:
    world = World()
    for result, answer in (
        (KnownPlayer("p9", "Ada", bot=False, tokens_sha256=(sha256_of("secret"),)), Welcome),
        (None, Fault.UNKNOWN_TOKEN),
        (OSError("disk"), Fault.STORE_FAILED),
    ):
        client = world.connect()
        token = "secret" if answer is Welcome else "another"
        world.hub.receive(client.number, Hello(token=token), world.now)
        ((job, _),) = world.hub.jobs
        world.hub.jobs.clear()
        world.hub.finished(job, result, world.now + MS)
        world.deliver()
        (said,) = client.take()
        assert said.code == answer if isinstance(said, Problem) else isinstance(said, Welcome)
