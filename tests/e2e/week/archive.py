"""What can be asked for when the week is over; the diary keeps the answers."""

from typing import Final

from acerace_protocol.people import (
    Day,
    GetDay,
    GetRanking,
    GetReplay,
    GetResults,
    GetStatistics,
    Ranking,
    Replay,
    Results,
    Statistics,
)
from tests.e2e.week.people import Person
from tests.e2e.week.town import Town

POOLS: Final = ("people-simultaneous", "people-alternating", "bots-simultaneous", "bots-alternating")


async def ask_everything(town: Town, *dates: str) -> None:
    """Results and statistics of everybody, all rankings, these days' tables, and every replay."""
    tables: set[str] = set()
    of_players = {person.player: person for person in town.people.values() if person.called not in town.gone}
    for person in of_players.values():
        await person.send(GetStatistics(nonce=person.nonce()))
        await person.until(Statistics)
    asker = town["Vera"]
    for player in {person.player for person in town.people.values()}:
        await asker.send(GetResults(player=player, nonce=asker.nonce()))
        tables |= {result.table for result in (await asker.until(Results)).results if result.reason != "left"}
    for pool in POOLS:
        await asker.send(GetRanking(pool=pool, nonce=asker.nonce()))
        await asker.until(Ranking)
    for date in dates:
        await asker.send(GetDay(game="klondike", date=date, nonce=asker.nonce()))
        await asker.until(Day)
    for table in tables:
        town.diary.replays[table] = await _replay(asker, table)


async def _replay(asker: Person, table: str) -> str:
    parts: list[str] = []
    while True:
        await asker.send(GetReplay(table=table, part=len(parts), nonce=asker.nonce()))
        answer = await asker.until(Replay)
        parts.append(answer.text)
        if len(parts) == answer.parts:
            return "".join(parts)
