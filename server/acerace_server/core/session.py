"""Who is there: players, their tokens, their connections, their seats."""

from collections.abc import Callable
from dataclasses import dataclass, field

from acerace_protocol.limits import CONNECTIONS_PER_PLAYER, LEFT_PLAYER_KEPT_MS, PLAYERS_MAX, Fault
from acerace_protocol.messages import Hello, PlayerInfo
from acerace_server.core.lobby import RefusalError

_TOKEN_BYTES = 18
_PLAYER_BYTES = 5
_MS_NS = 1_000_000
_LOOK_EVERY_NS = 60_000 * _MS_NS


@dataclass(slots=True)
class Player:
    """A guest; known by a secret token to the server and by a public id to the others."""

    key: str
    token: str
    name: str
    bot: bool
    connections: set[int] = field(default_factory=set)
    tables: dict[str, int] = field(default_factory=dict)
    """By table, the seat this player has there."""
    left_at: int = 0
    """When the last connection went, in nanoseconds."""

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

    def enter(self, connection: int, hello: Hello) -> Player:
        """The player a connection speaks for: the token's, or a new guest.

        Raises :class:`RefusalError`: ``UNKNOWN_TOKEN``, ``TOO_MANY``, ``MALFORMED`` for a name that is not text
        to be shown.
        """
        if hello.name is not None and not (hello.name.isprintable() and hello.name.strip()):
            raise RefusalError(Fault.MALFORMED, "Expected printable text - at `$.name`")
        player = self._new_guest(hello) if hello.token is None else self._by_token.get(hello.token)
        if player is None:
            raise RefusalError(Fault.UNKNOWN_TOKEN, "nobody has this token; say hello without one to be a new guest")
        if len(player.connections) >= CONNECTIONS_PER_PLAYER:
            raise RefusalError(Fault.TOO_MANY, f"a player has {CONNECTIONS_PER_PLAYER} connections at most")
        player.connections.add(connection)
        return player

    def leave(self, connection: int, player: Player, at: int) -> None:
        player.connections.discard(connection)
        player.left_at = at

    def forget_absent(self, at: int) -> None:
        """Forget players who have been gone for long and have no seat. Looks once a minute, as there may be many."""
        if at < self._look_again_at:
            return
        self._look_again_at = at + _LOOK_EVERY_NS
        before = at - LEFT_PLAYER_KEPT_MS * _MS_NS
        for player in [*self._by_key.values()]:
            if not player.connections and not player.tables and player.left_at < before:
                del self._by_key[player.key], self._by_token[player.token]

    def _new_guest(self, hello: Hello) -> Player:
        if len(self._by_key) >= PLAYERS_MAX:
            raise RefusalError(Fault.TOO_MANY, f"{PLAYERS_MAX} players are known here")
        key = self._entropy(_PLAYER_BYTES).hex()
        name = hello.name.strip() if hello.name else f"Guest {key[:4]}"
        player = Player(key, self._entropy(_TOKEN_BYTES).hex(), name, hello.bot)
        self._by_key[key] = self._by_token[player.token] = player
        return player
