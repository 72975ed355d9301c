"""A match that is being played, as many tests of the hub need one."""

from acerace_protocol.messages import (
    Play,
    Refused,
)
from tests.server.core.support import Client, World


class Room(World):
    """A hub with a match that is being played, and a spectator who does not watch yet."""

    def __init__(self) -> None:
        super().__init__()
        self.ada = self.connect()
        self.token = self.ada.hello("Ada").token
        self.bruno, self.carla = self.enter("Bruno"), self.enter("Carla")
        self.key = self.match(self.ada, self.bruno)

    def draw(self, player: Client, nonce: int) -> None:
        """A draw, or else the recycle that lets one draw again."""
        if isinstance(player.send(Play(table=self.key, nonce=nonce, move="d"))[-1], Refused):
            player.send(Play(table=self.key, nonce=10_000 + nonce, move="r"))
