"""The check on what is left on the table when a duel is over."""

import pytest

from acerace_client.commands.matches import lost_cards
from acerace_rules.catalogue import variant_of
from acerace_rules.deal import deal_match
from acerace_rules.table import Table
from acerace_rules.view import view


@pytest.fixture
def dealt() -> Table:
    return view(deal_match(variant_of("double-klondike"), b"seed", [b"", b""]))


def test_a_deal_has_all_its_cards(dealt: Table) -> None:
    assert lost_cards(dealt) is None


def test_a_card_on_a_foundation_counts_for_its_owner(dealt: Table) -> None:
    dealt.foundations[0].append(dealt.seats[1].columns[0].pop())
    assert lost_cards(dealt) is None


def test_a_card_too_few_is_seen(dealt: Table) -> None:
    dealt.seats[1].stock.pop()
    assert lost_cards(dealt) == "seat 2 has 51 cards on the table, not 52"


def test_a_card_too_many_is_seen(dealt: Table) -> None:
    dealt.seats[0].waste.append(dealt.seats[0].columns[0][0])
    assert lost_cards(dealt) == "seat 1 has 53 cards on the table, not 52"
