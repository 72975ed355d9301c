"""Finding an opponent (N16, N17)."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acerace_protocol.limits import (
    LISTED_MAX,
    PAIRING_POINTS,
    PAIRING_POINTS_PER_SECOND,
    SEEKS_MAX,
    Fault,
)
from acerace_rules.options import Value
from acerace_server.core.catalogue import chosen_options
from acerace_server.core.lobby import Lobby, OpenSeek, Pairing, Seeker, Wish
from acerace_server.core.refusal import RefusalError
from tests.server.core.support import SECOND, START

DUEL = "double-klondike"


def lobby() -> Lobby:
    return Lobby(Random(1).randbytes)


def wish(options: dict[str, Value], *, private: bool = False, rated: bool = False, game: str = DUEL) -> Wish:
    key, chosen = chosen_options(game, options, seats=2)
    return Wish(key, chosen, private, rated)


def seek(where: Lobby, player: str, *, private: bool = False, **options: Value) -> OpenSeek | Pairing:
    return where.seek(Seeker(player, player.title()), wish(options, private=private), 1500, START)


def opened(where: Lobby, player: str, *, private: bool = False, **options: Value) -> OpenSeek:
    found = seek(where, player, private=private, **options)
    assert isinstance(found, OpenSeek)
    return found


def rated(where: Lobby, player: str, strength: int, at_s: float = 0, *, bot: bool = False) -> OpenSeek | Pairing:
    seeker = Seeker(player, player.title(), bot, strength)
    return where.seek(seeker, wish({}, rated=True), strength, START + round(at_s * SECOND))


def after_s(where: Lobby) -> float | None:
    """In how many seconds from the start somebody is paired, if nothing changes."""
    due = where.deadline()
    return None if due is None else (due - START) / SECOND


def fault(error: pytest.ExceptionInfo[RefusalError]) -> Fault:
    return error.value.fault


def test_two_who_want_the_same_are_paired_the_first_in_seat_0() -> None:
    where = lobby()
    opened(where, "ada", draw=3)
    pairing = seek(where, "bruno", draw=3)
    assert isinstance(pairing, Pairing)
    assert (pairing.players, pairing.options["draw"]) == (("ada", "bruno"), 3)
    assert len(where) == 0


def test_who_says_a_default_wants_what_one_wants_who_does_not() -> None:
    where = lobby()
    opened(where, "ada")
    assert isinstance(seek(where, "bruno", draw=1, pace="simultaneous"), Pairing)


def test_two_who_want_otherwise_are_not() -> None:
    where = lobby()
    opened(where, "ada", draw=3)
    opened(where, "bruno", draw=1)
    assert [info.seek for info in where.listed()] == [where.withdraw(player).key for player in ("ada", "bruno")]  # type: ignore[union-attr]


def test_the_oldest_seek_is_taken_first() -> None:
    where = lobby()
    for player in ("ada", "bruno"):
        opened(where, player, draw=1 if player == "ada" else 3)
    assert where.accept("carla", where.listed()[0].seek).players == ("ada", "carla")


def test_an_invitation_is_for_who_has_its_code() -> None:
    where = lobby()
    invitation = opened(where, "ada", private=True)
    assert where.listed() == ()
    opened(where, "bruno")  # not paired with it
    pairing = where.accept("carla", f" {invitation.key.lower()} ")
    assert pairing.players == ("ada", "carla")
    assert pairing.seek.private


def test_an_invitation_does_not_take_an_open_seek() -> None:
    where = lobby()
    opened(where, "ada")
    opened(where, "bruno", private=True)


def test_one_seek_a_player() -> None:
    where = lobby()
    opened(where, "ada")
    with pytest.raises(RefusalError) as error:
        seek(where, "ada", draw=3)
    assert fault(error) == Fault.ALREADY_SEEKING


def test_one_cannot_play_oneself() -> None:
    where = lobby()
    with pytest.raises(RefusalError) as error:
        where.accept("ada", opened(where, "ada").key)
    assert fault(error) == Fault.OWN_SEEK
    assert len(where) == 1


def test_a_seek_that_is_taken_or_withdrawn_is_gone() -> None:
    where = lobby()
    key = opened(where, "ada").key
    assert where.withdraw("ada") is not None
    assert where.withdraw("ada") is None
    with pytest.raises(RefusalError) as error:
        where.accept("bruno", key)
    assert fault(error) == Fault.NO_SUCH_SEEK


@pytest.mark.parametrize(
    ("game", "options", "expected"),
    [
        ("chess", {}, Fault.NO_SUCH_GAME),
        ("klondike", {}, Fault.NO_SUCH_GAME),  # for one
        (DUEL, {"draw": 2}, Fault.BAD_OPTIONS),
        (DUEL, {"colour": "blue"}, Fault.BAD_OPTIONS),
        (DUEL, {"grace_s": 1}, Fault.BAD_OPTIONS),
        (DUEL, {"mirror": 1}, Fault.BAD_OPTIONS),
    ],
)
def test_what_does_not_exist_cannot_be_sought(game: str, options: dict[str, Value], expected: Fault) -> None:
    with pytest.raises(RefusalError) as error:
        wish(options, game=game)
    assert fault(error) == expected


def test_there_is_a_limit_and_the_list_has_one_of_its_own() -> None:
    where = lobby()
    for number in range(SEEKS_MAX):
        opened(where, f"p{number}", grace_s=5 + number % 500, no_progress_s=10 + number // 500)
    assert len(where.listed()) == LISTED_MAX
    with pytest.raises(RefusalError) as error:
        seek(where, "one more")
    assert fault(error) == Fault.TOO_MANY


# --- handicaps (D28) ---------------------------------------------------------------------------------------


def test_with_a_handicap_each_gets_the_part_that_was_sought() -> None:
    where = lobby()
    opened(where, "ada", draw=1, second_draw=3)
    opened(where, "bruno", draw=1, second_draw=3)  # wants to be the one who draws 1, as ada does
    pairing = seek(where, "carla", draw=3, second_draw=1)
    assert isinstance(pairing, Pairing)
    assert pairing.players == ("ada", "carla")
    assert (pairing.options["draw"], pairing.options["second_draw"]) == (1, 3)


def test_a_handicap_is_not_rated() -> None:
    where = lobby()
    with pytest.raises(RefusalError) as error:
        where.seek(Seeker("ada", "Ada"), wish({"second_draw": 3}, rated=True), 1500, START)
    assert fault(error) == Fault.BAD_OPTIONS


# --- rated -------------------------------------------------------------------------------------------------


def test_rated_players_of_like_rating_are_paired_at_once() -> None:
    where = lobby()
    rated(where, "ada", 1500)
    pairing = rated(where, "bruno", 1500 + PAIRING_POINTS)
    assert isinstance(pairing, Pairing)
    assert pairing.players == ("ada", "bruno")
    assert pairing.seek.info.rating == 1500


def test_others_when_one_of_them_has_waited_long_enough() -> None:
    where = lobby()
    rated(where, "ada", 1500)
    rated(where, "bruno", 1500 + PAIRING_POINTS + 10 * PAIRING_POINTS_PER_SECOND, at_s=4)
    assert after_s(where) == 10
    assert where.due(START + 10 * SECOND - 1) is None
    pairing = where.due(START + 10 * SECOND)
    assert pairing is not None
    assert pairing.players == ("ada", "bruno")
    assert (len(where), where.deadline()) == (0, None)


def test_who_comes_to_one_who_has_waited_long_enough_is_paired_at_once() -> None:
    where = lobby()
    rated(where, "ada", 1500)
    assert isinstance(rated(where, "bruno", 3000, at_s=100), Pairing)


def test_the_nearest_is_taken_not_the_oldest() -> None:
    where = lobby()
    rated(where, "ada", 1000)
    rated(where, "bruno", 1400, at_s=1)
    pairing = rated(where, "carla", 1350, at_s=14)
    assert isinstance(pairing, Pairing)
    assert pairing.players == ("bruno", "carla")


def test_rated_and_casual_people_and_bots_are_not_paired_with_each_other() -> None:
    where = lobby()
    opened(where, "ada")
    assert isinstance(rated(where, "bruno", 1500), OpenSeek)
    assert isinstance(rated(where, "robot", 1500, bot=True), OpenSeek)
    assert where.deadline() is None
    bruno = next(open_seek for open_seek in where if open_seek.player == "bruno")
    with pytest.raises(RefusalError) as error:
        where.accept("robot", bruno.key, bot=True)
    assert fault(error) == Fault.NOT_ALLOWED
    assert where.accept("carla", bruno.key).seek.wish.rated


def test_whoever_seeks_a_casual_match_is_never_seated_at_a_rated_one() -> None:
    where = lobby()
    assert isinstance(rated(where, "bruno", 1500), OpenSeek)
    opened(where, "ada")
    assert len(where) == 2


def test_a_casual_seek_is_for_people_and_bots_alike() -> None:
    where = lobby()
    assert where.accept("robot", opened(where, "ada").key, bot=True).players == ("ada", "robot")


def test_who_leaves_while_pairing_is_paired_with_nobody() -> None:
    where = lobby()
    rated(where, "ada", 1500)
    rated(where, "bruno", 1900)
    rated(where, "carla", 2400)
    first = after_s(where)
    where.withdraw("bruno")
    second = after_s(where)
    assert first is not None
    assert second is not None
    assert first < second
    where.withdraw("ada")
    assert where.deadline() is None


@given(st.lists(st.tuples(st.integers(500, 2500), st.integers(0, 60)), max_size=8))
def test_the_first_to_meet_are_the_first_of_all_pairs(comers: list[tuple[int, int]]) -> None:
    where = lobby()
    there: dict[str, OpenSeek] = {}
    for number, (strength, at_s) in enumerate(sorted(comers, key=lambda comer: comer[1])):
        due = where.due(START + at_s * SECOND)
        while due is not None:
            for player in due.players:
                del there[player]
            due = where.due(START + at_s * SECOND)
        found = rated(where, f"p{number}", strength, at_s)
        if isinstance(found, Pairing):
            del there[found.players[0]]
        else:
            there[found.player] = found
    pairs = [one.meets_at(other) for one, other in combinations(there.values(), 2)]
    assert where.deadline() == min(pairs, default=None)
