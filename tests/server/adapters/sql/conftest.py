from collections.abc import Generator
from pathlib import Path

import pytest

from tests.server.adapters.sql.support import Disk


@pytest.fixture
def disk(tmp_path: Path) -> Generator[Disk]:
    opened = Disk(tmp_path / "data")
    yield opened
    opened.store.close()
