"""What tests do with an open page."""

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol
from weakref import WeakSet

from playwright.async_api import Error, Page, WebSocketRoute, expect

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
DRIVER = Path(__file__).with_name("driver.js")
PATIENCE_MS = 60_000
"""Until what never comes is an error; a machine with much else to do may take its time."""
POLL_MS: Final = 20
MOVING: Final = "no-preference"
"""As ``reduced_motion`` of a page: cards fly."""
SHOTS = Path(__file__).parents[2] / "build" / "screenshots"


INTERCEPTED: Final = WeakSet[Page]()
"""Pages whose sockets do not lead straight to the server."""


Between = Callable[[WebSocketRoute], Any]
"""What may stand between a page's sockets and its server."""


async def intercept(page: Page, handler: Between) -> None:
    """Let a handler stand between this page, from its next socket on, and its server."""
    INTERCEPTED.add(page)
    await page.route_web_socket(re.compile("/ws$"), handler)


class OpenPage(Protocol):
    """The fixture of that name."""

    async def __call__(
        self, path: str = "", *, at: str | None = None, between: Between | None = None, **choices: Any
    ) -> Page: ...


async def until(page: Page, condition: str, argument: Any = None) -> None:
    """Wait until this is true on the page. Playwright's own way evaluates text, which the page's policy forbids."""
    script = f"""async (argument) => {{
        for (;;) {{
            const condition = {condition};
            if (typeof condition === 'function' ? condition(argument) : condition) return;
            await new Promise((resolve) => setTimeout(resolve, {POLL_MS}));
        }}
    }}"""
    async with asyncio.timeout(PATIENCE_MS / 1000):
        while True:
            try:
                await page.evaluate(script, argument)
            except Error as error:
                if "context was destroyed" not in error.message:  # by a navigation: the next page is asked
                    raise
            else:
                return


async def on_table(page: Page) -> None:
    """Wait until the cards lie there and the page has been told what is legal."""
    await page.locator(".card").first.wait_for()
    await until(page, "driver.session()?.mirror?.phase === 'over' || driver.session()?.choices !== null")
    await page.evaluate("driver.frame()")


async def play_all(page: Page, moves: Sequence[str], way: str) -> None:
    """Play by events on the board's elements: ``drag``, ``tap`` or ``keys``."""
    await page.evaluate("([moves, way]) => driver.playAll(moves, way)", [list(moves), way])


async def play_line(page: Page, moves: Sequence[str], way: str) -> None:
    """Play a long line: its first and last moves as :func:`play_all` does, the rest at once."""
    await page.evaluate("([moves, way]) => driver.playLine(moves, way)", [list(moves), way])


async def give_up(page: Page, button: str = "Resign") -> None:
    """Resign, in the two steps that it takes; alone by the button ``Give up``."""
    await page.get_by_role("button", name=button).click()
    await page.get_by_role("button", name="Really?").click()
    await until(page, "driver.session()?.mirror?.phase === 'over'")


async def serious(page: Page, *rules: str) -> list[str]:
    """What axe-core finds that is moderate or worse; of these rules, or of all."""
    if not await page.evaluate("Boolean(window.axe)"):
        await page.evaluate(AXE.read_text(encoding="utf-8"))
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found: dict[str, Any] = await page.evaluate(
        "options => axe.run({exclude: ['.art']}, options)", {"resultTypes": ["violations"], **only}
    )
    return [
        f"{one['id']}: {[node['target'] for node in one['nodes']]}"
        for one in found["violations"]
        if one["impact"] in {"moderate", "serious", "critical"}
    ]


async def fits(page: Page) -> bool:
    """Whether nothing sticks out to the right."""
    return bool(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


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
    await until(page, "n => (driver.session()?.mirror?.seq ?? -1) >= n", number)


async def legal(page: Page) -> list[str]:
    """The moves the server has told the page."""
    moves: list[str] = await page.evaluate("[...driver.session().choices ?? []]")
    return moves


async def shot(page: Page, name: str) -> None:
    """Keep a picture of a state, to be looked at."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    await page.evaluate("driver.landed()")
    await page.screenshot(path=SHOTS / f"{name}.png")


async def quick_match(first: Page, second: Page) -> None:
    """Pair two pages by the button for a quick game."""
    await first.get_by_role("button", name="Quick game").click()
    await expect(first.get_by_text("Looking for an opponent")).to_be_visible()
    await second.get_by_role("button", name="Quick game").click()
    await on_table(first)
    await on_table(second)
