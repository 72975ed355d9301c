"""The house bots: programs of this server that connect like any other, and play whoever finds nobody else."""

import hmac
from collections import deque
from collections.abc import Mapping
from typing import Final

from acerace_protocol.limits import HOUSE_WAIT_MS, Fault
from acerace_protocol.people import HOUSE_LEVELS, Challenge, Levels, ListLevels, Offered, ServeHouse
from acerace_protocol.units import MS_NS
from acerace_server.core.catalogue import chosen_options
from acerace_server.core.connection import Connection
from acerace_server.core.desks.seating import Agreement, SeatingDesk
from acerace_server.core.lobby import OpenSeek
from acerace_server.core.office import Handler, Office
from acerace_server.core.refusal import RefusalError

_SEATS: Final = 2
_WAIT_NS: Final = HOUSE_WAIT_MS * MS_NS
_USUAL: Final = HOUSE_LEVELS.index("medium")
"""Who has asked for no level gets one near this."""


class HouseDesk:
    """Brings people and house bots together."""

    def __init__(self, office: Office, seating: SeatingDesk) -> None:
        self._office = office
        self._seating = seating
        self._levels: dict[int, str] = {}
        """By connection of a house bot."""
        self._due: deque[tuple[int, str]] = deque()
        """When a seek is offered to a house bot, and its key; all wait equally long, so the next is the first."""
        self._asked: dict[str, int] = {}
        """By seek, the connection it was offered to last."""
        seating.when_sought.append(self._sought)

    @property
    def answers(self) -> Mapping[type, Handler]:
        return {ServeHouse: self._serve, ListLevels: self._list_levels, Challenge: self._challenge}

    def connection_left(self, number: int) -> None:
        self._levels.pop(number, None)

    def deadline(self) -> int | None:
        return self._due[0][0] if self._due else None

    def tick(self, at: int) -> None:
        """Offer the seeks that nobody has taken, again and again until somebody does."""
        while self._due and self._due[0][0] <= at:
            _, key = self._due.popleft()
            seek = self._seating.lobby.find(key)
            if seek is None:
                self._asked.pop(key, None)
                continue
            self._due.append((at + _WAIT_NS, key))
            if chosen := self._for_seek(key):
                self._asked[key] = chosen.number
                self._office.send(chosen, Offered(seek=seek.info))

    def _sought(self, seek: OpenSeek) -> None:
        wish = seek.wish
        if wish.house and not (wish.private or wish.rated or seek.seeker.bot) and self._office.world.house_secret:
            self._due.append((seek.at + _WAIT_NS, seek.key))

    # --- messages ---

    def _serve(self, connection: Connection, message: ServeHouse, at: int) -> None:
        del at
        secret = self._office.world.house_secret
        right = hmac.compare_digest(message.secret.encode(), (secret or "").encode())
        if not (secret and right and connection.player.bot):
            raise RefusalError(Fault.NOT_ALLOWED, "this is for the house's own bots")
        if message.level not in HOUSE_LEVELS:
            raise RefusalError(Fault.NO_SUCH_LEVEL, f"{message.level!r}; expected one of {', '.join(HOUSE_LEVELS)}")
        self._levels[connection.number] = message.level
        self._office.send(connection, self._present())

    def _list_levels(self, connection: Connection, message: ListLevels, at: int) -> None:
        del message, at
        self._office.send(connection, self._present())

    def _challenge(self, connection: Connection, message: Challenge, at: int) -> None:
        if self._seating.was_fulfilled(connection, message.nonce, at):
            return
        player = self._office.player_with_room(connection)
        game, options = chosen_options(message.game, message.options, seats=_SEATS)
        there = [self._office.connections[number] for number, level in self._levels.items() if level == message.level]
        there = [bot for bot in there if bot.player is not player]
        if not there:
            raise RefusalError(Fault.NO_SUCH_LEVEL, f"no house bot plays at {message.level!r}")
        idle = self._least_busy(there)
        if idle is None:
            raise RefusalError(Fault.TOO_MANY, f"all house bots of level {message.level!r} are busy; try again later")
        agreed = Agreement(game, options, public=True)
        self._seating.seat((player, idle.player), agreed, at, (message.nonce, None))

    # --- who plays ---

    def _present(self) -> Levels:
        there = {*self._levels.values()}
        return Levels(levels=tuple(level for level in HOUSE_LEVELS if level in there))

    def _for_seek(self, key: str) -> Connection | None:
        """Who is offered a seek: of the level nearest to the usual one, and rather not who has just let it lie."""
        asked = self._asked.get(key)
        connections = self._office.connections
        order = sorted(
            self._levels.items(), key=lambda item: (item[0] == asked, abs(HOUSE_LEVELS.index(item[1]) - _USUAL))
        )
        for _, level in order:
            bots = [number for number, plays in self._levels.items() if plays == level]
            fresh = [number for number in bots if number != asked] or bots
            if chosen := self._least_busy([connections[number] for number in fresh]):
                return chosen
        return None

    def _least_busy(self, bots: list[Connection]) -> Connection | None:
        """``None``: none of them has a seat left."""
        chosen = max(bots, key=lambda bot: self._office.seats_left(bot.player), default=None)
        return chosen if chosen and self._office.seats_left(chosen.player) else None
