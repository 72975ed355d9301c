"""Double Klondike between browsers, against a program, and watched."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.async_api import WebSocketRoute, expect

from acerace_rules.cards import face_text, full_deck
from tests.web.opponents import OpenOpponent, match_against
from tests.web.pages import (
    MOVING,
    OpenPage,
    drag,
    give_up,
    on_table,
    play_all,
    quick_match,
    shot,
    until,
    wait_seq,
)
from tests.web.servers import ROOT, Server, serving

OVER = "driver.session()?.mirror?.phase === 'over'"
POSITION = "driver.position()"


def _contested_deck() -> list[str]:
    """The ace of diamonds alone on the first column, the two on the second."""
    deck = [face_text(card) for card in full_deck(0)]
    for index, card in ((0, "Ad"), (7, "2d")):
        at = deck.index(card)
        deck[index], deck[at] = deck[at], deck[index]
    return deck


@pytest.fixture(scope="module")
def rigged() -> Iterator[Server]:
    """A server that deals both players the same cards, of which they want the same place."""
    with serving(rigged={"match": [_contested_deck(), _contested_deck()]}) as running:
        yield running


async def test_two_browsers_play_a_whole_match_and_a_third_watches(open_page: OpenPage) -> None:
    ada, grace = [
        await open_page(reduced_motion=MOVING),
        await open_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True),
    ]
    await quick_match(ada, grace)
    watcher = await open_page("#watch", viewport={"width": 1920, "height": 1080})
    table = await ada.evaluate("driver.session().table")
    await watcher.locator(f"a[href='#table={table}']").click()
    await watcher.locator(".card").first.wait_for()
    await expect(ada.get_by_text("1 watching")).to_be_visible()
    await asyncio.gather(ada.evaluate("driver.race('keys')"), grace.evaluate("driver.race('drag')"))
    for page in (ada, grace, watcher):
        await until(page, OVER)
        assert await page.evaluate("driver.session().drifts") == 0
        await expect(page.locator(".result .sides")).to_be_visible()
        await expect(page.locator(".fair")).to_contain_text("The deal was fair")
    assert await ada.evaluate(POSITION) == await grace.evaluate(POSITION) == await watcher.evaluate(POSITION)
    await shot(ada, "match-over")
    await shot(grace, "match-over-phone")
    await shot(watcher, "watched-over")
    await watcher.locator(".result").get_by_role("link", name="Being played now").click()
    await expect(watcher.locator("#watch")).to_be_visible()


@pytest.fixture
def bot(server: Server) -> Iterator[None]:
    """A program that looks for an opponent."""
    command = [sys.executable, "-m", "acerace_client", "bot", "greedy"]
    command += ["--url", server.socket_url, "--seek", "--pace", "60"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        yield
        running.terminate()


@pytest.mark.usefixtures("bot")
async def test_a_program_from_outside_plays_a_whole_match(open_page: OpenPage) -> None:
    page = await open_page()
    await page.locator(".race .rows").get_by_role("button", name="Play").click()
    await on_table(page)
    await expect(page.locator(".player .tag")).to_have_text("program")
    await page.evaluate("driver.race('drag')")
    await expect(page.locator(".result .sides")).to_be_visible()
    assert await page.evaluate("driver.session().drifts") == 0


async def test_an_invitation_is_a_link_and_opening_it_joins(open_page: OpenPage) -> None:
    host = await open_page()
    await host.get_by_role("button", name="Invite by link").click()
    link = await host.get_by_label("Invitation link").input_value()
    await shot(host, "invitation")
    guest = await open_page("#" + link.partition("#")[2])
    await on_table(host)
    await on_table(guest)
    await give_up(host)
    await expect(guest.locator(".result")).to_contain_text("has resigned.")
    await expect(guest.get_by_role("heading", name="You win!")).to_be_visible()
    await guest.evaluate("driver.session().rematchUntil = performance.now()")
    await expect(guest.locator(".company")).to_contain_text("too late for a rematch")
    await expect(guest.get_by_role("button", name="Rematch")).to_be_hidden()


async def test_a_lost_race_is_shown_at_once_and_the_card_flies_home(
    open_page: OpenPage, opponent: OpenOpponent, rigged: Server
) -> None:
    held = asyncio.Event()
    held.set()
    waiting: list[str | bytes] = []

    def hold(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        async def pass_on(message: str | bytes) -> None:
            waiting.append(message)
            await held.wait()
            while waiting:
                route.send(waiting.pop(0))

        server.on_message(pass_on)

    winner = await opponent(at=rigged)
    loser = await open_page(at=rigged.url, between=hold, reduced_motion=MOVING)
    await match_against(winner, loser)
    home = await loser.evaluate("driver.point('1c2')")
    await wait_seq(loser, await winner.play("c1>f"))
    await on_table(loser)
    held.clear()  # both want the place of the two of diamonds; the loser does not hear of the winner's move yet
    await winner.play("c2>f")
    await drag(loser, "c2>f")
    await expect(loser.locator(".card.pending")).to_have_count(1)  # shown as not certain until the server has said
    held.set()
    await expect(loser.locator(".toast.race")).to_contain_text(re.compile(r"you came second by [\d.]+ ms"))
    await expect(loser.locator(".card.raced")).to_have_count(1)
    await shot(loser, "race-lost")
    await loser.evaluate("driver.frame()")
    assert await loser.evaluate("driver.point('1c2')") == home
    assert await loser.evaluate("driver.board().held.size") == 0
    watcher = await open_page(f"#table={winner.table}", at=rigged.url)
    await expect(watcher.locator(".foundation[data-races='1']")).to_have_count(1)


async def test_a_drag_survives_the_other_player_but_not_its_card(
    open_page: OpenPage, opponent: OpenOpponent, rigged: Server
) -> None:
    ada, grace = await opponent(at=rigged), await open_page(at=rigged.url, reduced_motion=MOVING)
    await match_against(ada, grace)
    await drag(grace, "c1>f", drop=False)
    await ada.play("d")
    await wait_seq(grace, await ada.play("c1>f"))
    await expect(grace.locator(".card.held")).to_have_count(1)
    elsewhere = await opponent(at=rigged, token=await grace.evaluate("JSON.parse(localStorage.acerace).token"))
    await elsewhere.come_back(ada.table)
    await wait_seq(grace, await elsewhere.play("c1>f"))
    await expect(grace.locator(".toast")).to_contain_text("The card you held has gone")
    await expect(grace.locator(".card.held")).to_have_count(0)
    await grace.mouse.up()


async def test_who_sees_nothing_more_is_told_when_a_card_goes_up(
    open_page: OpenPage, opponent: OpenOpponent, rigged: Server
) -> None:
    ada, grace = await opponent(at=rigged), await open_page(at=rigged.url)
    await match_against(ada, grace)
    done = grace.locator(".tool.done")
    await done.click()
    await expect(done).to_be_disabled()
    await expect(grace.locator(".notice")).to_contain_text("The match ends when")
    await ada.play("c1>f")
    await expect(grace.locator(".toast").last).to_contain_text("A card has gone up: look again.")
    await expect(grace.locator(".notice")).not_to_contain_text("The match ends when")
    await expect(done).to_be_enabled()
    await give_up(grace)
    await expect(grace.locator(".result")).to_be_visible()
    await expect(grace.locator(".toast")).to_have_count(0)  # what was said of the play does not lie over the result


async def test_equal_scores_are_decided_by_the_last_card_and_the_result_says_so(
    open_page: OpenPage, opponent: OpenOpponent, rigged: Server
) -> None:
    ada, grace = await opponent(at=rigged), await open_page(at=rigged.url)
    await match_against(ada, grace)
    watcher = await open_page(f"#table={ada.table}", at=rigged.url)
    await wait_seq(grace, await ada.play("c1>f"))
    await on_table(grace)
    await play_all(grace, ["c1>f"], "keys")
    await ada.done()
    await grace.locator(".tool.done").click()
    await expect(grace.get_by_role("heading", name="You win!")).to_be_visible()
    for page in (grace, watcher):
        await expect(page.locator(".result")).to_contain_text("whoever played the last card to the foundations wins")
    await shot(grace, "decided-by-the-last-card")


async def test_in_turns_the_page_says_whose_turn_it_is(open_page: OpenPage, opponent: OpenOpponent) -> None:
    ada, grace = await open_page(), await opponent()
    await ada.locator(".race summary").click()
    await ada.get_by_label("Pace", exact=True).select_option(label="in turns")
    await match_against(grace, ada, {"pace": "alternating"})
    state, end_turn = ada.locator(".player.me .state"), ada.get_by_role("button", name="Pass")
    if await ada.evaluate("driver.session().mirror.turn === driver.session().seat"):  # the deal decides who begins
        await end_turn.click()
    await expect(ada.locator(".player:not(.me) .state")).to_have_text("to move")
    await ada.locator(".pile.own.stock").click()
    await expect(ada.locator(".toast")).to_contain_text("turn: wait for yours")
    await grace.end_turn()
    await expect(state).to_have_text("to move")
    await shot(ada, "in-turns")
    await end_turn.click()
    await expect(ada.locator(".player:not(.me) .state")).to_have_text("to move")
    await expect(state).to_have_count(0)
