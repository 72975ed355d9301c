"""House bots, rematches, emotes: what a server with company offers."""

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.web.pages import OpenPage, on_table, play_all, quick_match, shot, until
from tests.web.servers import Server, serving


@pytest.fixture
def house() -> Iterator[Server]:
    """A server with bots of its own; the others of these tests have none, as those would take open seeks."""
    with serving("--house-bots") as running:
        yield running


async def test_an_emote_is_a_bubble_beside_the_name(open_page: OpenPage) -> None:
    ada, grace = [await open_page(), await open_page()]
    await quick_match(ada, grace)
    await ada.get_by_role("button", name="Say").click()
    await shot(ada, "emotes")
    await ada.get_by_role("button", name="Well played!").click()
    for page in (ada, grace):
        await expect(page.locator(".bubble")).to_have_text("Well played!")
        await expect(page.locator("[role=log]")).to_contain_text("Well played!")
    await shot(grace, "said")


async def test_a_rematch_is_asked_for_and_agreed_to(open_page: OpenPage) -> None:
    ada, grace = [await open_page(), await open_page()]
    await quick_match(ada, grace)
    table = await ada.evaluate("driver.session().table")
    await ada.get_by_role("button", name="Resign").click()
    await ada.get_by_role("button", name="Really?").click()
    await ada.get_by_role("button", name="Rematch").click()
    await expect(ada.locator(".company")).to_contain_text("You have asked for a rematch")
    await expect(grace.locator(".company")).to_contain_text("would like a rematch")
    await shot(grace, "rematch-offered")
    await grace.get_by_role("button", name="Rematch").click()
    for page in (ada, grace):
        await until(page, "table => driver.board() && driver.session().table !== table", table)
        await on_table(page)
    await play_all(ada, ["d"], "keys")


async def test_a_house_bot_plays_within_two_clicks(open_page: OpenPage, house: Server) -> None:
    page = await open_page(at=house.url)
    await page.get_by_role("button", name="Play a program: easy").click(timeout=30_000)  # its process has to start
    await on_table(page)
    await expect(page.locator(".player .tag")).to_have_text("program")
