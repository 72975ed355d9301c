"""The featured table: the one to watch, and it does not jump away."""

from dataclasses import replace

from acerace_protocol.limits import LISTED_MAX
from acerace_protocol.messages import Hello, ListTables, PlayerInfo, Resign, Seated, Seek, Tables
from acerace_server.core.tv import Candidate, Tv
from tests.server.core.support import Client, World, one


def candidate(
    key: str, gap: int = 0, *, rating: int | None = None, bots: int = 0, contributions: tuple[int, int] | None = None
) -> Candidate:
    players = tuple(PlayerInfo(player=f"{key}{seat}", name="x", bot=seat < bots, rating=rating) for seat in range(2))
    return Candidate(key, players, contributions or (10, 10 + gap))


def chosen(*candidates: Candidate) -> str | None:
    return Tv().turn(candidates)


def test_nothing_to_show() -> None:
    assert chosen() is None


def test_the_closest_match_is_shown() -> None:
    assert chosen(candidate("a", 5), candidate("b", 1), candidate("c", 3)) == "b"


def test_the_best_rated_match_is_shown_though_another_is_closer() -> None:
    assert chosen(candidate("a", 0, rating=1500), candidate("b", 9, rating=1950), candidate("c", 0)) == "b"


def test_in_a_rated_match_who_has_no_rating_counts_as_one_of_the_average() -> None:
    newcomer = replace(candidate("newcomer"), players=(PlayerInfo("p1", "x", rating=1950), PlayerInfo("p2", "y")))
    assert chosen(candidate("a", rating=1600), newcomer) == "newcomer"
    assert chosen(candidate("a", rating=1800), newcomer) == "a"


def test_ratings_that_are_alike_leave_it_to_the_score() -> None:
    assert chosen(candidate("a", 5, rating=1540), candidate("b", 1, rating=1510)) == "b"


def test_people_come_before_bots_however_good_these_are() -> None:
    best = candidate("bots", 0, rating=2500, bots=2)
    assert chosen(best, candidate("mixed", 9, bots=1)) == "mixed"
    assert chosen(best, candidate("mixed", 0, bots=1), candidate("people", 30)) == "people"
    assert chosen(best) == "bots"


def test_of_two_that_are_as_close_the_one_that_has_come_further_is_shown() -> None:
    assert chosen(candidate("new", contributions=(0, 0)), candidate("old", contributions=(40, 40))) == "old"


# --- in the directory --------------------------------------------------------------------------------------


def tables(client: Client) -> Tables:
    return one(Tables, client.send(ListTables()))


def test_a_running_match_is_featured_until_it_ends_whatever_begins() -> None:
    world = World()
    viewer = world.enter("Zoe")
    assert tables(viewer).featured is None
    bots = [world.connect(), world.connect()]
    for number, bot in enumerate(bots):
        bot.send(Hello(name=f"Bot {number}", bot=True))
    first = world.match(*bots)
    assert tables(viewer).featured == first
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    second = world.match(ada, bruno)
    for client in world.clients.values():
        client.take()
    assert tables(viewer).featured == first
    bots[0].send(Resign(table=first, nonce=99))
    assert tables(viewer).featured == second
    ada.send(Resign(table=second, nonce=99))
    assert tables(viewer).featured is None


def test_a_private_match_a_solo_game_and_one_that_waits_for_its_deal_are_not_featured() -> None:
    world = World()
    viewer = world.enter("Zoe")
    world.solo(world.enter("Solo"))
    world.table(world.enter("Ada"), world.enter("Bruno"))
    world.clients[1].take()
    assert tables(viewer).featured is None


def test_the_featured_table_is_listed_once_and_in_nobodys_place() -> None:
    world = World()
    viewer = world.enter("Zoe")
    keys = [world.match(world.enter(), world.enter()) for _ in range(3)]
    listed = tables(viewer)
    assert listed.featured in keys
    assert [info.table for info in listed.tables] == keys


def test_the_featured_table_is_in_the_list_however_long_that_is() -> None:
    world = World()
    viewer = world.enter("Zoe")
    for _ in range(LISTED_MAX + 5):
        waiting = [world.enter(), world.enter()]
        for client in waiting:
            client.send(Seek())
        waiting[0].expect(Seated)
    featured = world.match(world.enter("Ada"), world.enter("Bruno"))
    for client in world.clients.values():
        client.take()
    listed = tables(viewer)
    assert listed.featured == featured
    assert len(listed.tables) == LISTED_MAX
    assert featured in {info.table for info in listed.tables}
