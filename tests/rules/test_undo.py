"""RULES.md 1, undo and redo of a solo game (D30-D38)."""

from random import Random

import pytest

from acerace_rules.diagram import read_table
from acerace_rules.legal import legal_moves
from acerace_rules.moves import IllegalMoveError, Move, Reason
from acerace_rules.play import Played, play, unplay
from acerace_rules.solo import SoloGame
from acerace_rules.table import Table
from tests.rules.support import EVERY_MOVEMENT, SOLO_GAMES, deal, do, position, rules


def _game(picture: str, game: str = "klondike") -> SoloGame:
    return SoloGame(position(picture, game))


def _make(game: SoloGame, *texts: str) -> None:
    for text in texts:
        game.play(Move.parse(text), 0)


def _refusal(game: SoloGame, command: str) -> Reason:
    with pytest.raises(IllegalMoveError) as refused:
        getattr(game, command)(0)
    return refused.value.reason


@pytest.mark.parametrize("game", EVERY_MOVEMENT)
@pytest.mark.parametrize("number", range(3))
def test_undo_restores_the_whole_position_and_its_legal_moves(game: str, number: int) -> None:
    # R7: with undo at random points
    random = Random(number)
    table = deal(game, number)
    history: list[tuple[Table, list[list[Move]], Played]] = []
    seats = range(len(table.seats))
    for _ in range(250):
        choices = [(seat, move) for seat in seats for move in legal_moves(table, seat)]
        if history and (random.random() < 0.3 or not choices):
            before, legal, played = history.pop()
            unplay(table, played)
            assert table == before
            assert [legal_moves(table, seat) for seat in seats] == legal
        elif choices:
            seat, move = random.choice(choices)
            before, legal = table.copy(), [legal_moves(table, each) for each in seats]
            history.append((before, legal, play(table, seat, move)))


@pytest.mark.parametrize(
    ("picture", "move"),
    [
        ("c1 (2s) 9h\nc2 Ts", "c1:1>c2"),
        ("c1 (2s) As", "c1>f"),
        ("c1 (2s) Jd Ts 9h\nc2 Jh", "c1:2>c2"),
        ("waste 2s As", "w>f"),
        ("waste 2s 9h\nc2 Ts", "w>c2"),
        ("foundations Ah..9h\nc2 Ts", "f:h>c2"),
        ("stock (2s 9h)", "d"),
        ("waste 2s 9h\ncounters score 1", "r"),
    ],
)
def test_undo_takes_back_exactly_one_command_all_of_it(picture: str, move: str) -> None:
    # D30, R8
    game = _game(picture)
    _make(game, move)
    game.undo(0)
    expected = position(picture)
    expected.seats[0].moves = 1
    assert game.table == expected
    assert _refusal(game, "undo") is Reason.NOTHING_TO_UNDO


def test_the_move_counter_does_not_go_down() -> None:
    # D34
    game = _game("stock (2s 9h)")
    _make(game, "d", "d")
    game.undo(0)
    assert game.table.seats[0].moves == 2


def test_the_move_counter_counts_what_is_accepted_and_nothing_else() -> None:
    table = position("stock (2s)\nc1 (9c) Th\nc2 Jc\nc3 (Kd) As\nc4 2h")
    do(table, "d", "c1:1>c2", "c3>f", "f:s>c4", "r")
    assert table.seats[0].moves == 5
    with pytest.raises(IllegalMoveError):
        do(table, "c1:1>c3")
    assert table.seats[0].moves == 5


@pytest.mark.parametrize(("game", "depth"), [("klondike", 200), ("double-solitaire", 200), ("easy-harp", 100)])
def test_the_oldest_commands_fall_off_silently(game: str, depth: int) -> None:
    # D35
    assert rules(game).undo_depth == depth
    solo = _game("stock (2s 9h)", game)
    for _ in range(depth):
        _make(solo, "d" if solo.table.seats[0].stock else "r")
    before = solo.table.seats[0].moves
    _make(solo, "d" if solo.table.seats[0].stock else "r")
    for _ in range(depth):
        solo.undo(0)
    assert _refusal(solo, "undo") is Reason.NOTHING_TO_UNDO
    assert before == depth
    assert solo.table.seats[0].waste, "the first draw is still made"


@pytest.mark.parametrize("game", ["russian", "yukon"])
def test_russian_and_yukon_undo_100(game: str) -> None:
    assert rules(game).undo_depth == 100


@pytest.mark.parametrize("game", SOLO_GAMES)
def test_nothing_left_to_undo_is_a_typed_refusal(game: str) -> None:
    assert _refusal(SoloGame(deal(game)), "undo") is Reason.NOTHING_TO_UNDO
    assert _refusal(SoloGame(deal(game)), "redo") is Reason.NOTHING_TO_REDO


def test_redo_makes_the_undone_commands_again_until_the_next_command() -> None:
    # D36
    game = _game("stock (2s 9h)\nc1 9s\nc2 Th")
    _make(game, "d", "d")
    game.undo(0)
    game.undo(0)
    game.redo(0)
    assert game.table.seats[0].waste == read_table("waste 9h", rules("klondike")).seats[0].waste
    _make(game, "c1:1>c2")
    assert _refusal(game, "redo") is Reason.NOTHING_TO_REDO


def test_a_refused_command_leaves_undo_and_redo_as_they_were() -> None:
    game = _game("stock (2s 9h)\nc1 9s\nc2 Ts")
    _make(game, "d")
    game.undo(0)
    with pytest.raises(IllegalMoveError):
        _make(game, "c1:1>c2")
    game.redo(0)
    game.undo(0)


def test_undo_all_and_redo_all_come_to_the_same_position() -> None:
    random = Random(4)
    game = SoloGame(deal("klondike", 9))
    made = 0
    for _ in range(100):
        game.play(random.choice(legal_moves(game.table)), 0)
        made += 1
    end = game.table.copy()
    for _ in range(made):
        game.undo(0)
    for _ in range(made):
        game.redo(0)
    end.seats[0].moves = game.table.seats[0].moves
    assert game.table == end


def test_there_is_no_undo_after_the_game_is_won() -> None:
    # D38
    game = _game("foundations As..Ks | Ah..Kh | Ad..Kd | Ac..Qc\nc1 Kc")
    _make(game, "c1>f")
    assert game.won
    assert _refusal(game, "undo") is Reason.GAME_OVER
    assert _refusal(game, "redo") is Reason.GAME_OVER
    with pytest.raises(IllegalMoveError) as refused:
        _make(game, "f:h>c1")
    assert refused.value.reason is Reason.GAME_OVER


def test_a_two_player_game_has_no_undo() -> None:
    # D39
    assert rules("double-klondike").undo_depth == 0
    assert _refusal(SoloGame(deal("double-klondike")), "undo") is Reason.NO_UNDO


def test_undo_does_not_give_back_the_time_that_has_passed() -> None:
    game = _game("stock (2s 9h)\nc1 Ah\ncounters score 100", "klondike/scoring=windows")
    game.play(Move.parse("d"), 0)
    game.undo(50)
    assert game.table.seats[0].score == 90


def test_the_bonus_of_a_win_is_paid_with_the_last_card() -> None:
    game = _game("foundations As..Ks | Ah..Kh | Ad..Kd | Ac..Qc\nc1 Kc", "klondike/scoring=windows")
    game.play(Move.parse("c1>f"), 100)
    assert game.table.seats[0].score == 10 + 7_000
