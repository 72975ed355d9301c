"""After a match: another one (RULES.md 6, D53, D55)."""

import pytest

from acerace_protocol.limits import READY_TIMEOUT_MS, REMATCH_MS, TABLES_PER_PLAYER, Fault
from acerace_protocol.messages import (
    ClientMessage,
    Dealt,
    Done,
    Ended,
    Play,
    Problem,
    Ready,
    Resign,
    Seated,
    Seek,
    Snapshot,
    Solo,
    Watch,
)
from acerace_protocol.people import NextMatch, Rematch, RematchOffered, SeriesStands
from acerace_rules.options import Value
from acerace_server.core.records import KnownPlayer, LiveTable, Recovered, TableOpened, TableOver, TableTold
from acerace_server.core.session import sha256_of
from tests.server.core.support import Client, World, one


class Two:
    """Two players who have a table."""

    def __init__(self, *, rated: bool = False, **options: Value) -> None:
        self.world = World()
        self.ada, self.bruno = self.world.enter("Ada"), self.world.enter("Bruno")
        for client in (self.ada, self.bruno):
            client.send(Seek(options=options, rated=rated))
        self.table = self.ada.expect(Seated).table
        self.forget()

    def say(self, client: Client, message: ClientMessage) -> None:
        """Send, and leave what comes back for the test to read."""
        self.world.hub.receive(client.number, message, self.world.now)
        self.world.beat()

    def forget(self) -> None:
        for client in self.world.clients.values():
            client.take()

    def start(self) -> None:
        for client in (self.ada, self.bruno):
            self.say(client, Ready(table=self.table, nonce=client.nonce()))

    def resign(self, client: Client) -> None:
        self.start()
        self.say(client, Resign(table=self.table, nonce=client.nonce()))

    def draw(self) -> None:
        """Nobody puts anything up, and nobody wins; but both have made a move."""
        self.start()
        for client in (self.ada, self.bruno):
            self.say(client, Play(table=self.table, nonce=client.nonce(), move="d", seen=3))
        for client in (self.ada, self.bruno):
            self.say(client, Done(table=self.table, nonce=client.nonce()))

    def next(self, client: Client) -> Snapshot:
        """The table that came after; from now on the table of these two."""
        got = client.take()
        self.table = one(Seated, got).table
        return next(message for message in got if isinstance(message, Snapshot) and message.table == self.table)


def wants(client: Client, table: str) -> Rematch:
    return Rematch(table=table, nonce=client.nonce())


def refused(client: Client, table: str) -> str:
    message = wants(client, table)
    problem = one(Problem, client.send(message))
    assert problem.nonce == message.nonce
    return problem.code


def test_when_both_want_it_they_are_seated_anew_in_the_other_seats() -> None:
    two = Two(draw=3, grace_s=30)
    two.resign(two.ada)
    assert not [message for message in two.bruno.take() if isinstance(message, RematchOffered)]  # only after a draw
    two.forget()
    assert one(RematchOffered, two.ada.send(wants(two.ada, two.table))).seat == 0
    assert two.bruno.expect(RematchOffered) == RematchOffered(table=two.table, seat=0)
    two.say(two.bruno, wants(two.bruno, two.table))
    snapshot = two.next(two.ada)
    assert [player.name for player in snapshot.players] == ["Bruno", "Ada"]
    assert (snapshot.options["draw"], snapshot.options["grace_s"], snapshot.phase) == (3, 30, "waiting")
    assert one(Seated, two.bruno.take()).seat == 0


def test_a_handicap_stays_with_its_player() -> None:
    two = Two()
    two.ada.send(Seek(options={"draw": 3, "second_draw": 1}))
    two.bruno.send(Seek(options={"draw": 1, "second_draw": 3}))
    two.table = one(Seated, two.ada.take()).table
    two.resign(two.ada)
    two.forget()
    for client in (two.bruno, two.ada):
        two.say(client, wants(client, two.table))
    snapshot = two.next(two.bruno)
    assert [player.name for player in snapshot.players] == ["Bruno", "Ada"]
    assert (snapshot.options["draw"], snapshot.options["second_draw"]) == (1, 3)


def test_a_rated_match_has_a_rated_rematch() -> None:
    two = Two(rated=True)
    two.resign(two.ada)
    two.forget()
    for client in (two.bruno, two.ada):
        two.say(client, wants(client, two.table))
    assert two.next(two.bruno).rated


def test_wanting_it_twice_is_wanting_it_once() -> None:
    two = Two()
    two.resign(two.ada)
    two.forget()
    for _ in range(3):
        assert one(RematchOffered, two.ada.send(wants(two.ada, two.table))).seat == 0
    assert two.bruno.expect(RematchOffered).seat == 0  # and is not told three times


def test_it_can_be_had_once() -> None:
    two = Two()
    two.resign(two.ada)
    for client in (two.ada, two.bruno):
        two.say(client, wants(client, two.table))
    two.forget()
    assert refused(two.ada, two.table) == Fault.NOT_ALLOWED


def test_an_offer_expires() -> None:
    two = Two()
    two.resign(two.ada)
    two.ada.send(wants(two.ada, two.table))
    two.world.wait(REMATCH_MS / 1000)
    two.forget()
    assert refused(two.bruno, two.table) == Fault.NOT_ALLOWED


def test_and_stands_until_then() -> None:
    two = Two()
    two.resign(two.ada)
    two.ada.send(wants(two.ada, two.table))
    two.world.wait(REMATCH_MS / 1000 - 0.001)
    assert one(Seated, two.bruno.send(wants(two.bruno, two.table))).table != two.table


def test_an_offer_goes_with_its_player() -> None:
    two = Two()
    two.resign(two.bruno)
    two.ada.send(wants(two.ada, two.table))
    two.ada.hang_up()
    two.forget()
    assert one(RematchOffered, two.bruno.send(wants(two.bruno, two.table))).seat == 1  # not seated with nobody


def test_not_while_it_is_played_nor_by_others_nor_alone() -> None:
    two = Two()
    carla = two.world.enter("Carla")
    assert refused(two.ada, two.table) == Fault.NOT_OVER
    two.resign(two.ada)
    two.forget()
    carla.send(Watch(table=two.table))
    assert refused(carla, two.table) == Fault.NOT_SEATED
    assert refused(carla, "nowhere") == Fault.NO_SUCH_TABLE
    solo = two.world.solo(carla)
    carla.send(Resign(table=solo, nonce=carla.nonce()))
    assert refused(carla, solo) == Fault.NOT_ALLOWED


def test_not_when_the_other_has_no_seat_left() -> None:
    two = Two()
    two.resign(two.ada)
    two.ada.send(wants(two.ada, two.table))
    for _ in range(TABLES_PER_PLAYER):
        two.ada.send(Solo())
    two.forget()
    assert refused(two.bruno, two.table) == Fault.TOO_MANY
    assert refused(two.ada, two.table) == Fault.TOO_MANY


def test_after_a_draw_the_server_proposes_it() -> None:
    two = Two()
    two.draw()
    got = two.ada.take()
    assert one(Ended, got).winner is None
    assert one(RematchOffered, got).seat is None
    assert one(RematchOffered, two.bruno.take()).seat is None
    for client in (two.ada, two.bruno):
        two.say(client, wants(client, two.table))
    assert two.next(two.ada).phase == "waiting"


def test_after_a_restart_too() -> None:
    two = Two()
    two.resign(two.ada)
    records = two.world.hub.accepted
    (opened,) = (record for record in records if isinstance(record, TableOpened))
    log = tuple(record.entry for record in records if isinstance(record, TableTold))
    tokens = {"Ada": "the token of Ada", "Bruno": "the token of Bruno"}
    known = tuple(
        KnownPlayer(info.player, info.name, info.bot, (sha256_of(tokens[info.name]),)) for info in opened.setup.players
    )
    later = World()
    later.hub.restore(Recovered(known, (LiveTable(opened.setup, opened.public, log),)), two.world.now)
    two.world = later
    two.ada, two.bruno = (later.enter(token=token) for token in tokens.values())
    for client in (two.ada, two.bruno):
        two.say(client, wants(client, two.table))
    assert two.next(two.ada).phase == "waiting"


def test_who_watches_is_told_where_the_rematch_is_played() -> None:
    two = Two()
    watcher = two.world.enter("Carla")
    watcher.send(Watch(table=two.table))
    two.resign(two.ada)
    watcher.take()
    first = two.table
    two.say(two.ada, wants(two.ada, first))
    assert not [message for message in watcher.take() if isinstance(message, NextMatch)]  # only one wants it
    two.say(two.bruno, wants(two.bruno, first))
    two.next(two.ada)
    assert one(NextMatch, watcher.take()) == NextMatch(table=first, next=two.table)
    assert one(Snapshot, watcher.send(Watch(table=two.table))).phase == "waiting"


# --- series ------------------------------------------------------------------------------------------------


def test_a_series_goes_on_by_itself_and_tells_how_it_stands() -> None:
    two = Two(series="best", series_games=3)
    watcher = two.world.enter("Carla")
    watcher.send(Watch(table=two.table))
    two.forget()
    first = two.table
    two.resign(two.ada)
    told = watcher.take()
    stands = one(SeriesStands, told)
    assert stands.table == first
    assert (stands.series.number, stands.series.wins, stands.series.over) == (1, (0, 1), False)
    assert two.bruno.got[-1] != stands  # the next table came after
    snapshot = two.next(two.bruno)
    assert one(NextMatch, told).next == two.table
    assert [player.name for player in snapshot.players] == ["Bruno", "Ada"]
    assert snapshot.series
    assert (snapshot.series.number, snapshot.series.wins) == (2, (1, 0))
    assert refused(two.ada, first) == Fault.NOT_ALLOWED  # it goes on as it is


def test_the_next_match_begins_when_both_are_ready_or_after_a_while() -> None:
    two = Two(series="best", series_games=3)
    two.resign(two.ada)
    two.next(two.ada)
    two.forget()
    two.world.wait(READY_TIMEOUT_MS / 1000 - 0.1)
    assert not two.ada.take()
    two.world.wait(0.2)
    assert two.ada.expect(Dealt)


def test_a_series_ends_when_it_is_decided_and_can_be_played_again() -> None:
    two = Two(series="best", series_games=3)
    two.resign(two.ada)
    two.next(two.ada)
    two.forget()
    two.resign(two.ada)
    got = two.ada.take()
    series = one(SeriesStands, got).series
    assert (series.over, series.winner, series.wins, series.totals) == (True, 0, (2, 0), (104, 0))
    assert not [message for message in got if isinstance(message, Seated)]
    for client in (two.ada, two.bruno):
        two.say(client, wants(client, two.table))
    again = two.next(two.ada).series
    assert again
    assert (again.number, again.wins) == (1, (0, 0))


def test_a_drawn_match_of_a_series_counts_for_nobody_and_the_next_one_follows() -> None:
    two = Two(series="best", series_games=1)
    two.draw()
    got = two.ada.take()
    assert not [message for message in got if isinstance(message, RematchOffered)]
    assert one(SeriesStands, got).series.wins == (0, 0)
    assert one(Seated, got)


def test_an_absent_player_loses_match_after_match() -> None:
    two = Two(series="best", series_games=3, grace_s=5)
    two.start()
    two.bruno.send(Play(table=two.table, nonce=9, move="d", seen=3))
    two.ada.hang_up()
    two.forget()
    two.world.wait(10.1)
    stands = two.bruno.take()
    assert one(SeriesStands, stands).series.wins == (0, 1)
    two.table = one(Seated, stands).table
    two.bruno.send(Ready(table=two.table, nonce=1))
    two.world.wait(READY_TIMEOUT_MS / 1000)
    two.bruno.send(Play(table=two.table, nonce=2, move="d", seen=0))
    two.forget()
    two.world.wait(10.1)
    assert two.bruno.expect(SeriesStands).series.winner == 0


def test_two_idlers_do_not_fill_the_night() -> None:
    two = Two(series="best", series_games=15)
    two.start()
    two.world.wait(3600)
    series = two.ada.expect(SeriesStands).series
    assert (series.number, series.over, series.winner) == (1, True, None)


@pytest.mark.parametrize("everyone", [True, False], ids=["nobody there", "no table left"])
def test_a_series_that_cannot_go_on_is_over_without_a_winner(monkeypatch: pytest.MonkeyPatch, everyone: bool) -> None:
    two = Two(series="best", series_games=3, grace_s=5)
    watcher = two.world.enter("Carla")
    watcher.send(Watch(table=two.table))
    two.draw() if not everyone else two.start()
    if everyone:
        two.ada.send(Play(table=two.table, nonce=9, move="d", seen=3))
        two.ada.hang_up()
        two.world.wait(1)
        two.bruno.hang_up()
        two.world.wait(11)
    series = watcher.expect(SeriesStands).series
    assert series.over is everyone
    if not everyone:
        two.next(two.ada)
        monkeypatch.setattr("acerace_server.core.registry.TABLES_MAX", 0)
        two.resign(two.ada)
        stands = two.bruno.take()
        assert one(SeriesStands, [m for m in stands if getattr(m, "table", "") == two.table]).series.over


def test_a_series_survives_a_restart() -> None:
    two = Two(series="sum", series_games=2, grace_s=5)
    two.resign(two.ada)
    two.next(two.ada)
    records = two.world.hub.accepted
    opened = [record for record in records if isinstance(record, TableOpened)]
    over = {record.table for record in records if isinstance(record, TableOver)}
    (live,) = (record for record in opened if record.setup.table not in over)
    later = World()
    later.hub.restore(Recovered((), (LiveTable(live.setup, live.public, ()),)), later.now)
    hosted = later.hub.registry.get(two.table)
    assert hosted
    series = hosted.snapshot(later.now).series
    assert series
    assert (series.number, series.totals) == (2, (52, 0))
    later.wait(600)  # whoever does not come back does no harm
    assert hosted.match.phase == "over"
