"""Replays of real games are true; whatever is changed in one is found, on its line."""

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from acerace_client.errors import ReplayError
from acerace_client.replays.checking import check, read, steps
from acerace_protocol.digest import digest
from acerace_protocol.messages import Play
from acerace_protocol.replay_text import Denied, Replay, Told, replay_text
from acerace_rules.catalogue import GAMES
from acerace_rules.shuffle import commitment
from tests.client.replayed import MS, Table, duel, solo

LETTERS = '0123456789abcdef>:=. "'
CHOICES: list[dict[str, str | int | bool]] = [
    {},
    {"mirror": True},
    {"draw": 3, "passes": 1},
    {"pace": "alternating"},
    {"pace": "alternating", "turn": "bicycle", "draw": 3, "mirror": True},
    {"clear_bonus": "cards", "play_on": True, "passes": 1},
    {"clear_bonus": "wins", "no_progress_s": 10},
    {"clock_s": 60, "second_draw": 3},
    {"grace_s": 5, "pace": "alternating", "no_progress_s": 3600},
    {"grace_s": 5, "no_progress_s": 20},
]


def told_again(table: Table) -> Replay:
    """A game's replay, by way of its file; it is true, and leads to the same position."""
    replay = read(replay_text(table.replay()))
    assert replay == table.replay()
    last = None
    for step in steps(replay):
        last = step.table
    assert (last is None) == (table.match.table is None)
    if last is not None and table.match.table is not None:
        assert last == table.match.table
        assert digest(last) == digest(table.match.table)
    return replay


@pytest.mark.parametrize("number", range(len(CHOICES)))
@pytest.mark.parametrize("seed", range(6))
def test_a_random_match_replays_to_the_same_position(seed: int, number: int) -> None:
    pause_ms = 900 if seed % 2 else 4000
    told_again(duel(seed, **CHOICES[number]).play(300, pause_ms=pause_ms))


@pytest.mark.parametrize("game", [key for key, game in GAMES.items() if game.seats == 1])
@pytest.mark.parametrize("seed", range(3))
def test_a_random_solo_game_replays_to_the_same_position(seed: int, game: str) -> None:
    told_again(solo(seed, game).play(150))


@pytest.mark.parametrize("scoring", ["windows", "vegas", "none"])
def test_every_scoring_is_checked(scoring: str) -> None:
    told_again(solo(4, "klondike", scoring=scoring).play(150, pause_ms=9000))


def test_the_kinds_of_ending_and_of_entry_have_all_been_met() -> None:
    """So that the tests above are about what they seem to be about."""
    replays = [
        duel(seed, **options).play(300, pause_ms=900 if seed % 2 else 4000).replay()
        for options in CHOICES
        for seed in range(3)  # half of them have met it all
    ]
    assert {replay.ended.reason for replay in replays} >= {"resigned", "no_progress", "time", "agreed", "absent"}
    entries = [told for replay in replays for told in replay.entries]
    assert {told.what if isinstance(told.what, str) else type(told.what).__name__ for told in entries} >= {
        "away", "back", "timeout", "Ready", "Play", "Done", "Pass", "Claim", "Undo", "Redo", "Resign",
    }  # fmt: skip
    reasons = {told.outcome.reason for told in entries if isinstance(told.outcome, Denied)}
    assert reasons >= {"lost_race", "other_card", "unreadable_move", "not_your_turn", "not_absent", "solo_only"}


def test_a_match_that_ends_before_the_deal() -> None:
    table = duel(3)
    fresh = Table(table.match.setup, 3).play(0)
    replay = told_again(fresh)
    assert (replay.ended.reason, replay.ended.moves) == ("resigned", ())


def test_nobody_comes_and_the_match_ends_by_itself() -> None:
    table = Table(duel(3, no_progress_s=10).match.setup, 3)
    table.wait(60_000 * MS)
    replay = told_again(table)
    assert replay.ended.reason == "no_progress"
    assert [told.what for told in replay.entries] == ["timeout"] * 4


# --- what is not true --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def match() -> Replay:
    """One with races, and with cards on the foundations."""
    replays = (duel(seed, mirror=True).play(250).replay() for seed in range(1, 99, 2))
    return next(replay for replay in replays if replay.ended.races and replay.ended.reason == "resigned")


def line_of_fault(replay: Replay) -> int:
    with pytest.raises(ReplayError) as caught:
        check(read(replay_text(replay)))
    assert str(caught.value).startswith(f"line {caught.value.line}: ")
    return caught.value.line


def changed(replay: Replay, index: int, change: Callable[[Told], Told]) -> Replay:
    entries = [*replay.entries]
    entries[index] = change(entries[index])
    return replace(replay, entries=tuple(entries))


def another_move(told: Told) -> Told:
    assert isinstance(told.what, Play)
    return replace(told, what=replace(told.what, move="r" if told.what.move == "d" else "d"))


def another_card(told: Told) -> Told:
    assert not isinstance(told.outcome, Denied)
    return replace(told, outcome=(replace(told.outcome[0], cards=("Xx",)),))


def accepted(replay: Replay, kind: str) -> list[int]:
    """Where events of this kind come from."""
    return [
        index
        for index, told in enumerate(replay.entries)
        if not isinstance(told.outcome, Denied) and any(happened.event == kind for happened in told.outcome)
    ]


def test_a_move_that_was_changed_is_found_on_its_line(match: Replay) -> None:
    for index in accepted(match, "played")[:20]:
        forged = changed(match, index, another_move)
        assert line_of_fault(forged) == match.first_entry_line + index


def test_a_card_that_was_changed_is_found_on_its_line(match: Replay) -> None:
    for index in accepted(match, "played")[:20]:
        assert line_of_fault(changed(match, index, another_card)) == match.first_entry_line + index


def test_a_move_that_was_legal_cannot_be_said_to_have_been_refused(match: Replay) -> None:
    index = accepted(match, "played")[5]
    forged = changed(match, index, lambda told: replace(told, outcome=Denied("wrong_rank")))
    assert line_of_fault(forged) == match.first_entry_line + index


def test_a_refusal_for_another_reason_is_found(match: Replay) -> None:
    index = next(index for index, told in enumerate(match.entries) if isinstance(told.outcome, Denied))
    forged = changed(match, index, lambda told: replace(told, outcome=Denied("no_stock")))
    assert line_of_fault(forged) == match.first_entry_line + index


def test_an_entry_that_is_left_out_is_missed(match: Replay) -> None:
    index = accepted(match, "played")[3]
    forged = replace(match, entries=match.entries[:index] + match.entries[index + 1 :])
    assert line_of_fault(forged) >= match.first_entry_line + index


def test_a_timer_that_should_have_run_out_is_missed(match: Replay) -> None:
    index = accepted(match, "played")[3]
    an_hour_ns = 3600 * 10**9
    late = (replace(told, at_ns=told.at_ns + an_hour_ns) for told in match.entries[index:])
    forged = replace(match, entries=(*match.entries[:index], *late))
    assert line_of_fault(forged) == match.first_entry_line + index


def test_entries_that_change_places_run_backwards(match: Replay) -> None:
    index = accepted(match, "played")[3]
    before, one, two, after = match.entries[:index], *match.entries[index : index + 2], match.entries[index + 2 :]
    forged = replace(match, entries=(*before, two, one, *after))
    assert line_of_fault(forged) in {match.first_entry_line + index, match.first_entry_line + index + 1}


def test_another_secret_is_not_what_was_promised(match: Replay) -> None:
    forged = replace(match, ended=replace(match.ended, secret="00" * 32))
    assert line_of_fault(forged) == match.line_of("commitment")


def test_another_secret_with_its_own_promise_gives_another_deal(match: Replay) -> None:
    secret = b"\1" * 32
    forged = replace(match, ended=replace(match.ended, secret=secret.hex()), commitment=commitment(secret))
    assert line_of_fault(forged) == match.first_entry_line + accepted(match, "dealt")[0]


def test_a_commitment_that_was_kept_is_compared(match: Replay) -> None:
    assert match.commitment
    check(match, match.commitment.upper())
    with pytest.raises(ReplayError, match="not the commitment that was told") as caught:
        check(match, "0" * 64)
    assert caught.value.line == match.line_of("commitment")


@pytest.mark.parametrize(
    "change",
    [
        {"winner": 0},
        {"winner": None},
        {"reason": "agreed"},
        {"scores": (52, 0)},
        {"contributions": (1, 2)},
        {"moves": (1, 2)},
        {"refusals": (0, 0)},
        {"races": ()},
        {"duration_ms": 1},
        {"seeds": ("aa", "")},
        {"seq": 3},
        {"at_us": 3},
        {"nonce": 999_999},
        {"table": "t2"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_result_that_was_changed_is_found(match: Replay, change: dict[str, object]) -> None:
    key, value = next(iter(change.items()))
    assert getattr(match.ended, key) != value
    assert line_of_fault(replace(match, ended=replace(match.ended, **change))) == match.line_of("ended")


@pytest.mark.parametrize(
    ("header", "change"),
    [
        ("game", {"game": "poker"}),
        ("options", {"options": {"colour": "red"}}),
        ("options", {"options": {"draw": 9}}),
        ("players", {"players": ()}),
        ("players", {"commitment": None}),
        ("game", {"code": "KL1-D1UM-AAAAAAB"}),
    ],
)
def test_a_header_that_makes_no_sense_is_found(match: Replay, header: str, change: dict[str, object]) -> None:
    assert line_of_fault(replace(match, **change)) == match.line_of(header)


def test_an_option_that_was_not_there_yet_has_its_default(match: Replay) -> None:
    defaults = GAMES["double-klondike"].chosen({})
    check(replace(match, options={key: value for key, value in match.options.items() if value != defaults[key]}))


def test_other_options_do_not_fit_what_was_played(match: Replay) -> None:
    options = match.options | {"draw": 3}
    assert line_of_fault(replace(match, options=options)) >= match.first_entry_line


def test_a_solo_game_of_another_deal(match: Replay) -> None:
    replay = solo(1, "klondike").play(60).replay()
    assert line_of_fault(replace(replay, code="KL1-D1UM-AAAAAAZ")) >= replay.first_entry_line
    assert line_of_fault(replace(replay, code="KL1-D3UM-AAAAAAC")) == replay.line_of("code")
    assert line_of_fault(replace(replay, code="kl1d1umaaaaaac")) == replay.line_of("code")
    assert line_of_fault(replace(replay, rated=True)) == replay.line_of("players")


def test_a_game_that_does_not_end(match: Replay) -> None:
    assert line_of_fault(replace(match, entries=match.entries[:-1])) == match.first_entry_line + len(match.entries) - 2


def test_whatever_byte_is_changed_the_file_is_refused_or_says_the_same_game(match: Replay) -> None:
    """Only what changes no judgement may differ unseen: names, the date, a nonce, a time by little, a refused move."""
    text, random = replay_text(match), Random(5)
    unseen = 0
    for _ in range(150):
        place = random.randrange(len(text))
        forged = text[:place] + random.choice(LETTERS) + text[place + 1 :]
        try:
            replay = read(forged)
            check(replay)
        except ReplayError:
            continue
        unseen += 1
        for told, true in zip(replay.entries, match.entries, strict=True):
            assert told.outcome == true.outcome
            if not isinstance(told.outcome, Denied):
                assert getattr(told.what, "move", "") == getattr(true.what, "move", "")
        assert replay.ended == match.ended
    assert unseen < 75
