"""What everyone who tells of finished games keeps to (RULES.md 5 and 9)."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace
from typing import TypedDict, Unpack

import pytest
from msgspec.structs import replace

from acerace_protocol.messages import PlayerInfo
from acerace_protocol.people import DayResult, ResultSeat
from acerace_rules.catalogue import GAMES
from acerace_server.core.records import Record, TableOpened, TablePutAway
from acerace_server.ports import Records
from tests.contract.stores import UTC_US, sql_store
from tests.contract.told import ADA, BRUNO, ROBOT, duel, duel_ended, entries, made, played, solo, solo_ended


class End(TypedDict, total=False):
    strict: int
    seconds: int
    moves: int


@dataclass
class Told:
    """Records, and the journal they are drawn from."""

    records: Records
    commit: Callable[[Sequence[Record]], None]

    def game(self, table: str, **end: Unpack[End]) -> None:
        """A solo game of Ada's, won."""
        self.commit(played(solo(table), solo_ended(table, **end)))

    def lost(self, table: str) -> None:
        self.commit(played(solo(table), solo_ended(table, won=False, strict=20, moves=3, seconds=5)))

    def left(self, table: str) -> None:
        self.commit(played(solo(table), None))


@pytest.fixture
def told() -> Generator[Told]:
    with sql_store() as (store, _):
        store.journal.commit(made(ADA, BRUNO, ROBOT))
        yield Told(store.records, store.journal.commit)


# --- a player's games ---


def test_a_players_games_the_newest_first(told: Told) -> None:
    told.commit(played(duel("t1"), duel_ended("t1")))
    told.game("t2")
    told.commit(played(duel("t3", BRUNO, ROBOT), duel_ended("t3")))
    assert [game.table for game in told.records.games_of("ada", 10)] == ["t2", "t1"]
    assert [game.table for game in told.records.games_of("bruno", 10)] == ["t3", "t1"]
    assert told.records.games_of("zoe", 10) == ()


def test_a_match_is_told_with_both_seats(told: Told) -> None:
    told.commit(played(duel("t1"), duel_ended("t1")))
    (game,) = told.records.games_of("ada", 10)
    assert (game.game, game.options, game.code) == ("double-klondike", {"draw": 1}, None)
    assert (game.reason, game.winner, game.duration_ms) == ("blocked", 1, 90_000)
    assert UTC_US < game.finished_us < UTC_US + 60_000_000
    assert game.seats == (
        ResultSeat("ada", "Ada", won=False, score=20, contribution=20, moves=50, strict=None),
        ResultSeat("bruno", "Bruno", won=True, score=30, contribution=29, moves=60, strict=None),
    )


def test_a_match_that_ends_before_the_deal_has_no_moves_to_tell(told: Told) -> None:
    ended = replace(duel_ended("t1", winner=None, reason="absent"), moves=(), contributions=(0, 0))
    told.commit(played(duel("t1"), ended))
    (game,) = told.records.games_of("ada", 1)
    assert [(seat.won, seat.contribution, seat.moves) for seat in game.seats] == [(False, 0, None)] * 2


def test_a_long_history_comes_in_pages(told: Told) -> None:
    for number in range(7):
        told.game(f"t{number}")
    pages = [told.records.games_of("ada", 3)]
    while pages[-1]:
        pages.append(told.records.games_of("ada", 3, before=pages[-1][-1].number))
    assert [[game.table for game in page] for page in pages] == [["t6", "t5", "t4"], ["t3", "t2", "t1"], ["t0"], []]


def test_a_player_against_itself_is_one_game(told: Told) -> None:
    told.commit(played(duel("t1", ADA, ADA), duel_ended("t1")))
    assert [len(game.seats) for game in told.records.games_of("ada", 10)] == [2]


def test_a_live_game_is_not_told(told: Told) -> None:
    told.commit([TableOpened(solo("t1"), public=False), *entries("t1", 1)])
    assert told.records.games_of("ada", 10) == ()
    assert told.records.solo_statistics("ada") == ()
    assert told.records.day_table("KL1-D1UM-AAAAAAB", 10) == ()


# --- statistics of solo games ---


def test_the_statistics_of_a_preset(told: Told) -> None:
    told.game("t1", strict=700, moves=120, seconds=300)
    told.lost("t2")
    told.game("t3", strict=650, moves=110, seconds=310)
    (kind,) = told.records.solo_statistics("ada")
    assert (kind.game, kind.options) == ("klondike", {"draw": 1, "passes": 0})
    assert (kind.games, kind.wins) == (3, 2)
    assert (kind.best_time_ms, kind.best_strict, kind.fewest_moves) == (300_000, 700, 110)


def test_time_and_moves_are_of_games_won_only(told: Told) -> None:
    told.lost("t1")
    (kind,) = told.records.solo_statistics("ada")
    assert (kind.best_time_ms, kind.fewest_moves, kind.best_strict) == (None, None, 20)
    assert (kind.wins, kind.streak, kind.longest_streak) == (0, 0, 0)


@pytest.mark.parametrize(
    ("games", "streak", "longest"),
    [("w", 1, 1), ("wwl", 0, 2), ("wwlw", 1, 2), ("lwlwww", 3, 3), ("wx", 0, 1), ("wwxw", 1, 2)],
)
def test_streaks(told: Told, games: str, streak: int, longest: int) -> None:
    """W won, l lost, x begun and left."""
    kinds = {"w": told.game, "l": told.lost, "x": told.left}
    for number, game in enumerate(games):
        kinds[game](f"t{number}")
    (kind,) = told.records.solo_statistics("ada")
    assert (kind.streak, kind.longest_streak) == (streak, longest)
    assert (kind.games, kind.wins) == (len(games), games.count("w"))


def test_a_game_that_was_left_is_one_that_was_not_won(told: Told) -> None:
    told.game("t1")
    told.left("t2")
    (kind,) = told.records.solo_statistics("ada")
    assert (kind.games, kind.wins) == (2, 1)
    left = told.records.games_of("ada", 1)[0]
    assert (left.table, left.reason, left.winner, left.duration_ms) == ("t2", "left", None, None)


def test_a_game_that_was_never_begun_does_not_count(told: Told) -> None:
    told.commit([TableOpened(solo("t1"), public=False), TablePutAway("t1")])
    assert told.records.solo_statistics("ada") == ()
    assert told.records.games_of("ada", 10) == ()


def test_each_game_and_its_options_have_their_own_statistics(told: Told) -> None:
    told.game("t1")
    told.commit(played(solo("t2", draw=3), solo_ended("t2")))
    told.commit(played(solo("t3", game="yukon"), solo_ended("t3")))
    told.commit(played(solo("t4", BRUNO), solo_ended("t4")))
    told.commit(played(duel("t5"), duel_ended("t5")))
    kinds = told.records.solo_statistics("ada")
    assert [(kind.game, kind.options["draw"], kind.games) for kind in kinds] == [
        ("klondike", 1, 1),
        ("klondike", 3, 1),
        ("yukon", 1, 1),
    ]


# --- the table of a deal ---

CODE = "KL1-D1UM-ABCDEFG"


def test_the_table_of_a_deal_by_strict_score_then_time_then_moves(told: Told) -> None:
    games: list[tuple[str, PlayerInfo, End]] = [
        ("slow", ADA, {"strict": 700, "seconds": 300, "moves": 100}),
        ("best", BRUNO, {"strict": 710, "seconds": 900, "moves": 300}),
        ("more", ROBOT, {"strict": 700, "seconds": 200, "moves": 101}),
    ]
    for table, player, end in games:
        told.commit(played(solo(table, player, code=CODE), solo_ended(table, **end)))
    told.commit(played(solo("other"), solo_ended("other", strict=999)))
    rows = told.records.day_table(CODE, 10)
    assert [row.table for row in rows] == ["best", "more", "slow"]
    assert rows[1] == DayResult(
        player="robot", name="Robot", bot=True, table="more", strict=700, won=True, duration_ms=200_000, moves=101
    )
    assert [row.table for row in told.records.day_table(CODE, 2)] == ["best", "more"]


def test_each_player_stands_there_once_with_the_best_game(told: Told) -> None:
    for table, strict, seconds in [("t1", 500, 60), ("t2", 600, 70), ("t3", 600, 65), ("t4", 600, 65)]:
        told.commit(played(solo(table, code=CODE), solo_ended(table, strict=strict, seconds=seconds)))
    assert [row.table for row in told.records.day_table(CODE, 10)] == ["t3"]


def test_a_game_given_up_stands_there_with_what_it_had_and_one_that_was_left_does_not(told: Told) -> None:
    told.commit(played(solo("t1", code=CODE), solo_ended("t1", won=False, strict=30)))
    told.commit(played(solo("t2", BRUNO, code=CODE), None))
    assert [(row.table, row.won) for row in told.records.day_table(CODE, 10)] == [("t1", False)]


# --- the running balance of Vegas scoring (D44) ---


def test_a_balance_runs_over_all_games_with_a_score_in_dollars(told: Told) -> None:
    def vegas(table: str, score: int | None) -> None:
        setup = dataclass_replace(solo(table), options=GAMES["klondike"].chosen({"scoring": "vegas", "passes": 1}))
        ended = None if score is None else replace(solo_ended(table, won=False), scores=(score,))
        told.commit(played(setup, ended))

    vegas("t1", 208)
    vegas("t2", -37)
    assert [record.balance for record in told.records.solo_statistics("ada")] == [171]
    vegas("t3", None)  # left: the stake of 52 is lost
    assert [record.balance for record in told.records.solo_statistics("ada")] == [119]


def test_other_scorings_have_no_balance(told: Told) -> None:
    told.game("t1")
    assert [record.balance for record in told.records.solo_statistics("ada")] == [None]
