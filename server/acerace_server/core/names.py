"""Which names are claimed, and when two names are the same to those who read them."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from acerace_protocol.limits import Fault
from acerace_server.core.refusal import RefusalError

# Characters that are not seen (Default_Ignorable_Code_Point): a name with some of them looks like the name without.
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Letters that look like Latin ones, small or as capitals (Unicode Technical Standard 39), each by its small letter.
_CYRILLIC: Final = (
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445"
    "\u0455\u0456\u0458\u04bb\u04cf\u0501\u051b\u051d"
)
_GREEK: Final = "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7"
# The same of Latin letters that no name needs: small capitals, and those of phonetic alphabets.
_SMALL_CAPITALS: Final = (
    "\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f"
    "\u1d0d\u0274\u1d0f\u1d18\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22"
)
_PHONETIC: Final = "\u0251\ua7b5\uab32\uab35\ua799\u0261\u0131\u0269\u01c0\u029d\uab3d\uab47\u028b\u026f\uab53\u0263"
_SCRIPTS: Final = str.maketrans(
    _CYRILLIC + _GREEK + _SMALL_CAPITALS + _PHONETIC,
    "abekmhopctyxsijhldqw" + "abezhikmnoptyx" + "abcdefghijklmnoprstuvwyz" + "abeffgiiljoruwxy",
)
# Upper and lower case are one name, and a capital I looks like a small L: so all that look like either are one letter.
_LATIN: Final = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o", "m": "rn", "\u00e6": "ae", "\u0153": "oe"})
_DOTTED: Final = "i\u0307"
"""A Turkish capital I with its dot, as a small letter: it looks like one without."""
_SCRIPTS_ALIKE: Final = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC"})
"""Each has letters that look like another's; the first word of a letter's name says which it is of."""
SAME_NAME_MOST: Final = 4
"""Of the players with the same name, so many can come in by it: each one's password is a slow look."""
_RESERVED: Final = re.compile(r"(guest|house)(?!\w)")
"""How guests and house bots are called."""


def fold(name: str) -> str:
    """Names that fold to the same text are one name.

    Upper and lower case, spaces, ways to write a letter, characters that are not seen, and which of some letters that
    look alike it is make no difference. Nothing of this is kept anywhere, so it may change from version to version.
    """
    small = name.casefold() if name.isascii() else _small(name)
    return " ".join(unicodedata.normalize("NFKC", small.translate(_LATIN)).split())


def _small(name: str) -> str:
    """A name in small letters, with Latin ones for those beyond ASCII that look like them."""
    seen = _UNSEEN.sub("", unicodedata.normalize("NFKC", name))
    return unicodedata.normalize("NFD", seen.casefold()).translate(_SCRIPTS).replace(_DOTTED, "i")


def mixes_scripts(name: str) -> bool:
    """Whether it has letters of two of the scripts whose letters look alike, as names that deceive do."""
    letters = (char for char in unicodedata.normalize("NFKC", name) if char.isalpha())
    return len({unicodedata.name(char, "").partition(" ")[0] for char in letters} & _SCRIPTS_ALIKE) > 1


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
    Two players have the same name only if both claimed theirs under an earlier version, to which they were two names:
    each keeps it, and nobody else gets it.
    """

    def __init__(self) -> None:
        self._owners: dict[str, list[str]] = {}
        """By folded name, the players, those who claimed first first."""
        self._folded: dict[str, str] = {}
        """By player, the folded name."""
        self._pending: dict[str, str] = {}

    def restore(self, names: Mapping[str, str]) -> None:
        """Take up what was claimed in earlier runs: names by player, those claimed first first."""
        for player, name in names.items():
            self.claim(player, name)

    def owners(self, name: str) -> tuple[str, ...]:
        """The players who may come in by this name, each with a password of its own."""
        return tuple(self._owners.get(fold(name), ())[:SAME_NAME_MOST])

    def has_claimed(self, player: str) -> bool:
        return player in self._folded

    def begin(self, player: str, name: str) -> None:
        """Keep a name for a player until :meth:`claim` or :meth:`give_up`.

        Raises :class:`RefusalError`: ``NAME_TAKEN``, ``MALFORMED`` for letters of several scripts that look alike, or
        ``TOO_FAST`` for a player whose claim is not done yet.
        """
        if mixes_scripts(name):
            raise RefusalError(Fault.MALFORMED, "Expected letters of one script, such as Latin only - at `$.name`")
        folded = fold(name)
        if _RESERVED.match(folded):
            raise RefusalError(Fault.NAME_TAKEN, "names that begin with Guest or House are not to be claimed")
        if not self._is_free(player, folded) or self._pending.get(folded, player) != player:
            raise RefusalError(Fault.NAME_TAKEN, f"{name!r} is another player's, or looks like it")
        if player in self._pending.values():
            raise RefusalError(Fault.TOO_FAST, "another name is just being claimed for you")
        self._pending[folded] = player

    def give_up(self, name: str) -> None:
        self._pending.pop(fold(name), None)

    def claim(self, player: str, name: str) -> None:
        """Make a name that was just given up, and not begun by anyone since, this player's; the one before is free."""
        folded = fold(name)
        before = self._folded.get(player)
        if before == folded:
            return
        if before is not None:
            self._owners[before].remove(player)
            if not self._owners[before]:
                del self._owners[before]
        self._owners.setdefault(folded, []).append(player)
        self._folded[player] = folded

    def shown(self, player: str, name: str) -> str:
        """The name, or a guest's name in place of one that looks, or might look, like another player's claimed one."""
        is_clear = self._is_free(player, fold(name)) and not mixes_scripts(name)
        return name if is_clear else guest_name(player)

    def _is_free(self, player: str, folded: str) -> bool:
        """Whether it is nobody's, or this player's already."""
        return folded not in self._owners or self._folded.get(player) == folded
