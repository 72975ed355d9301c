"""A real server and a real Chromium for the tests of the page. All of them share one event loop."""

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Error, Page, expect

from tests.web.chromium import chromium
from tests.web.opponents import OpenOpponent, Opponent, opponent_at
from tests.web.pages import DRIVER, PATIENCE_MS, Between, OpenPage, intercept
from tests.web.rested import RestedPages
from tests.web.servers import Server, serving

expect.set_options(timeout=PATIENCE_MS)
CHOICES: Final[dict[str, Any]] = {
    "viewport": {"width": 1280, "height": 800},
    "locale": "en-GB",
    "color_scheme": "light",
    "reduced_motion": "reduce",  # flying cards cost most of a page's time; some tests let them
}
"""How a page is opened for which nothing else is chosen."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browsers live on one loop: that of the session."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents and isinstance(item, pytest.Function) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server for all tests that do not stop it; one on which they need not wait."""
    with serving("--commands-per-second", "1000") as running:
        yield running


@pytest.fixture(scope="session")
def rested() -> RestedPages:
    """Pages that tests have done with: opening one anew costs twice as much as making one as good as new."""
    return RestedPages()


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def lasting_page(browser: Browser, server: Server) -> AsyncIterator[Page]:
    page = await _new_page(browser, CHOICES)
    await page.goto(server.url)
    yield page
    await page.context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def modules(lasting_page: Page) -> AsyncIterator[Page]:
    """A page of which only modules are called that keep nothing. It is the same for all tests."""
    with _heard(lasting_page) as complaints:
        yield lasting_page
    assert complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, server: Server, rested: RestedPages) -> AsyncIterator[OpenPage]:
    """Opens pages, each in a browser of its own; at the end none may have complained."""
    complaints: list[str] = []

    @asynccontextmanager
    async def one(choices: dict[str, Any], url: str, between: Between | None) -> AsyncGenerator[Page]:
        page = await rested.take(choices) or await _new_page(browser, choices)
        if between:
            await intercept(page, between)
        with _heard(page) as complained:
            await page.goto(url)
            yield page
        complaints.extend(complained)
        if not await rested.give(page, choices, url):
            await page.context.close()

    async with AsyncExitStack() as stack:

        async def open_one(
            path: str = "", *, at: str | None = None, between: Between | None = None, **choices: Any
        ) -> Page:
            return await stack.enter_async_context(one(CHOICES | choices, (at or server.url) + path, between))

        yield open_one
    assert complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def opponent(server: Server) -> AsyncIterator[OpenOpponent]:
    """Programs that play where nobody looks at the page of that player."""
    async with AsyncExitStack() as stack:

        async def open_one(*, at: Server | None = None, token: str | None = None, name: str | None = None) -> Opponent:
            url = (at or server).socket_url
            return await stack.enter_async_context(opponent_at(url, token=token, name=name))

        yield open_one


async def _new_page(browser: Browser, choices: dict[str, Any]) -> Page:
    context = await browser.new_context(**choices)
    context.set_default_timeout(PATIENCE_MS)
    await context.grant_permissions(["clipboard-write"])  # the engine alone has nobody to ask
    await context.add_init_script(path=DRIVER)
    return await context.new_page()


@contextmanager
def _heard(page: Page) -> Generator[list[str]]:
    """What a page complains of meanwhile."""
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # a socket that the test cuts is reported by the browser itself
        if message.type in {"error", "warning"} and "WebSocket connection" not in message.text:
            complaints.append(f"{message.text} ({message.location})")

    def failed(error: Error) -> None:
        complaints.append(_told(error))

    page.on("console", heard)
    page.on("pageerror", failed)
    yield complaints
    page.remove_listener("console", heard)
    page.remove_listener("pageerror", failed)


def _told(error: Error) -> str:
    return f"{error.name}: {error.message}\n{error.stack}"
