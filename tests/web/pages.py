"""What tests do with an open page."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from playwright.async_api import Page, expect

DRIVER = Path(__file__).with_name("driver.js")
PATIENCE_MS = 10_000
SHOTS = Path(__file__).parents[2] / "build" / "screenshots"


class OpenPage(Protocol):
    """The fixture of that name."""

    async def __call__(self, path: str = "", *, at: str | None = None, **choices: Any) -> Page: ...


async def until(page: Page, condition: str, argument: Any = None) -> None:
    """Wait until this is true on the page. Playwright's own way evaluates text, which the page's policy forbids."""
    async with asyncio.timeout(PATIENCE_MS / 1000):
        while not await page.evaluate(condition, argument):  # noqa: ASYNC110  # only the page knows
            await asyncio.sleep(0.02)


async def on_table(page: Page) -> None:
    """Wait until the cards lie there and the page has been told what is legal."""
    await page.locator(".card").first.wait_for()
    await until(page, "driver.session()?.mirror?.phase === 'over' || driver.session()?.choices !== null")
    await page.evaluate("driver.frame()")


async def play_all(page: Page, moves: Sequence[str], way: str) -> None:
    """Play by events on the board's elements: ``drag``, ``tap`` or ``keys``."""
    await page.evaluate("([moves, way]) => driver.playAll(moves, way)", [list(moves), way])


async def drag(page: Page, move: str, *, drop: bool = True) -> None:
    """One move by the browser's own mouse."""
    ends = await page.evaluate(
        "move => { const {source, count, target} = driver.ends(move);"
        " return [driver.point(source, count), driver.point(target)] }",
        move,
    )
    (from_x, from_y), (to_x, to_y) = ends
    await page.mouse.move(from_x, from_y)
    await page.mouse.down()
    await page.mouse.move(from_x + 12, from_y + 12)
    await page.mouse.move(to_x, to_y, steps=3)
    if drop:
        await page.mouse.up()


async def seq(page: Page) -> int:
    """The number of the newest event the page has."""
    return int(await page.evaluate("driver.session().mirror.seq"))


async def wait_seq(page: Page, number: int) -> None:
    """Wait until the page has this event."""
    await until(page, "n => driver.session().mirror.seq >= n", number)


async def legal(page: Page) -> list[str]:
    """The moves the server has told the page."""
    moves: list[str] = await page.evaluate("[...driver.session().choices ?? []]")
    return moves


async def shot(page: Page, name: str) -> None:
    """Keep a picture of a state, to be looked at."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    await page.wait_for_timeout(250)  # until the cards have landed
    await page.screenshot(path=SHOTS / f"{name}.png")


async def quick_match(first: Page, second: Page) -> None:
    """Pair two pages by the button for a quick game."""
    await first.get_by_role("button", name="Quick game").click()
    await expect(first.get_by_text("Looking for an opponent")).to_be_visible()
    await second.get_by_role("button", name="Quick game").click()
    await on_table(first)
    await on_table(second)
