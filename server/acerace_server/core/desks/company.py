"""Emotes: what players may show each other. There is no free chat."""

from collections import deque
from collections.abc import Mapping

from acerace_protocol.limits import EMOTES_PER_MINUTE, Fault
from acerace_protocol.people import Mute, Said, Say
from acerace_protocol.units import MINUTE_NS
from acerace_server.core.connection import Connection
from acerace_server.core.office import Handler, Office
from acerace_server.core.refusal import RefusalError


class CompanyDesk:
    """Passes emotes on. They are no part of the match: not numbered, not kept, not told to who comes later."""

    def __init__(self, office: Office) -> None:
        self._office = office

    @property
    def answers(self) -> Mapping[type, Handler]:
        return {Say: self._say, Mute: self._mute}

    def _say(self, connection: Connection, message: Say, at: int) -> None:
        office = self._office
        hosted, seat = office.seat(connection, message.table, at)
        said_at = hosted.said_at.setdefault(seat, deque(maxlen=EMOTES_PER_MINUTE))
        if len(said_at) == EMOTES_PER_MINUTE and at < said_at[0] + MINUTE_NS:
            raise RefusalError(Fault.TOO_FAST, f"a seat shows {EMOTES_PER_MINUTE} emotes a minute at most")
        said_at.append(at)
        hosted.tell(Said(table=hosted.key, seat=seat, emote=message.emote), office.outgoing.append, at)

    def _mute(self, connection: Connection, message: Mute, at: int) -> None:
        del at
        hosted = self._office.followed_table(connection, message.table)
        if message.on:
            hosted.muted.add(connection.number)
        else:
            hosted.muted.discard(connection.number)
