"""Thousands of matches over a network that breaks, against everything that must always hold.

One seed decides one world: six matches of two and a solo game, on one hub, with spectators, second tabs, lost and
repeated commands. A failure names its seed; ``ACERACE_SIM_SEED=7 pytest tests/simulation -k faulty`` runs it alone.
"""

import os

import pytest

from tests.simulation.clients import InvariantError
from tests.simulation.world import DUELS, SOLOS, Tally, World

WORLDS = 336
CHUNK = 8
ONLY = os.environ.get("ACERACE_SIM_SEED")
CHUNKS = [range(int(ONLY), int(ONLY) + 1)] if ONLY else [range(seed, seed + CHUNK) for seed in range(0, WORLDS, CHUNK)]


@pytest.mark.parametrize("seeds", CHUNKS, ids=lambda seeds: f"{seeds.start}-{seeds.stop - 1}")
def test_matches_over_a_faulty_network(seeds: range) -> None:
    tally = Tally()
    for seed in seeds:
        try:
            World(seed, tally).run()
        except Exception as error:
            command = f"ACERACE_SIM_SEED={seed} pytest tests/simulation -k faulty"
            raise InvariantError(f"seed {seed}: {error}; again: {command}") from error
    assert tally.matches == len(seeds) * (DUELS + SOLOS)
    if not ONLY:
        # Or nothing was tried.
        assert tally.breaks > CHUNK * 10
        assert tally.lost > CHUNK * 10
        assert tally.resent > CHUNK * 20
        assert tally.batches > CHUNK * 20
        assert tally.compared > CHUNK * 100
        assert len(tally.reasons) > 3


def test_a_seed_decides_everything() -> None:
    one, other = Tally(), Tally()
    World(5, one).run()
    World(5, other).run()
    assert one == other


def test_there_are_enough_of_them() -> None:
    assert WORLDS * DUELS >= 2000, "matches of two; the solo games beside them are not counted"
