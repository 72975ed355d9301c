"""The seven days. Each ends with the server's end; what was going on goes on in the next."""

import asyncio
from random import Random
from typing import Final

import pytest

from acerace_client.errors import ProblemError
from acerace_protocol.accounts import ClaimName, Named
from acerace_protocol.codec import JSON
from acerace_protocol.limits import Fault
from acerace_protocol.messages import (
    Dealt,
    Done,
    Ended,
    Hello,
    Leave,
    ListTables,
    Play,
    Ready,
    Redo,
    Resign,
    Seek,
    Snapshot,
    Solo,
    Tables,
    Undo,
    Watch,
)
from acerace_protocol.people import (
    Challenge,
    Levels,
    ListLevels,
    Mute,
    Rematch,
    RematchOffered,
    Said,
    Say,
    SeriesStands,
)
from tests.client.flaky_proxy import flaky
from tests.e2e.week.archive import ask_everything
from tests.e2e.week.people import At, Person, comes_in, invited, log_in, paired, play, play_both
from tests.e2e.week.serving import acerace
from tests.e2e.week.town import Town

PASSWORD: Final = "correct horse battery"
WON: Final = "KL1-D1UM-AAAAAAC"
"""Greedy wins it, and loses the next."""
LOST: Final = "KL1-D1UM-AAAAAAB"
RACY: Final = "a race 5"
"""Of the first match that is dealt by it, between Ada and Bruno, both can play an ace and then the two of its suit."""


async def monday(town: Town) -> None:
    """Guests play at once, two of them claim names, and one whom nobody wants to play finds a house bot."""
    await town.server.start(0, house=True)
    ada, bruno, carla = [await town.come(name) for name in ("Ada", "Bruno", "Carla")]
    town.begin("house", _plays_the_house(carla))
    await _slow_tables(town)
    await play_both(await paired(ada, bruno, {"grace_s": 45}), ("greedy", "patient"))
    for person in (ada, bruno):
        await _claims(person)
    await _another_device(town)
    await town.diary.until(lambda told: told.to == "Carla" and told.message["type"] == "table")
    dana, emil = await town.come("Dana"), await town.come("Emil", codec=JSON)
    seats = await invited(dana, emil, {})
    town.begin("night", play_both(seats))
    await town.diary.event(seats[0][1].table, 40)
    town.server.kill()


async def _plays_the_house(carla: Person) -> None:
    """Nobody takes the seek, so a house bot does; the match is over by its clock, whatever happens to the server."""
    at = await carla.seat(Seek(options={"clock_s": 5}))
    assert [player.name for player in at[1].players if player.bot] == ["House medium"]
    result = await play(at, pace_ms=300)
    assert result.ended.reason == "time"


async def _slow_tables(town: Town) -> None:
    """Matches that end by the server's timers alone, some days later."""
    for names, options in {
        ("Nora", "Otto"): {},
        ("Petra", "Quim"): {"no_progress_s": 10},
        ("Rosa", "Silas"): {"grace_s": 5},
    }.items():
        one, other = [await town.come(name) for name in names]
        seats = await invited(one, other, options)
        await _is_ready(seats[0])
        if one.called != "Nora":  # that one waits in vain, until the cards are dealt all the same
            await _is_ready(seats[1])
            await town.diary.event(seats[0][1].table, kind="dealt")
    await town.goes("Silas")


async def _is_ready(at: At) -> None:
    person, snapshot, _ = at
    await person.send(Ready(table=snapshot.table, nonce=person.nonce(), seed=person.called.encode().hex()))


async def _claims(person: Person) -> None:
    await person.send(ClaimName(name=person.called, password=PASSWORD, nonce=person.nonce()))
    await person.until(Named)


async def _another_device(town: Town) -> None:
    """Ada logs in from a telephone; somebody else does not, and takes neither her name nor his."""
    for name, password in (("Ada", "wrong horse battery"), ("Nobody", PASSWORD)):
        with pytest.raises(ProblemError) as refused:
            await log_in(town.url, name, password)
        assert refused.value.fault == Fault.WRONG_PASSWORD
    assert (await comes_in(town.url, Hello(name="bruno"))).name.startswith("Guest ")
    welcome = await log_in(town.url, "ada", PASSWORD)
    assert (welcome.player, welcome.name) == (town["Ada"].player, "Ada")
    await town.come("Ada", token=welcome.token, device=" (telephone)", codec=JSON)


async def tuesday(town: Town) -> None:
    """Last night's match goes on; bots come with tokens of their own and play rated, and so do people."""
    await town.server.start(1, house=True)
    going_on = town.done("night"), town.done("house")
    await asyncio.gather(*going_on, _challenges(town), _bots_come(town), _people_play_rated(town))
    assert "everything is kept in" in await town.server.stop()
    assert {told.to for told in town.diary.of("closing")} >= {"Ada", "Ada (telephone)", "Bruno", "Robo", "Otto"}


async def _challenges(town: Town) -> None:
    """Somebody wants a house bot, and no other."""
    paula = await town.come("Paula")
    levels: tuple[str, ...] = ()
    while "hard" not in levels:  # the house's program takes a moment to come in, and nobody is told when it has
        await paula.send(ListLevels())
        levels = (await paula.until(Levels)).levels
    await paula.send(Challenge(level="hard", options={"clock_s": 3, "pace": "alternating"}))
    snapshot = await paula.until(Snapshot)
    assert [player.name for player in snapshot.players] == ["Paula", "House hard"]
    assert (await play((paula, snapshot, 0))).ended.reason == "time"


async def _bots_come(town: Town) -> None:
    """Accounts marked as bots, with tokens that the command line makes."""
    tokens = await asyncio.gather(*(asyncio.to_thread(_bot_token, town.url, name) for name in ("Robo", "Clank")))
    robo, clank = [await town.come(name, token=token) for name, token in zip(("Robo", "Clank"), tokens, strict=True)]
    await play_both(await paired(robo, clank, {"grace_s": 46}, rated=True), ("patient", "greedy"))
    await play_both(await paired(clank, robo, {"pace": "alternating"}, rated=True))
    seats = await invited(robo, clank, {}, rated=True)
    for at in seats:
        await _is_ready(at)
    await asyncio.gather(*(_has_nothing_to_play(at) for at in seats))


def _bot_token(url: str, name: str) -> str:
    first = acerace("token", "claim", "--name", name, "--bot", "--url", url, typed=f"{PASSWORD}\n{PASSWORD}\n")
    if name == "Clank":
        return first
    return acerace("token", "new", "--name", name, "--label", "at home", "--url", url, typed=f"{PASSWORD}\n")


async def _has_nothing_to_play(at: At) -> None:
    """Says so at once; when both have, it is a draw, and a new deal is offered."""
    person, snapshot, _ = at
    await person.until(Dealt, lambda dealt: dealt.table == snapshot.table)
    await person.send(Done(table=snapshot.table, nonce=person.nonce()))
    ended = await person.until(Ended, lambda ended: ended.table == snapshot.table)
    assert (ended.reason, ended.winner) == ("agreed", None)
    assert (await person.until(RematchOffered)).seat is None


async def _people_play_rated(town: Town) -> None:
    """One match to its end, and one that is going on when the server stops."""
    ada, bruno = town["Ada"], town["Bruno"]
    await play_both(await paired(ada, bruno, {"grace_s": 47}, rated=True))
    seats = await paired(bruno, ada, {"grace_s": 48, "mirror": True}, rated=True)
    town.begin("rated", play_both(seats))
    await town.diary.event(seats[0][1].table, 50)


async def wednesday(town: Town) -> None:
    """Last night's match and a rematch; then the best of three, with the server killed in the second match."""
    await town.server.start(2)
    await town.done("rated")
    await _rematch(town)
    carla, dana = town["Carla"], town["Dana"]
    vera = await town.come("Vera", codec=JSON)
    seats = await invited(carla, dana, {"series": "best", "series_games": 3, "mirror": True})
    town.begin("series", _plays_series(seats))
    second = (await town.diary.until(lambda told: told.message.get("series", {}).get("number") == 2)).message["table"]
    await vera.send(Watch(table=second))
    town.begin("vera", vera.until(SeriesStands))
    await town.diary.event(second, 30)
    town.server.kill()
    await town.server.start(2)
    await town.done("series")
    await town.done("vera")
    town.server.kill()


async def _rematch(town: Town) -> None:
    """Both want another one after last night's: rated as well, and each in the other's seat."""
    ada, bruno = town["Ada"], town["Bruno"]
    table = (await town.diary.until(lambda told: told.message.get("options", {}).get("grace_s") == 48)).message["table"]
    for person in (ada, bruno):
        await person.send(Rematch(table=table, nonce=person.nonce()))
    seats = await asyncio.gather(ada.next_table(), bruno.next_table())
    assert [seat for _, _, seat in seats] == [1 - ada.seats[table], 1 - bruno.seats[table]]
    assert seats[0][1].rated
    await play_both(seats)


async def _plays_series(seats: tuple[At, At], *, gives_up: str | None = None) -> None:
    """Play on until it is decided; who ``gives_up`` resigns the first match."""
    await asyncio.gather(*(_plays_on(at, gives_up=gives_up == at[0].called) for at in seats))


async def _plays_on(at: At, *, gives_up: bool) -> None:
    person, first, _ = at
    if gives_up:
        await person.judged(Resign(table=first.table, nonce=person.nonce()))
    else:
        await play(at)
    while not (await person.until(SeriesStands)).series.over:
        await play(await person.next_table())


async def thursday(town: Town) -> None:
    """A race; solo games won, lost, given up, left, undone and of the day; one is interrupted by the night."""
    await town.server.start(3, seed=RACY)
    await _race(town)
    gina, hugo, ivo = [await town.come(name) for name in ("Gina", "Hugo", "Ivo")]
    await asyncio.gather(_gina_plays(gina), _hugo_undoes(hugo), _plays_vegas(ivo))
    for person in (gina, hugo, town["Robo"]):
        await _plays_the_day(person)
    at = await ivo.seat(Solo(code="KL1-D1UV-AAAAAAD"))
    town.begin("solo", play(at))
    await town.diary.event(at[1].table, 30)
    town.server.kill()


async def _race(town: Town) -> None:
    """Both have the two, there is one ace: one is first, and the other is told by how much."""
    ada, bruno = town["Ada"], town["Bruno"]
    seats = await invited(ada, bruno, {"mirror": True, "grace_s": 50}, rated=True)
    table = seats[0][1].table
    for at in seats:
        await _is_ready(at)
    dealt = await ada.until(Dealt, lambda dealt: dealt.table == table)
    await bruno.until(Dealt, lambda dealt: dealt.table == table)
    tops = [column.up[-1] for column in dealt.state.seats[0].columns]
    ace = next(place for place, card in enumerate(tops) if card[0] == "A" and f"2{card[1]}" in tops)
    two = tops.index(f"2{tops[ace][1]}")
    await ada.judged(Play(table=table, nonce=ada.nonce(), move=f"c{ace + 1}>f", seen=dealt.seq))
    for person in (ada, bruno):
        await person.send(Play(table=table, nonce=person.nonce(), move=f"c{two + 1}>f", seen=dealt.seq + 1))
    lost = await town.diary.until(lambda told: told.message["type"] == "refused" and told.message["table"] == table)
    assert lost.message["reason"] == "lost_race"
    await ada.judged(Resign(table=table, nonce=ada.nonce()))


async def _gina_plays(gina: Person) -> None:
    """Won, lost, won twice, and one is begun and left."""
    for code in (WON, LOST, WON, "KL1-D1UM-AAAAAAE"):
        result = await play(await gina.seat(Solo(code=code)))
        assert result.won == (code != LOST)
    _, left, _ = await gina.seat(Solo(code=LOST))
    await gina.judged(Play(table=left.table, nonce=gina.nonce(), move="d"))
    await gina.send(Leave(table=left.table))


async def _hugo_undoes(hugo: Person) -> None:
    """All that can be done in a solo game besides playing on."""
    _, snapshot, _ = await hugo.seat(Solo(options={"draw": 3}))
    table = snapshot.table
    again = "r undo redo undo undo redo redo d undo d redo w>c9 c1>f undo"
    for move in ["d"] * 8 + again.split():
        nonce = hugo.nonce()
        match move:
            case "undo":
                await hugo.judged(Undo(table=table, nonce=nonce))
            case "redo":
                await hugo.judged(Redo(table=table, nonce=nonce))
            case _:
                await hugo.judged(Play(table=table, nonce=nonce, move=move))
    await hugo.judged(Resign(table=table, nonce=hugo.nonce()))
    await play(await hugo.seat(Solo(game="yukon")))


async def _plays_vegas(ivo: Person) -> None:
    """With a balance: won, and lost in three passes."""
    for start in (Solo(code="KL1-D1UV-AAAAAAC"), Solo(game="klondike-vegas"), Solo(code="KL1-D1UV-AAAAAAB")):
        await play(await ivo.seat(start))


async def _plays_the_day(person: Person) -> None:
    await play(await person.seat(Solo(daily=True)))


async def friday(town: Town) -> None:
    """A sum of scores with a match given up; one who stays away; a bad line; spectators of every kind."""
    await town.server.start(4)
    await town.done("solo")
    await asyncio.gather(_sum_of_two(town), _stays_away(town), _on_a_train(town), _is_watched(town))
    await town.server.stop()


async def _sum_of_two(town: Town) -> None:
    seats = await invited(town["Carla"], town["Dana"], {"series": "sum", "series_games": 2})
    await _plays_series(seats, gives_up="Dana")


async def _stays_away(town: Town) -> None:
    """After five seconds the other claims the win; before that it is refused."""
    jana, karl = await town.come("Jana"), await town.come("Karl")
    seats = await invited(jana, karl, {"grace_s": 5, "pace": "alternating", "turn": "bicycle"})
    table = seats[0][1].table
    town.begin("Karl", play(seats[1], "patient"))
    town.begin("Jana", play(seats[0], pace_ms=20))
    await town.diary.event(table, 8)
    await town.goes("Karl")
    result = await town.done("Jana")
    assert (result.ended.reason, result.won) == ("absent", True)


async def _on_a_train(town: Town) -> None:
    """A line that breaks every few thousand bytes."""
    async with flaky(town.url, Random(7), 3_000) as url:
        lena, milo = await town.come("Lena", url=url), await town.come("Milo", codec=JSON)
        try:
            await play_both(await invited(lena, milo, {"play_on": True, "clear_bonus": "cards"}))
        finally:
            await town.goes("Lena")
        assert lena.reconnects


async def _is_watched(town: Town) -> None:
    """The featured match: one watches it, one a second late, one without emotes."""
    vera, late, mute = town["Vera"], await town.come("Late"), await town.come("Mute")
    ada, bruno = town["Ada"], town["Bruno"]
    seats = await paired(ada, bruno, {"grace_s": 49})
    table = seats[0][1].table
    town.begin("watched", play_both(seats, pace_ms=25))
    await town.diary.event(table, 5)
    await vera.send(ListTables())
    tables = await vera.until(Tables)
    assert tables.featured == table
    await vera.send(Watch(table=table))
    await late.send(Watch(table=table, delay_s=1))
    await mute.send(Watch(table=table))
    await mute.until(Snapshot)
    await mute.send(Mute(table=table))
    await vera.until(Snapshot)
    await town["Ada (telephone)"].send(Say(table=table, emote="good_luck"))
    await vera.until(Said)
    await asyncio.gather(*(person.until(Ended) for person in (vera, late, mute)))
    await town.done("watched")
    assert {told.to for told in town.diary.of("said")} >= {"Ada", "Ada (telephone)", "Bruno", "Vera", "Late"}
    assert "Mute" not in {told.to for told in town.diary.of("said")}
    lateness = town.diary.lateness("Late", table)
    assert len(lateness) > 20
    assert min(lateness) >= 1


async def saturday(town: Town) -> None:
    """People play in turns, rated; and the server is killed once more."""
    await town.server.start(5)
    ada, bruno = town["Ada"], town["Bruno"]
    seats = await paired(ada, bruno, {"pace": "alternating", "draw": 3, "passes": 1}, rated=True)
    town.begin("turns", play_both(seats, ("patient", "greedy")))
    await town.diary.event(seats[0][1].table, 12)
    town.server.kill()


async def sunday(town: Town) -> None:
    """What was going on comes to its end, the deal of the day is won, and everything is asked for."""
    await town.server.start(6)
    if "Gina" in town.people:
        await town.done("turns")
        for name in ("Gina", "Hugo", "Clank"):
            await _plays_the_day(town[name])
    otto, petra, rosa = [town[name] for name in ("Otto", "Petra", "Rosa")]
    for person, reason in ((petra, "no_progress"), (rosa, "absent")):
        ended = await person.until(Ended)
        assert ended.reason == reason
    (table,) = otto.seats
    await town.diary.event(table, kind="dealt")
    await otto.judged(Resign(table=table, nonce=otto.nonce()))
    if "Vera" not in town.people:
        await town.come("Vera")
    await ask_everything(town, town.server.date(3), town.server.date(6))
    await town.server.stop()
