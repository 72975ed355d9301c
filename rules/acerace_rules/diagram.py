"""Positions as text pictures, for tests, logs and documents; reading gives back exactly what was drawn.

::

    foundations  As..3s | Ah 2h' | Ad
      stock     (7h 8h)
      waste     Th 9c
      c1        Kh
      c2        -
      c3        (2s 4d) 9h
      counters  moves 12, score 35

Every pile is written with its last card at the right end: the one that can be played, and in the stock the
one that is drawn next. Face-down cards stand in parentheses; ``??`` is a card that nobody may see, ``??*5``
are five of them. A foundation is written from its ace up, ``As..5s`` for a whole range; which suit it is its
cards say. An empty one is left out, or written ``-`` and then all of them are, suit by suit.

A two-seat game says ``seat 1`` and ``seat 2`` before a seat's piles. These hold its own deck, so the mark of
the second copy (``9h'``) is written on the foundations only. ``arrived`` lists the cards that have ever lain
on a foundation, if others do now. Whatever is missing is empty or as it was at the deal, and a position need
not hold a whole deck. ``#`` begins a comment.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from acerace_rules.cards import (
    ACE,
    COPY_SHIFT,
    FACE,
    HIDDEN,
    SUITS,
    UNKNOWN_TEXT,
    card_text,
    copy_of,
    face_text,
    make_card,
    parse_card,
    rank_of,
    suit_of,
)
from acerace_rules.table import Seat, Table
from acerace_rules.variant import Variant

EMPTY: Final = "-"
BETWEEN_PILES: Final = " | "
RANGE: Final = ".."
_RANGE_MIN: Final = 3
"""Fewer cards are as short written out."""

_COUNTERS: Final = ("draw", "recycles", "moves", "score", "strict", "ticks")


# --- drawing -----------------------------------------------------------------------------------------------


def draw_table(table: Table) -> str:
    """The picture of a position or of a view of one; :func:`read_table` gives back an equal table."""
    lines = [f"foundations  {_foundations_text(table)}"]
    if table.arrived != _on_foundations(table):
        arrived = (card for card in range(table.arrived.bit_length()) if table.arrived >> card & 1)
        lines.append(f"arrived      {' '.join(map(card_text, arrived)) or EMPTY}")
    for number, seat in enumerate(table.seats):
        if len(table.seats) > 1:
            lines.append(f"seat {number + 1}")
        own = number if len(table.seats) > 1 else 0
        lines += [f"  {name:<9} {text}" for name, text in _pile_texts(table.variant, seat, own)]
        if counters := _counters_text(seat, _new_seat(table.variant, number)):
            lines.append(f"  counters  {counters}")
    return "\n".join(lines) + "\n"


def _foundations_text(table: Table) -> str:
    copies = table.variant.copies
    piles = table.foundations
    texts = [_foundation_text(pile) for pile in piles]
    first_slots = range(0, len(piles), copies)
    # a second foundation of a suit without the first could be read as the first: then all are written
    if any(not piles[slot] and any(piles[slot : slot + copies]) for slot in first_slots):
        return BETWEEN_PILES.join(text or EMPTY for text in texts)
    return BETWEEN_PILES.join(filter(None, texts)) or EMPTY


def _foundation_text(pile: list[int]) -> str:
    words: list[str] = []
    for _, group in groupby(pile, copy_of):
        cards = [card_text(card) for card in group]
        words += cards if len(cards) < _RANGE_MIN else [cards[0] + RANGE + cards[-1]]
    return " ".join(words)


def _pile_texts(variant: Variant, seat: Seat, own: int) -> Iterator[tuple[str, str]]:
    if variant.stock:
        yield "stock", _cards_text(seat.stock, len(seat.stock), own)
        yield "waste", _cards_text(seat.waste, 0, own)
    for number, (column, down) in enumerate(zip(seat.columns, seat.down, strict=True), 1):
        yield f"c{number}", _cards_text(column, down, own)


def _cards_text(pile: list[int], down: int, own: int) -> str:
    parts = [f"({' '.join(_words(pile[:down], own))})"] if down else []
    return " ".join([*parts, *_words(pile[down:], own)]) or EMPTY


def _words(cards: list[int], own: int) -> Iterator[str]:
    for card, group in groupby(cards):
        count = len(list(group))
        text = card_text(card) if copy_of(card) != own else face_text(card)
        if card == HIDDEN and count > 1:
            yield f"{text}*{count}"
        else:
            yield from [text] * count


def _counters_text(seat: Seat, fresh: Seat) -> str:
    defaults = {name: getattr(fresh, name) for name in _COUNTERS} | {"strict": seat.score}
    return ", ".join(f"{name} {getattr(seat, name)}" for name in _COUNTERS if getattr(seat, name) != defaults[name])


# --- reading -----------------------------------------------------------------------------------------------


def read_table(text: str, variant: Variant) -> Table:
    """Read a picture.

    Raises ``ValueError`` that names the line and says what was expected there.
    """
    table = Table(variant, [_new_seat(variant, number) for number in range(variant.seats)])
    reader = _Reader(table)
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        try:
            reader.read(line)
        except ValueError as error:
            raise ValueError(f"line {number}, {line!r}: {error}") from None
    reader.finish()
    return table


def _new_seat(variant: Variant, number: int) -> Seat:
    columns: list[list[int]] = [[] for _ in variant.columns]
    draw = variant.stock.draw[number] if variant.stock else 0
    return Seat(columns, [0] * len(columns), [], [], draw=draw, score=variant.scoring.start)


def _on_foundations(table: Table) -> int:
    return sum(1 << card for card in {card for pile in table.foundations for card in pile})


class _Reader:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.seat: int | None = 0 if len(table.seats) == 1 else None
        self.arrived: int | None = None
        self.written: set[tuple[int | None, str]] = set()

    def read(self, line: str) -> None:
        if not line:
            return
        name, _, rest = line.partition(" ")
        if name == "seat":
            self.seat = _number(rest, len(self.table.seats), "a seat") - 1
            name = line
        elif name == "foundations":
            _read_foundations(self.table, rest)
        elif name == "arrived":
            cards = [] if rest.strip() == EMPTY else [parse_card(word) for word in rest.split()]
            self.arrived = sum(1 << card for card in set(cards))
        else:
            self._read_pile(name, rest)
        if (self.seat, name) in self.written:
            raise ValueError(f"expected {name!r} only once")
        self.written.add((self.seat, name))

    def _read_pile(self, name: str, rest: str) -> None:
        if self.seat is None:
            raise ValueError("expected 'seat 1' or 'seat 2' before a seat's piles")
        seat = self.table.seats[self.seat]
        if name == "counters":
            _read_counters(seat, rest)
            return
        down, up = _read_cards(rest, self.seat if len(self.table.seats) > 1 else None)
        if name == "stock" and self.table.variant.stock:
            seat.stock = down + up
        elif name == "waste" and self.table.variant.stock:
            if down:
                raise ValueError("expected no face-down card in the waste")
            seat.waste = up
        elif name[:1] == "c":
            if down and not up:
                raise ValueError("expected a face-up card on the face-down ones: the last card turns up by itself")
            index = _number(name[1:], len(seat.columns), "a column") - 1
            seat.columns[index] = down + up
            seat.down[index] = len(down)
        else:
            piles = "stock, waste, c1 ..." if self.table.variant.stock else "c1 ..."
            raise ValueError(f"expected foundations, arrived, seat, counters or a pile of this game: {piles}")

    def finish(self) -> None:
        self.table.arrived = _on_foundations(self.table) if self.arrived is None else self.arrived
        _refuse_repeats(self.table)


def _number(text: str, most: int, what: str) -> int:
    if not text.strip().isdecimal() or not 1 <= int(text) <= most:
        raise ValueError(f"expected {what} from 1 to {most}, not {text!r}")
    return int(text)


def _read_cards(text: str, owner: int | None) -> tuple[list[int], list[int]]:
    found = re.fullmatch(r"\s*(?:\((?P<down>[^()]*)\))?(?P<up>[^()]*)", text)
    if not found:
        raise ValueError("expected cards, the face-down ones before the others in one pair of parentheses")
    down, up = (found["down"] or "").split(), found["up"].split()
    if not down and up == [EMPTY]:
        up = []
    return [*_parse_words(down, owner)], [*_parse_words(up, owner)]


def _parse_words(words: Iterable[str], owner: int | None) -> Iterator[int]:
    for word in words:
        if many := re.fullmatch(re.escape(UNKNOWN_TEXT) + r"\*(\d{1,3})", word):
            yield from [HIDDEN] * int(many[1])
            continue
        card = parse_card(word)
        if owner is not None and card != HIDDEN:
            if copy_of(card) not in (0, owner):
                raise ValueError(f"{word!r} is of the other seat's deck; expected this seat's own cards")
            card = (card & FACE) | owner << COPY_SHIFT
        yield card


def _read_counters(seat: Seat, text: str) -> None:
    values: dict[str, int] = {}
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\w+)\s+(-?\d+)\s*", part)
        if not found or found[1] not in _COUNTERS:
            raise ValueError(f"expected {', '.join(_COUNTERS)} with a number, as in 'moves 12, score 35', not {part!r}")
        values[found[1]] = int(found[2])
    values.setdefault("strict", values.get("score", seat.score))
    for name, value in values.items():
        setattr(seat, name, value)


def _read_foundations(table: Table, text: str) -> None:
    copies = table.variant.copies
    piles = [_read_foundation(part.strip(), copies) for part in text.split(BETWEEN_PILES.strip())]
    if piles == [[]]:
        return
    if all(piles):
        slots = [suit * copies for suit in SUITS]
        for pile in piles:
            suit = suit_of(pile[0])
            slot = slots[suit]
            if slot == (suit + 1) * copies:
                raise ValueError(f"expected at most {copies} foundation(s) of a suit")
            table.foundations[slot] = pile
            slots[suit] += 1
        return
    if len(piles) != len(table.foundations):
        raise ValueError(
            f"expected all {len(table.foundations)} foundations if an empty one is written, not {len(piles)}"
        )
    for slot, pile in enumerate(piles):
        if pile and suit_of(pile[0]) != slot // copies:
            raise ValueError(f"expected foundation {slot + 1} to be of another suit: spades, hearts, diamonds, clubs")
        table.foundations[slot] = pile


def _read_foundation(text: str, copies: int) -> list[int]:
    pile: list[int] = []
    for word in [] if text == EMPTY else text.split():
        first, is_range, last = word.partition(RANGE)
        low = parse_card(first)
        high = parse_card(last) if is_range else low
        suit = suit_of(pile[0] if pile else low)
        expected = make_card(len(pile) + ACE, suit, copy_of(low))
        if low != expected or copy_of(low) >= copies:
            raise ValueError(f"expected {face_text(expected)!r} next on this foundation, not {first!r}")
        if (suit_of(high), copy_of(high)) != (suit, copy_of(low)) or high < low:
            raise ValueError(f"expected a range of one suit and copy going up, as in 'As..5s', not {word!r}")
        pile += [make_card(rank, suit, copy_of(low)) for rank in range(rank_of(low), rank_of(high) + 1)]
    if not pile and text != EMPTY:
        raise ValueError(f"expected foundations from the ace up, as in 'As..3s{BETWEEN_PILES}Ah 2h', or {EMPTY!r}")
    return pile


def _refuse_repeats(table: Table) -> None:
    """A card in two places is a slip of the pen; but a view of a two-deck solo game names no copies (D16)."""
    mask = FACE if len(table.seats) == 1 else ~0
    piles = [*map(Seat.cards, table.seats), *table.foundations]
    counts = Counter(card & mask for pile in piles for card in pile if card != HIDDEN)
    for card, count in counts.items():
        if count > table.variant.decks:
            raise ValueError(f"{card_text(card)} is there {count} times; expected it at most {table.variant.decks}")
