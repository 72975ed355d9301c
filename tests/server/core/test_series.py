"""Where a series stands (RULES.md 6, D28, D55)."""

import pytest

from acerace_protocol.messages import Ended, EndReason, SeriesInfo
from acerace_rules.catalogue import GAMES
from acerace_rules.options import Value
from acerace_server.core.series import after, first_of, is_even, next_of, with_seats_exchanged


def options(**chosen: Value) -> dict[str, Value]:
    return GAMES["double-klondike"].chosen(chosen)


def match(winner: int | None, scores: tuple[int, int] = (20, 10), reason: EndReason = "blocked") -> Ended:
    return Ended(
        table="t1",
        seq=9,
        at_us=0,
        reason=reason,
        winner=winner,
        scores=scores,
        contributions=scores,
        moves=(5, 5),
        refusals=(0, 0),
        duration_ms=1,
    )


def played(kind: str, games: int, *results: Ended) -> SeriesInfo:
    """After these matches. Their seats are those of the first match, whoever sat where."""
    series = first_of(options(series=kind, series_games=games))
    assert series
    for number, result in enumerate(results):
        seats = result if number % 2 == 0 else exchanged(result)
        series = after(series, seats)
        if number + 1 < len(results):
            assert not series.over, f"decided after {number + 1}"
            series = next_of(series)
    return series


def exchanged(ended: Ended) -> Ended:
    winner = None if ended.winner is None else 1 - ended.winner
    return match(winner, (ended.scores[1], ended.scores[0]), ended.reason)


ADA, BRUNO, NOBODY = match(0), match(1, (10, 20)), match(None, (0, 0))


def test_without_the_option_there_is_none() -> None:
    assert first_of(options()) is None
    assert first_of({"draw": 1}) is None  # a table from before there were series


@pytest.mark.parametrize(
    ("games", "results", "over"),
    [
        (1, [ADA], True),
        (3, [ADA], False),
        (3, [ADA, ADA], True),
        (3, [ADA, BRUNO], False),
        (3, [ADA, BRUNO, ADA], True),
        (3, [ADA, NOBODY, NOBODY], True),
        (3, [NOBODY, NOBODY, NOBODY], False),
        (3, [ADA, BRUNO, NOBODY], False),
        (3, [ADA, BRUNO, NOBODY, NOBODY, ADA], True),
        (2, [ADA, BRUNO], False),
        (2, [ADA, BRUNO, ADA], True),
        (5, [ADA, NOBODY, ADA], False),
        (5, [ADA, NOBODY, ADA, BRUNO, NOBODY], True),
    ],
)
def test_best_of_is_over_when_it_cannot_be_caught_up_and_a_tie_plays_one_more(
    games: int, results: list[Ended], over: bool
) -> None:
    series = played("best", games, *results)
    assert series.over is over
    ada = 0 if len(results) % 2 else 1
    assert series.winner == (ada if over else None)
    assert series.number == len(results)


def test_a_sum_is_played_to_its_end() -> None:
    assert not played("sum", 2, match(0, (52, 0))).over
    series = played("sum", 2, match(0, (52, 0)), match(1, (3, 20)))
    assert (series.over, series.totals) == (True, (20, 55))  # in the second match the first player had seat 1
    assert series.winner == 1


def test_a_tied_sum_plays_one_more() -> None:
    tied = played("sum", 2, match(0, (30, 20)), match(1, (20, 30)))
    assert (tied.over, tied.totals, tied.wins) == (False, (50, 50), (1, 1))
    assert played("sum", 2, match(0, (30, 20)), match(1, (20, 30)), match(0, (1, 0))).winner == 0


@pytest.mark.parametrize("reason", ["resigned", "absent"])
def test_who_leaves_while_ahead_gains_nothing(reason: EndReason) -> None:
    assert played("sum", 3, match(1, (40, 10), reason)).totals == (0, 52)
    assert played("best", 3, match(1, (40, 10), reason)).wins == (0, 1)


def test_a_bonus_is_not_lost_when_the_other_leaves() -> None:
    assert played("sum", 3, match(0, (60, 10), "resigned")).totals == (60, 0)


def test_the_seats_are_exchanged_and_the_standing_with_them() -> None:
    series = next_of(played("best", 5, match(0, (30, 7))))
    assert (series.number, series.wins, series.totals) == (2, (0, 1), (7, 30))


def test_a_handicap_stays_with_its_player() -> None:
    given = options(draw=1, second_draw=3)
    assert not is_even(given)
    again = with_seats_exchanged(given)
    assert (again["draw"], again["second_draw"]) == (3, 1)
    assert with_seats_exchanged(again) == given


@pytest.mark.parametrize("second_draw", [0, 1])
def test_the_same_for_both_is_no_handicap(second_draw: int) -> None:
    given = options(draw=1, second_draw=second_draw)
    assert is_even(given)
    assert with_seats_exchanged(given) == given
