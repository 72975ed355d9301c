"""The page for Prometheus: numbers that were counted anyway, put into words only when somebody asks."""

from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from acerace_protocol.units import SECOND_NS
from acerace_server.core.tally import Histogram, Tally
from acerace_server.shell.counts import Counts

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_US_PER_S: Final = 1_000_000
_GAUGES: Final = {
    "connections": "WebSockets that are open.",
    "players": "Players the server remembers.",
    "seeks": "Players who look for an opponent.",
    "tables": "Tables, those that are over and not put away yet included.",
    "tables_live": "Tables whose game is not over.",
    "sockets": "TCP connections, the WebSockets included.",
}


class Metrics(Collector):
    """Collects for a registry of its own."""

    def __init__(self, tally: Tally, counts: Counts, health: Callable[[], Mapping[str, object]]) -> None:
        self._tally = tally
        self._counts = counts
        self._health = health
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def page(self) -> str:
        """All numbers in Prometheus' text format."""
        return generate_latest(self._registry).decode()

    def collect(self) -> Iterator[Metric]:
        health = self._health()
        info = GaugeMetricFamily("acerace_info", "Always 1; the label says which server this is.", labels=["version"])
        info.add_metric([str(health["version"])], 1)
        yield info
        for name, text in _GAUGES.items():
            if name in health:
                yield GaugeMetricFamily(f"acerace_{name}", text, _number(health[name]))
        stall_us = _number(health["loop_stall_max_us"])
        yield GaugeMetricFamily(
            "acerace_loop_stall_max_seconds", "The longest stall of the loop in the last minute.", stall_us / _US_PER_S
        )
        yield from self._of_tables()
        yield from self._of_connections()

    def _of_tables(self) -> Iterator[Metric]:
        tally = self._tally
        yield CounterMetricFamily("acerace_moves", "Accepted moves.", tally.moves)
        yield CounterMetricFamily("acerace_tables_opened", "Tables opened.", tally.opened)
        yield _by("acerace_games_ended", "Games that ended, by how.", "reason", tally.ended)
        yield _by("acerace_refusals", "Refused table commands, by reason.", "reason", tally.refusals)
        yield _by("acerace_problems", "Other messages not carried out, by code.", "code", tally.problems)
        yield CounterMetricFamily("acerace_races", "Plays that came second.", sum(tally.margins_us.counts))
        yield _histogram("acerace_race_margin_seconds", "By how much they did.", tally.margins_us, _US_PER_S)

    def _of_connections(self) -> Iterator[Metric]:
        counts = self._counts
        yield CounterMetricFamily("acerace_connections_opened", "WebSockets opened.", counts.opened)
        yield _by("acerace_turned_away", "Connections that were not let in, by why.", "why", counts.turned_away)
        yield CounterMetricFamily(
            "acerace_outbox_drops", "Connections dropped because they did not read.", counts.dropped["slow_reader"]
        )
        yield _by("acerace_dropped", "Connections given up, by why.", "why", counts.dropped)
        yield _histogram("acerace_beat_seconds", "From arrival to answer, by loop turn.", counts.beats_ns, SECOND_NS)
        yield _histogram(
            "acerace_journal_commit_seconds", "How long the loop waited for the journal.", counts.commits_ns, SECOND_NS
        )


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _by(name: str, text: str, label: str, counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(name, text, labels=[label])
    for key, count in sorted(counts.items()):
        family.add_metric([key], count)
    return family


def _histogram(name: str, text: str, histogram: Histogram, per_second: int) -> Metric:
    bounds = [str(bound / per_second) for bound in histogram.bounds] + ["+Inf"]
    buckets = [*zip(bounds, map(float, accumulate(histogram.counts)), strict=True)]
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=histogram.total / per_second)
