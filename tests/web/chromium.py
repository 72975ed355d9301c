"""Which Chromium the page is tried in, and how it is started."""

import os
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

from playwright.async_api import Browser, CDPSession, async_playwright

from tests.web.node import NODE

ARGUMENTS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",  # one process less for each browser
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_WHOLE: Final = ("chromium", "chromium-browser", "google-chrome")
_WITHOUT_WINDOWS: Final = "chromium-headless-shell"
"""The same engine without the browser around it, at less than half the processor time."""


def executable(*, whole: bool = False) -> str:
    """Where the browser is. ``whole``: one with windows and tabs, for what the engine alone does not do."""
    names = _WHOLE if whole else (_WITHOUT_WINDOWS, *_WHOLE)
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, "no Chromium: run tests/web/install_chromium.sh"
    return found


@asynccontextmanager
async def chromium() -> AsyncGenerator[Browser]:
    """A browser that remembers nothing."""
    os.environ["PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD"] = "1"
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(NODE)
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=executable(), args=[*ARGUMENTS])
        yield browser
        await browser.close()


async def tell(session: CDPSession, method: str, fields: dict[str, Any]) -> None:
    """Have the browser do what Playwright has no word for."""
    await session.send(method, fields)  # pyright: ignore[reportUnknownMemberType]
