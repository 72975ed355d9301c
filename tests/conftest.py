"""What holds for all tests."""

import os

import pytest
from hypothesis import HealthCheck, settings

# The servers that tests start have no house bots, each of which would be one more process; who wants them says so.
os.environ.setdefault("ACERACE_HOUSE_BOTS", "0")

# How long an example takes says more about what else the machine does than about the code.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

# Autobahn's suite needs a Python 2.7 and a folder it is installed in: see tests/autobahn.
collect_ignore = [] if "ACERACE_AUTOBAHN" in os.environ else ["autobahn"]

# The same examples each time, however slow the machine is: a change is judged by what it does, not by luck. To look
# further: --hypothesis-profile=default, which hypothesis has built in.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

LONGEST = {"test_kill.py", "test_week.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first: at the end it would run alone, and everything wait for it."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
