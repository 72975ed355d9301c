"""What every clock keeps to."""

import re

import pytest

from acerace_server.adapters.memory import ManualClock
from acerace_server.adapters.system import SystemClock
from acerace_server.ports import Clock


@pytest.fixture(params=[SystemClock, ManualClock])
def clock(request: pytest.FixtureRequest) -> Clock:
    made: Clock = request.param()
    return made


def test_monotonic_time_never_runs_backwards(clock: Clock) -> None:
    times = [clock.monotonic_ns() for _ in range(1000)]
    assert times == sorted(times)
    assert all(type(time) is int for time in times)


def test_the_wall_clock_counts_microseconds_since_1970() -> None:
    assert 1_700_000_000 < SystemClock().utc_us() / 1_000_000 < 4_000_000_000


def test_a_date_is_written_year_first(clock: Clock) -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", clock.utc_date())
