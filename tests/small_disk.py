"""A small file system of one's own, which is really full when it is full."""

import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

_MOUNT: Final = 'mount -t tmpfs -o "size=$1" none "$2" && shift 2 && exec "$@"'
_WAYS: Final = (("unshare", "--mount"), ("unshare", "--mount", "--map-root-user", "--user"))
"""To a mount namespace: as root, and as anybody, where the kernel lets anybody."""


def on_small_disk(at: Path, size: str) -> list[str]:
    """What goes before a command that is to find a new file system of ``size`` ("2m") at ``at``, and nobody else is."""
    way = _way()
    if way is None:
        pytest.skip("no mount of our own here")
    return [*way, *_mounting(at, size)]


def _mounting(at: Path, size: str) -> list[str]:
    return ["sh", "-c", _MOUNT, "sh", size, str(at)]


@cache
def _way() -> tuple[str, ...] | None:
    with TemporaryDirectory() as there:
        for way in _WAYS:
            try:
                done = subprocess.run([*way, *_mounting(Path(there), "1m"), "true"], capture_output=True, check=False)
            except FileNotFoundError:
                return None
            if done.returncode == 0:
                return way
    return None
