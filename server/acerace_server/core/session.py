"""Who is there: players, their tokens, their connections, their seats."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from acerace_protocol.limits import CONNECTIONS_PER_PLAYER, LEFT_PLAYER_KEPT_MS, PLAYERS_MAX, Fault
from acerace_protocol.messages import Hello, PlayerInfo
from acerace_server.core.lobby import RefusalError
from acerace_server.core.records import KnownPlayer

_TOKEN_BYTES = 18
_PLAYER_BYTES = 5
_MS_NS = 1_000_000
_LOOK_EVERY_NS = 60_000 * _MS_NS


@dataclass(slots=True)
class Player:
    """A guest; known by a secret token to the server and by a public id to the others."""

    key: str
    name: str
    bot: bool
    tokens_sha256: set[str] = field(default_factory=set)
    """What the player's tokens hash to; the tokens themselves are kept nowhere."""
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

    def greet(self, hello: Hello) -> tuple[Player, str] | None:
        """The player of the hello's token, or a new guest; and the token. ``None``: nobody here has this token.

        Raises :class:`RefusalError`: ``TOO_MANY``, or ``MALFORMED`` for a name that is not text to be shown.
        """
        if hello.name is not None and not (hello.name.isprintable() and hello.name.strip()):
            raise RefusalError(Fault.MALFORMED, "Expected printable text - at `$.name`")
        if hello.token is None:
            return self._new_guest(hello)
        player = self._by_token.get(sha256_of(hello.token))
        return (player, hello.token) if player else None

    def know(self, known: KnownPlayer) -> Player:
        """Take up a player of an earlier run, or one who was forgotten; or the one who is here already."""
        player = self._by_key.get(known.player)
        if player is None:
            player = Player(known.player, known.name, known.bot, set(known.tokens_sha256))
            self._take_up(player)
        return player

    def enter(self, connection: int, player: Player) -> None:
        """Let a connection speak for a player. Raises :class:`RefusalError` (``TOO_MANY``)."""
        if len(player.connections) >= CONNECTIONS_PER_PLAYER:
            raise RefusalError(Fault.TOO_MANY, f"a player has {CONNECTIONS_PER_PLAYER} connections at most")
        player.connections.add(connection)

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
        before = at - LEFT_PLAYER_KEPT_MS * _MS_NS
        for player in [*self._by_key.values()]:
            if not player.connections and not player.tables and player.left_at < before:
                del self._by_key[player.key]
                for token in player.tokens_sha256:
                    self._by_token.pop(token, None)

    def _new_guest(self, hello: Hello) -> tuple[Player, str]:
        if len(self._by_key) >= PLAYERS_MAX:
            raise RefusalError(Fault.TOO_MANY, f"{PLAYERS_MAX} players are known here")
        key = self._entropy(_PLAYER_BYTES).hex()
        token = self._entropy(_TOKEN_BYTES).hex()
        name = hello.name.strip() if hello.name else f"Guest {key[:4]}"
        player = Player(key, name, hello.bot, {sha256_of(token)})
        self._take_up(player)
        return player, token

    def _take_up(self, player: Player) -> None:
        self._by_key[player.key] = player
        for token in player.tokens_sha256:
            self._by_token[token] = player


def sha256_of(token: str) -> str:
    """What is kept of a token, in hex."""
    return hashlib.sha256(token.encode()).hexdigest()
