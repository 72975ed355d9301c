"""The standing of a series: best of n matches, or the sum of the scores over n (RULES.md 6, D28, D55)."""

from collections.abc import Mapping
from typing import Final, Literal, cast

from msgspec.structs import replace

from acerace_protocol.messages import Ended, SeriesInfo
from acerace_rules.cards import DECK_SIZE
from acerace_rules.options import Value

_OFF: Final = "off"
_LOST_BY_LEAVING: Final = frozenset({"resigned", "absent"})


def first_of(options: Mapping[str, Value]) -> SeriesInfo | None:
    """How things stand before the first match; ``None``: the options ask for no series."""
    kind = options.get("series", _OFF)
    if kind == _OFF:
        return None
    return SeriesInfo(cast("Literal['best', 'sum']", kind), int(options["series_games"]), 1, (0, 0), (0, 0))


def after(series: SeriesInfo, ended: Ended) -> SeriesInfo:
    """How things stand after a match of it, by the seats of that match."""
    wins = _plus(series.wins, (int(ended.winner == 0), int(ended.winner == 1)))
    totals = _plus(series.totals, counted(ended))
    first, second = wins if series.kind == "best" else totals
    left = max(0, series.games - series.number)
    decided = abs(first - second) > left if series.kind == "best" else left == 0 and first != second
    return replace(series, wins=wins, totals=totals, over=decided, winner=int(second > first) if decided else None)


def counted(ended: Ended) -> tuple[int, int]:
    """What a match adds to the sums.

    Who gave up or stayed away has lost it: for him it counts nothing, for the other a whole deck at least. So nobody
    gains by leaving while ahead.
    """
    first, second = ended.scores
    if ended.reason in _LOST_BY_LEAVING:
        return (max(first, DECK_SIZE), 0) if ended.winner == 0 else (0, max(second, DECK_SIZE))
    return first, second


def next_of(series: SeriesInfo) -> SeriesInfo:
    """Before the next match, in which the seats are exchanged."""
    return replace(series, number=series.number + 1, wins=series.wins[::-1], totals=series.totals[::-1])


def with_seats_exchanged(options: Mapping[str, Value]) -> dict[str, Value]:
    """The same options for the same two players: a handicap stays with the player who declared it (D28)."""
    if is_even(options):
        return dict(options)
    return {**options, "draw": options["second_draw"], "second_draw": options["draw"]}


def is_even(options: Mapping[str, Value]) -> bool:
    """Whether both seats play by the same rules."""
    return options.get("second_draw", 0) in {0, options["draw"]}


def _plus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))
