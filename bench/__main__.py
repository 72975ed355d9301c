"""All measurements, one after the other: ``python -m bench``, or ``python -m bench rules`` for one of them.

Each is a script with options of its own: ``python -m bench.rules --help``.
"""

import runpy
import sys
from pathlib import Path

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))


def main() -> int:
    wanted = sys.argv[1:] or NAMES
    if unknown := [name for name in wanted if name not in NAMES]:
        print(f"there is no measurement {unknown[0]!r}; expected one of {', '.join(NAMES)}", file=sys.stderr)
        return 2
    for name in wanted:
        print(f"== {name}", flush=True)
        sys.argv = [f"bench.{name}"]
        try:
            runpy.run_module(f"bench.{name}", run_name="__main__")
        except SystemExit as stop:
            if stop.code:
                return 1
        print()
    return 0


sys.exit(main())
