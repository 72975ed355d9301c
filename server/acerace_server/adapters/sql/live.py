"""The tables that records may still come for: what the journal must know of each to write the next one."""

from dataclasses import dataclass

from acerace_protocol.messages import PlayerInfo
from acerace_server.core.match import Setup


@dataclass(slots=True)
class Live:
    """A table that is not put away."""

    number: int
    opened_at: int
    players: tuple[PlayerInfo, ...]
    solo: bool
    entries: int = 0
    """How many of its log are written."""
    begun: bool = False
    """Somebody has tried to move: a game that counts."""
    over: bool = False

    @classmethod
    def of(cls, number: int, setup: Setup) -> "Live":
        return cls(number, setup.opened_at, setup.players, solo=setup.code is not None)


LiveTables = dict[str, Live]
"""By table id."""
