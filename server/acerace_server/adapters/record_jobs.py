"""The core's jobs about games that are over, and about ratings, for the workshop's threads."""

from collections.abc import Callable, Mapping
from typing import Any

from acerace_protocol.limits import LISTED_MAX, RESULTS_PER_PAGE
from acerace_protocol.people import DayResult, RankedPlayer, SoloRecord
from acerace_server.core.jobs import FindDay, FindRanking, FindReplay, FindResults, FindStatistics, PlayerResults
from acerace_server.core.ratings import shown
from acerace_server.core.replay_file import parts_of, replay_of
from acerace_server.ports import Archive, Ratings, Records


def record_jobs(records: Records, ratings: Ratings, archive: Archive) -> Mapping[type, Callable[[Any], object]]:
    """By the type of a job, what does it."""

    def find_results(job: FindResults) -> PlayerResults:
        games = records.games_of(job.player, RESULTS_PER_PAGE, job.before)
        return PlayerResults(games, ratings.ratings_of(job.player))

    def find_statistics(job: FindStatistics) -> tuple[SoloRecord, ...]:
        return records.solo_statistics(job.player)[:RESULTS_PER_PAGE]

    def find_day(job: FindDay) -> tuple[DayResult, ...]:
        return records.day_table(job.code, RESULTS_PER_PAGE)

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
