"""Which names are claimed, and when two names are the same to those who read them."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from acerace_protocol.limits import Fault
from acerace_server.core.lobby import RefusalError

# Characters that are not seen (Default_Ignorable_Code_Point): a name with some of them looks like the name without.
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_RESERVED: Final = re.compile(r"(guest|house)(?!\w)")
"""How guests and house bots are called."""


def fold(name: str) -> str:
    """Names that fold to the same text are one name.

    Upper and lower case, spaces, ways to write a letter, and characters that are not seen make no difference.
    """
    seen = _UNSEEN.sub("", unicodedata.normalize("NFKC", name))
    return " ".join(unicodedata.normalize("NFKC", seen.casefold()).split())


def require_shown(name: str) -> str:
    """The name without spaces around it. Raises :class:`RefusalError` (``MALFORMED``) if it cannot be shown."""
    if not name.isprintable() or not fold(name):
        raise RefusalError(Fault.MALFORMED, "Expected printable text - at `$.name`")
    return name.strip()


def guest_name(player: str) -> str:
    """The name of a player who has none; nobody can claim it."""
    return f"Guest {player[:4]}"


class Names:
    """The claimed names of all players, whether or not they are here, and those that are just being claimed.

    In memory, so that of two claims in one moment exactly one wins, and so that a guest's name costs no look-up.
    """

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}
        """By folded name, the player."""
        self._folded: dict[str, str] = {}
        """By player, the folded name."""
        self._pending: dict[str, str] = {}

    def restore(self, owners: Mapping[str, str]) -> None:
        """Take up what was claimed in earlier runs: players by folded name."""
        self._owners |= owners
        self._folded |= {player: folded for folded, player in owners.items()}

    def owner(self, name: str) -> str | None:
        return self._owners.get(fold(name))

    def has_claimed(self, player: str) -> bool:
        return player in self._folded

    def begin(self, player: str, name: str) -> None:
        """Keep a name for a player until :meth:`claim` or :meth:`give_up`.

        Raises :class:`RefusalError`: ``NAME_TAKEN``, or ``TOO_FAST`` for a player whose claim is not done yet.
        """
        folded = fold(name)
        if _RESERVED.match(folded):
            raise RefusalError(Fault.NAME_TAKEN, "names that begin with Guest or House are not to be claimed")
        if {self._owners.get(folded, player), self._pending.get(folded, player)} != {player}:
            raise RefusalError(Fault.NAME_TAKEN, f"{name!r} is another player's, or looks like it")
        if player in self._pending.values():
            raise RefusalError(Fault.TOO_FAST, "another name is just being claimed for you")
        self._pending[folded] = player

    def give_up(self, name: str) -> None:
        self._pending.pop(fold(name), None)

    def claim(self, player: str, name: str) -> None:
        """Make a name that was just given up, and not begun by anyone since, this player's; the one before is free."""
        folded = fold(name)
        before = self._folded.pop(player, None)
        if before is not None:
            del self._owners[before]
        self._owners[folded] = player
        self._folded[player] = folded

    def shown(self, player: str, name: str) -> str:
        """The name, or a guest's name in place of one that looks like another player's claimed one."""
        return name if self.owner(name) in {None, player} else guest_name(player)
