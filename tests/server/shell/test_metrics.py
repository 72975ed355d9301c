"""What Prometheus is told: every number of the running server, in its own text format."""

import re
from typing import TypeVar

from prometheus_client.parser import text_string_to_metric_families

from acerace_protocol.messages import (
    Dealt,
    ListTables,
    Play,
    Played,
    Problem,
    Ready,
    Refused,
    Resign,
    Seated,
    Seek,
    ServerMessage,
)
from acerace_server.core.tally import Histogram, Tally
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.counts import Counts
from acerace_server.shell.metrics import Metrics
from tests.server.shell.fakes import FakeHub
from tests.server.shell.support import Client, Running, Start, client, frame, raw, real_hub, until

Numbers = dict[str, float]
M = TypeVar("M", bound=ServerMessage)


async def scraped(running: Running) -> Numbers:
    """All samples by name and labels."""
    async with raw(running) as prometheus:
        prometheus.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n")
        head, _, body = (await prometheus.rest()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8" in head
    return numbers(body.decode())


def numbers(page: str) -> Numbers:
    found: Numbers = {}
    for family in text_string_to_metric_families(page):
        assert family.documentation
        for sample in family.samples:
            labels = ",".join(f"{key}={value}" for key, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


async def wait_for(one: Client, kind: type[M]) -> M:
    while not isinstance(message := await one.receive(), kind):
        pass
    return message


async def test_a_match_is_counted(start: Start) -> None:
    running = await start(real_hub())
    async with client(running) as ada, client(running) as bruno:
        await ada.send(Seek())
        await bruno.send(Seek())
        table = (await wait_for(bruno, Seated)).table
        for one in (ada, bruno):
            await one.send(Ready(table=table, nonce=1))
        for one in (ada, bruno):
            await wait_for(one, Dealt)
        for nonce in range(2, 5):
            await ada.send(Play(table=table, nonce=nonce, move="d"))
            await wait_for(ada, Played)
        await bruno.send(Play(table=table, nonce=2, move="r"))
        await wait_for(bruno, Refused)
        await bruno.send(Play(table="nowhere", nonce=3, move="d"))
        await wait_for(bruno, Problem)
        live = await scraped(running)
        await ada.send(Resign(table=table, nonce=9))
        await bruno.send(ListTables())
        await bruno.receive()
        over = await scraped(running)
    assert live["acerace_connections"] == 2
    assert live["acerace_sockets"] == 3
    assert live["acerace_connections_opened_total"] == 2
    assert live["acerace_tables_live"] == live["acerace_tables_opened_total"] == 1
    assert live["acerace_moves_total"] == 3
    assert live["acerace_refusals_total{reason=stock_not_empty}"] == 1
    assert live["acerace_problems_total{code=no_such_table}"] == 1
    assert live["acerace_races_total"] == 0
    assert 0 < live["acerace_journal_commit_seconds_count"] <= live["acerace_beat_seconds_count"]
    assert 0 < live["acerace_beat_seconds_sum"] < 10
    assert live["acerace_loop_stall_max_seconds"] > 0
    assert live["acerace_info{version=0.0}"] == 1
    assert over["acerace_games_ended_total{reason=resigned}"] == 1
    assert over["acerace_tables_live"] == 0


async def test_one_who_does_not_read_is_counted(start: Start) -> None:
    hub = FakeHub()
    running = await start(hub, Bounds(outbox_max_bytes=200_000))
    async with client(running) as player, raw(running, 4096) as deaf:
        await deaf.upgrade()
        deaf.stop_reading()
        number = max(hub.connected)
        for nonce in range(2000):
            if number in hub.left:
                break
            await player.send(Resign(table="t", nonce=nonce))
            await player.receive()
        assert (await scraped(running))["acerace_outbox_drops_total"] == 1


async def test_a_flood_is_counted_by_what_it_was_closed_for(start: Start) -> None:
    running = await start(real_hub(), Bounds(frames_per_second=100_000))
    async with raw(running) as bad:
        await bad.upgrade()
        bad.write(frame(1, b"null") * 30)
        assert await bad.close_code() == 4002
    await until(lambda: not running.gateway.health()["connections"])
    found = await scraped(running)
    assert found["acerace_dropped_total{why=too_many_malformed}"] == 1
    assert found["acerace_problems_total{code=malformed}"] == 21


def test_races_and_their_margins() -> None:
    tally = Tally()
    for margin_us in (50, 100, 101, 400_000, 2_000_000):
        tally.margins_us.note(margin_us)
    page = Metrics(tally, Counts(), lambda: {"version": "1", "loop_stall_max_us": 0}).page()
    found = numbers(page)
    assert found["acerace_races_total"] == found["acerace_race_margin_seconds_count"] == 5
    assert found["acerace_race_margin_seconds_bucket{le=0.0001}"] == 2
    assert found["acerace_race_margin_seconds_bucket{le=0.0003}"] == 3
    assert found["acerace_race_margin_seconds_bucket{le=1.0}"] == 4
    assert found["acerace_race_margin_seconds_bucket{le=+Inf}"] == 5
    assert found["acerace_race_margin_seconds_sum"] == 2.400251
    assert not [name for name in found if not re.match(r"acerace_|process_", name)]


def test_two_servers_in_one_process_share_nothing() -> None:
    tallies = [Tally(), Tally()]
    pages = [Metrics(tally, Counts(), lambda: {"version": "1", "loop_stall_max_us": 0}) for tally in tallies]
    tallies[0].moves = 7
    assert [numbers(page.page())["acerace_moves_total"] for page in pages] == [7, 0]


def test_a_histogram() -> None:
    histogram = Histogram((1, 10))
    for value in (0, 1, 2, 10, 11, 500):
        histogram.note(value)
    assert (histogram.counts, histogram.total) == ([2, 2, 2], 524)
