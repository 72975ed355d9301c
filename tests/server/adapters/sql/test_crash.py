"""kill -9 at any moment: nothing acknowledged is lost, nothing is half-written."""

import multiprocessing
import os
import sys
import time
from multiprocessing.context import ForkServerContext
from pathlib import Path
from random import Random

import pytest

from acerace_server.core.records import LiveTable, TablePutAway
from tests.contract.stores import open_store
from tests.contract.told import OPENED_AT
from tests.server.adapters.sql.committer import ACKNOWLEDGED, Logs, Script, run

LIVES = 50
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither fork nor kill -9")


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Processes that have imported everything before they begin, so that a life is short enough to live many."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.server.adapters.sql.committer"])
    return context


def live(context: ForkServerContext, directory: Path, life: int, seconds: float) -> int:
    """Let a server live for so long after its first commit and kill it; how many commits it has acknowledged."""
    reading, writing = context.Pipe(duplex=False)
    process = context.Process(target=run, args=(directory, life, writing))
    process.start()
    writing.close()
    try:
        first = os.read(reading.fileno(), ACKNOWLEDGED)
        time.sleep(seconds)
    finally:
        process.kill()
        process.join()
        process.close()
    with reading:
        heard = first + _rest(reading.fileno())
    assert len(heard) % ACKNOWLEDGED == 0
    numbers = [int.from_bytes(heard[at : at + ACKNOWLEDGED], "big") for at in range(0, len(heard), ACKNOWLEDGED)]
    assert numbers == [*range(len(numbers))]
    return len(numbers)


def _rest(pipe: int) -> bytes:
    return b"".join(iter(lambda: os.read(pipe, 1 << 16), b""))


def logs_of(tables: tuple[LiveTable, ...]) -> Logs:
    """As if each table had been opened at the same time."""
    return {
        table.setup.table: [entry._replace(at=entry.at - table.setup.opened_at + OPENED_AT) for entry in table.log]
        for table in tables
    }


def test_a_server_that_is_killed_has_lost_nothing_that_it_acknowledged(
    tmp_path: Path, processes: ForkServerContext
) -> None:
    random = Random(2026)
    total = 0
    for life in range(LIVES):
        acknowledged = live(processes, tmp_path, life, seconds=random.uniform(0, 0.06))
        total += acknowledged
        with open_store(tmp_path) as store:
            recovered = store.recovery.recover(0)
            script = Script(life)
            for number in range(acknowledged):
                script.commit(number)
            found = logs_of(recovered.tables)
            if found != script.logs:  # the last commit may have been made but not acknowledged, all of it
                script.commit(acknowledged)
            assert found == script.logs, f"life {life}, {acknowledged} acknowledged"
            assert len(recovered.players) == life + 1
            store.journal.commit([TablePutAway(table) for table in found])
    assert total > LIVES * 10, "they hardly lived"
