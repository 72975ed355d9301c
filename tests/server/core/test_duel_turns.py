"""Taking turns (RULES.md 6, D49, D58-D61)."""

from acerace_protocol.messages import Ask, Passed, Resign
from acerace_rules.cards import rank_of
from acerace_rules.moves import Reason
from tests.server.core.support import TABLE, A, B, Duel, reason

EACH_HAS_MOVES = """
seat 1
  c1 Ah
  c2 9s
  c3 8d
  stock (3c 2c 9c 5c)
seat 2
  c1 Ad
  c2 9s
  c3 8d
  stock (3c 2c 9c 5c)
"""


def taking_turns(picture: str = EACH_HAS_MOVES, *, turn: str = "draw", first: int = A, passes: str | int = 1) -> Duel:
    return Duel(picture, first=first, pace="alternating", turn=turn, passes=passes)


def test_the_lower_card_on_the_first_column_begins() -> None:
    # D58
    for number in range(40):
        duel = Duel(dealt=False, pace="alternating")
        duel.ready(A, f"{number:04x}")
        duel.ready(B)
        first = [[rank_of(column[-1]) for column in seat.columns] for seat in duel.match.dealt.seats]
        differing = next(index for index in range(7) if first[A][index] != first[B][index])
        assert duel.turn == int(first[B][differing] < first[A][differing])


def test_when_all_are_equal_the_seed_decides() -> None:
    # D58; in a mirror deal they always are
    begins: set[int | None] = set()
    for number in range(40):
        duel = Duel(dealt=False, pace="alternating", mirror=True)
        duel.ready(A, f"{number:04x}")
        duel.ready(B)
        begins.add(duel.turn)
    assert begins == {A, B}


def test_a_turn_is_any_number_of_moves() -> None:
    duel = taking_turns()
    event = duel.plays(A, "c1>f", "c3:1>c2")
    assert event.turn == A
    assert duel.refused(B, "c1>f") == Reason.NOT_YOUR_TURN


def test_a_draw_ends_the_turn() -> None:
    # D59: the card is first playable next turn
    duel = taking_turns()
    assert duel.plays(A, "d").turn == B
    assert duel.refused(A, "w>c1") == Reason.NOT_YOUR_TURN
    duel.plays(B, "c1>f", "d")
    assert duel.turn == A


def test_a_pass_ends_the_turn_and_is_always_allowed() -> None:
    # D61
    duel = taking_turns()
    passed = duel.passes(A)
    assert isinstance(passed, Passed)
    assert (passed.seat, passed.turn) == (A, B)
    assert reason(duel.passes(A)) == Reason.NOT_YOUR_TURN
    duel.plays(B, "c1>f")
    assert isinstance(duel.passes(B), Passed)


def test_a_recycle_does_not_end_the_turn() -> None:
    # D60
    duel = taking_turns("seat 1\n waste Ks Ts\n c1 8d\n c2 9c\nseat 2\n c1 Ad\n stock (2c)", passes="unlimited")
    assert duel.plays(A, "r").turn == A
    duel.plays(A, "c1:1>c2", "d")
    duel.passes(B)
    duel.plays(A, "d")
    duel.passes(B)
    assert duel.plays(A, "r").turn == A  # one a turn, not one a match


def test_the_second_recycle_of_a_turn_is_refused_as_such() -> None:
    # With an empty waste there is nothing to recycle; so in one turn it takes a bicycle to come to a second.
    duel = taking_turns("seat 1\n waste Ah\n c1 8d\nseat 2\n c1 Ad\n stock (2c)", turn="bicycle", passes="unlimited")
    duel.plays(A, "r", "d")
    assert duel.refused(A, "r") == Reason.ONLY_DRAWN_CARD
    duel.plays(A, "w>f")
    assert duel.refused(A, "r") == Reason.RECYCLED_THIS_TURN


def test_done_may_be_said_out_of_turn() -> None:
    duel = taking_turns()
    duel.done(B)
    duel.done(A)
    assert duel.ended.reason == "agreed"


# --- bicycle -----------------------------------------------------------------------------------------------


def test_with_bicycle_one_goes_on_with_the_drawn_card() -> None:
    duel = taking_turns(turn="bicycle")
    duel.plays(A, "c1>f", "d")
    assert duel.turn == B  # the five of clubs goes nowhere
    duel.passes(B)
    duel = taking_turns("seat 1\n c1 Th\n c2 9s\n c3 8d\n stock (2c 9c)\nseat 2\n c1 Ad", turn="bicycle")
    assert duel.plays(A, "d").turn == A
    assert duel.refused(A, "c3:1>c2") == Reason.ONLY_DRAWN_CARD
    assert duel.refused(A, "d") == Reason.ONLY_DRAWN_CARD
    assert duel.plays(A, "w>c1").turn == A
    duel.plays(A, "c3:1>c2", "d")
    assert duel.turn == B


def test_with_bicycle_one_may_still_pass() -> None:
    duel = taking_turns("seat 1\n c1 Th\n stock (2c 9c)\nseat 2\n c1 Ad", turn="bicycle")
    duel.plays(A, "d")
    assert isinstance(duel.passes(A), Passed)
    assert duel.turn == B
    duel.passes(B)
    duel.plays(A, "w>c1")  # what was drawn last turn may be played in this one, like anything else


def test_the_legal_moves_one_is_told_are_those_of_ones_turn() -> None:
    duel = taking_turns("seat 1\n c1 Th\n c2 9s\n c3 8d\n stock (2c 9c)\nseat 2\n c1 Ad", turn="bicycle")
    assert duel.match.legal(B).moves == ()
    assert set(duel.match.legal(A).moves) == {"c3:1>c2", "c2:1>c1", "d"}
    duel.plays(A, "d")
    assert duel.match.legal(A).moves == ("w>c1",)


def test_the_places_one_is_told_are_those_of_ones_turn() -> None:
    duel = taking_turns("seat 1\n c1 Th\n c2 9s\n c3 8d\n stock (2c 9c)\nseat 2\n c1 Ad", turn="bicycle")

    def places(seat: int, pile: str) -> tuple[str, ...]:
        return duel.match.advise(seat, Ask(table=TABLE, nonce=1, about="places", pile=pile)).moves

    assert (places(A, "c3"), places(B, "c1")) == (("c3:1>c2",), ())
    duel.plays(A, "d")
    assert (places(A, "c3"), places(A, "w")) == ((), ("w>c1",))
    duel.send(A, Resign(table=TABLE, nonce=99))
    assert places(A, "w") == ()


def test_a_recycle_that_would_be_refused_is_not_told_as_legal() -> None:
    duel = taking_turns("seat 1\n waste Ah\n c1 8d\nseat 2\n c1 Ad\n stock (2c)", turn="bicycle", passes="unlimited")
    duel.plays(A, "r", "d")
    assert duel.match.legal(A).moves == ("w>f",)


# --- two rounds of nothing ---------------------------------------------------------------------------------

NO_USE = """
seat 1
  c1 5h
  c2 5d
  stock (9c 9s)
seat 2
  c1 Ad
  stock (9c 9s)
"""


def test_two_rounds_in_which_both_saw_their_whole_stock_end_it() -> None:
    # D49
    duel = taking_turns(NO_USE)
    for _ in range(2):
        duel.plays(A, "d")
        duel.plays(B, "d")
    assert duel.ended.reason == "agreed"


def test_passing_without_having_seen_the_stock_does_not() -> None:
    duel = taking_turns(NO_USE)
    for _ in range(5):
        duel.passes(A)
        duel.passes(B)
    assert duel.match.phase == "playing"


def test_one_who_has_no_card_left_to_see_may_pass() -> None:
    duel = taking_turns("seat 1\n c1 5h\nseat 2\n c1 Ad\n stock (9c 9s)")
    duel.passes(A)
    duel.plays(B, "d")
    duel.passes(A)
    duel.plays(B, "d")
    assert duel.ended.reason == "agreed"


def test_two_rounds_are_counted_from_the_turn_after_the_last_play() -> None:
    duel = taking_turns("seat 1\n c1 5h\n c2 6c\nseat 2\n c1 Ad")  # no stock, so all of it has been seen
    for seat in (A, B):
        duel.passes(seat)
    duel.plays(A, "c1:1>c2")  # so this turn is none of nothing
    for seat in (A, B, A, B):
        duel.passes(seat)
        assert duel.match.phase == "playing"
    duel.passes(A)
    assert duel.ended.reason == "agreed"


def test_what_was_seen_of_the_stock_is_counted_from_the_last_play_too() -> None:
    each = "c1 5h\n c2 6c\n c3 Ad\n stock (9c 9s)\n"
    duel = taking_turns(f"seat 1\n {each}seat 2\n {each}", passes="unlimited")
    duel.plays(A, "d")
    duel.plays(B, "d")
    duel.plays(A, "c1:1>c2", "d")
    duel.plays(B, "d")
    for seat in (A, B) * 3:
        duel.passes(seat)
    assert duel.match.phase == "playing"  # each has seen one card of two since
    for seat in (A, B):
        duel.plays(seat, "r", "d")
    assert duel.ended.reason == "agreed"


def test_who_may_not_go_through_the_stock_again_has_seen_it() -> None:
    each = "c1 5h\n c2 6c\n c3 Ad\n stock (9c)\n"
    duel = taking_turns(f"seat 1\n {each}seat 2\n {each}", passes=1)
    duel.plays(A, "d")
    duel.plays(B, "d")
    duel.plays(A, "c1:1>c2")
    for seat in (A, B, A, B):
        duel.passes(seat)
    assert duel.match.phase == "playing"
    duel.passes(A)
    assert duel.ended.reason == "agreed"


def test_it_ends_with_a_pass_as_well_as_with_a_draw() -> None:
    duel = taking_turns("seat 1\n c1 5h\n stock (9c 9s)\nseat 2\n c1 Ad")
    duel.plays(A, "d")
    duel.passes(B)
    duel.plays(A, "d")
    duel.passes(B)
    assert (duel.ended.reason, duel.ends) == ("agreed", 1)


def test_any_other_play_begins_the_count_anew() -> None:
    each = "c1 5h\n c2 6c\n c3 Ad\n stock (9c 9s)\n"
    for between in ([], ["c1:1>c2"]):
        duel = taking_turns(f"seat 1\n {each}seat 2\n {each}", passes="unlimited")
        duel.plays(A, "d")
        duel.plays(B, "d")
        duel.plays(A, *between, "d")
        duel.plays(B, "d")
        assert duel.match.phase == ("playing" if between else "over")
