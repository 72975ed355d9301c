"""Who is there: players, their tokens, their connections, their seats."""

import hashlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from acerace_protocol.limits import CONNECTIONS_PER_PLAYER, LEFT_PLAYER_KEPT_MS, PLAYERS_MAX, Fault
from acerace_protocol.messages import Hello, PlayerInfo
from acerace_protocol.units import MS_NS
from acerace_server.core.bucket import Bucket
from acerace_server.core.names import guest_name, require_shown
from acerace_server.core.records import KnownPlayer, Rating
from acerace_server.core.refusal import RefusalError

_TOKEN_BYTES = 18
_PLAYER_BYTES = 10
_LOOK_EVERY_NS = 60_000 * MS_NS
_SOURCES_KEPT = 8


@dataclass(slots=True)
class Player:
    """Known by secret tokens to the server and by a public id to the others."""

    key: str
    name: str
    bot: bool
    tokens_sha256: set[str] = field(default_factory=set[str])
    """What the player's tokens hash to; the tokens themselves are kept nowhere."""
    connections: set[int] = field(default_factory=set[int])
    tables: dict[str, int] = field(default_factory=dict[str, int])
    """By table, the seat this player has there."""
    sources: deque[str] = field(default_factory=lambda: deque[str](maxlen=_SOURCES_KEPT))
    """The addresses it came from last, with a token or a password; in memory only."""
    budget: Bucket | None = None
    """What all connections together may send."""
    left_at: int = 0
    """When the last connection went, in nanoseconds."""
    wishes: dict[int, str] = field(default_factory=dict[int, str])
    """By the nonces of the last wishes that led to a seat, the table; the oldest first."""
    ratings: dict[str, Rating] = field(default_factory=dict[str, Rating])
    """By pool; a pool in which the player has no rated match is not there."""

    @property
    def info(self) -> PlayerInfo:
        return PlayerInfo(player=self.key, name=self.name, bot=self.bot)


class Sessions:
    """All players. A seat belongs to a token, never to a name."""

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self._entropy = entropy
        self._by_token: dict[str, Player] = {}
        self._by_key: dict[str, Player] = {}
        self._look_again_at = 0

    def __len__(self) -> int:
        return len(self._by_key)

    def __contains__(self, key: str) -> bool:
        return key in self._by_key

    def __getitem__(self, key: str) -> Player:
        return self._by_key[key]

    def greet(self, hello: Hello) -> tuple[Player, str] | None:
        """The player of the hello's token, or a new guest; and the token. ``None``: nobody here has this token.

        Raises :class:`RefusalError`: ``TOO_MANY``, or ``MALFORMED`` for a name that is not text to be shown.
        """
        name = None if hello.name is None else require_shown(hello.name)
        if hello.token is None:
            return self._new_guest(name, bot=hello.bot)
        player = self._by_token.get(sha256_of(hello.token))
        return (player, hello.token) if player else None

    def know(self, known: KnownPlayer) -> Player:
        """Take up a player of an earlier run, or one who was forgotten; or the one who is here already."""
        player = self._by_key.get(known.player)
        if player is None:
            player = Player(known.player, known.name, known.bot, set(known.tokens_sha256))
            player.ratings = {rating.pool: rating for rating in known.ratings}
            self._take_up(player)
        return player

    def enter(self, connection: int, player: Player, source: str) -> None:
        """Let a connection from an address speak for a player. Raises :class:`RefusalError` (``TOO_MANY``)."""
        self.require_room(player)
        player.connections.add(connection)
        if source in player.sources:
            player.sources.remove(source)
        player.sources.append(source)

    def was_at(self, key: str, source: str) -> bool:
        """Whether a player who is here, or was not long ago, came from this address."""
        return key in self._by_key and source in self._by_key[key].sources

    def require_room(self, player: Player) -> None:
        """Raises :class:`RefusalError` (``TOO_MANY``) if the player has all the connections there may be."""
        if len(player.connections) >= CONNECTIONS_PER_PLAYER:
            raise RefusalError(Fault.TOO_MANY, f"a player has {CONNECTIONS_PER_PLAYER} connections at most")

    def leave(self, connection: int, player: Player, at: int) -> None:
        player.connections.discard(connection)
        player.left_at = at

    def deadline(self) -> int | None:
        """When :meth:`forget_absent` looks next."""
        return self._look_again_at if self._by_key else None

    def forget_absent(self, at: int) -> None:
        """Forget players who have been gone for long and have no seat. Looks once a minute, as there may be many."""
        if at < self._look_again_at:
            return
        self._look_again_at = at + _LOOK_EVERY_NS
        before = at - LEFT_PLAYER_KEPT_MS * MS_NS
        for player in [*self._by_key.values()]:
            if not player.connections and not player.tables and player.left_at < before:
                del self._by_key[player.key]
                for token in player.tokens_sha256:
                    self._by_token.pop(token, None)

    def add_token(self, player: Player) -> str:
        """Make one more token for a player."""
        token = self._entropy(_TOKEN_BYTES).hex()
        sha256 = sha256_of(token)
        player.tokens_sha256.add(sha256)
        self._by_token[sha256] = player
        return token

    def revoke_token(self, player: Player, sha256: str) -> None:
        """Make a token of this player worthless."""
        player.tokens_sha256.remove(sha256)
        del self._by_token[sha256]

    def _new_guest(self, name: str | None, *, bot: bool) -> tuple[Player, str]:
        if len(self._by_key) >= PLAYERS_MAX:
            raise RefusalError(Fault.TOO_MANY, f"{PLAYERS_MAX} players are known here")
        key = self._entropy(_PLAYER_BYTES).hex()
        player = Player(key, name or guest_name(key), bot)
        self._by_key[key] = player
        return player, self.add_token(player)

    def _take_up(self, player: Player) -> None:
        self._by_key[player.key] = player
        for token in player.tokens_sha256:
            self._by_token[token] = player


def sha256_of(token: str) -> str:
    """What is kept of a token, in hex."""
    return hashlib.sha256(token.encode()).hexdigest()
