"""Replay files: one text a game, and one game a text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from acerace_protocol.messages import Dealt, Ended, Play, PlayerInfo, Presence, RaceInfo, Ready, Refused, Resign
from acerace_protocol.replay_text import (
    Denied,
    Happened,
    Replay,
    ReplayTextError,
    Told,
    entry_line,
    outcome_of,
    read_replay,
    replay_text,
)
from acerace_protocol.state import TableState
from acerace_rules.moves import Reason

ENDED = Ended(
    table="t1", seq=5, at_us=9, reason="resigned", winner=1, scores=(0, 1), contributions=(0, 1), moves=(1, 2),
    refusals=(1, 0), races=(RaceInfo("s", 2, 1, 4, 0, 412),), duration_ms=7, secret="00" * 32, seeds=("", "c0ffee"),
    nonce=3,
)  # fmt: skip
ENTRIES = (
    Told(0, 1, Ready(table="t1", nonce=1, seed="c0ffee"), (Happened("readied", 1),)),
    Told(10_000_000_001, -1, "timeout", (Happened("dealt", 2, check=77, turn=1),)),
    Told(10_000_000_999, 0, Play(table="t1", nonce=2, move="c7:1>c6", seen=2, card="Jd"),
         (Happened("played", 3, ("Jd", "Ts"), "6d", 9106, -5, 0),)),
    Told(10_000_001_000, 0, "away", ()),
    Told(10_000_001_000, 0, Play(table="t1", nonce=4, move="w>f"), Denied("lost_race", 4, 412)),
    Told(10_000_001_000, 0, Resign(table="t1", nonce=3), (Happened("said_done", 4), Happened("ended", 5))),
)  # fmt: skip
REPLAY = Replay(
    table="t1",
    game="double-klondike",
    options={"draw": 1, "pace": "simultaneous", "mirror": False},
    players=(PlayerInfo(player="p1", name='A "d" Ω \\'), PlayerInfo(player="p2", name="Bruno", bot=True, rating=1510)),
    rated=True,
    opened_us=1_796_040_000_000_000,
    commitment="ab" * 32,
    ended=ENDED,
    entries=ENTRIES,
)
TEXT = replay_text(REPLAY)
LINES = TEXT.split("\n")
MOVES = st.text(min_size=1, max_size=16)
TOLD = st.builds(
    Told,
    at_ns=st.integers(0, 2**53),
    seat=st.integers(0, 1),
    what=st.builds(
        Play,
        table=st.just("t1"),
        nonce=st.integers(0, 2**53 - 1),
        move=MOVES,
        seen=st.integers(0, 2**53 - 1),
        card=st.none() | st.text(min_size=2, max_size=2),
    ),
    outcome=st.builds(
        Denied, st.sampled_from([*map(str, Reason)]), st.none() | st.integers(0, 999), st.none() | st.integers(0, 999)
    )
    | st.tuples(st.builds(Happened, st.just("played"), st.integers(1, 999), st.just(("Ah",)), st.none())),
)


def test_a_file_is_readable() -> None:
    assert LINES[0] == "acerace replay 1"
    assert LINES[1:4] == [
        'table "t1"',
        'game "double-klondike"',
        'options {"draw":1,"mirror":false,"pace":"simultaneous"}',
    ]
    assert LINES[REPLAY.first_entry_line - 1 : -1] == [
        "0.000 1 ready nonce=1 seed=c0ffee = readied seq=1",
        "10000000.001 - timeout = dealt seq=2 turn=1 check=77",
        (
            "10000000.999 0 play nonce=2 move=c7:1>c6 seen=2 card=Jd = played seq=3 cards=Jd,Ts turned=6d "
            "score=-5 turn=0 check=9106"
        ),
        "10000001.000 0 away = nothing",
        "10000001.000 0 play nonce=4 move=w>f = refused lost_race seq=4 margin_us=412",
        "10000001.000 0 resign nonce=3 = said_done seq=4 + ended seq=5",
        "end",
    ]


def test_what_is_written_is_read_again() -> None:
    assert read_replay(TEXT) == REPLAY


def test_lines_are_numbered_as_an_editor_does() -> None:
    for key in ("table", "game", "options", "players", "rated", "opened_us", "commitment", "ended"):
        assert LINES[REPLAY.line_of(key) - 1].startswith(f"{key} ")
    assert LINES[REPLAY.first_entry_line - 2] == f"entries {len(ENTRIES)}"


@given(st.lists(TOLD, max_size=4), st.text(max_size=24))
def test_any_move_text_and_any_name_come_through(told: list[Told], name: str) -> None:
    replay = replace(REPLAY, entries=tuple(told), players=(PlayerInfo(player="p1", name=name),))
    text = replay_text(replay)
    assert read_replay(text) == replay
    assert text.count("\n") == REPLAY.first_entry_line + len(told)


@pytest.mark.parametrize("index", range(len(LINES) - 1))
def test_a_line_that_is_left_out_is_missed(index: int) -> None:
    """An entry too: they are counted."""
    text = "\n".join(LINES[:index] + LINES[index + 1 :])
    optional = LINES[index].split(" ")[0] == "commitment"
    if optional:
        assert read_replay(text).commitment is None
    else:
        with pytest.raises(ReplayTextError):
            read_replay(text)


@pytest.mark.parametrize("length", range(0, len(TEXT), 7))
def test_a_file_that_breaks_off_is_refused(length: int) -> None:
    with pytest.raises(ReplayTextError) as caught:
        read_replay(TEXT[:length])
    assert 1 <= caught.value.line <= len(LINES)


FIRST = REPLAY.first_entry_line
FAULTS: list[tuple[int, str]] = [
    (1, "acerace replay 2"),
    (1, ""),
    (2, "table 't1'"),
    (2, "table"),
    (2, 'table  "t1"'),
    (2, 'tables "t1"'),
    (3, 'table "t1"'),
    (4, 'options {"draw": 1}'),
    (4, 'options {"draw":[1]}'),
    (5, 'players [{"player":"p1"}]'),
    (5, 'players [{"player":"p1","name":"A","shoe_size":42}]'),
    (6, "rated 1"),
    (7, "opened_us 1e9"),
    (8, "commitment null"),
    (9, 'ended {"type":"dealt"}'),
    (9, "ended " + "[" * 5000),
    (10, "entries -1"),
    (10, "entries 06"),
    (FIRST, ""),
    (FIRST, "0.000 1 ready nonce=1 seed=c0ffee"),
    (FIRST, "0.000 1 ready nonce=1 seed=c0ffee ="),
    (FIRST, "0.000  1 ready nonce=1 seed=c0ffee = readied seq=1"),
    (FIRST, "0.000 1 ready seed=c0ffee nonce=1 = readied seq=1"),
    (FIRST, "0.000 1 ready nonce=1 nonce=1 seed=c0ffee = readied seq=1"),
    (FIRST, "0.000 1 ready nonce=1 seed=c0ffee = readied seq=1 cards="),
    (FIRST, "0.000 1 ready nonce=1 seed=c0ffee = readied"),
    (FIRST, "0.000 1 ready nonce=1 seed=xyz = readied seq=1"),
    (FIRST, "0.000 1 ready nonce=-1 seed=c0ffee = readied seq=1"),
    (FIRST, "0.000 1 ready nonce=01 seed=c0ffee = readied seq=1"),
    (FIRST, "0.00 1 ready nonce=1 seed=c0ffee = readied seq=1"),
    (FIRST, "00.000 1 ready nonce=1 seed=c0ffee = readied seq=1"),
    (FIRST, "-1.000 1 ready nonce=1 seed=c0ffee = readied seq=1"),
    (FIRST, "0.000 +1 ready nonce=1 seed=c0ffee = readied seq=1"),
    (FIRST, "0.000 -1 ready nonce=1 seed=c0ffee = readied seq=1"),
    (FIRST, "0.000 x ready nonce=1 seed=c0ffee = readied seq=1"),
    (FIRST, "0.000 1 hello nonce=1 = readied seq=1"),
    (FIRST, "0.000 1 ready type=play nonce=1 seed=c0ffee = readied seq=1"),
    (FIRST, '0.000 1 ready nonce=1 seed="c0ffee" = readied seq=1'),
    (FIRST, '0.000 1 ready nonce=1 seed="c0ffee = readied seq=1'),
    (FIRST, "0.000 1 away now=1 = nothing"),
    (FIRST, "0.000 1 away = nothing nothing"),
    (FIRST, "0.000 1 away = refused"),
    (FIRST, "0.000 1 away = + presence seq=1"),
    (FIRST, f"{'9' * 5000}.000 1 away = nothing"),
    (FIRST + len(ENTRIES), "End"),
]


@pytest.mark.parametrize(("number", "line"), FAULTS, ids=[f"{n}-{line[:30]}" for n, line in FAULTS])
def test_a_line_that_is_wrong_is_named(number: int, line: str) -> None:
    text = "\n".join([*LINES[: number - 1], line, *LINES[number:]])
    with pytest.raises(ReplayTextError) as caught:
        read_replay(text)
    assert caught.value.line == number
    assert str(caught.value) == f"line {number}: {caught.value.why}"


@pytest.mark.parametrize("text", ["", "\n", "\r\n", "acerace replay 1", "acerace replay 1\n", TEXT + "\n", TEXT + TEXT])
def test_no_file_at_all(text: str) -> None:
    with pytest.raises(ReplayTextError):
        read_replay(text)


def test_other_ends_of_lines_are_refused_where_they_begin() -> None:
    with pytest.raises(ReplayTextError, match="line 1"):
        read_replay(TEXT.replace("\n", "\r\n"))


def test_an_outcome_is_what_the_messages_say() -> None:
    event: dict[str, Any] = {"table": "t1", "at_us": 0}
    dealt = Dealt(seq=2, state=TableState((), ()), check=5, **event)
    assert outcome_of([Presence(seq=1, seat=0, away=True, **event), dealt]) == (
        Happened("presence", 1),
        Happened("dealt", 2, check=5),
    )
    refused = Refused(table="t1", nonce=1, reason=Reason.KINGS_ONLY, detail="c1:1>c2")
    assert outcome_of([refused]) == Denied("kings_only")
    assert outcome_of([]) == ()


def test_an_entry_is_a_line_of_words() -> None:
    odd = Told(1, 0, Play(table="t1", nonce=1, move='?! "x" ='), Denied("unreadable_move"))
    line = entry_line(odd)
    assert line == '0.001 0 play nonce=1 move="?!\\u0020\\"x\\"\\u0020=" = refused unreadable_move'
