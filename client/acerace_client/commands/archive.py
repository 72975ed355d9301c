"""What the archive of a server answers, as text for people."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from acerace_client.commands.telling import columns
from acerace_protocol.people import (
    Day,
    DayResult,
    RankedPlayer,
    Ranking,
    RatingInfo,
    Result,
    Results,
    ResultSeat,
    SoloRecord,
    Statistics,
)
from acerace_rules.catalogue import variant_of
from acerace_rules.options import UnknownChoiceError, Value
from acerace_rules.scoring import NONE, score_text

_NOTHING: Final = "-"
_NUMBERS: Final = frozenset(
    {"", "score", "rating", "games", "moves", "won", "streak", "longest", "time", "best time", "best score"}
    | {"fewest moves", "balance"}
)
"""The heads of what keeps to the right."""


def results_text(answer: Results) -> str:
    seats = (seat for result in answer.results for seat in result.seats)
    name = next((f" ({seat.name})" for seat in seats if seat.player == answer.player), "")
    lines = [f"player {answer.player}{name}"]
    lines += [f"{rating.pool}: {_rating(rating)}, {_count(rating.games, 'game')}" for rating in answer.ratings]
    if not answer.results:
        return "\n".join([*lines, "no game yet"])
    heads = ("finished (UTC)", "game", "outcome", "score", "reason", "time", "players", "table")
    return "\n".join([*lines, "", columns(heads, [_result(one, answer.player) for one in answer.results], _NUMBERS)])


def _result(result: Result, player: str) -> Sequence[str]:
    finished = datetime.fromtimestamp(result.finished_us / 1_000_000, UTC)
    scores = (seat.score for seat in result.seats)
    return (
        f"{finished:%Y-%m-%d %H:%M}",
        result.game,
        _outcome(result.seats, player),
        ":".join(_score(result.game, result.options, score) for score in scores),
        result.reason,
        _time(result.duration_ms),
        " - ".join(seat.name for seat in result.seats),
        result.table,
    )


def _outcome(seats: Sequence[ResultSeat], player: str) -> str:
    won = any(seat.won for seat in seats if seat.player == player)
    if len(seats) == 1:
        return "solved" if won else "not solved"
    if won:
        return "won"
    return "lost" if any(seat.won for seat in seats) else "drawn"


def statistics_text(answer: Statistics) -> str:
    if not answer.records:
        return "no solo game yet"
    heads = (
        "game",
        "games",
        "won",
        "streak",
        "longest",
        "best time",
        "best score",
        "fewest moves",
        "balance",
        "options",
    )
    return columns(heads, list(map(_record, answer.records)), _NUMBERS)


def _record(record: SoloRecord) -> Sequence[str]:
    return (
        record.game,
        str(record.games),
        str(record.wins),
        str(record.streak),
        str(record.longest_streak),
        _time(record.best_time_ms),
        _score(record.game, record.options, record.best_strict),
        _number(record.fewest_moves),
        _NOTHING if record.balance is None else f"{record.balance} $",
        " ".join(f"{key}={_plain(value)}" for key, value in record.options.items()) or _NOTHING,
    )


def ranking_text(answer: Ranking) -> str:
    if not answer.players:
        return f"{answer.pool}: nobody is rated yet"
    heads = ("", "player", "rating", "games", "id")
    rows = [_ranked(place, one) for place, one in enumerate(answer.players, 1)]
    return f"{answer.pool}\n{columns(heads, rows, _NUMBERS)}"


def _ranked(place: int, one: RankedPlayer) -> Sequence[str]:
    return (str(place), _name(one), _rating(one.rating), str(one.rating.games), one.player)


def day_text(answer: Day) -> str:
    heading = f"{answer.date}: {answer.code}"
    if not answer.results:
        return f"{heading}: nobody has played it yet"
    heads = ("", "player", "score", "solved", "time", "moves", "table", "id")
    rows = [_best(place, one) for place, one in enumerate(answer.results, 1)]
    return f"{heading}\n{columns(heads, rows, _NUMBERS)}"


def _best(place: int, one: DayResult) -> Sequence[str]:
    solved = "yes" if one.won else "no"
    time = _time(one.duration_ms)
    return (str(place), _name(one), str(one.strict), solved, time, str(one.moves), one.table, one.player)


def _name(one: RankedPlayer | DayResult) -> str:
    return f"{one.name} (bot)" if one.bot else one.name


def _rating(rating: RatingInfo) -> str:
    """With twice its deviation, within which the true strength is; ``?``: too few games to say much."""
    return f"{rating.rating} ± {2 * rating.deviation}{'?' if rating.provisional else ''}"


def _score(game: str, options: dict[str, Value], score: int | None) -> str:
    if score is None:
        return _NOTHING
    try:
        scoring = variant_of(game, options).scoring
    except UnknownChoiceError:  # a newer server's
        scoring = NONE
    return score_text(scoring, score)


def _time(duration_ms: int | None) -> str:
    if duration_ms is None:
        return _NOTHING
    minutes, seconds = divmod(duration_ms // 1000, 60)
    return f"{minutes}:{seconds:02}"


def _number(value: int | None) -> str:
    return _NOTHING if value is None else str(value)


def _plain(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"
