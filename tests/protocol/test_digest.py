"""The digest: equal for a table and what can be seen of it, and different as soon as something seen differs (N33)."""

from random import Random

import pytest

from acerace_protocol.digest import RunningDigest, digest
from acerace_protocol.state import TableState
from acerace_rules.cards import FACE
from acerace_rules.catalogue import variant_of
from acerace_rules.table import Table
from acerace_rules.variant import Variant
from acerace_rules.view import view
from tests.protocol.games import EVERY_VARIANT, deal, stroll


@EVERY_VARIANT
def test_the_running_digest_is_the_digest_after_every_move_and_every_move_taken_back(variant: Variant) -> None:
    random = Random(1)
    for _ in range(3):
        table = deal(variant, random)
        running = RunningDigest(table)
        assert running.value == digest(table)
        for played in stroll(table, random, 150):
            assert running.after(played) == running.value == digest(table)


@EVERY_VARIANT
def test_a_table_and_what_is_seen_of_it_have_the_same_digest(variant: Variant) -> None:
    random = Random(2)
    table = deal(variant, random)
    for _ in stroll(table, random, 150):
        seen = view(table)
        assert digest(seen) == digest(table)
        assert digest(TableState.of(seen).table(variant)) == digest(table)


@EVERY_VARIANT
def test_a_running_digest_may_begin_at_any_position(variant: Variant) -> None:
    random = Random(3)
    table = deal(variant, random)
    for _ in stroll(table, random, 40, back=0):
        pass
    running = RunningDigest(table)
    for played in stroll(table, random, 40):
        assert running.after(played) == digest(table)


DUEL = variant_of("double-klondike")


def other_positions(table: Table) -> list[tuple[str, Table]]:
    """Mistakes a client could make with this position."""
    wrong: dict[str, Table] = {}
    for name in ("stock", "face down", "column order", "columns swapped", "seats swapped", "waste", "owner"):
        wrong[name] = table.copy()
    wrong["stock"].seats[0].stock.pop()
    wrong["face down"].seats[0].down[3] -= 1
    wrong["column order"].seats[0].columns[6][-2:] = wrong["column order"].seats[0].columns[6][:-3:-1]
    wrong["column order"].seats[0].down[6] -= 2
    columns = wrong["columns swapped"].seats[0].columns
    columns[0], columns[1] = columns[1][-1:], [columns[1][0], *columns[0]]
    swapped = wrong["seats swapped"]
    swapped.seats = (swapped.seats[1], swapped.seats[0])
    wrong["waste"].seats[1].waste.reverse()
    wrong["owner"].foundations[0][0] ^= FACE + 1
    return [*wrong.items()]


def test_a_client_that_went_wrong_has_another_digest() -> None:
    table = deal(DUEL, Random(7))
    table.foundations[0].append(1)
    table.seats[1].waste += table.seats[1].stock[:2]
    for name, wrong in other_positions(table):
        assert digest(wrong) != digest(table), name


def test_two_piles_of_equal_length_that_change_places_are_noticed() -> None:
    """An exclusive or of CRCs would not: they are linear."""
    random = Random(4)
    for _ in range(200):
        table = deal(DUEL, random)
        swapped = table.copy()
        swapped.seats = (swapped.seats[1], swapped.seats[0])
        assert digest(swapped) != digest(table)


def test_the_digest_has_32_bits() -> None:
    random = Random(5)
    values = [digest(deal(DUEL, random)) for _ in range(300)]
    assert all(0 <= value < 2**32 for value in values)
    assert len({*values}) == len(values)
    assert max(values) > 2**31


@pytest.mark.parametrize("seat", [0, 1])
def test_what_is_hidden_leaves_no_trace(seat: int) -> None:
    table = deal(DUEL, Random(6))
    other = table.copy()
    other.seats[seat].stock.reverse()
    other.seats[seat].columns[6][:6] = other.seats[seat].columns[6][5::-1]
    assert digest(other) == digest(table)
