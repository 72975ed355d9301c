"""RULES.md 2-6 and 9: what a move is worth."""

import pytest

from acerace_rules.hints import hint
from acerace_rules.moves import Kind
from acerace_rules.play import Played, play, unplay
from acerace_rules.scoring import (
    MICROSOFT,
    NORMAL,
    VEGAS,
    VEGAS_TWO_DECKS,
    WINDOWS_DRAW_ONE,
    charge_time,
    score_text,
    win_bonus,
)
from acerace_rules.table import Table
from tests.rules.support import deal, do, position, rules

EVENTS = {
    "waste to foundation": ("waste As\ncounters score 1000", "w>f"),
    "column to foundation": ("c1 As\ncounters score 1000", "c1>f"),
    "waste to column": ("waste 9h\nc1 Ts\ncounters score 1000", "w>c1"),
    "turned up": ("c1 (2s) 9h\nc2 Ts\ncounters score 1000", "c1:1>c2"),
    "column to column": ("c1 Jh Ts\nc2 Jd\ncounters score 1000", "c1:1>c2"),
    "draw": ("stock (2s)\ncounters score 1000", "d"),
    "take-back": ("foundations Ah..5h\nc1 6s\ncounters score 1000", "f:h>c1"),
    "recycle": ("waste 9h\ncounters score 1000", "r"),
}
WORTH = {
    "double-solitaire": (10, 10, 5, 5, 0, 0, 0, -100),
    "double-solitaire/scoring=vegas": (5, 5, 0, 0, 0, 0, 0, None),
    "easy-harp": (10, 10, 5, 5, 0, 0, 0, 0),
    "russian": (None, 10, None, 5, 0, None, 0, None),
    "klondike": (10, 10, 5, 5, 0, 0, 0, -2),
    "klondike/scoring=none": (0, 0, 0, 0, 0, 0, 0, 0),
    "klondike/scoring=windows": (10, 10, 5, 5, 0, 0, -15, -100),
    "klondike/scoring=windows,draw=3": (10, 10, 5, 5, 0, 0, -15, 0),
    "klondike/scoring=vegas": (5, 5, 0, 0, 0, 0, 0, 0),
}


@pytest.mark.parametrize(
    ("game", "event", "worth"),
    [
        (game, event, points)
        for game, row in WORTH.items()
        for event, points in zip(EVENTS, row, strict=True)
        if points is not None
    ],
)
def test_an_event_is_worth_what_its_game_says(game: str, event: str, worth: int) -> None:
    picture, move = EVENTS[event]
    if game == "russian":
        picture = picture.replace("Ts", "Th").replace("6s", "6h").replace("Jd", "Jh").replace("Jh Th", "Kc Th")
    table = position(picture, game)
    do(table, move)
    assert table.seats[0].score == 1000 + worth


def test_waste_to_foundation_is_worth_the_foundations_points_only() -> None:
    # D33
    table = position("waste As")
    do(table, "w>f")
    assert table.seats[0].score == 10


def test_a_move_and_the_card_it_turns_up_are_paid_together() -> None:
    table = position("c1 (2s) As")
    do(table, "c1>f")
    assert table.seats[0].score == 15


# --- the floor (D31) ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "after"), [(0, 0), (60, 0), (100, 0), (101, 1)])
def test_the_score_is_clamped_after_each_event(before: int, after: int) -> None:
    table = position(f"waste As\ncounters score {before}", "double-solitaire")
    do(table, "r")
    assert table.seats[0].score == after
    do(table, "d", "w>f")
    assert table.seats[0].score == after + 10


@pytest.mark.parametrize(("before", "after"), [(0, 0), (99, 0), (101, 1)])
def test_strict_scoring_has_the_same_floor(before: int, after: int) -> None:
    table = position("waste As\ncounters score 500", "double-solitaire")
    table.seats[0].strict = before
    [played] = do(table, "r")
    assert (table.seats[0].score, table.seats[0].strict) == (400, after)
    unplay(table, played)
    assert table.seats[0].strict == before


def test_vegas_has_no_floor() -> None:
    table = position("c1 As\ncounters score -104", "double-solitaire/scoring=vegas")
    do(table, "c1>f")
    assert table.seats[0].score == -99


@pytest.mark.parametrize("before", [0, 60, 150])
def test_undo_gives_the_score_as_it_was_before_the_floor_included(before: int) -> None:
    # D30
    table = position(f"waste As\ncounters score {before}", "double-solitaire")
    [played] = do(table, "r")
    unplay(table, played)
    assert table.seats[0].score == before


# --- where a game starts and ends --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "start"),
    [
        ("double-solitaire", "0"),
        ("double-solitaire/scoring=vegas", "-104 $"),
        ("klondike", "0"),
        ("klondike-vegas", "-52 $"),
        ("russian", "0"),
        ("easy-harp", "0"),
        ("double-klondike", "0"),
    ],
)
def test_the_score_at_the_start_as_people_read_it(game: str, start: str) -> None:
    # D40
    [seat, *_] = deal(game).seats
    assert score_text(rules(game).scoring, seat.score) == start
    assert seat.strict == seat.score


@pytest.mark.parametrize(("score", "text"), [(416, "416 $"), (0, "0 $"), (-104, "-104 $")])
def test_dollars_are_written_behind_the_number(score: int, text: str) -> None:
    assert score_text(VEGAS_TWO_DECKS, score) == text
    assert score_text(NORMAL, score) == text.removesuffix(" $")


def _won(game: str, number: int) -> tuple[Table, list[Played]] | None:
    """A game played by hints alone, so without take-backs; only if that wins."""
    table = deal(game, number)
    done: list[Played] = []
    while move := hint(table, 0):
        done.append(play(table, 0, move))
    return (table, done) if table.won else None


def _wins(game: str) -> list[tuple[Table, list[Played]]]:
    wins = [win for number in range(1, 7) if (win := _won(game, number))]
    assert wins
    return wins


@pytest.mark.parametrize("draw", [1, 3])
def test_a_win_of_double_solitaire_scores_1220_and_5_a_card_from_waste_to_tableau_less_the_recycles(draw: int) -> None:
    for table, done in _wins(f"double-solitaire/draw={draw}"):
        lost = 0
        for played in done:
            if played.move.kind is Kind.RECYCLE:
                lost += min(100, played.score)  # the floor
        from_waste = sum(played.move.kind is Kind.WASTE_TO_COLUMN for played in done)
        assert table.seats[0].score == 1220 + 5 * from_waste - lost


def test_a_win_of_vegas_in_one_pass_ends_at_208_dollars() -> None:
    table = position("foundations As..Ks | Ah..Kh | Ad..Kd | Ac..Qc\nc1 Kc\ncounters score 203", "klondike-vegas")
    do(table, "c1>f")
    assert table.won
    assert score_text(VEGAS, table.seats[0].score) == "208 $"


@pytest.mark.parametrize(
    ("game", "cards", "dollars"), [("klondike-vegas", 52, 208), ("double-solitaire/scoring=vegas", 104, 416)]
)
def test_the_vegas_identities(game: str, cards: int, dollars: int) -> None:
    scoring = rules(game).scoring
    assert scoring.start == -cards
    assert scoring.start + cards * scoring.foundation == dollars


# --- points that pay twice (RULES.md 9, D12) ---------------------------------------------------------------


@pytest.mark.parametrize("game", ["klondike", "double-solitaire", "easy-harp"])
def test_taking_a_card_back_and_replaying_it_pays_again_but_in_strict_scoring_once(game: str) -> None:
    # R10
    table = position("foundations Ah..4h\nc1 5h\nc2 6s", game)
    do(table, "c1>f")
    for _ in range(50):
        do(table, "f:h>c2", "c2>f")
    assert (table.seats[0].score, table.seats[0].strict) == (510, 10)


def test_strict_scoring_follows_an_undo() -> None:
    table = position("foundations Ah..4h\nc1 5h\nc2 6s")
    [up] = do(table, "c1>f")
    unplay(table, up)
    do(table, "c1:1>c2", "c2>f")
    assert (table.seats[0].score, table.seats[0].strict) == (10, 10)


def test_strict_scoring_knows_the_copies_apart() -> None:
    table = position("c1 Ah\nc2 Ah'\nc3 2s", "double-solitaire")
    do(table, "c1>f", "c2>f", "f:h2>c3", "c3>f")
    assert (table.seats[0].score, table.seats[0].strict) == (30, 20)


def test_vegas_pays_twice_too() -> None:
    table = position("foundations Ah..4h\nc1 5h\nc2 6s", "klondike-vegas")
    do(table, "c1>f", "f:h>c2", "c2>f")
    assert (table.seats[0].score, table.seats[0].strict) == (-42, -47)


def test_moving_a_whole_king_run_about_scores_nothing() -> None:
    # R11
    table = position("c1 Kd Qs")
    for _ in range(10):
        do(table, "c1:2>c2", "c2:2>c1")
    assert table.seats[0].score == 0


def test_uncovering_a_face_up_card_is_not_turning_one_up() -> None:
    # R11
    table = position("c1 (3c) 9h 8s\nc2 9d")
    do(table, "c1:1>c2")
    assert table.seats[0].score == 0


# --- recycles (D41-D43) -----------------------------------------------------------------------------------


def test_windows_draw_1_charges_100_for_each_recycle() -> None:
    table = position("waste 9h\ncounters score 1000", "klondike/scoring=windows")
    do(table, "r", "d", "r")
    assert table.seats[0].score == 800


def test_windows_draw_3_charges_20_from_the_fourth_pass_on() -> None:
    table = position("waste 9h\ncounters score 1000", "klondike/scoring=windows,draw=3")
    scores: list[int] = []
    for _ in range(4):
        do(table, "r", "d")
        scores.append(table.seats[0].score)
    assert scores == [1000, 1000, 980, 960]


def test_microsoft_charges_2_for_each_recycle_with_draw_1_and_draw_3() -> None:
    for draw in (1, 3):
        table = position("waste 9h\ncounters score 10", f"klondike/draw={draw}")
        do(table, "r", "d", "r", "d", "r")
        assert table.seats[0].score == 4


# --- time (D43) --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("elapsed", "score"), [(0, 100), (9, 100), (10, 98), (19, 98), (20, 96), (599, -18)])
def test_windows_charges_2_for_each_full_10_seconds(elapsed: int, score: int) -> None:
    table = position("c1 5h\ncounters score 100", "klondike/scoring=windows")
    charge_time(table, table.seats[0], elapsed)
    assert table.seats[0].score == max(0, score)


def test_time_is_charged_once() -> None:
    table = position("c1 5h\ncounters score 100", "klondike/scoring=windows")
    for elapsed in (10, 12, 19, 20, 15):
        charge_time(table, table.seats[0], elapsed)
    assert table.seats[0].score == 96


@pytest.mark.parametrize("game", ["klondike", "klondike-vegas", "russian"])
def test_other_scorings_do_not_charge_time(game: str) -> None:
    table = position("c1 5h\ncounters score 100", game)
    charge_time(table, table.seats[0], 3600)
    assert table.seats[0].score == 100


@pytest.mark.parametrize(("elapsed", "bonus"), [(0, 0), (29, 0), (30, 23_333), (100, 7_000), (700_001, 0)])
def test_windows_pays_700_000_divided_by_the_seconds_for_a_win_of_30_or_more(elapsed: int, bonus: int) -> None:
    assert win_bonus(WINDOWS_DRAW_ONE, elapsed) == bonus
    assert win_bonus(MICROSOFT, elapsed) == 0


# --- two seats (RULES.md 6) --------------------------------------------------------------------------------


def test_each_seat_scores_the_cards_of_its_own_deck_on_the_foundations() -> None:
    table = position("""
        foundations  Ah 2h' 3h'
        seat 1
          c1  4h
        seat 2
          c1  Ah
    """, "double-klondike")  # fmt: skip
    assert [table.contribution(seat) for seat in (0, 1)] == [1, 2]
    do(table, "c1>f", seat=0)
    do(table, "c1>f", seat=1)
    assert [table.contribution(seat) for seat in (0, 1)] == [2, 3]
    assert [seat.score for seat in table.seats] == [1, 1]
