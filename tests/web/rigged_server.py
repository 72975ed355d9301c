"""A real server whose deals are chosen: ``python rigged_server.py LINES [server arguments]``.

``LINES`` is JSON: deals of solo games by number, and optionally ``match``: the two decks of every match.
Cards are texts in dealing order. Numbers that are not named are dealt as always.
"""

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from acerace_rules import deal
from acerace_rules.cards import COPY_SHIFT, parse_card
from acerace_rules.deal import SoloDeal
from acerace_rules.table import Table
from acerace_rules.variant import Variant
from acerace_server.__main__ import main
from acerace_server.core import duel


def deck(texts: Sequence[str], copy: int = 0) -> list[int]:
    """Cards by their text; the second of two identical ones has the second copy's number."""
    seen: set[int] = set()
    cards: list[int] = []
    for text in texts:
        card = parse_card(text) | copy << COPY_SHIFT
        cards.append(card | 1 << COPY_SHIFT if card in seen else card)
        seen.add(card)
    return cards


def rig(lines: dict[str, Any]) -> None:
    """Replace the deals by those given."""
    usual: Callable[[SoloDeal], Table] = SoloDeal.table

    def table(self: SoloDeal) -> Table:
        chosen = lines.get(str(self.number))
        return Table.deal(self.variant, [deck(chosen)]) if chosen else usual(self)

    def deal_match(variant: Variant, secret: bytes, seeds: Sequence[bytes], *, mirror: bool = False) -> Table:
        return Table.deal(variant, [deck(texts, seat) for seat, texts in enumerate(lines["match"])])

    SoloDeal.table = table  # type: ignore[method-assign]
    if "match" in lines:
        for module in (deal, duel):
            if hasattr(module, "deal_match"):
                setattr(module, "deal_match", deal_match)  # noqa: B010


if __name__ == "__main__":
    rig(json.loads(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
