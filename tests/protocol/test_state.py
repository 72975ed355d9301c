"""A position on the wire: everything that can be seen, and nothing that cannot (N1, N2)."""

import re
from random import Random

import msgspec
import pytest

from acerace_protocol.codec import JSON, MSGPACK, Codec
from acerace_protocol.messages import Dealt
from acerace_protocol.state import ColumnState, FoundationState, TableState, owned_card
from acerace_rules.cards import HIDDEN, copy_of, face_text, parse_card
from acerace_rules.catalogue import variant_of
from acerace_rules.legal import legal_moves
from acerace_rules.variant import Variant
from acerace_rules.view import view
from tests.protocol.games import EVERY_VARIANT, deal, stroll

DUEL = variant_of("double-klondike")


@EVERY_VARIANT
def test_what_is_seen_is_read_back_as_it_was(variant: Variant) -> None:
    random = Random(1)
    table = deal(variant, random)
    for _ in stroll(table, random, 120):
        seen = view(table)
        back = TableState.of(seen).table(variant)
        seen.arrived = 0
        assert back == seen


@EVERY_VARIANT
@pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=lambda codec: codec.subprotocol)
def test_a_position_survives_the_wire(variant: Variant, codec: Codec) -> None:
    table = deal(variant, Random(2))
    for _ in stroll(table, Random(3), 60, back=0):
        pass
    dealt = Dealt(table="t1", seq=1, at_us=0, state=TableState.of(view(table)), check=0)
    received = codec.decode_server(codec.encode(dealt))
    assert isinstance(received, Dealt)
    assert received.state.table(variant) == dealt.state.table(variant)


@EVERY_VARIANT
def test_the_legal_moves_can_be_found_in_what_was_sent(variant: Variant) -> None:
    random = Random(4)
    table = deal(variant, random)
    for _ in stroll(table, random, 60):
        received = TableState.of(view(table)).table(variant)
        for seat in range(variant.seats):
            assert legal_moves(received, seat) == legal_moves(table, seat)


@EVERY_VARIANT
def test_the_only_cards_in_the_bytes_are_those_that_lie_face_up(variant: Variant) -> None:
    table = deal(variant, Random(5))
    sent = msgspec.json.encode(TableState.of(view(table))).decode()
    shown = [
        face_text(card)
        for seat in table.seats
        for column, down in zip(seat.columns, seat.down, strict=True)
        for card in column[down:]
    ]
    assert re.findall(r"[A2-9TJQK][shdc]", sent) == shown


def test_a_card_belongs_to_the_seat_in_whose_piles_it_lies() -> None:
    state = TableState.of(view(deal(DUEL, Random(6))))
    table = state.table(DUEL)
    assert {copy_of(column[-1]) for column in table.seats[0].columns} == {0}
    assert {copy_of(column[-1]) for column in table.seats[1].columns} == {1}
    assert owned_card("Th", 1) == parse_card("Th'")


def test_a_foundation_tells_whose_deck_each_card_came_from() -> None:
    table = deal(DUEL, Random(7))
    table.foundations[3] = [parse_card("Ah'"), parse_card("2h"), parse_card("3h'")]
    state = TableState.of(view(table))
    assert state.foundations[3] == FoundationState("h", (1, 0, 1))
    assert [pile.suit for pile in state.foundations] == list("sshhddcc")
    assert state.table(DUEL).foundations == table.foundations


@pytest.mark.parametrize("game", ["double-solitaire", "easy-harp"])
def test_alone_with_two_decks_nobody_is_told_which_of_two_identical_cards_is_which(game: str) -> None:
    variant = variant_of(game)
    table = deal(variant, Random(8))
    table.foundations[0] = [parse_card("As'")]
    state = TableState.of(view(table))
    assert state.foundations[0].owners == (0,)
    assert all(copy_of(card) == 0 for column in state.table(variant).seats[0].columns for card in column)


def test_face_down_cards_are_a_number() -> None:
    state = TableState.of(view(deal(DUEL, Random(9))))
    assert [column.down for column in state.seats[0].columns] == [*range(7)]
    assert state.table(DUEL).seats[0].columns[6][:6] == [HIDDEN] * 6
    assert state.table(DUEL).seats[0].stock == [HIDDEN] * 24


@pytest.mark.parametrize("column", [ColumnState(0, ("Xx",)), ColumnState(0, ("10h",)), ColumnState(0, ("",))])
def test_a_card_that_does_not_exist_is_refused(column: ColumnState) -> None:
    state = TableState.of(view(deal(DUEL, Random(10))))
    seat = msgspec.structs.replace(state.seats[0], columns=(column,))
    with pytest.raises(ValueError, match="is no card"):
        msgspec.structs.replace(state, seats=(seat, state.seats[1])).table(DUEL)


def test_a_suit_that_does_not_exist_is_refused() -> None:
    state = TableState.of(view(deal(DUEL, Random(11))))
    with pytest.raises(ValueError, match="substring"):
        msgspec.structs.replace(state, foundations=(FoundationState("x", (0,)),)).table(DUEL)
