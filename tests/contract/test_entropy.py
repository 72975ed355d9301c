"""What every source of entropy keeps to."""

from collections.abc import Callable

import pytest

from acerace_server.adapters.memory import SeededEntropy
from acerace_server.adapters.system import SystemEntropy
from acerace_server.ports import Entropy

SOURCES: list[Callable[[], Entropy]] = [SystemEntropy, lambda: SeededEntropy(b"seed")]


@pytest.fixture(params=SOURCES, ids=["system", "seeded"])
def entropy(request: pytest.FixtureRequest) -> Entropy:
    made: Entropy = request.param()
    return made


@pytest.mark.parametrize("count", [0, 1, 5, 31, 32, 33, 1000])
def test_as_many_bytes_as_were_asked_for(entropy: Entropy, count: int) -> None:
    assert len(entropy.token_bytes(count)) == count


def test_nothing_comes_twice(entropy: Entropy) -> None:
    drawn = [entropy.token_bytes(8) for _ in range(1000)]
    assert len(set(drawn)) == 1000


def test_all_bytes_come_about_as_often(entropy: Entropy) -> None:
    drawn = entropy.token_bytes(256 * 400)
    counts = [drawn.count(byte) for byte in range(256)]
    assert 300 < min(counts) <= max(counts) < 500
