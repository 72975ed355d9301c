"""What a server need not do anew in each of its lives: done once, in the process that they are forked from."""

import importlib
from pathlib import Path
from tempfile import TemporaryDirectory

from acerace_server.adapters.sql.store import SqlStore
from acerace_server.shell.static import load_site
from tests.e2e import lives

__all__ = ["lives"]

importlib.import_module("uvloop")  # the server looks for it only when it runs
load_site()
with TemporaryDirectory() as directory, SqlStore.open(Path(directory), utc_us=lambda: 0):
    pass  # it has learnt SQLite's dialect, and how a schema is brought up to date
