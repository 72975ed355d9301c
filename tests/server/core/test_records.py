"""What the archive tells: results, statistics, days and replays."""

from collections.abc import Generator
from random import Random

import pytest

from acerace_protocol.limits import QUESTIONS_WAITING_MAX, RESULTS_PER_PAGE, Fault
from acerace_protocol.messages import ClientMessage, Hello, Leave, Play, Problem, Resign, Seated, Solo, Welcome
from acerace_protocol.people import (
    Day,
    GetDay,
    GetReplay,
    GetResults,
    GetStatistics,
    Replay,
    Result,
    Results,
    Statistics,
)
from acerace_protocol.replay_text import read_replay
from acerace_rules.deal import deal_of_the_day
from tests.server.core.archive_world import ArchiveWorld, answer, archive_world
from tests.server.core.support import Client, one

DEAL = "KL1-D1UM-AAAAAAB"
VEGAS = "KL1-D1P1V-AAAAAAB"


@pytest.fixture
def world() -> Generator[ArchiveWorld]:
    with archive_world() as made:
        yield made


def fault(client: Client, message: ClientMessage) -> str:
    problem = answer(client, message)
    assert isinstance(problem, Problem), problem
    assert problem.nonce == getattr(message, "nonce", None)
    assert problem.table == getattr(message, "table", None)
    return problem.code


def give_up(client: Client, code: str, moves: int = 1) -> str:
    """A solo game that is given up after so many moves; its table."""
    table = one(Seated, client.send(Solo(code=code))).table
    for nonce in range(moves):
        client.send(Play(table=table, nonce=nonce, move="d"))
    client.send(Resign(table=table, nonce=99))
    return table


def results_of(client: Client, player: str | None = None, before: int | None = None) -> Results:
    return one(Results, client.send(GetResults(player=player, before=before, nonce=1)))


# --- results -----------------------------------------------------------------------------------------------


def test_ones_own_results_are_told_newest_first(world: ArchiveWorld) -> None:
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    match = world.rated_table(ada, bruno)
    ada.send(Resign(table=match, nonce=1))
    solo = give_up(ada, DEAL)
    told = results_of(ada)
    assert [result.table for result in told.results] == [solo, match]
    assert [result.reason for result in told.results] == ["resigned", "resigned"]
    assert [(seat.name, seat.won) for seat in told.results[1].seats] == [("Ada", False), ("Bruno", True)]
    assert told.results[0].code == DEAL
    assert [rating.pool for rating in told.ratings] == ["people-simultaneous"]


def test_the_results_of_another_player_are_told_too(world: ArchiveWorld) -> None:
    ada, bruno = world.connect(), world.enter("Bruno")
    player = one(Welcome, ada.send(Hello(name="Ada"))).player
    table = give_up(ada, DEAL)
    assert [result.table for result in results_of(bruno, player=player).results] == [table]


def test_a_player_without_games_has_no_results_and_one_who_is_not_there_is_unknown(world: ArchiveWorld) -> None:
    ada = world.enter("Ada")
    assert results_of(ada).results == ()
    assert fault(ada, GetResults(player="nobody", nonce=4)) == Fault.NO_SUCH_PLAYER


def test_results_come_in_pages(world: ArchiveWorld) -> None:
    ada = world.enter("Ada")
    tables = [give_up(ada, DEAL, moves=0) for _ in range(RESULTS_PER_PAGE + 3)]
    newest = results_of(ada).results
    older = results_of(ada, before=newest[-1].number).results
    assert [result.table for result in (*newest, *older)] == tables[::-1]
    assert len(newest) == RESULTS_PER_PAGE
    last: tuple[Result, ...] = results_of(ada, before=older[-1].number).results
    assert last == ()


# --- statistics --------------------------------------------------------------------------------------------


def test_statistics_are_of_ones_own_solo_games(world: ArchiveWorld) -> None:
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    give_up(ada, DEAL)
    give_up(bruno, DEAL)
    ada.send(Resign(table=world.rated_table(ada, bruno), nonce=1))
    (record,) = one(Statistics, ada.send(GetStatistics(nonce=1))).records
    assert (record.game, record.games, record.wins, record.best_strict) == ("klondike", 1, 0, 0)
    assert record.options["draw"] == 1
    assert record.balance is None


def test_the_vegas_balance_runs_over_games_and_a_game_that_is_left_costs_its_stake(world: ArchiveWorld) -> None:
    ada = world.enter("Ada")
    table = world.solo_of(ada, VEGAS)
    assert ada.send(Play(table=table, nonce=1, move="c1>f"))
    ada.send(Resign(table=table, nonce=2))
    left = world.solo_of(ada, VEGAS)
    ada.send(Play(table=left, nonce=1, move="c1>f"))
    ada.send(Leave(table=left))
    (record,) = one(Statistics, ada.send(GetStatistics(nonce=1))).records
    assert (record.games, record.balance) == (2, -52 + 5 - 52)


# --- the deal of the day -----------------------------------------------------------------------------------


def test_the_day_ranks_by_strict_scoring(world: ArchiveWorld) -> None:
    code = deal_of_the_day("klondike", "2026-11-30").code
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    for client, moves in ((ada, 3), (bruno, 40)):
        table = world.solo_of(client, code)
        world.play_out(table, [client], Random(moves), moves)
    day = one(Day, ada.send(GetDay(game="klondike", nonce=1)))
    assert (day.code, day.date) == (code, "2026-11-30")
    assert [result.name for result in day.results] == ["Bruno", "Ada"]
    assert day.results[0].strict > day.results[1].strict
    assert day.results[1].moves <= 3


def test_another_day_and_other_options_have_tables_of_their_own(world: ArchiveWorld) -> None:
    ada = world.enter("Ada")
    give_up(ada, deal_of_the_day("klondike", "2026-11-29", {"draw": 3}).code)
    yesterday = one(Day, ada.send(GetDay(game="klondike", options={"draw": 3}, date="2026-11-29", nonce=1)))
    assert [result.name for result in yesterday.results] == ["Ada"]
    assert one(Day, ada.send(GetDay(game="klondike", date="2026-11-29", nonce=1))).results == ()


def test_days_and_statistics_have_so_many_entries(world: ArchiveWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acerace_server.adapters.jobs.RESULTS_PER_PAGE", 2)
    everyone = [world.enter(name) for name in ("Ada", "Bruno", "Carla")]
    for number, client in enumerate(everyone):
        give_up(client, deal_of_the_day("klondike", "2026-11-30").code)
        day = one(Day, client.send(GetDay(game="klondike", nonce=1)))
        assert len(day.results) == min(2, number + 1)
    for number, code in enumerate([DEAL.replace("D1", "D3"), DEAL.replace("UM", "UN")]):
        give_up(everyone[0], code)
        assert len(one(Statistics, everyone[0].send(GetStatistics(nonce=1))).records) == 2, number


@pytest.mark.parametrize("date", ["2026-12-01", "2026-02-29", "2026-13-01", "2026-00-10", "2026-11-31"])
def test_there_is_no_such_day(world: ArchiveWorld, date: str) -> None:
    assert fault(world.enter(), GetDay(game="klondike", date=date, nonce=2)) == Fault.NO_SUCH_DAY


def test_a_leap_day_is_a_day(world: ArchiveWorld) -> None:
    assert isinstance(answer(world.enter(), GetDay(game="russian", date="2024-02-29", nonce=2)), Day)


def test_a_game_for_two_has_no_day(world: ArchiveWorld) -> None:
    assert fault(world.enter(), GetDay(game="double-klondike", nonce=2)) == Fault.NO_SUCH_GAME


# --- replays -----------------------------------------------------------------------------------------------


def test_a_finished_match_is_told_whole_to_anyone(world: ArchiveWorld) -> None:
    ada, bruno, carla = world.enter("Ada"), world.enter("Bruno"), world.enter("Carla")
    table = world.rated_table(ada, bruno)
    world.play_out(table, [ada, bruno], Random(7), 60)
    told = one(Replay, carla.send(GetReplay(table=table, nonce=5)))
    replay = read_replay(told.text)
    assert replay.ended == world.match_of(table).ended
    assert len(replay.entries) == len(world.match_of(table).log)
    assert replay.opened_us > 0
    assert replay.rated


def test_a_match_that_runs_is_not_told(world: ArchiveWorld) -> None:
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    table = world.match(ada, bruno)
    assert fault(ada, GetReplay(table=table, nonce=5)) == Fault.NOT_OVER
    secret = world.match_of(table).setup.secret.hex()
    later = ArchiveWorld(world.store, run=2)  # where the hub knows nothing of it
    stranger = later.enter()
    assert fault(stranger, GetReplay(table=table, nonce=5)) == Fault.NO_SUCH_TABLE
    assert secret not in repr(stranger.got)


def test_a_solo_game_that_was_left_has_no_replay(world: ArchiveWorld) -> None:
    ada = world.enter("Ada")
    table = world.solo_of(ada, DEAL)
    ada.send(Play(table=table, nonce=1, move="d"), Leave(table=table))
    assert fault(ada, GetReplay(table=table, nonce=5)) == Fault.NO_SUCH_TABLE


def test_a_long_replay_comes_in_parts(world: ArchiveWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = world.enter("Ada")
    table = give_up(ada, DEAL, moves=30)
    whole = one(Replay, ada.send(GetReplay(table=table, nonce=1)))
    monkeypatch.setattr("acerace_server.core.replay_file.REPLAY_PART_MAX_CHARS", 500)
    first = one(Replay, ada.send(GetReplay(table=table, nonce=1)))
    rest = [one(Replay, ada.send(GetReplay(table=table, part=part, nonce=1))) for part in range(1, first.parts)]
    assert first.parts > 3
    assert "".join(part.text for part in (first, *rest)) == whole.text
    assert all(part.text.endswith("\n") for part in (first, *rest))
    assert fault(ada, GetReplay(table=table, part=first.parts, nonce=1)) == Fault.MALFORMED


def test_a_part_is_as_long_as_it_may_be_and_no_longer(world: ArchiveWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = world.enter("Ada")
    table = give_up(ada, DEAL, moves=10)
    for most in range(1000, 1100):
        monkeypatch.setattr("acerace_server.core.replay_file.REPLAY_PART_MAX_CHARS", most)
        first = one(Replay, ada.send(GetReplay(table=table, nonce=1)))
        second = one(Replay, ada.send(GetReplay(table=table, part=1, nonce=1)))
        assert len(first.text) <= most < len(first.text + second.text.splitlines(keepends=True)[0])


def test_one_question_at_a_time(world: ArchiveWorld) -> None:
    ada = world.enter("Ada")
    first, second = ada.send(GetStatistics(nonce=1), GetStatistics(nonce=2))
    assert isinstance(first, Problem)
    assert (first.code, first.nonce) == (Fault.TOO_FAST, 2)
    assert isinstance(second, Statistics)
    assert isinstance(answer(ada, GetStatistics(nonce=3)), Statistics)


def test_questions_never_keep_out_those_who_come_in(world: ArchiveWorld) -> None:
    ada = world.connect()
    token = ada.hello("Ada").token
    later = ArchiveWorld(world.store, run=2)
    clients = [later.enter() for _ in range(QUESTIONS_WAITING_MAX + 1)]
    for client in clients:
        later.hub.receive(client.number, GetStatistics(nonce=1), later.now)
    back = later.connect()
    later.hub.receive(back.number, Hello(token=token), later.now)
    later.beat()
    answers = [client.take()[-1] for client in clients]
    assert [type(got) for got in answers[:-1]] == [Statistics] * QUESTIONS_WAITING_MAX
    assert isinstance(answers[-1], Problem)
    assert answers[-1].code == Fault.TOO_MANY
    assert back.expect(Welcome).name == "Ada"


def test_an_answer_for_one_who_has_gone_is_dropped(world: ArchiveWorld) -> None:
    ada = world.enter("Ada")
    world.hub.receive(ada.number, GetStatistics(nonce=1), world.now)
    ada.hang_up()
    assert world.enter("Bruno").take() == []


def test_a_store_that_fails_is_a_problem(world: ArchiveWorld) -> None:
    ada = world.enter("Ada")
    world.hub.receive(ada.number, GetStatistics(nonce=8), world.now)
    ((number, _),) = world.hub.jobs
    world.hub.jobs.clear()
    world.hub.finished(number, OSError("disk"), world.now)
    world.deliver()
    problem = ada.expect(Problem)
    assert (problem.code, problem.nonce) == (Fault.STORE_FAILED, 8)
    assert "disk" not in problem.detail
