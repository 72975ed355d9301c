"""What every clock keeps to."""

import re
import time
from collections.abc import Iterator

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


@pytest.fixture
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("zone", ["LINT-14", "UTC0", "SST11"], indirect=True)
def test_the_date_is_that_of_utc_wherever_the_server_stands(zone: str) -> None:
    # U5; Kiritimati and Pago Pago never have the same date, so at any hour a local one would be found out
    dates = {time.strftime("%Y-%m-%d", time.gmtime())}
    found = SystemClock().utc_date()
    dates.add(time.strftime("%Y-%m-%d", time.gmtime()))  # midnight may have passed meanwhile
    assert found in dates, zone


def test_a_date_is_written_year_first(clock: Clock) -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", clock.utc_date())
