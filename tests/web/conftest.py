"""A real server and a real Chromium for the tests of the page. All of them share one event loop."""

import os
import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Error, Page, async_playwright

from tests.web.pages import DRIVER, PATIENCE_MS, OpenPage
from tests.web.servers import Server, serving

_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_NAMES = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browsers live on one loop: that of the session."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents and isinstance(item, pytest.Function) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


def _chromium() -> str:
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    assert found, "no Chromium: run tests/web/install_chromium.sh"
    return found


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    """Debian's Chromium, with nothing remembered."""
    os.environ["PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD"] = "1"
    async with async_playwright() as driver:
        started = await driver.chromium.launch(
            executable_path=_chromium(), args=[*_ARGUMENTS], downloads_path=str(tmp_path_factory.mktemp("downloads"))
        )
        yield started
        await started.close()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server for all tests that do not stop it; one on which they need not wait."""
    with serving("--commands-per-second", "1000") as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, server: Server) -> AsyncIterator[OpenPage]:
    """Opens pages, each in a browser of its own; at the end none may have complained."""
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # a socket that the test cuts is reported by the browser itself
        if message.type in {"error", "warning"} and "WebSocket connection" not in message.text:
            complaints.append(f"{message.text} ({message.location})")

    @asynccontextmanager
    async def one(choices: dict[str, Any]) -> AsyncGenerator[Page]:
        choices.setdefault("viewport", {"width": 1280, "height": 800})
        choices.setdefault("locale", "en-GB")
        context = await browser.new_context(**choices)
        context.set_default_timeout(PATIENCE_MS)
        await context.add_init_script(path=DRIVER)
        page = await context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(_told(error)))
        yield page
        await context.close()

    async with AsyncExitStack() as stack:

        async def open_one(path: str = "", *, at: str | None = None, **choices: Any) -> Page:
            page = await stack.enter_async_context(one(choices))
            await page.goto((at or server.url) + path)
            return page

        yield open_one
    assert complaints == []


def _told(error: Error) -> str:
    return f"{error.name}: {error.message}\n{error.stack}"
