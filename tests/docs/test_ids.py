"""Every decision and every fault that the documents number is quoted by a test."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs"
AN_ID = re.compile(r"\b([DRNU])(\d+)(?:(?:-| - | to )\1?(\d+))?\b")


def ids(text: str) -> set[str]:
    """D1, and of D3-D5 all three."""
    return {
        f"{kind}{number}"
        for kind, first, last in AN_ID.findall(text)
        for number in range(int(first), int(last or first) + 1)
    }


def first_cells(text: str) -> str:
    return "\n".join(line.split("|")[1] for line in text.splitlines() if line.startswith("|"))


QUOTED = ids(
    "\n".join(
        path.read_text(encoding="utf-8")
        for kind in ("*.py", "*.js")
        for path in TESTS.rglob(kind)
        if "node_modules" not in path.parts and path != Path(__file__)
    )
)


def test_ranges_are_all_their_ids() -> None:
    assert ids("R4, R5; D34-D36, N1 to N3, N7 - N8, U1") == {
        *["R4", "R5", "D34", "D35", "D36", "N1", "N2", "N3", "N7", "N8", "U1"]
    }


def test_every_decision_is_quoted_by_a_test() -> None:
    decided = ids("\n".join(first_cells(path.read_text(encoding="utf-8")) for path in DOCS.glob("games/*.md")))
    assert len(decided) > 60
    assert decided - QUOTED == set()


def test_every_fault_is_quoted_by_a_test() -> None:
    faults = ids(first_cells(DOCS.joinpath("faults.md").read_text(encoding="utf-8")))
    assert len(faults) > 40
    assert faults - QUOTED == set()
