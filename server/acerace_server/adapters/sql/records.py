"""What can be told of the games that are over."""

import itertools
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from sqlalchemy import Connection, func, select

from acerace_protocol.people import DayResult, Result, ResultSeat, SoloRecord
from acerace_rules.catalogue import GAMES
from acerace_rules.options import Value
from acerace_server.adapters.sql.database import AnyRow, Database
from acerace_server.adapters.sql.schema import result_seats, results, tables

_OPTIONS: Final = msgspec.json.Decoder(dict[str, Value])
_SEATS = (
    result_seats.c.player,
    result_seats.c.name,
    result_seats.c.won,
    result_seats.c.score,
    result_seats.c.contribution,
    result_seats.c.moves,
    result_seats.c.strict,
    result_seats.c.bot,
)  # in the order of ResultSeat's fields
_PLAYED = result_seats.join(results, results.c.number == result_seats.c.result_number).join(tables)


class SqlRecords:
    """Implements :class:`acerace_server.ports.Records`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def games_of(self, player: str, limit: int, before: int | None = None) -> tuple[Result, ...]:
        own = select(result_seats.c.result_number).where(result_seats.c.player == player).distinct()
        if before is not None:
            own = own.where(result_seats.c.result_number < before)
        page = own.order_by(result_seats.c.result_number.desc()).limit(limit).subquery()
        columns = (results, tables.c.id, tables.c.game, tables.c.options, tables.c.code)
        query = select(*columns).join(tables).join(page, page.c.result_number == results.c.number)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(results.c.number.desc())).fetchall()
            seats = _seats(connection, [row.number for row in rows])
        return tuple(_result(row, seats.get(row.number, ())) for row in rows)

    def solo_statistics(self, player: str) -> tuple[SoloRecord, ...]:
        columns = (tables.c.game, tables.c.options, results.c.duration_ms, *_SEATS)
        query = select(*columns).select_from(_PLAYED).where(result_seats.c.player == player, tables.c.code.is_not(None))
        ordered = query.order_by(tables.c.game, tables.c.options, results.c.number)
        with self._database.reading() as connection:
            rows = connection.execute(ordered).fetchall()
        kinds = itertools.groupby(rows, key=lambda row: (row.game, row.options))
        return tuple(_statistics(game, options, [*of_kind]) for (game, options), of_kind in kinds)

    def day_table(self, code: str, limit: int) -> tuple[DayResult, ...]:
        seat = result_seats.c
        order = (seat.strict.desc(), results.c.duration_ms, seat.moves, results.c.number)
        place = func.row_number().over(partition_by=seat.player, order_by=order).label("place")
        columns = (tables.c.id, results.c.number, results.c.duration_ms, *_SEATS, place)
        ranked = select(*columns).select_from(_PLAYED).where(tables.c.code == code, seat.strict.is_not(None)).subquery()
        best = ranked.c
        query = select(ranked).where(best.place == 1).limit(limit)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(best.strict.desc(), best.duration_ms, best.moves, best.number))
            return tuple(
                DayResult(
                    player=row.player,
                    name=row.name,
                    bot=row.bot,
                    table=row.id,
                    strict=row.strict,
                    won=row.won,
                    duration_ms=row.duration_ms,
                    moves=row.moves,
                )
                for row in rows
            )


def _seats(connection: Connection, numbers: list[int]) -> dict[int, tuple[ResultSeat, ...]]:
    query = select(result_seats.c.result_number, *_SEATS).where(result_seats.c.result_number.in_(numbers))
    rows = connection.execute(query.order_by(result_seats.c.result_number, result_seats.c.seat))
    return {
        number: tuple(ResultSeat(*row[1:]) for row in seats)
        for number, seats in itertools.groupby(rows, key=lambda row: int(row[0]))
    }


def _result(row: AnyRow, seats: tuple[ResultSeat, ...]) -> Result:
    return Result(
        number=row.number,
        table=row.id,
        game=row.game,
        options=_OPTIONS.decode(row.options),
        code=row.code,
        finished_us=row.finished_us,
        reason=row.reason,
        winner=row.winner,
        duration_ms=row.duration_ms,
        seats=seats,
    )


def _statistics(game: str, options: str, rows: list[AnyRow]) -> SoloRecord:
    """Of the games of one kind, at least one, in the order in which they ended."""
    won = [row for row in rows if row.won]
    streaks = [len([*streak]) if is_won else 0 for is_won, streak in itertools.groupby(rows, key=_won)]
    chosen = _OPTIONS.decode(options)
    return SoloRecord(
        game=game,
        options=chosen,
        games=len(rows),
        wins=len(won),
        streak=streaks[-1],
        longest_streak=max(streaks),
        best_time_ms=_least(row.duration_ms for row in won),
        best_strict=max((row.strict for row in rows if row.strict is not None), default=None),
        fewest_moves=_least(row.moves for row in won),
        balance=_balance(game, chosen, rows),
    )


def _balance(game: str, options: Mapping[str, Value], rows: list[AnyRow]) -> int | None:
    try:
        scoring = GAMES[game].variant(options).scoring
    except (KeyError, ValueError):  # a game or an option of another version
        return None
    return sum(scoring.start if row.score is None else row.score for row in rows) if scoring.dollars else None


def _won(row: AnyRow) -> bool:
    return bool(row.won)


def _least(numbers: Iterable[int | None]) -> int | None:
    return min((number for number in numbers if number is not None), default=None)
