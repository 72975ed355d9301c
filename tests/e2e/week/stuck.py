"""Whether a seat of a match is blocked (RULES.md 7), by walking through all that it can do without getting anywhere."""

from collections.abc import Iterator

from acerace_rules import table as shipped
from acerace_rules.blocked import is_blocked
from acerace_rules.cards import COPY_SHIFT, parse_card
from acerace_rules.catalogue import variant_of
from tests.e2e.week.table import Table

Column = tuple[int, tuple[str, ...]]
"""The number of cards face down, then those face up."""
Columns = tuple[Column, ...]


def is_stuck(table: Table, seat: int, most: int) -> bool | None:
    """``None``: after ``most`` arrangements it is still open. Only for games in which nothing is taken back."""
    assert not table.game.take_back
    me = table.seats[seat]
    offered = _offered(table, seat)
    if any(table.slot(card) is not None for card in offered):
        return False
    start = _sorted((down, tuple(column[down:])) for column, down in zip(me.columns, me.down, strict=True))
    seen, waiting = {start}, [start]
    for columns in waiting:
        if _is_progress(table, columns, offered):
            return False
        for left, column in _moves(table, columns):
            if not column[1] and column[0]:
                return False  # a hidden card turns up
            after = _sorted([*left, column])
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(waiting) > most:
            return None
    return True


def _sorted(columns: Iterator[Column] | list[Column]) -> Columns:
    """Where a column stands decides nothing."""
    return tuple(sorted(columns))


def _is_progress(table: Table, columns: Columns, offered: set[str]) -> bool:
    """A card goes to a foundation, or one of the waste to a column."""
    ends = [[*up[-1:]] for _, up in columns]
    return any(end and table.slot(end[0]) is not None for end in ends) or any(
        table.fits(end, card) for end in ends for card in offered
    )


def _moves(table: Table, columns: Columns) -> Iterator[tuple[list[Column], Column]]:
    """Every move of a run from one column to another: the other columns after it, and the one that was left."""
    for source, (down, up) in enumerate(columns):
        for size in range(1, len(up) + 1):
            run = up[-size:]
            if not table.is_run([*run]):
                break
            for target, (under, end) in enumerate(columns):
                if target == source or not table.fits([*end[-1:]], run[0]) or (under and not end):
                    continue
                rest = [column for place, column in enumerate(columns) if place not in {source, target}]
                yield [*rest, (under, end + run)], (down, up[:-size])


def _offered(table: Table, seat: int) -> set[str]:
    """The cards that the stock can lay on top of the waste while none is played from it (D18, D27)."""
    me = table.seats[seat]
    tops = {*me.waste[-1:], *_tops(me.stock, me.draw)}
    if table.game.passes is None or me.recycles < table.game.passes - 1:
        tops |= _tops(me.waste + me.stock, me.draw)
    return tops


def _tops(cards: list[str], draw: int) -> set[str]:
    return {*cards[draw - 1 :: draw], *cards[-1:]}


def shipped_proof(table: Table, seat: int) -> bool:
    """The rules' own proof: for a position with more arrangements than one may want to walk through."""
    seats = [
        shipped.Seat(
            [[parse_card(card) | number << COPY_SHIFT for card in column] for column in me.columns],
            [*me.down],
            [parse_card(card) | number << COPY_SHIFT for card in me.stock[::-1]],
            [parse_card(card) | number << COPY_SHIFT for card in me.waste],
            draw=me.draw,
        )
        for number, me in enumerate(table.seats)
    ]
    for number, me in enumerate(table.seats):
        seats[number].recycles = me.recycles
    passes = 1 if table.game.passes == 1 else "unlimited"
    variant = variant_of("double-klondike", {"passes": passes})
    piles = [[parse_card(card) | owner << COPY_SHIFT for card, owner in pile] for pile in table.piles]
    return is_blocked(shipped.Table(variant, seats, piles), seat)
