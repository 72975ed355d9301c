"""What many tests of the core begin with."""

import pytest

from tests.server.core.room import Room


@pytest.fixture
def room() -> Room:
    return Room()
