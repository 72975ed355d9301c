"""What two players agree on before a deal of Double Klondike, beyond the rules of the moves (RULES.md 6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from acerace_rules.options import Value


@dataclass(frozen=True, slots=True)
class Terms:
    """How a match is paced, timed, ended and scored. A solo game has none of it."""

    alternating: bool = False
    bicycle: bool = False
    """After a draw the turn goes on if the next move plays the drawn card."""
    clear_bonus_cards: int = 0
    """Cards added for emptying one's own tableau first; 0: none (D54)."""
    clear_wins: bool = False
    """Emptying one's own tableau first wins outright (D54)."""
    mirror: bool = False
    """Both decks in the same order (D66)."""
    play_on: bool = False
    """The match goes on when one is out, until both are out or blocked (D52)."""
    grace_s: int = 60
    no_progress_s: int = 120
    clock_s: int = 0
    """Length of the match; 0: no clock."""

    @classmethod
    def of(cls, chosen: Mapping[str, Value]) -> Self:
        """From the options of ``double-klondike`` with all defaults filled in."""
        return cls(
            alternating=chosen["pace"] == "alternating",
            bicycle=chosen["turn"] == "bicycle",
            clear_bonus_cards=int(chosen["clear_bonus_cards"]) if chosen["clear_bonus"] == "cards" else 0,
            clear_wins=chosen["clear_bonus"] == "wins",
            mirror=bool(chosen["mirror"]),
            play_on=bool(chosen["play_on"]),
            grace_s=int(chosen["grace_s"]),
            no_progress_s=int(chosen["no_progress_s"]),
            clock_s=int(chosen["clock_s"]),
        )
