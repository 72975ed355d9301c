"""Pages that may be used again."""

import json
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.async_api import Page

from tests.web.chromium import tell
from tests.web.pages import INTERCEPTED

_KEPT_MAX: Final = 3
"""Of the same kind."""


class RestedPages:
    """Pages that remember nothing, by the choices they were made with and the server they have been at."""

    def __init__(self) -> None:
        self._pages: dict[str, list[Page]] = {}

    def take(self, choices: dict[str, Any], url: str) -> Page | None:
        """A page as good as new, if there is one."""
        pages = self._pages.get(_kind(choices, url))
        return pages.pop() if pages else None

    async def give(self, page: Page, choices: dict[str, Any], url: str) -> bool:
        """Make a page as good as new, and keep it; false: that cannot be done, or there are enough."""
        pages = self._pages.setdefault(_kind(choices, url), [])
        others = len(page.context.pages) > 1
        if page in INTERCEPTED or page.is_closed() or others or len(pages) >= _KEPT_MAX:
            return False
        await page.goto("about:blank")
        session = await page.context.new_cdp_session(page)
        everything = {"origin": _origin(url), "storageTypes": "all"}
        await tell(session, "Storage.clearDataForOrigin", everything)
        await session.detach()
        await page.set_viewport_size(choices["viewport"])
        await page.emulate_media(color_scheme=choices["color_scheme"], reduced_motion=choices["reduced_motion"])
        pages.append(page)
        return True


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _kind(choices: dict[str, Any], url: str) -> str:
    return json.dumps([choices, _origin(url)], sort_keys=True)
