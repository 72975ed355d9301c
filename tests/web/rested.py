"""Pages that may be used again."""

import json
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from playwright.async_api import Error, Page

from tests.web.chromium import tell
from tests.web.pages import INTERCEPTED

_KEPT_MAX: Final = 3
"""Of the same kind."""
_CHANGEABLE: Final = frozenset({"viewport", "color_scheme", "reduced_motion"})
"""What may be chosen anew for a page that is there."""


class RestedPages:
    """Pages that remember nothing, by the choices with which they were made for good."""

    def __init__(self) -> None:
        self._pages: dict[str, list[Page]] = {}

    async def take(self, choices: dict[str, Any]) -> Page | None:
        """A page as good as new, if there is one."""
        pages = self._pages.get(_kind(choices))
        if not pages:
            return None
        page = pages.pop()
        await page.set_viewport_size(choices["viewport"])
        await page.emulate_media(color_scheme=choices["color_scheme"], reduced_motion=choices["reduced_motion"])
        return page

    async def give(self, page: Page, choices: dict[str, Any], url: str) -> bool:
        """Make a page as good as new, and keep it; false: that cannot be done, or there are enough."""
        pages = self._pages.setdefault(_kind(choices), [])
        others = len(page.context.pages) > 1
        if page in INTERCEPTED or page.is_closed() or others or len(pages) >= _KEPT_MAX:
            return False
        try:
            await page.goto(urljoin(url, "/icon.svg"))  # nothing of another site: that would be a new process
        except Error:
            return False  # the server is gone
        session = await page.context.new_cdp_session(page)
        everything = {"origin": _origin(url), "storageTypes": "all"}
        await tell(session, "Storage.clearDataForOrigin", everything)
        await session.detach()
        pages.append(page)
        return True


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _kind(choices: dict[str, Any]) -> str:
    return json.dumps({name: value for name, value in choices.items() if name not in _CHANGEABLE}, sort_keys=True)
