"""The archive: what was played, how it went, and who was best."""

import re
from collections.abc import Mapping
from typing import Final, cast

from acerace_protocol.limits import Fault
from acerace_protocol.messages import ServerMessage
from acerace_protocol.people import (
    Day,
    DayResult,
    GetDay,
    GetReplay,
    GetResults,
    GetStatistics,
    Replay,
    Results,
    SoloRecord,
    Statistics,
)
from acerace_rules.deal import deal_of_the_day
from acerace_server.core.archive_requests import ArchiveRequests
from acerace_server.core.catalogue import chosen_options
from acerace_server.core.connection import Connection
from acerace_server.core.jobs import FindDay, FindReplay, FindResults, FindStatistics, PlayerResults
from acerace_server.core.office import Handler, Office
from acerace_server.core.ratings import shown
from acerace_server.core.refusal import RefusalError

_DATE: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class RecordsDesk:
    """Tells of games that are over; all of it is public, but not before they are."""

    def __init__(self, office: Office, requests: ArchiveRequests) -> None:
        self._office = office
        self._requests = requests

    @property
    def answers(self) -> Mapping[type, Handler]:
        return {
            GetResults: self._get_results,
            GetStatistics: self._get_statistics,
            GetDay: self._get_day,
            GetReplay: self._get_replay,
        }

    def _get_results(self, connection: Connection, message: GetResults, at: int) -> None:
        del at
        player = message.player or connection.player.key

        def answer(found: object) -> ServerMessage:
            page = cast("PlayerResults", found)
            known = page.results or page.ratings or player in self._office.sessions or message.before
            if not known:
                raise RefusalError(Fault.NO_SUCH_PLAYER, f"{player!r}: nobody here, and no game of such a player")
            ratings = tuple(map(shown, page.ratings))
            return Results(player=player, results=page.results, ratings=ratings, nonce=message.nonce)

        self._requests.ask(connection, message.nonce, FindResults(player, message.before), answer)

    def _get_statistics(self, connection: Connection, message: GetStatistics, at: int) -> None:
        del at

        def answer(found: object) -> ServerMessage:
            return Statistics(records=cast("tuple[SoloRecord, ...]", found), nonce=message.nonce)

        self._requests.ask(connection, message.nonce, FindStatistics(connection.player.key), answer)

    def _get_day(self, connection: Connection, message: GetDay, at: int) -> None:
        del at
        game, options = chosen_options(message.game, message.options, seats=1)
        today = self._office.world.today()
        date = message.date or today
        if not _is_date(date) or date > today:
            raise RefusalError(Fault.NO_SUCH_DAY, f"{date!r} is no day up to today, {today}")
        code = deal_of_the_day(game, date, options).code

        def answer(found: object) -> ServerMessage:
            return Day(code=code, date=date, results=cast("tuple[DayResult, ...]", found), nonce=message.nonce)

        self._requests.ask(connection, message.nonce, FindDay(code), answer)

    def _get_replay(self, connection: Connection, message: GetReplay, at: int) -> None:
        del at
        table = message.table
        hosted = self._office.registry.get(table)
        if hosted is not None and hosted.match.phase != "over":
            raise RefusalError(Fault.NOT_OVER, f"{table!r} is being played; its replay comes when it is over")

        def answer(found: object) -> ServerMessage:
            parts = cast("tuple[str, ...] | None", found)
            if parts is None:
                raise RefusalError(Fault.NO_SUCH_TABLE, f"{table!r}: no game with this id has come to its end")
            if message.part >= len(parts):
                raise RefusalError(Fault.MALFORMED, f"the replay has {len(parts)} parts, the last is {len(parts) - 1}")
            text, count = parts[message.part], len(parts)
            return Replay(table=table, text=text, part=message.part, parts=count, nonce=message.nonce)

        self._requests.ask(connection, message.nonce, FindReplay(table), answer, table=table)


def _is_date(text: str) -> bool:
    """Whether a text like ``2026-11-30`` is a day of the calendar. By hand: to the core, ``datetime`` is a clock."""
    found = _DATE.fullmatch(text)
    if found is None:
        return False
    year, month, day = map(int, found.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= month <= len(_DAYS) and 1 <= day <= _DAYS[month - 1] + (leap and month == 2)  # noqa: PLR2004  # February
