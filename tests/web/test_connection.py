"""Lost connections, stopped servers, sleeping pages: the page says so, and comes back in step."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, WebSocketRoute, expect

from tests.ports import KeptPort
from tests.web.chromium import ARGUMENTS, executable, tell
from tests.web.opponents import OpenOpponent, match_against
from tests.web.pages import (
    DRIVER,
    PATIENCE_MS,
    OpenPage,
    drag,
    give_up,
    intercept,
    on_table,
    play_all,
    seq,
    shot,
    until,
    wait_seq,
)
from tests.web.servers import Server, start

FIRST_DEAL = "#deal=KL1-D1UM-AAAAAAB"


@pytest.fixture
def port() -> Iterator[int]:
    with KeptPort() as kept:
        yield kept.number


async def test_the_server_is_killed_and_started_again_in_mid_drag(open_page: OpenPage, port: int) -> None:
    server = start(port=port)
    try:
        page = await open_page(FIRST_DEAL, at=server.url)
        await on_table(page)
        await drag(page, "c4:1>c5", drop=False)
        server.kill()
        await expect(page.locator(".notice")).to_contain_text("The connection is lost")
        assert await page.locator(".card").count() > 20
        await shot(page, "connection-lost")
        await page.mouse.up()
        server = start(port=port)
        await expect(page.locator(".notice")).to_contain_text("no longer on the server", timeout=PATIENCE_MS)
        await expect(page.locator(".card.held, .card.pending")).to_have_count(0)
        await page.get_by_role("link", name="Home").click()
        await page.get_by_role("button", name="Play: Klondike").click()
        await on_table(page)
    finally:
        server.kill()


async def test_a_server_that_keeps_its_tables_goes_on_after_a_kill(
    open_page: OpenPage, tmp_path: Path, port: int
) -> None:
    server = start(port=port, data=tmp_path)
    try:
        page = await open_page(FIRST_DEAL, at=server.url)
        await on_table(page)
        await play_all(page, ["c4:1>c5"], "keys")
        await drag(page, "c1>f", drop=False)
        server.kill()
        await expect(page.locator(".notice")).to_contain_text("The connection is lost")
        await page.mouse.up()
        await expect(page.locator(".card.pending")).to_have_count(1)
        server = start(port=port, data=tmp_path)
        await wait_seq(page, 2)
        await expect(page.locator(".notice")).to_be_hidden()
        await expect(page.locator(".card.held, .card.pending")).to_have_count(0)
        await until(page, "driver.session()?.mirror?.seats[0].moves === 2")
        await on_table(page)
        await play_all(page, ["d"], "keys")
        assert await page.evaluate("driver.session().drifts") == 0
    finally:
        server.kill()


async def test_a_cut_connection_in_mid_drag_makes_the_move_once(open_page: OpenPage) -> None:
    sockets: list[WebSocketRoute] = []
    reachable = True

    async def connect(route: WebSocketRoute) -> None:
        if reachable:
            route.connect_to_server()
            sockets.append(route)
        else:
            await route.close(code=4000)

    page = await open_page(between=connect)
    await page.get_by_label("Play a deal by its code").fill("kl1 d1um aaaaaab")
    await page.keyboard.press("Enter")
    await on_table(page)
    await drag(page, "c4:1>c5", drop=False)
    reachable = False
    await sockets[-1].close(code=4000)
    await expect(page.locator(".status")).to_contain_text("Connection lost")
    await page.mouse.up()
    await expect(page.locator(".card.pending")).to_have_count(1)
    reachable = True
    await wait_seq(page, 1)
    await expect(page.locator(".card.pending")).to_have_count(0)
    await play_all(page, ["c1>f"], "keys")
    assert await seq(page) == 2
    assert await page.evaluate("driver.session().mirror.seats[0].moves") == 2


async def test_a_rematch_is_asked_for_again_when_the_line_is_back(open_page: OpenPage, opponent: OpenOpponent) -> None:
    """The server has forgotten it with the line, and the other one has not been told of that."""
    lines: list[tuple[WebSocketRoute, WebSocketRoute]] = []

    def connect(route: WebSocketRoute) -> None:
        lines.append((route, route.connect_to_server()))

    ada, grace = await open_page(between=connect), await opponent()
    await match_against(grace, ada)
    await give_up(ada)
    await ada.get_by_role("button", name="Rematch").click()
    await grace.asked_again()
    for side in lines[-1]:
        await side.close(code=4000)
    await grace.asked_again()
    await expect(ada.locator(".company")).to_contain_text("You have asked for a rematch")
    await grace.ask_again()
    await grace.sit()
    await until(ada, "table => driver.board() && driver.session()?.table === table", grace.table)
    await on_table(ada)


async def test_a_greeting_that_is_refused_for_now_is_said_again(open_page: OpenPage) -> None:
    """By who comes back, with the same token, and with longer and longer waits."""
    page = await open_page()
    await expect(page.locator(".status")).to_contain_text("ms")
    refusals = ["server_closing", "store_failed", "too_many", "too_fast"]
    greeted: list[str] = []

    def connect(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            greeting = json.loads(message)
            if greeting["type"] == "hello":
                greeted.append(greeting["token"])
            if greeting["type"] == "hello" and refusals:
                route.send(json.dumps({"type": "problem", "code": refusals.pop(0), "detail": "not now"}))
            else:
                server.send(message)

        route.on_message(pass_on)

    await intercept(page, connect)
    await page.reload()
    await expect(page.locator(".toast").first).to_be_visible()  # it says why
    await expect(page.locator(".status")).to_contain_text("ms")
    assert len(greeted) == 5
    assert len({*greeted}) == 1


async def test_from_the_back_forward_cache_and_out_of_a_frozen_tab_it_comes_back_in_step(
    browser: Browser, opponent: OpenOpponent, server: Server
) -> None:
    """The tests' own browser has no such cache, because Playwright loses sight of pages in it."""
    caching = await browser.browser_type.launch(
        executable_path=executable(whole=True),
        args=[*ARGUMENTS],
        ignore_default_args=["--disable-back-forward-cache"],
    )
    context = await caching.new_context(locale="en-GB")
    await context.add_init_script(path=DRIVER)
    page = await context.new_page()
    await page.goto(server.url + FIRST_DEAL)
    await on_table(page)
    await page.evaluate("addEventListener('pageshow', ({persisted}) => (window.cached = persisted))")
    table = await page.evaluate("driver.session().table")
    elsewhere = await opponent(token=await page.evaluate("JSON.parse(localStorage.acerace).token"))
    await page.goto(server.url + "icon.svg")
    await elsewhere.come_back(table)
    await elsewhere.play("c4:1>c5")
    await page.go_back(wait_until="commit")
    await until(page, "window.cached === true && driver.session().mirror.seq === 1")
    session = await context.new_cdp_session(page)
    await tell(session, "Page.setWebLifecycleState", {"state": "frozen"})
    await elsewhere.play("c1>f")
    await tell(session, "Page.setWebLifecycleState", {"state": "active"})
    await wait_seq(page, 2)
    await on_table(page)
    await play_all(page, ["d"], "keys")
    await caching.close()


async def test_a_reload_stays_at_the_table(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL)
    await on_table(page)
    await play_all(page, ["c4:1>c5", "c1>f"], "keys")
    await page.reload()
    await on_table(page)
    assert await seq(page) == 2
    await play_all(page, ["d"], "keys")


async def test_who_reloads_knows_what_time_it_is_and_when_to_claim(open_page: OpenPage, opponent: OpenOpponent) -> None:
    ada, grace = await open_page(), await opponent()
    await match_against(grace, ada)
    await expect(ada.locator(".clock")).to_have_text(re.compile("0:0[2-9]|0:[1-5]"))
    before = await _clock_s(ada)
    await ada.reload()
    await on_table(ada)
    assert await _clock_s(ada) >= before
    await grace.leave()
    await expect(ada.locator(".clock")).to_contain_text("claim in ")
    before = await _clock_s(ada)
    await ada.reload()
    await expect(ada.locator(".clock")).to_contain_text("claim in ")
    assert await _clock_s(ada) <= before <= 60


async def _clock_s(page: Page) -> int:
    """The seconds that are last in what the clock says."""
    minutes, seconds = (await page.locator(".clock").inner_text()).split()[-1].split(":")
    return 60 * int(minutes) + int(seconds)
