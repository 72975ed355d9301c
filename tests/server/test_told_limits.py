"""A limit that the operator has set is the one that clients are told (PROTOCOL.md 15)."""

from acerace_protocol.limits import LIMITS
from acerace_protocol.messages import Hello, Welcome
from acerace_server.app import open_hub, open_store
from acerace_server.config import Config


def told(config: Config) -> dict[str, int]:
    with open_store(config, None) as store:
        hub = open_hub(config, store)
        hub.connect(1, 0)
        hub.receive(1, Hello(), 0)
        [welcome] = [out.message for out in hub.outgoing if isinstance(out.message, Welcome)]
        return welcome.limits


def test_every_limit_that_is_a_setting_is_told_as_it_was_set() -> None:
    settings = {name: LIMITS[name] + 1 for name in Config.__slots__ if name in LIMITS}
    assert settings.keys() == {"commands_per_second", "connections_per_address"}
    burst = {"commands_burst": 2 * settings["commands_per_second"]}
    assert told(Config(**settings)) == LIMITS | settings | burst  # type: ignore[arg-type]


def test_else_they_are_those_of_the_document() -> None:
    assert told(Config()) == LIMITS
