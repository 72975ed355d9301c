"""The core's jobs, done with the ports that each of them needs; a new one is a new line here.

They run on the workshop's threads, so whatever stands here only reads: each gets a connection of its own from the
store's pool, and in WAL mode neither waits for the loop's commits nor makes them wait. What is to be written comes back
to the core as a result, and goes to the journal from there.
"""

from collections.abc import Callable, Mapping
from typing import Any

from acerace_protocol.limits import LISTED_MAX, RESULTS_PER_PAGE
from acerace_protocol.people import DayResult, RankedPlayer, SoloRecord
from acerace_server.core.jobs import (
    CheckPassword,
    FindDay,
    FindPlayer,
    FindRanking,
    FindReplay,
    FindResults,
    FindStatistics,
    HashPassword,
    Job,
    ListTokens,
    PlayerResults,
)
from acerace_server.core.ratings import shown
from acerace_server.core.records import KnownPlayer, Owner
from acerace_server.core.replay_file import parts_of, replay_of
from acerace_server.ports import Accounts, Passwords, Store

Doing = Mapping[type, Callable[[Any], object]]
"""By the type of a job, what does it."""


def performing(doing: Doing) -> Callable[[Job], object]:
    """What the shell gives each job to. Raises ``KeyError`` for a type that nobody does, or what the doing raises."""

    def perform(job: Job) -> object:
        return doing[type(job)](job)

    return perform


def jobs_of(store: Store) -> Doing:
    """All jobs that only ask a store."""

    def find_player(job: FindPlayer) -> KnownPlayer | None:
        return store.accounts.find_player(job.token_sha256)

    def find_results(job: FindResults) -> PlayerResults:
        games = store.records.games_of(job.player, RESULTS_PER_PAGE, job.before)
        return PlayerResults(games, store.ratings.ratings_of(job.player))

    def find_statistics(job: FindStatistics) -> tuple[SoloRecord, ...]:
        return store.records.solo_statistics(job.player)[:RESULTS_PER_PAGE]

    def find_day(job: FindDay) -> tuple[DayResult, ...]:
        return store.records.day_table(job.code, RESULTS_PER_PAGE)

    def find_ranking(job: FindRanking) -> tuple[RankedPlayer, ...]:
        best = store.ratings.best(job.pool, LISTED_MAX)
        return tuple(
            RankedPlayer(player=one.rating.player, name=one.name, bot=one.bot, rating=shown(one.rating)) for one in best
        )

    def find_replay(job: FindReplay) -> tuple[str, ...] | None:
        found = store.archive.find(job.table)
        return None if found is None else parts_of(replay_of(found.setup, found.log, found.ended, found.opened_us))

    return {
        FindPlayer: find_player,
        FindResults: find_results,
        FindStatistics: find_statistics,
        FindDay: find_day,
        FindRanking: find_ranking,
        FindReplay: find_replay,
    }


def account_jobs(accounts: Accounts, passwords: Passwords) -> Doing:
    """All jobs about names, passwords and tokens."""

    def hash_password(job: HashPassword) -> str:
        return passwords.hash(job.password)

    def check_password(job: CheckPassword) -> Owner | None:
        found = [account for player in job.players if (account := accounts.find_account(player))]
        for account in found:
            if passwords.verify(account.password_hash, job.password):
                return Owner(account.player, accounts.list_tokens(account.player.player, LISTED_MAX))
        if not found:
            passwords.verify(None, job.password)  # so that nobody can tell by the time whether the name is anyone's
        return None

    def list_tokens(job: ListTokens) -> object:
        return accounts.list_tokens(job.player, LISTED_MAX)

    return {HashPassword: hash_password, CheckPassword: check_password, ListTokens: list_tokens}
