"""RULES.md 1: places, taps, hints and the finish button."""

from random import Random

import pytest

from acerace_rules.hints import double_tap, finishing_moves, hint, places, tap
from acerace_rules.legal import legal_moves
from acerace_rules.moves import IllegalMoveError, Kind, Move, Reason
from acerace_rules.play import play
from acerace_rules.table import Table
from acerace_rules.view import view
from tests.rules.support import ALL_GAMES, EVERY_MOVEMENT, deal, do, position, walk


def _text(move: Move | None) -> str | None:
    return None if move is None else str(move)


def _twice(picture: str, pile: str, game: str = "klondike") -> str | None:
    return _text(double_tap(position(picture, game), 0, pile))


# --- places ------------------------------------------------------------------------------------------------

PLACES = """
    foundations  Ah..6h | As..3s
    waste  4s
    c1  (2c) Ts 9h 8s
    c2  9d
    c3  Jd
    c4  7s
    c5  5d
    c6  7h
"""


@pytest.mark.parametrize(
    ("pile", "expected"),
    [
        ("w", ["w>f", "w>c5"]),
        ("c1", ["c1:1>c2"]),
        ("c1:1", ["c1:1>c2"]),
        ("c1:2", []),
        ("c1:3", ["c1:3>c3"]),
        ("c1:4", []),
        ("c6", ["c6>f", "c6:1>c1"]),
        ("c7", []),
        ("f:h", ["f:h>c4"]),
        ("f:h1", ["f:h>c4"]),
        ("f:h2", []),
        ("f:s", []),
        ("f:d", []),
    ],
)
def test_the_places_of_a_lifted_card_are_its_legal_moves(pile: str, expected: list[str]) -> None:
    assert [str(move) for move in places(position(PLACES), 0, pile)] == expected


@pytest.mark.parametrize(("pile", "expected"), [("f:h", []), ("f:h1", ["f:h1>c1"]), ("f:h2", ["f:h2>c2"])])
def test_with_two_tops_a_lifted_foundation_card_is_named_by_its_slot(pile: str, expected: list[str]) -> None:
    table = position("foundations Ah..5h | Ah'..3h'\nc1 6s\nc2 4c", "double-solitaire")
    assert [str(move) for move in places(table, 0, pile)] == expected


@pytest.mark.parametrize("pile", ["", "x", "c", "c0", "c10", "c1:0", "f", "f:x", "f:h3", "c1>f", "W"])
def test_text_that_names_no_pile_is_refused(pile: str) -> None:
    for ask in (places, tap, double_tap):
        with pytest.raises(IllegalMoveError) as refused:
            ask(position(PLACES), 0, pile)
        assert refused.value.reason is Reason.UNREADABLE_MOVE


@pytest.mark.parametrize("game", EVERY_MOVEMENT)
def test_every_legal_move_but_draw_and_recycle_is_in_the_places_of_its_source(game: str) -> None:
    # R22
    table = deal(game, 8)
    for number in range(20):
        walk(table, Random(number), 8)
        for seat in range(len(table.seats)):
            for move in legal_moves(table, seat):
                if move.kind not in {Kind.DRAW, Kind.RECYCLE}:
                    source = str(move).partition(">")[0]
                    assert move in places(table, seat, source)


# --- tap and double tap (D73-D75, U3) ----------------------------------------------------------------------


def test_a_tap_sends_the_last_card_to_a_foundation_that_takes_it() -> None:
    table = position("waste As\nc1 Ah")
    assert _text(tap(table, 0, "w")) == "w>f"
    assert _text(tap(table, 0, "c1")) == "c1>f"


def test_a_tap_that_finds_no_foundation_does_nothing() -> None:
    table = position("foundations Ad\nwaste 9h\nc1 Ts\nc2 2d")
    assert tap(table, 0, "w") is None
    assert tap(table, 0, "c1") is None
    assert tap(table, 0, "f:d") is None


def test_a_foundation_comes_first() -> None:
    # U3
    assert _twice("foundations Ah..8h\nwaste 9h\nc1 Ts", "w") == "w>f"


def test_then_the_longest_column_its_hidden_cards_counted() -> None:
    assert _twice("waste 9h\nc1 Qd Js\nc2 Ts\nc3 (2s 3s 4s) Tc", "w") == "w>c3"


def test_of_columns_as_long_the_leftmost() -> None:
    assert _twice("waste 9h\nc1 8d\nc2 (2s) Ts\nc3 (3s) Tc", "w") == "w>c2"


def test_never_the_source() -> None:
    assert _twice("c1 (4d 5d) Ts 9h\nc2 Tc", "c1") == "c1:1>c2"
    assert _twice("c1 (4d 5d) Ts 9h", "c1") is None


def test_then_for_a_king_the_leftmost_empty_column() -> None:
    # D74
    assert _twice("waste Kh\nc1 9h\nc2 8h\nc4 7h", "w") == "w>c3"
    assert _twice("waste Qh\nc1 9h", "w") is None


@pytest.mark.parametrize("pile", ["c2", "c2:1"])
def test_a_king_that_is_a_whole_column_is_never_offered_an_empty_one(pile: str) -> None:
    # D3
    assert _twice("c2 Kh", pile) is None
    assert _twice("c2 (3s) Kh", pile) == "c2:1>c1"


@pytest.mark.parametrize("game", ["klondike", "easy-harp"])
def test_nor_is_a_king_run_that_is_a_whole_column(game: str) -> None:
    assert _twice("c2 Kh Qs", "c2:2", game) is None
    assert _twice("c2 (3s) Kh Qs", "c2:2", game) == "c2:2>c1"


@pytest.mark.parametrize(("game", "on"), [("russian", "9h"), ("yukon", "9s")])
def test_in_russian_and_yukon_the_tapped_card_moves_with_all_that_lies_on_it(game: str, on: str) -> None:
    # D75
    picture = f"c1 (2c) 4s 8h Kd Ah\nc2 {on}"
    assert _twice(picture, "c1:3", game) == "c1:3>c2"
    assert _twice(picture, "c1:2", game) == "c1:2>c3"


def test_to_a_foundation_only_if_it_is_the_last_card() -> None:
    # D75
    table = position("foundations Ah\nc1 2h 9s\nc2 3h", "russian")
    assert tap(table, 0, "c1:2") is None
    assert _text(double_tap(table, 0, "c1:2")) == "c1:2>c2"


@pytest.mark.parametrize("game", ALL_GAMES)
def test_a_tap_on_any_card_is_a_legal_move_or_none(game: str) -> None:
    # R25: on more than 500 random positions in all
    for number in range(12):
        table = deal(game, number)
        for step in range(8):
            walk(table, Random(step), 12)
            for seat in range(len(table.seats)):
                _tap_every_card(table, seat)


def _tap_every_card(table: Table, seat: int) -> None:
    legal = {None, *legal_moves(table, seat)}
    seen = view(table)
    piles = ["w", *(f"f:{suit}{slot}" for suit in "shdc" for slot in ("", "1", "2"))]
    for number, column in enumerate(table.seats[seat].columns, 1):
        piles += [f"c{number}", *(f"c{number}:{count}" for count in range(1, len(column) + 1))]
    for pile in piles:
        once, twice = tap(table, seat, pile), double_tap(table, seat, pile)
        assert {once, twice} <= legal
        assert once is None or once == twice
        assert (once, twice) == (tap(seen, seat, pile), double_tap(seen, seat, pile))


# --- hints -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        # an ace or a two goes up at once, a card that might still be wanted below does not
        ("waste 9h\nc1 Ts\nc2 As", "c2>f"),
        ("foundations Ah | As\nc1 2h\nc2 (9c) 4d\nc3 5s", "c1>f"),
        ("foundations Ah..4h | As..4s | Ac..4c\nc1 5h\nc2 (9c) Td\nc3 Js", "c1>f"),
        ("foundations Ah..4h | As..4s | Ac..3c\nc1 5h\nc2 (9c) Td\nc3 Js", "c2:1>c3"),
        # the column with the most hidden cards
        ("c1 (2s) 9h\nc2 (2c 3c) 9d\nc3 Ts\nwaste Jh", "c2:1>c3"),
        ("foundations Ah..4h\nc1 (9c) 5h\nc2 Ts\nc3 9d", "c1>f"),
        # a king from the waste to a space
        ("waste Kh\nc1 9h", "w>c2"),
        # a space for a king
        ("waste Kh\nc1 8h\nc2 Ts\nc3 Td\nc4 Tc\nc5 Jh\nc6 Jd\nc7 Jc", "c2:1>c5"),
        # the longest column
        ("waste 9h\nc1 Ts\nc2 (3c) Tc", "w>c2"),
        # a column before a foundation that it might regret
        ("foundations Ah..4h\nwaste 5h\nc1 6s", "w>c1"),
        ("foundations Ah..4h\nwaste 5h\nc1 9s", "w>f"),
        # a card bared for the foundation
        ("foundations Ah..6h\nc1 7h 6s\nc2 7d\nstock (Kd)", "c1:1>c2"),
        ("stock (2s)\nc1 9h", "d"),
        # a recycle only if the new pass offers something
        ("waste 9h 2s\nc1 Ts", "r"),
        ("waste 9h 2s\nc1 Tc\nc2 Jd", "r"),
        ("waste 9h 2s\nc1 5d", None),
        ("", None),
    ],
)
def test_the_hint_is_the_best_of_its_ranking(picture: str, expected: str | None) -> None:
    assert _text(hint(position(picture), 0)) == expected


def test_draw_3_recycles_only_for_a_card_that_the_new_pass_offers() -> None:
    assert hint(position("waste 9h 2s 3s 4s\nc1 Ts", "klondike-three-unlimited"), 0) is None
    assert _text(hint(position("waste 2s 3s 9h 4s\nc1 Ts", "klondike-three-unlimited"), 0)) == "r"


def test_russian_joins_a_card_to_the_one_that_it_fits() -> None:
    assert _text(hint(position("c1 4s 8h Kd\nc2 9h", "russian"), 0)) == "c1:1>c3"
    assert _text(hint(position("c1 4s 8h 2d\nc2 9h", "russian"), 0)) == "c1:2>c2"


def test_in_a_race_every_foundation_play_comes_first() -> None:
    table = position("foundations Ah..4h\nseat 1\nc1 5h\nc2 (9c) Td\nc3 Js", "double-klondike")
    assert _text(hint(table, 0)) == "c1>f"


@pytest.mark.parametrize("picture", ["c1 Kh", "c1 Kh Qs", "c1 7h 6s\nc2 7d", "foundations Ah..5h\nc1 6s"])
def test_a_move_that_changes_nothing_is_no_hint(picture: str) -> None:
    assert hint(position(picture), 0) is None


@pytest.mark.parametrize("game", EVERY_MOVEMENT)
def test_following_the_hints_never_goes_in_a_circle_and_needs_no_hidden_card(game: str) -> None:
    for number in range(4):
        table = deal(game, number)
        for _ in range(2500):
            move = hint(table, 0)
            assert move == hint(view(table), 0)
            if move is None:
                break
            assert move.kind is not Kind.FOUNDATION_TO_COLUMN
            play(table, 0, move)
        else:
            pytest.fail("the hints go in a circle")


# --- the finish button -------------------------------------------------------------------------------------

ALMOST = """
    foundations  As..9s | Ah..Th | Ad..Jd | Ac..Tc
    stock  (Js)
    waste  Kh Qh Kd Ts Ks
    c1  Kc Qd Jc
    c2  Qc Jh
    c3  Qs
"""
IN_THREES = ALMOST.replace("As..9s", "As..Ts").replace("(Js)", "(Kd Js Ks)").replace("Kh Qh Kd Ts Ks", "Kh Qh")


@pytest.mark.parametrize(
    ("picture", "game", "recycles"),
    [(ALMOST, "klondike", 1), (ALMOST, "klondike-limited", 1), (IN_THREES, "klondike-three", 0)],
)
def test_the_finish_button_wins_by_foundation_plays_draws_and_recycles(picture: str, game: str, recycles: int) -> None:
    table = position(picture, game)
    moves = finishing_moves(table, 0)
    assert moves is not None
    assert table == position(picture, game)
    do(table, *map(str, moves))
    assert table.won
    assert table.seats[0].recycles == recycles
    kinds = {Kind.DRAW, Kind.RECYCLE, Kind.WASTE_TO_FOUNDATION, Kind.COLUMN_TO_FOUNDATION}
    assert {move.kind for move in moves} <= kinds


@pytest.mark.parametrize(
    ("picture", "game"),
    [
        pytest.param("stock (3s)\nc1 As", "klondike", id="nothing goes up"),
        pytest.param(ALMOST.replace("Qc Jh", "(Qc) Jh"), "klondike", id="a hidden card in a column"),
        pytest.param(ALMOST.replace("(Js)", "(??)"), "klondike", id="the stock of a view"),
        pytest.param(ALMOST, "klondike-single", id="no pass left"),
        pytest.param(ALMOST, "klondike-three", id="never on top of a draw of three"),
        pytest.param("foundations As..Ks | Ah..Kh | Ad..Kd | Ac..Kc", "klondike", id="won already"),
        pytest.param("foundations Ah\nseat 1\nc1 2h", "double-klondike", id="two players are not helped home"),
    ],
)
def test_without_a_sure_win_there_is_no_finish_button(picture: str, game: str) -> None:
    assert finishing_moves(position(picture, game), 0) is None
