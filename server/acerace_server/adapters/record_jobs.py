"""The core's jobs about games that are over, and about ratings, for the workshop's threads."""

from collections.abc import Callable, Mapping
from typing import Any

from acerace_protocol.limits import LISTED_MAX, RESULTS_PER_PAGE
from acerace_protocol.people import DayResult, RankedPlayer, Result, ResultSeat, SoloRecord
from acerace_server.core.jobs import FindDay, FindRanking, FindReplay, FindResults, FindStatistics, PlayerResults
from acerace_server.core.ratings import shown
from acerace_server.core.replay_file import parts_of, replay_of
from acerace_server.ports import Archive, DealResult, GameSummary, Ratings, Records, SeatResult, SoloStatistics


def record_jobs(records: Records, ratings: Ratings, archive: Archive) -> Mapping[type, Callable[[Any], object]]:
    """By the type of a job, what does it."""

    def find_results(job: FindResults) -> PlayerResults:
        games = records.games_of(job.player, RESULTS_PER_PAGE, job.before)
        return PlayerResults(tuple(map(_result, games)), ratings.ratings_of(job.player))

    def find_statistics(job: FindStatistics) -> tuple[SoloRecord, ...]:
        return tuple(map(_solo_record, records.solo_statistics(job.player)[:RESULTS_PER_PAGE]))

    def find_day(job: FindDay) -> tuple[DayResult, ...]:
        return tuple(map(_day_result, records.day_table(job.code, RESULTS_PER_PAGE)))

    def find_ranking(job: FindRanking) -> tuple[RankedPlayer, ...]:
        best = ratings.best(job.pool, LISTED_MAX)
        return tuple(
            RankedPlayer(player=one.rating.player, name=one.name, bot=one.bot, rating=shown(one.rating)) for one in best
        )

    def find_replay(job: FindReplay) -> tuple[str, ...] | None:
        found = archive.find(job.table)
        return None if found is None else parts_of(replay_of(found.setup, found.log, found.ended, found.opened_us))

    return {
        FindResults: find_results,
        FindStatistics: find_statistics,
        FindDay: find_day,
        FindRanking: find_ranking,
        FindReplay: find_replay,
    }


def _result(game: GameSummary) -> Result:
    return Result(
        number=game.number,
        table=game.table,
        game=game.game,
        options=dict(game.options),
        code=game.code,
        finished_us=game.finished_us,
        reason=game.reason,
        winner=game.winner,
        duration_ms=game.duration_ms,
        seats=tuple(map(_result_seat, game.seats)),
    )


def _result_seat(seat: SeatResult) -> ResultSeat:
    return ResultSeat(
        player=seat.player,
        name=seat.name,
        bot=seat.bot,
        won=seat.won,
        score=seat.score,
        contribution=seat.contribution,
        moves=seat.moves,
        strict=seat.strict,
    )


def _solo_record(statistics: SoloStatistics) -> SoloRecord:
    return SoloRecord(
        game=statistics.game,
        options=dict(statistics.options),
        games=statistics.games,
        wins=statistics.wins,
        streak=statistics.streak,
        longest_streak=statistics.longest_streak,
        best_time_ms=statistics.best_time_ms,
        best_strict=statistics.best_strict,
        fewest_moves=statistics.fewest_moves,
        balance=statistics.balance,
    )


def _day_result(best: DealResult) -> DayResult:
    return DayResult(
        player=best.player,
        name=best.name,
        bot=best.bot,
        table=best.table,
        strict=best.strict,
        won=best.won,
        duration_ms=best.duration_ms,
        moves=best.moves,
    )
