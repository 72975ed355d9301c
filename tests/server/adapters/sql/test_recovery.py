"""From the journal back to the tables: the same log, on a clock for which the server was never away."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from acerace_protocol.messages import Ended, EventBase, Play, Resign, Resume, SeriesInfo
from acerace_protocol.people import Rated, SeriesStands
from acerace_server.core.match import Entry
from acerace_server.core.records import (
    KnownPlayer,
    PlayerMade,
    Record,
    SequelTold,
    TableOpened,
    TableOver,
    TablePutAway,
    TableTold,
    TokenAdded,
    TokenRevoked,
)
from acerace_server.core.replay import replay
from acerace_server.ports import StoreError
from tests.contract.told import ADA, BRUNO, OPENED_AT, ROBOT, duel, duel_ended, entries, made, played, solo, solo_ended
from tests.server.adapters.sql.support import Disk
from tests.server.core.support import SECOND, Client, World, one


def told(records: list[Record]) -> tuple[Entry, ...]:
    return tuple(record.entry for record in records if isinstance(record, TableTold))


def test_an_empty_directory_has_nothing_to_recover(disk: Disk) -> None:
    recovered = disk.store.recovery.recover(5)
    assert recovered.tables == ()
    assert recovered.players == ()


def test_live_tables_come_back_in_the_order_in_which_they_were_opened(disk: Disk) -> None:
    for table in ("t2", "t1", "t3"):
        disk.store.journal.commit([TableOpened(duel(table), public=table == "t1")])
    tables = disk.restart().recovery.recover(OPENED_AT).tables
    assert [(table.setup, table.public, table.log) for table in tables] == [
        (duel("t2"), False, ()),
        (duel("t1"), True, ()),
        (duel("t3"), False, ()),
    ]


def test_a_rated_match_and_one_of_a_series_come_back_as_such(disk: Disk) -> None:
    series = SeriesInfo("sum", 5, 2, wins=(0, 1), totals=(20, 31))
    setup = replace(duel("t1"), rated=True, series=series)
    disk.store.journal.commit([TableOpened(setup, public=True)])
    (table,) = disk.restart().recovery.recover(OPENED_AT).tables
    assert table.setup == setup


def test_what_followed_the_end_of_a_match_comes_back_with_it(disk: Disk) -> None:
    stands = SeriesStands(table="t1", series=SeriesInfo("best", 3, 1, wins=(0, 1), totals=(20, 30)))
    rated = Rated(table="t1", seats=())
    disk.store.journal.commit([TableOpened(duel("t1"), public=True), TableOpened(duel("t2"), public=True)])
    disk.store.journal.commit([TableOver("t1", duel_ended("t1")), SequelTold("t1", (rated, stands))])
    over, live = disk.restart().recovery.recover(OPENED_AT).tables
    assert over.sequel == (rated, stands)
    assert live.sequel == ()


def test_a_sequel_that_cannot_be_read_is_said_to_be_damaged(disk: Disk) -> None:
    disk.store.journal.commit([TableOpened(duel("t1"), public=True), TableOver("t1", duel_ended("t1"))])
    with closing(sqlite3.connect(disk.directory / "acerace.sqlite3")) as connection:
        connection.execute("UPDATE results SET sequel = '[{}]'")
        connection.commit()
    with pytest.raises(StoreError, match="the database is damaged: what followed table 't1'"):
        disk.restart().recovery.recover(OPENED_AT)


def test_the_newest_stamp_of_all_becomes_now(disk: Disk) -> None:
    early, late = duel("t1"), duel("t2", opened_at=OPENED_AT + 10 * SECOND)
    disk.store.journal.commit([TableOpened(early, public=True), TableOpened(late, public=True)])
    disk.store.journal.commit(entries("t1", 3, 25))
    disk.store.journal.commit(entries("t2", 20, opened_at=late.opened_at))
    now = 7 * SECOND
    one, other = disk.restart().recovery.recover(now).tables
    assert one.setup.opened_at == now - 30 * SECOND
    assert [entry.at for entry in one.log] == [now - 27 * SECOND, now - 5 * SECOND]
    assert other.setup.opened_at == now - 20 * SECOND
    assert [entry.at for entry in other.log] == [now]


def test_the_newest_stamp_may_be_of_a_table_that_is_over(disk: Disk) -> None:
    disk.store.journal.commit([TableOpened(duel("t1"), public=True), TableOpened(duel("t2"), public=True)])
    disk.store.journal.commit([*entries("t2", 40), TableOver("t2", duel_ended("t2"))])
    live, over = disk.restart().recovery.recover(0).tables
    assert live.setup.opened_at == over.setup.opened_at == -40 * SECOND


def test_restarts_without_a_record_in_between_change_nothing(disk: Disk) -> None:
    disk.store.journal.commit([TableOpened(duel("t1"), public=True), *entries("t1", 3, 25)])
    first = disk.restart().recovery.recover(100)
    disk.restart().recovery.recover(5_000)
    assert disk.restart().recovery.recover(100) == first


def test_a_recovered_table_goes_on_where_it_was(disk: Disk) -> None:
    disk.store.journal.commit([TableOpened(duel("t1"), public=True), *entries("t1", 0, 10)])
    now = 500 * SECOND
    opened_at = disk.restart().recovery.recover(now).tables[0].setup.opened_at
    more = entries("t1", 11, 12, opened_at=opened_at, first=2)
    disk.store.journal.commit(more)
    (table,) = disk.restart().recovery.recover(now + 2 * SECOND).tables
    assert table.log[2:] == told(more)
    assert [entry.at - table.setup.opened_at for entry in table.log] == [0, 10 * SECOND, 11 * SECOND, 12 * SECOND]


def test_a_game_recovered_and_left_was_begun_before(disk: Disk) -> None:
    setup = solo("t1")
    disk.store.journal.commit([*made(ADA), TableOpened(setup, public=False), *entries("t1", 1)])
    disk.restart().recovery.recover(0)
    disk.store.journal.commit([TablePutAway("t1")])
    assert [game.reason for game in disk.store.records.games_of("ada", 1)] == ["left"]


def test_a_table_that_ended_just_before_the_end_comes_back_as_its_players_may_not_know(disk: Disk) -> None:
    *records, _ = played(solo("t1"), solo_ended("t1"))
    disk.store.journal.commit([*made(ADA), *records])
    for _ in range(2):
        (table,) = disk.restart().recovery.recover(OPENED_AT + 1).tables
        assert len(table.log) == len(told(records))
    disk.store.journal.commit([TablePutAway("t1")])
    assert [game.reason for game in disk.store.records.games_of("ada", 9)] == ["won"]
    assert disk.restart().recovery.recover(3).tables == ()


@pytest.mark.parametrize("put_away", [False, True])
def test_a_table_that_is_over_is_in_the_archive_only(disk: Disk, put_away: bool) -> None:
    records = played(solo("t1"), solo_ended("t1"))
    disk.store.journal.commit([*made(ADA), *(records if put_away else records[:-1])])
    for number in range(12):  # each commit is a second after the one before
        disk.store.journal.commit(played(solo(f"later {number}"), solo_ended(f"later {number}")))
    assert "t1" not in [table.setup.table for table in disk.restart().recovery.recover(3).tables]
    kept = disk.store.archive.find("t1")
    assert kept is not None
    assert kept.ended == solo_ended("t1")
    shift = kept.setup.opened_at - OPENED_AT
    assert [entry.at - shift for entry in kept.log] == [entry.at for entry in told(records)]


def test_a_live_table_is_not_in_the_archive(disk: Disk) -> None:
    disk.store.journal.commit([TableOpened(duel("t1"), public=True)])
    assert disk.store.archive.find("t1") is None


def test_players_come_back_with_the_hashes_of_their_tokens(disk: Disk) -> None:
    disk.store.journal.commit(made(ADA, ROBOT))
    disk.store.journal.commit([TokenAdded("robot", "f" * 64, "second"), TokenAdded("robot", "e" * 64, "third")])
    disk.store.journal.commit([TokenRevoked("f" * 64)])
    assert disk.restart().recovery.recover(0).players == (
        KnownPlayer("ada", "Ada", bot=False, tokens_sha256=("ada:".ljust(64, "0"),)),
        KnownPlayer("robot", "Robot", bot=True, tokens_sha256=("robot:".ljust(64, "0"), "e" * 64)),
    )


def test_of_too_many_players_the_newest_come_back_and_all_who_sit_somewhere(disk: Disk) -> None:
    disk.store.journal.commit([*made(ADA, BRUNO), TableOpened(duel("t1"), public=True)])
    for number in range(5):
        disk.store.journal.commit([PlayerMade(f"p{number}", f"{number}" * 64, "Guest", bot=False)])
    found = disk.restart().recovery.recover(0, players_most=2).players
    assert [player.player for player in found] == ["ada", "bruno", "p3", "p4"]


# --- a whole server's matches ---


class Server(World):
    """A hub whose records go to the disk, and are remembered here as well."""

    def __init__(self, disk: Disk) -> None:
        super().__init__()
        self.records: list[Record] = []
        self._disk = disk

    def deliver(self) -> None:
        self._disk.store.journal.commit(self.hub.accepted)
        self.records += self.hub.accepted
        self.hub.accepted.clear()
        super().deliver()

    def log_of(self, table: str) -> tuple[Entry, ...]:
        return told([record for record in self.records if isinstance(record, TableTold) and record.table == table])


def play(client: Client, table: str, *moves: str) -> None:
    for move in moves:
        client.send(Play(table=table, nonce=client.nonce(), move=move))


def test_matches_of_a_server_are_replayed_to_the_same_position(disk: Disk) -> None:
    world = Server(disk)
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    table, solitaire = world.match(ada, bruno), world.solo(ada)
    for client, key in ((ada, table), (bruno, table), (ada, solitaire)):
        world.wait(1.5)
        play(client, key, "d", "c1>f", "d", "w>f", "d", "w>c2")
    bruno.hang_up()
    world.wait(10)
    ada.take()
    opened = {record.setup.table: record.setup for record in world.records if isinstance(record, TableOpened)}
    recovered = disk.restart().recovery.recover(world.now + 77 * SECOND)
    assert [live.setup.table for live in recovered.tables] == [table, solitaire]
    for live in recovered.tables:
        key = live.setup.table
        again, before = replay(live.setup, live.log), replay(opened[key], world.log_of(key))
        assert again.snapshot() == before.snapshot()
        missed = [event for event in ada.send(Resume(table=key, seen=0)) if isinstance(event, EventBase)]
        assert again.history.since(0) == missed
        assert (again.deadline() is None) == (before.deadline() is None) == (key == solitaire)
        if (later := again.deadline()) and (due := before.deadline()):
            assert later - live.setup.opened_at == due - opened[key].opened_at


def test_a_match_that_a_server_ended_is_kept_as_it_was(disk: Disk) -> None:
    world = Server(disk)
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    table = world.match(ada, bruno)
    play(ada, table, "d", "d")
    ended = one(Ended, ada.send(Resign(table=table, nonce=ada.nonce())))
    kept = disk.restart().archive.find(table)
    assert kept is not None
    assert kept.ended == ended
    assert replay(kept.setup, kept.log).ended == ended


# --- what cannot be read is said, never guessed ---


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("UPDATE entries SET told = x'c1' WHERE number = 1", "an entry of table 't1'"),
        ("DELETE FROM entries WHERE number = 1", "an entry of table 't1' is missing"),
        ("UPDATE tables SET options = 'x'", "table 't1'"),
        ("UPDATE tables SET players = '[{}]'", "table 't1'"),
    ],
)
def test_a_damaged_row_is_named(disk: Disk, damage: str, reason: str) -> None:
    disk.store.journal.commit([TableOpened(duel("t1"), public=True), *entries("t1", 1, 2, 3)])
    disk.change(damage)
    with pytest.raises(StoreError, match=f"the database is damaged: {reason}"):
        disk.restart().recovery.recover(0)


def test_a_damaged_end_is_named(disk: Disk) -> None:
    disk.store.journal.commit(played(duel("t1"), duel_ended("t1")))
    disk.change("UPDATE results SET ended = '{}'")
    with pytest.raises(StoreError, match="the database is damaged: the end of table 't1'"):
        disk.store.archive.find("t1")
