"""Slow work that waits for the shell (JOBS_MAX)."""

import pytest

from acerace_protocol.limits import JOBS_MAX, Fault
from acerace_server.core.jobs import FindStatistics, Jobs
from acerace_server.core.refusal import RefusalError

JOB = FindStatistics("p1")


def test_so_many_wait_and_one_more_is_refused_until_one_is_done() -> None:
    jobs, done = Jobs(), list[object]()
    for _ in range(JOBS_MAX):
        jobs.ask(JOB, lambda result, _: done.append(result))
    with pytest.raises(RefusalError, match=f"{JOBS_MAX} requests wait") as refusal:
        jobs.ask(JOB, lambda result, _: done.append(result))
    assert refusal.value.fault is Fault.TOO_MANY
    assert (len(jobs), len(jobs.asked)) == (JOBS_MAX, JOBS_MAX)
    first, _ = jobs.asked[0]
    jobs.finished(first, "found", 0)
    assert done == ["found"]
    jobs.ask(JOB, lambda result, _: done.append(result))
    assert len({number for number, _ in jobs.asked}) == JOBS_MAX + 1
