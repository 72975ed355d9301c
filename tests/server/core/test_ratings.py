"""What a rated match does to the ratings, and who hears of it."""

from collections.abc import Generator

import pytest

from acerace_protocol.limits import Fault
from acerace_protocol.messages import Ended, Hello, ListTables, Problem, Resign, Seek, Snapshot, Tables, Watch
from acerace_protocol.people import GetRanking, Ranking, Rated
from acerace_server.core.ratings import NEW_RATING, POOLS, new_rating, rate, shown
from acerace_server.core.records import Rating, TableOver
from tests.server.core.archive_world import ArchiveWorld, answer, archive_world
from tests.server.core.support import Client, one

POOL = "people-simultaneous"


@pytest.fixture
def world() -> Generator[ArchiveWorld]:
    with archive_world() as made:
        yield made


def fresh(*players: str) -> list[Rating]:
    return [new_rating(player, POOL) for player in players]


def lose(world: ArchiveWorld, loser: Client, winner: Client) -> str:
    """A rated match that ends by resignation."""
    table = world.rated_table(loser, winner)
    loser.send(Resign(table=table, nonce=1))
    return table


# --- the computation ---------------------------------------------------------------------------------------


def test_who_wins_rises_as_much_as_the_other_falls() -> None:
    winner, loser = rate(fresh("a", "b"), 0)
    assert winner.mu - 25 == pytest.approx(25 - loser.mu)
    assert winner.mu > 27
    assert winner.sigma == loser.sigma < new_rating("a", POOL).sigma
    assert (winner.games, loser.games) == (1, 1)


@pytest.mark.parametrize("winner", [0, 1])
def test_the_seat_makes_no_difference(winner: int) -> None:
    after = rate(fresh("a", "b"), winner)
    assert after[winner].mu == rate(fresh("a", "b"), 0)[0].mu


def test_a_draw_between_equals_only_makes_them_surer() -> None:
    for after, before in zip(rate(fresh("a", "b"), None), fresh("a", "b"), strict=True):
        assert after.mu == before.mu
        assert after.sigma < before.sigma


def test_a_surprise_counts_for_more() -> None:
    strong, weak = Rating("s", POOL, 30.0, 4.0, 50, 9), Rating("w", POOL, 20.0, 4.0, 50, 3)
    expected, upset = rate([strong, weak], 0), rate([strong, weak], 1)
    assert expected[0].mu - strong.mu < upset[1].mu - weak.mu
    assert {rating.updated_seq for rating in expected} == {10}


def test_a_draw_with_a_stronger_player_is_a_gain() -> None:
    strong, weak = Rating("s", POOL, 30.0, 4.0, 50, 0), Rating("w", POOL, 20.0, 4.0, 50, 0)
    after = rate([strong, weak], None)
    assert after[0].mu < strong.mu
    assert after[1].mu > weak.mu


def test_a_rating_is_provisional_for_about_twenty_matches() -> None:
    pair = tuple(fresh("a", "b"))
    provisional = 0
    while shown(pair[0]).provisional:
        provisional += 1
        pair = rate(pair, provisional % 2)
    assert 15 <= provisional <= 25
    assert abs(shown(pair[0]).rating - NEW_RATING) < 100


# --- at the table ------------------------------------------------------------------------------------------


def test_a_rated_match_tells_both_and_the_watchers_how_the_ratings_changed(world: ArchiveWorld) -> None:
    ada, bruno, carla = world.enter("Ada"), world.enter("Bruno"), world.enter("Carla")
    table = world.rated_table(ada, bruno)
    assert one(Snapshot, carla.send(Watch(table=table))).rated
    ada.send(Resign(table=table, nonce=1))
    told = [client.take() for client in (bruno, carla)]
    rated = one(Rated, told[0])
    assert one(Rated, told[1]) == rated
    assert [seat.before for seat in rated.seats] == [NEW_RATING, NEW_RATING]
    assert rated.seats[0].after.rating < NEW_RATING < rated.seats[1].after.rating
    assert rated.seats[0].after.pool == POOL
    kinds = [type(message) for message in told[0]]
    assert kinds.index(Ended) < kinds.index(Rated)


def test_the_list_of_tables_says_which_are_rated(world: ArchiveWorld) -> None:
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    rated, casual = world.rated_table(ada, bruno), world.table(ada, bruno)
    listed = one(Tables, ada.send(ListTables())).tables
    assert {info.table: info.rated for info in listed} == {rated: True, casual: False}


def test_who_watches_late_is_told_late(world: ArchiveWorld) -> None:
    ada, bruno, carla = world.enter("Ada"), world.enter("Bruno"), world.enter("Carla")
    table = world.rated_table(ada, bruno)
    carla.send(Watch(table=table, delay_s=30))
    ada.send(Resign(table=table, nonce=1))
    assert not any(isinstance(message, Rated) for message in carla.take())
    world.wait(31)
    assert [type(message) for message in carla.take() if isinstance(message, Ended | Rated)] == [Ended, Rated]


def test_the_ratings_are_committed_with_the_result(world: ArchiveWorld) -> None:
    lose(world, world.enter("Ada"), world.enter("Bruno"))
    (commit,) = [records for records in world.commits if any(isinstance(record, TableOver) for record in records)]
    assert sum(isinstance(record, Rating) for record in commit) == 2


def test_a_casual_match_changes_nothing(world: ArchiveWorld) -> None:
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    table = world.table(ada, bruno)
    assert not any(isinstance(message, Rated) for message in ada.send(Resign(table=table, nonce=1)))
    assert one(Ranking, ada.send(GetRanking(pool=POOL, nonce=1))).players == ()


def test_a_person_and_a_bot_are_not_paired_for_a_rated_match(world: ArchiveWorld) -> None:
    ada, robot = world.enter("Ada"), world.bot("Robot")
    ada.send(Seek(rated=True))
    robot.send(Seek(rated=True))
    assert len(world.hub.registry) == 0


def test_people_and_bots_and_paces_have_pools_of_their_own(world: ArchiveWorld) -> None:
    left, right = world.bot("Left"), world.bot("Right")
    table = world.rated_table(left, right, pace="alternating")
    left.send(Resign(table=table, nonce=1))
    for pool in POOLS:
        ranking = one(Ranking, left.send(GetRanking(pool=pool, nonce=1)))
        names = [player.name for player in ranking.players]
        assert names == (["Right", "Left"] if pool == "bots-alternating" else [])
        assert all(player.bot for player in ranking.players)


def test_the_next_match_begins_from_the_new_ratings(world: ArchiveWorld) -> None:
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    lose(world, ada, bruno)
    first = one(Rated, bruno.take())
    ada.take()
    table = world.rated_table(ada, bruno)
    bruno.send(Resign(table=table, nonce=1))
    second = one(Rated, ada.take())
    assert [seat.before for seat in second.seats] == [seat.after.rating for seat in first.seats]
    assert [player.rating for player in world.match_of(table).setup.players] == [seat.before for seat in second.seats]


def test_a_rating_outlives_the_server(world: ArchiveWorld) -> None:
    ada, bruno = world.connect(), world.enter("Bruno")
    token = ada.hello("Ada").token
    lose(world, ada, bruno)
    rated = one(Rated, bruno.take())
    later = ArchiveWorld(world.store, run=2)
    later.hub.restore(world.store.recovery.recover(later.now), later.now)
    back, other = later.connect(), later.enter("Other")
    back.hello(token=token)
    table = later.rated_table(back, other)
    assert later.match_of(table).setup.players[0].rating == rated.seats[0].after.rating


def test_the_rating_of_one_who_was_forgotten_comes_with_the_player(world: ArchiveWorld) -> None:
    ada, bruno = world.connect(), world.enter("Bruno")
    token = ada.hello("Ada").token
    lose(world, ada, bruno)
    rated = one(Rated, bruno.take())
    later = ArchiveWorld(world.store, run=2)  # nothing restored: every player has to be looked up
    back, other = later.connect(), later.enter("Other")
    back.send(Hello(token=token))
    assert back.number
    table = later.rated_table(back, other)
    assert later.match_of(table).setup.players[0].rating == rated.seats[0].after.rating


# --- the ranking -------------------------------------------------------------------------------------------


def test_the_ranking_is_of_those_who_are_surely_good(world: ArchiveWorld) -> None:
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    lose(world, ada, bruno)
    ranking = one(Ranking, ada.send(GetRanking(pool=POOL, nonce=7)))
    assert ranking.nonce == 7
    assert [player.name for player in ranking.players] == ["Bruno", "Ada"]
    assert ranking.players[0].rating.provisional


def test_the_ranking_has_so_many_entries(world: ArchiveWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bruno, carla = (world.enter(name) for name in ("Ada", "Bruno", "Carla"))
    lose(world, ada, bruno)
    lose(world, ada, carla)
    for most, listed in ((2, 2), (3, 3), (4, 3)):
        monkeypatch.setattr("acerace_server.adapters.jobs.LISTED_MAX", most)
        assert len(one(Ranking, ada.send(GetRanking(pool=POOL, nonce=7))).players) == listed


def test_a_pool_that_there_is_not(world: ArchiveWorld) -> None:
    problem = answer(world.enter(), GetRanking(pool="cats-simultaneous", nonce=3))
    assert isinstance(problem, Problem)
    assert (problem.code, problem.nonce) == (Fault.MALFORMED, 3)
