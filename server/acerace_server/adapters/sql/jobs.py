"""The core's jobs that are for the store.

They run on the workshop's threads, so whatever stands here only reads: each gets a connection of its own from the pool,
and in WAL mode neither waits for the loop's commits nor makes them wait. What is to be written comes back to the core
as a result, and goes to the journal from there.
"""

from collections.abc import Callable, Mapping
from typing import Any

from acerace_server.adapters.record_jobs import record_jobs
from acerace_server.adapters.sql.store import SqlStore
from acerace_server.core.jobs import FindPlayer, Job

Doing = Mapping[type, Callable[[Any], object]]
"""By the type of a job, what does it."""


def jobs_of(store: SqlStore) -> Doing:
    """All jobs that only ask a store; a new one is a new line here."""

    def find_player(job: FindPlayer) -> object:
        return store.accounts.find_player(job.token_sha256)

    return {FindPlayer: find_player, **record_jobs(store.records, store.ratings, store.archive)}


def performing(doing: Doing) -> Callable[[Job], object]:
    """What the shell gives each job to. Raises ``KeyError`` for a type that nobody does, or what the doing raises."""

    def perform(job: Job) -> object:
        return doing[type(job)](job)

    return perform
