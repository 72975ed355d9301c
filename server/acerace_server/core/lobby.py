"""Seeks and invitations in, pairings out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from acerace_protocol.limits import LISTED_MAX, SEEKS_MAX, Fault
from acerace_protocol.messages import SeekInfo
from acerace_rules.catalogue import find_game
from acerace_rules.deal import ALPHABET
from acerace_rules.options import Chosen, UnknownChoiceError, Value

CODE_LETTERS: Final = 6
_SEATS: Final = 2


class RefusalError(Exception):
    """A message that is not carried out; becomes a ``problem``."""

    def __init__(self, fault: Fault, detail: str = "") -> None:
        super().__init__(detail or fault)
        self.fault = fault
        self.detail = detail


@dataclass(frozen=True, slots=True)
class OpenSeek:
    """Somebody who looks for an opponent."""

    key: str
    """Its id; of a private one the code that opens it."""
    player: str
    name: str
    bot: bool
    game: str
    options: Mapping[str, Value]
    private: bool

    @property
    def info(self) -> SeekInfo:
        return SeekInfo(seek=self.key, name=self.name, game=self.game, options=dict(self.options), bot=self.bot)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players, the one who sought first in seat 0, and what they play."""

    players: tuple[str, str]
    game: str
    options: Mapping[str, Value]
    seek: OpenSeek


class Lobby:
    """The open seeks: at most one a player."""

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self._entropy = entropy
        self._seeks: dict[str, OpenSeek] = {}
        self._by_player: dict[str, OpenSeek] = {}

    def __len__(self) -> int:
        return len(self._seeks)

    def listed(self) -> tuple[SeekInfo, ...]:
        """The oldest public seeks."""
        public = [seek.info for seek in self._seeks.values() if not seek.private]
        return tuple(public[:LISTED_MAX])

    def seek(  # a seek is who, what and how
        self, player: str, name: str, game: str, options: Chosen, *, bot: bool = False, private: bool = False
    ) -> OpenSeek | Pairing:
        """Open a seek, or take an open one of another player with the same options.

        Raises :class:`RefusalError`: ``NO_SUCH_GAME``, ``BAD_OPTIONS``, ``ALREADY_SEEKING``, ``TOO_MANY``.
        """
        key, chosen = chosen_options(game, options, seats=_SEATS)
        if player in self._by_player:
            raise RefusalError(Fault.ALREADY_SEEKING, f"your seek {self._by_player[player].key} is open")
        if not private:
            for other in self._seeks.values():
                if not other.private and other.game == key and other.options == chosen:
                    return self._pair(other, player)
        if len(self._seeks) >= SEEKS_MAX:
            raise RefusalError(Fault.TOO_MANY, f"{SEEKS_MAX} seeks are open")
        seek = OpenSeek(self._new_key(), player, name, bot, key, chosen, private)
        self._seeks[seek.key] = self._by_player[player] = seek
        return seek

    def accept(self, player: str, key: str) -> Pairing:
        """Take a seek by its id or code. Raises :class:`RefusalError`: ``NO_SUCH_SEEK``, ``OWN_SEEK``."""
        seek = self._seeks.get(key.strip().upper())
        if seek is None:
            raise RefusalError(Fault.NO_SUCH_SEEK, f"{key!r}: it was taken, or taken back, or never was")
        if seek.player == player:
            raise RefusalError(Fault.OWN_SEEK, "you cannot play yourself")
        return self._pair(seek, player)

    def withdraw(self, player: str) -> OpenSeek | None:
        """Take this player's seek back, if there is one."""
        seek = self._by_player.pop(player, None)
        if seek:
            del self._seeks[seek.key]
        return seek

    def _pair(self, seek: OpenSeek, player: str) -> Pairing:
        self.withdraw(seek.player)
        return Pairing((seek.player, player), seek.game, seek.options, seek)

    def _new_key(self) -> str:
        while True:
            key = "".join(ALPHABET[byte % len(ALPHABET)] for byte in self._entropy(CODE_LETTERS))
            if key not in self._seeks:
                return key


def chosen_options(key: str, options: Chosen, *, seats: int) -> tuple[str, dict[str, Value]]:
    """A game's key and all its options, from a game's or preset's key and what was chosen.

    Raises :class:`RefusalError`: ``NO_SUCH_GAME`` (also for a game with another number of seats), ``BAD_OPTIONS``.
    """
    try:
        game, preset = find_game(key)
    except UnknownChoiceError as error:
        raise RefusalError(Fault.NO_SUCH_GAME, str(error)) from None
    if game.seats != seats:
        raise RefusalError(Fault.NO_SUCH_GAME, f"{key} is a game for {game.seats}, not for {seats}")
    try:
        return game.key, game.chosen({**preset, **options})
    except UnknownChoiceError as error:
        raise RefusalError(Fault.BAD_OPTIONS, str(error)) from None
