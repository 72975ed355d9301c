"""Seeks and invitations in, pairings out.

Casual seeks are paired at once, the oldest first. Rated ones wait for somebody of like rating; how far apart two may be
grows with the time for which either has waited.
"""

from bisect import insort
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, NamedTuple

from acerace_protocol.limits import (
    LISTED_MAX,
    PAIRING_POINTS,
    PAIRING_POINTS_PER_SECOND,
    SEEKS_MAX,
    Fault,
)
from acerace_protocol.messages import SeekInfo
from acerace_protocol.units import SECOND_NS
from acerace_rules.deal import ALPHABET
from acerace_rules.options import Value
from acerace_server.core.refusal import RefusalError
from acerace_server.core.series import is_even, with_seats_exchanged

CODE_LETTERS: Final = 6
_SEATS: Final = 2


class Seeker(NamedTuple):
    """Who looks for an opponent."""

    player: str
    name: str
    bot: bool = False
    rating: int | None = None
    """In the pool of what is sought."""
    nonce: int | None = None
    """Of the message in which it was sought."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is sought."""

    game: str
    """As the catalogue has it, no preset's key."""
    options: Mapping[str, Value]
    """All of them."""
    private: bool = False
    rated: bool = False
    house: bool = False
    """A house bot may take it."""


@dataclass(frozen=True, slots=True)
class OpenSeek:
    """Somebody who looks for an opponent."""

    key: str
    """Its id; of a private one the code that opens it."""
    seeker: Seeker
    wish: Wish
    strength: int
    """What rated seeks are paired by."""
    at: int
    """Since when, in nanoseconds."""

    @property
    def player(self) -> str:
        return self.seeker.player

    @property
    def private(self) -> bool:
        return self.wish.private

    @property
    def info(self) -> SeekInfo:
        return SeekInfo(
            seek=self.key,
            name=self.seeker.name,
            game=self.wish.game,
            options=dict(self.wish.options),
            bot=self.seeker.bot,
            rated=self.wish.rated,
            rating=self.seeker.rating if self.wish.rated else None,
        )

    def meets_at(self, other: "OpenSeek") -> int:
        """When these two have waited long enough for the difference of their ratings, in nanoseconds."""
        beyond = max(0, abs(self.strength - other.strength) - PAIRING_POINTS)
        first, second = sorted((self.at, other.at))
        # whoever has waited longer need not see one leave again who has just come
        return max(second, first + beyond * SECOND_NS // PAIRING_POINTS_PER_SECOND)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players, the one who sought first in seat 0, and what they play."""

    players: tuple[str, str]
    nonces: tuple[int | None, int | None]
    """Of the messages that have led here, by player."""
    seek: OpenSeek
    newer: OpenSeek | None = None
    """The other's, if that was open too."""

    @property
    def seeks(self) -> tuple[OpenSeek, ...]:
        """Those that are open no longer, by player."""
        return (self.seek, self.newer) if self.newer else (self.seek,)

    @property
    def game(self) -> str:
        return self.seek.wish.game

    @property
    def options(self) -> Mapping[str, Value]:
        return self.seek.wish.options


class _Meeting(NamedTuple):
    at: int
    older: OpenSeek
    newer: OpenSeek


_Group = tuple[object, ...]
"""What two rated seeks must have in common."""


@dataclass(slots=True)
class _Rated:
    """The rated seeks that could be paired with each other, by strength."""

    seeks: list[OpenSeek] = field(default_factory=list[OpenSeek])

    def next_pair(self) -> "_Meeting | None":
        """Who meets first. They are neighbours: nobody between two others is further from either."""
        neighbours = (sorted(pair, key=_age) for pair in pairwise(self.seeks))
        meetings = (_Meeting(older.meets_at(newer), older, newer) for older, newer in neighbours)
        return min(meetings, key=lambda meeting: (meeting.at, meeting.older.at), default=None)


class Lobby:
    """The open seeks: at most one a player."""

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self._entropy = entropy
        self._seeks: dict[str, OpenSeek] = {}
        self._by_player: dict[str, OpenSeek] = {}
        self._rated: dict[_Group, _Rated] = {}
        self._meeting: _Meeting | None = None
        """The next one."""
        self._meeting_is_stale = False

    def __len__(self) -> int:
        return len(self._seeks)

    def __iter__(self) -> Iterator[OpenSeek]:
        """The oldest first."""
        return iter(self._seeks.values())

    def find(self, key: str) -> OpenSeek | None:
        return self._seeks.get(key)

    def listed(self) -> tuple[SeekInfo, ...]:
        """The oldest public seeks."""
        public = [seek.info for seek in self._seeks.values() if not seek.private]
        return tuple(public[:LISTED_MAX])

    def seek(self, seeker: Seeker, wish: Wish, strength: int, at: int) -> OpenSeek | Pairing:
        """Open a seek, or take an open one of another player who wants the same.

        Raises :class:`RefusalError`: ``ALREADY_SEEKING``, ``TOO_MANY``, ``BAD_OPTIONS`` for a rated handicap.
        """
        if seeker.player in self._by_player:
            raise RefusalError(Fault.ALREADY_SEEKING, f"your seek {self._by_player[seeker.player].key} is open")
        if wish.rated and not is_even(wish.options):
            raise RefusalError(Fault.BAD_OPTIONS, "a match with a handicap is not rated")
        seek = OpenSeek(self._new_key(), seeker, wish, strength, at)
        if not wish.private and (other := self._opponent_now(seek)):
            return self._pair(other, seeker.player, seeker.nonce)
        if len(self._seeks) >= SEEKS_MAX:
            raise RefusalError(Fault.TOO_MANY, f"{SEEKS_MAX} seeks are open")
        self._seeks[seek.key] = self._by_player[seeker.player] = seek
        if _waits_for_rating(seek):
            insort(self._rated.setdefault(_group(seek), _Rated()).seeks, seek, key=_strength)
            self._meeting_is_stale = True
        return seek

    def accept(self, player: str, key: str, *, bot: bool = False, nonce: int | None = None) -> Pairing:
        """Take a seek by its id or code.

        Raises :class:`RefusalError`: ``NO_SUCH_SEEK``, ``OWN_SEEK``, ``NOT_ALLOWED`` for a rated one between a person
        and a bot.
        """
        seek = self._seeks.get(key.strip().upper())
        if seek is None:
            raise RefusalError(Fault.NO_SUCH_SEEK, f"{key!r}: it was taken, or taken back, or never was")
        if seek.player == player:
            raise RefusalError(Fault.OWN_SEEK, "you cannot play yourself")
        if seek.wish.rated and seek.seeker.bot != bot:
            raise RefusalError(Fault.NOT_ALLOWED, "people and bots are rated apart")
        return self._pair(seek, player, nonce)

    def sought(self, player: str) -> OpenSeek | None:
        """The open seek of this player, if there is one."""
        return self._by_player.get(player)

    def withdraw(self, player: str) -> OpenSeek | None:
        """Take this player's seek back, if there is one."""
        seek = self._by_player.pop(player, None)
        if seek:
            del self._seeks[seek.key]
            if _waits_for_rating(seek):
                group = self._rated[_group(seek)]
                group.seeks.remove(seek)
                if not group.seeks:
                    del self._rated[_group(seek)]
                self._meeting_is_stale = True
        return seek

    def deadline(self) -> int | None:
        """When the next two rated seeks meet, in nanoseconds."""
        if self._meeting_is_stale:
            self._meeting = min(
                (meeting for group in self._rated.values() if (meeting := group.next_pair())),
                key=lambda meeting: meeting.at,
                default=None,
            )
            self._meeting_is_stale = False
        return self._meeting.at if self._meeting else None

    def due(self, at: int) -> Pairing | None:
        """Pair two rated seeks that have met by ``at``, if there are two."""
        deadline, meeting = self.deadline(), self._meeting
        if deadline is None or deadline > at or meeting is None:
            return None
        newer = meeting.newer
        self.withdraw(newer.player)
        return replace(self._pair(meeting.older, newer.player, newer.seeker.nonce), newer=newer)

    def _opponent_now(self, seek: OpenSeek) -> OpenSeek | None:
        """Who is there for a new seek: the oldest casual one, or the nearest rated one that is near enough."""
        if seek.wish.rated:
            group = self._rated.get(_group(seek), _Rated())
            near = (other for other in group.seeks if seek.meets_at(other) <= seek.at)
            return min(near, key=lambda other: (abs(other.strength - seek.strength), other.at), default=None)
        # with a handicap each wants the part that the other leaves to him
        wanted = with_seats_exchanged(seek.wish.options)
        return next(
            (
                other
                for other in self._seeks.values()
                if not (other.wish.private or other.wish.rated)
                and (other.wish.game, other.wish.options) == (seek.wish.game, wanted)
            ),
            None,
        )

    def _pair(self, seek: OpenSeek, player: str, nonce: int | None) -> Pairing:
        self.withdraw(seek.player)
        return Pairing((seek.player, player), (seek.seeker.nonce, nonce), seek)

    def _new_key(self) -> str:
        while True:
            key = "".join(ALPHABET[byte % len(ALPHABET)] for byte in self._entropy(CODE_LETTERS))
            if key not in self._seeks:
                return key


def _waits_for_rating(seek: OpenSeek) -> bool:
    return seek.wish.rated and not seek.wish.private


def _group(seek: OpenSeek) -> _Group:
    return (seek.wish.game, seek.seeker.bot, *sorted(seek.wish.options.items()))


def _strength(seek: OpenSeek) -> int:
    return seek.strength


def _age(seek: OpenSeek) -> int:
    return seek.at
