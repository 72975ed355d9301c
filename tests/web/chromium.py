"""Which Chromium the page is tried in, and how it is started."""

import shutil
from typing import Final

ARGUMENTS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")


def executable() -> str:
    """Where the browser is."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    assert found, "no Chromium: run tests/web/install_chromium.sh"
    return found
