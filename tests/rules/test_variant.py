"""A game is one value (DESIGN.md 2), and a value that cannot be dealt is refused where it is made."""

from dataclasses import replace

import pytest

from acerace_rules.catalogue import GAMES, variant_of
from acerace_rules.variant import Column, Stock
from tests.rules.support import deal


@pytest.mark.parametrize("key", GAMES)
def test_every_game_deals_all_its_cards(key: str) -> None:
    variant = variant_of(key)
    assert [len(seat.cards()) for seat in deal(key).seats] == [52 * variant.decks] * variant.seats


def test_a_deal_that_does_not_add_up_is_refused() -> None:
    klondike = variant_of("klondike")
    with pytest.raises(ValueError, match=r"klondike: the columns take 29 cards and the stock 24, together 53; 1 deck"):
        replace(klondike, columns=(*klondike.columns, Column(down=0, up=1)))
    with pytest.raises(ValueError, match=r"the columns take 27 cards and the stock 24, together 51; 1 deck"):
        replace(klondike, columns=klondike.columns[1:])
    with pytest.raises(ValueError, match=r"the columns take 28 cards and the stock 0, together 28; 1 deck"):
        replace(klondike, stock=None)
    with pytest.raises(ValueError, match=r"together 52; 2 deck\(s\) have 104"):
        replace(klondike, decks=2)


@pytest.mark.parametrize("draw", [(), (1,), (1, 1, 1), (1, 0)])
def test_each_seat_has_a_draw_of_its_own(draw: tuple[int, ...]) -> None:
    duel = variant_of("double-klondike")
    with pytest.raises(ValueError, match=r"one draw of at least 1 for each of 2 seat"):
        replace(duel, stock=Stock(size=24, draw=draw))


def test_a_game_is_for_one_or_for_exactly_two() -> None:
    # D67
    assert {key: variant_of(key).seats for key in GAMES} == dict.fromkeys(GAMES, 1) | {"double-klondike": 2}
