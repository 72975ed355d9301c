"""What every archive keeps to."""

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

import pytest

from acerace_protocol.messages import Ended
from acerace_server.adapters.memory import MemoryArchive
from acerace_server.core.match import Setup
from acerace_server.ports import Archive, FinishedTable
from tests.contract.stores import sql_store


@contextmanager
def in_memory() -> Generator[Archive]:
    yield MemoryArchive()


@contextmanager
def on_disk() -> Generator[Archive]:
    with sql_store() as (store, _):
        yield store.archive


@pytest.fixture(params=[in_memory, on_disk])
def archive(request: pytest.FixtureRequest) -> Generator[Archive]:
    made: AbstractContextManager[Archive] = request.param()
    with made as opened:
        yield opened


def finished(table: str, seq: int = 1) -> FinishedTable:
    ended = Ended(
        table=table, seq=seq, at_us=1, reason="won", scores=(52,), contributions=(52,), moves=(99,), refusals=(0,),
        duration_ms=1,
    )  # fmt: skip
    return FinishedTable(Setup(table, "klondike", {}, (), 0, code="K1"), (), ended)


def test_what_is_kept_is_found(archive: Archive) -> None:
    for table in ("a", "b"):
        archive.keep(finished(table))
    assert archive.find("a") == finished("a")
    assert archive.find("b") == finished("b")


def test_what_was_not_kept_is_not_found(archive: Archive) -> None:
    assert archive.find("a") is None


def test_the_first_record_of_a_table_stays(archive: Archive) -> None:
    archive.keep(finished("a", seq=1))
    archive.keep(finished("a", seq=2))
    assert archive.find("a") == finished("a", seq=1)


def test_whether_a_match_was_rated_is_kept(archive: Archive) -> None:
    for rated in (False, True):
        record = finished(f"{rated}")
        archive.keep(replace(record, setup=replace(record.setup, rated=rated)))
        found = archive.find(f"{rated}")
        assert found
        assert found.setup.rated is rated
