"""The bots by name."""

from collections.abc import Callable, Mapping
from typing import Final

from acerace_client.bots.patient import PatientBot
from acerace_client.bots.position import Bot
from acerace_client.bots.simple import GreedyBot, RandomBot
from acerace_rules.shuffle import number_below, stream


class UnknownBotError(ValueError):
    """A name no bot has; the message says which there are."""


def _random(seed: bytes) -> Bot:
    source = stream(seed, b"acerace/bot/random/")
    return RandomBot(lambda n: number_below(min(n, 256), source))


BOTS: Final[Mapping[str, Callable[[bytes], Bot]]] = {
    "random": _random,
    "greedy": lambda _seed: GreedyBot(),
    "patient": lambda _seed: PatientBot(),
}
"""By name: makes a bot for one game from a seed, which decides all it does by chance."""


def make_bot(name: str, seed: bytes = b"") -> Bot:
    """Raises :class:`UnknownBotError`."""
    if name not in BOTS:
        raise UnknownBotError(f"there is no bot {name!r}; expected one of {', '.join(BOTS)}")
    return BOTS[name](seed)
