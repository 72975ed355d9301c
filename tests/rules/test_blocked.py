"""RULES.md 7: when nothing can change any more (D48; faults R19, R20, R24)."""

from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random

import pytest

from acerace_rules.blocked import BLOCKED_STATES_MAX, is_blocked
from acerace_rules.cards import DECK_SIZE, FACE
from acerace_rules.diagram import draw_table
from acerace_rules.legal import legal_moves
from acerace_rules.moves import Kind, Move
from acerace_rules.play import Played, play, play_checked, unplay
from acerace_rules.table import Table
from tests.rules import oracle
from tests.rules.oracle import Line, step_move
from tests.rules.support import deal, do, position, rules

STRICT = "klondike/take_back=False"
UNTOUCHED = {
    "c4": "(Qc) Kc",
    "c5": "(As) 2s",
    "c6": "(Ac) 2c",
    "c7": "(Ad) 2d",
    "c8": "(Ah) 2h",
    "c9": "(Kh) 2s'",
}
"""Columns from which and to which nothing goes, unless a test makes a place for their cards."""


def quiet(picture: str, game: str) -> Table:
    """The picture, with the columns that it does not draw in their quiet state."""
    drawn = {line.split()[0] for line in picture.splitlines() if line.strip()}
    names = [f"c{number + 1}" for number in range(len(rules(game).columns))]
    rest = [f"{name} {UNTOUCHED[name]}" for name in names if name not in drawn]
    return position("\n".join([picture, *rest]), game)


def blocked(picture: str, game: str = STRICT) -> bool:
    return is_blocked(quiet(picture, game), 0)


# --- the three kinds of progress ---------------------------------------------------------------------------


def test_a_seat_is_blocked_when_all_it_can_do_is_move_runs_to_and_fro() -> None:
    assert blocked("""
        c1  (3s) 9h 8s
        c2  (3c) 9d
        c3  (3d) 6c
    """)


def test_not_if_a_part_of_a_run_can_make_way_for_a_card_to_its_foundation() -> None:
    # clause (i), and R19: the partial run 8s has no other use
    assert not blocked("""
        foundations  Ah..8h
        c1  (3s) 9h 8s
        c2  (3c) 9d
        c3  (3d) 6c
    """)


def test_not_if_a_column_can_be_cleared_for_a_king_that_lies_on_a_hidden_card() -> None:
    # clause (ii): Kc to the column that Jh leaves
    assert not blocked("""
        c1  Jh
        c2  (3c) Qs
        c3  (3d) 6c
    """)


def test_not_if_a_column_can_be_cleared_for_a_king_of_the_waste() -> None:
    # clause (iii): Kd to the column that Jh leaves
    picture = """
        c1  Jh
        c2  (3c) Qs
        c3  (3d) 6c
        c4  Kc
    """
    assert not blocked("waste Kd" + picture)
    assert blocked("waste 9s" + picture)


def test_a_king_that_may_move_to_an_empty_column_is_worth_nothing() -> None:
    # D3
    assert blocked("""
        c1  -
        c2  (3c) 9d
        c3  (3d) 6c
        c4  Kc Qh Js
    """)


def test_what_is_offered_at_once_needs_no_search() -> None:
    assert not is_blocked(position("c1 (Kd) As"), 0, states_max=0)


def test_one_place_cannot_serve_two_cards() -> None:
    # 9h could leave 5h once 5d has left Tc, and 2d could go up once 5h has left: but both fives need the six
    picture = "foundations Ad\n c1 Tc 5d\n c3 2d 5h 9h\n c7 (Jd) 2h\n"
    thoughtful = "klondike/thoughtful=True,take_back=False"
    assert blocked(picture + "c2 6s", thoughtful)
    assert not blocked(picture + "c2 6s\n c4 6c", thoughtful)


def test_a_search_that_meets_too_many_arrangements_proves_nothing() -> None:
    picture = "foundations Ad\n c1 Tc 5d\n c3 2d 5h 9h\n c7 (Jd) 2h\n c2 6s"
    table = quiet(picture, "klondike/thoughtful=True,take_back=False")
    assert is_blocked(table, 0, states_max=3)
    assert not is_blocked(table, 0, states_max=2)


def test_a_seat_without_cards_is_blocked() -> None:
    assert is_blocked(position("seat 1", "double-klondike"), 0)


# --- what the stock can offer ------------------------------------------------------------------------------

WANTS_FIVE = """
    c1  (3s) 9h
    c2  (3c) 9d
    c3  (3d) 6c
"""


@pytest.mark.parametrize("place", ["stock (5h Ts Tc)", "stock (Ts 5h Tc)\n waste Td", "waste 5h Tc\n stock (Td)"])
def test_draw_1_offers_every_card(place: str) -> None:
    assert not blocked(WANTS_FIVE + place)


def test_in_the_last_pass_a_card_that_lies_under_others_in_the_waste_is_lost() -> None:
    single = "klondike/passes=1,take_back=False"
    assert not blocked(WANTS_FIVE + "waste Tc 5h\n stock (Td)", single)
    assert blocked(WANTS_FIVE + "waste 5h Tc\n stock (Td)", single)


def test_draw_3_offers_every_third_card_and_the_last_of_a_short_draw() -> None:
    # D18
    game = "klondike/draw=3,passes=1,take_back=False"
    assert not blocked(WANTS_FIVE + "stock (Js 5h Td Tc)", game)
    assert blocked(WANTS_FIVE + "stock (Js 9s 5h Tc)", game)
    assert not blocked(WANTS_FIVE + "stock (5h Js 9s Tc)", game)


def test_a_fresh_pass_may_offer_what_the_rest_of_this_one_does_not() -> None:
    # the waste shifts the count: Td Tc 5h, then Ts
    shifted = WANTS_FIVE + "waste Td\n stock (Ts 5h Tc)\n"
    assert not blocked(shifted, "klondike/draw=3,take_back=False")
    assert not blocked(shifted + "counters recycles 1", "klondike/draw=3,passes=3,take_back=False")
    assert blocked(shifted + "counters recycles 2", "klondike/draw=3,passes=3,take_back=False")
    assert blocked(shifted, "klondike/draw=3,passes=1,take_back=False")


def test_this_pass_may_offer_what_no_fresh_one_does() -> None:
    # 5h is a third card now, but in a fresh pass it follows one
    table = quiet(WANTS_FIVE + "waste Td\n stock (Js 5h Ts Tc)", "klondike/draw=3,take_back=False")
    assert not is_blocked(table, 0)
    do(table, "d")
    assert not is_blocked(table, 0)
    do(table, "d")
    assert is_blocked(table, 0)


def test_no_proof_is_built_on_a_card_that_nobody_knows() -> None:
    assert blocked(WANTS_FIVE + "stock (Ts)")
    assert not blocked(WANTS_FIVE + "stock (??)")
    assert blocked("c1 (??*3) 9h\n c2 (??) 9d\n c3 (??) 6c")  # these do not count


def test_a_dead_stock_is_seen_through_at_once_however_often_it_may_be_recycled() -> None:
    # R20
    table = quiet(WANTS_FIVE + "waste Td\n stock (Ts Tc Js)", "klondike")
    for move in ("d", "d", "d", "r", "d", "d"):
        assert is_blocked(table, 0)
        do(table, move)


# --- cards taken back --------------------------------------------------------------------------------------

FIVE_UP = """
    foundations  Ah..5h
    c2  (3c) 9d
    c3  (3d) 6c
"""


def test_to_take_a_card_back_and_return_it_is_no_progress() -> None:
    assert blocked(FIVE_UP + "c1 (3s) 9h", "klondike")


def test_but_a_card_taken_back_may_make_a_place_for_another() -> None:
    assert not blocked(FIVE_UP + "c1 (3s) 4c", "klondike")
    assert not blocked(FIVE_UP + "c1 (3s) 9h\n stock (Td 4s)", "klondike")
    assert blocked(FIVE_UP + "c1 (3s) 4c", STRICT)


def test_taking_back_goes_as_deep_as_there_are_places() -> None:
    # 6h to 7s, so that 5h can go to 6c, so that 4c can go there
    picture = "foundations Ah..6h\n c1 (3s) 4c\n c3 (3d) 6c\n"
    assert not blocked(picture + "c2 (3c) 7s", "klondike")
    assert blocked(picture + "c2 (3c) 9d", "klondike")


def test_to_change_one_of_two_identical_cards_for_the_other_is_no_progress() -> None:
    # D16: 5h comes back to 6c, then 5h' goes up
    changing = """
        foundations  Ah..5h
        c1  (3s) 6s 5h'
        c2  (3c) 6c
        c3  (3d) 9d
        c8  (Js) 2c'
    """
    assert blocked(changing, "double-solitaire")
    assert not blocked(changing.replace("9d", "4c"), "double-solitaire")


# --- other ways to lift cards ------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "is_so"), [("russian", True), ("russian/rule=flexible", False), ("yukon", True)])
def test_what_fits_where_is_the_games_own_building_rule(game: str, is_so: bool) -> None:
    # 5d can leave Tc only for 6h, and then 9c has a place
    assert is_so == blocked("c1 (3h) Tc 5d\n c2 (4h) 6h\n c3 (4c) 9c", game)


def test_in_russian_a_group_need_be_no_run() -> None:
    # 5d takes Jc along to 6d, and then 9c has a place
    assert not blocked("c1 (3h) Tc 5d Jc\n c2 (4h) 6d\n c3 (4c) 9c", "russian")
    assert blocked("c1 (3h) Tc 5d Jc\n c2 (4h) 6h\n c3 (4c) 9c", "russian")


def test_easy_harp_takes_a_run_away_card_by_card() -> None:
    one_by_one = "c1 (3s) 9h 8s\n c2 (3c) Ts\n"
    assert not blocked(one_by_one + "c3 (3d) Tc 9d", "easy-harp")
    assert blocked(one_by_one + "c3 (3d) 5c", "easy-harp")
    assert not blocked(one_by_one + "c3 (3d) 5c", "double-solitaire")


def test_easy_harp_moves_a_kings_run_as_a_block() -> None:
    # D10: Jh leaves a column empty for the king with Qd; with nothing under him that is worth nothing
    columns = "c1 Jh\n c2 (3c) Qs\n c3 (3d) 6c\n"
    assert not blocked(columns + "c4 (Qc) Kc Qd", "easy-harp")
    assert blocked(columns + "c4 Kc Qd", "easy-harp")


# --- against a search of everything ------------------------------------------------------------------------


def is_progress(table: Table, played: Played, up_at_start: Counter[int]) -> bool:
    """RULES.md 7, word for word; a card that was up at the start is put up *again* (is_blocked, on take-backs)."""
    match played.move.kind:
        case Kind.WASTE_TO_COLUMN | Kind.WASTE_TO_FOUNDATION:
            return True
        case Kind.COLUMN_TO_FOUNDATION:
            face = played.cards[0] & FACE
            return bool(played.turned) or cards_up(table)[face] > up_at_start[face]
        case _:
            return bool(played.turned)


def cards_up(table: Table) -> Counter[int]:
    return Counter(card & FACE for pile in table.foundations for card in pile)


def as_key(table: Table, seat: int) -> tuple[object, ...]:
    me = table.seats[seat]
    stock = table.variant.stock
    recycles = me.recycles if stock and stock.passes else 0
    return (
        tuple(map(bytes, me.columns)),
        tuple(map(bytes, table.foundations)) if table.variant.take_back else (),
        len(me.stock),
        recycles,
    )


def progress_is_reachable(table: Table, seat: int, positions_max: int) -> bool | None:
    """By trying every legal move from every position that they lead to; ``None`` if these are too many."""
    up_at_start = cards_up(table)
    queue = [table.copy()]
    seen = {as_key(table, seat)}
    for here in queue:  # grows while it is walked
        for move in legal_moves(here, seat):
            played = play_checked(here, seat, move)
            if is_progress(here, played, up_at_start):
                return True
            key = as_key(here, seat)
            if key not in seen:
                seen.add(key)
                queue.append(here.copy())
            unplay(here, played)
        if len(queue) > positions_max:
            return None
    return False


def without_progress_at_once(game: str, number: int) -> Iterator[tuple[Table, int]]:
    """Positions of one game, played at random but eagerly, in which no legal move is progress just now."""
    table = deal(game, number)
    random = Random(number)
    for step in range(400):
        if table.won:
            return
        seat = random.randrange(len(table.seats))
        moves = legal_moves(table, seat)
        progress = [move for move in moves if gets_on(table, seat, move)]
        if step % 80 == 79 and not progress and len(table.seats[seat].cards()) < DECK_SIZE * table.variant.decks:
            yield table, seat
        if progress and random.random() < 0.9:
            moves = progress
        elif Move(Kind.DRAW) in moves and random.random() < 0.7:
            moves = [Move(Kind.DRAW)]
        if moves:
            play(table, seat, random.choice(moves))


def gets_on(table: Table, seat: int, move: Move) -> bool:
    """Whether this move is progress, told without playing it."""
    me = table.seats[seat]
    if move.kind is Kind.COLUMN_TO_COLUMN:
        return 0 < me.down[move.source] == len(me.columns[move.source]) - move.size
    return move.kind in {Kind.WASTE_TO_COLUMN, Kind.WASTE_TO_FOUNDATION, Kind.COLUMN_TO_FOUNDATION}


KLONDIKES = [
    *(f"double-klondike/draw={draw},passes={passes}" for draw in (1, 3) for passes in ("unlimited", 1)),
    *(f"klondike/take_back=False,draw={draw},passes={passes}" for draw in (1, 3) for passes in ("unlimited", 3, 1)),
]
WITH_TAKE_BACK = [f"klondike/draw={draw},passes={passes}" for draw in (1, 3) for passes in ("unlimited", 3, 1)]
OTHERS = ["double-solitaire/draw=3,scoring=vegas", "klondike-thoughtful", "russian", "yukon", "easy-harp"]
COMPARED = dict.fromkeys(KLONDIKES, 88) | dict.fromkeys(WITH_TAKE_BACK, 24) | dict.fromkeys(OTHERS, 12)
"""Positions of each game, 1,084 in all. Take-backs make so many that fewer can be searched to the end."""

SEARCHED_MAX = BLOCKED_STATES_MAX // 2
"""An arrangement is one position or more: if these suffice for everything, the limit of is_blocked is not met."""

SOLVED = [
    *((f"klondike/draw={line.draw}", line) for line in oracle.klondike_lines()),
    *((f"double-solitaire/draw={line.draw}", line) for line in oracle.double_lines()),
    *(("easy-harp", line) for line in oracle.easy_harp_lines()),
    *(("russian", line) for line in oracle.russian_lines() if line.largest_group <= 20),
]


@pytest.mark.parametrize(("game", "positions"), COMPARED.items())
def test_the_answer_is_that_of_a_search_of_everything(game: str, positions: int) -> None:
    # R19: never blocked where anything is left; and always where nothing is
    compared = 0
    for number in count(1):
        for table, seat in without_progress_at_once(game, number):
            reachable = progress_is_reachable(table, seat, SEARCHED_MAX)
            if reachable is not None:
                assert is_blocked(table, seat) is not reachable, draw_table(table)
                compared += 1
        if compared >= positions:
            return


@pytest.mark.parametrize(("game", "line"), SOLVED, ids=[f"{game}: {line.name}" for game, line in SOLVED])
def test_no_position_from_which_another_program_wins_is_blocked(game: str, line: Line) -> None:
    # R24: one of these lines takes a card back right after putting it up
    table = line.table(rules(game))
    for step in line.steps:
        assert not is_blocked(table, 0), draw_table(table)
        if move := step_move(table, step):
            play(table, 0, move)
    assert table.won
