"""docs/operating.md names every setting, every metric, and the numbers of the limits it tells of."""

import re
from pathlib import Path

from acerace_protocol.limits import (
    LIMITS,
    PASSWORDS_FOR_NAME_PER_MINUTE,
    PASSWORDS_FROM_ADDRESS_PER_MINUTE,
    PASSWORDS_PER_MINUTE,
    CloseCode,
)
from acerace_server.config import PREFIX, Config, read_config
from acerace_server.core.tally import Tally
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.counts import Counts
from acerace_server.shell.metrics import Metrics
from tests.protocol.document import rows

TEXT = Path(__file__).parents[2].joinpath("docs", "operating.md").read_text(encoding="utf-8")


def test_every_setting_is_there_in_all_its_three_forms(tmp_path: Path) -> None:
    settings = rows(TEXT, 5)[2:]
    names = {name.removesuffix("s") if name == "origins" else name for name in Config.__slots__}
    assert {row[0].split()[0].strip("`,").removeprefix("--").replace("-", "_") for row in settings} == names
    for row in settings:
        option = row[0].split()[0].strip("`,").removeprefix("--")
        assert re.match(rf"{PREFIX}{option.replace('-', '_').upper()}\b", row[1])
        assert row[2].startswith(f"{option} = ")
    file = tmp_path / "all.toml"
    file.write_text("\n".join(row[2] for row in settings))
    assert read_config(["--config", str(file)], {}).durability == "full"


def test_every_metric_is_there_and_no_other() -> None:
    health = dict.fromkeys(["connections", "sockets", "players", "seeks", "tables", "tables_live"], 1)
    page = Metrics(Tally(), Counts(), lambda: {"version": "1", "loop_stall_max_us": 0, **health}).page()
    real = re.findall(r"^# HELP (acerace_\w+)", page, re.MULTILINE)
    assert {*re.findall(r"`(acerace_\w+)", TEXT)} == {*real}


def test_the_limits_are_those_of_the_code() -> None:
    for name in ("connections_per_address", "commands_per_second"):
        assert f"`{name.replace('_', '-')} = {LIMITS[name]}`" in TEXT
    harm = TEXT.partition("## What is done about")[2].partition("\n## ")[0]
    assert f"{LIMITS['arrivals_per_minute']} WebSockets a minute" in harm
    assert f"more than {LIMITS['guests_per_hour']} new guests an hour" in harm
    assert f"after {PASSWORDS_PER_MINUTE} a minute for one name, or {PASSWORDS_FROM_ADDRESS_PER_MINUTE} for any" in harm
    assert f"after {PASSWORDS_FOR_NAME_PER_MINUTE} a minute for one name every address" in harm
    assert f"after {LIMITS['flood_messages']} refusals in a minute it is closed with {CloseCode.FLOOD:d}" in harm
    assert f"after {LIMITS['malformed_per_connection']} it is closed with {CloseCode.TOO_MANY_MALFORMED:d}" in harm
    assert f"cut off {LIMITS['hello_timeout_ms'] // 1000} s after" in harm
    assert f"dropped after {LIMITS['idle_timeout_ms'] // 1000} s" in harm
    assert f"more than {LIMITS['frame_max_bytes'] // 1024} KiB" in harm
    assert f"more than {Bounds().frame_cut_bytes // 1024} KiB" in harm
