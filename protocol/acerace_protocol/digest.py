"""A position's digest: 32 bits by which a client finds out that its copy has drifted from the server's (N33).

The sum, modulo 2 ** 32, of one CRC-32 (as in zlib) for each pile, over ASCII text (PROTOCOL.md): ``0c3:2:9sTh`` is
seat 0's third column with two cards face down; ``0s:24`` its stock; ``0w:9sTh`` its waste; ``f5:010`` the sixth
foundation by owners. A sum and not an XOR: CRCs are linear, so the XOR would be the same when two piles whose texts
are equally long change places, as when a client takes the two seats for each other.
"""

from typing import Final
from zlib import crc32

from acerace_rules.cards import copy_of, face_text
from acerace_rules.moves import Kind
from acerace_rules.play import Played
from acerace_rules.table import Table

_32_BITS: Final = 0xFFFF_FFFF


def digest(table: Table) -> int:
    """The digest of a table or of its view: the same for both."""
    value = 0
    for number, seat in enumerate(table.seats):
        value += _stock(table, number) + _waste(table, number)
        for index in range(len(seat.columns)):
            value += _column(table, number, index)
    for index in range(len(table.foundations)):
        value += _foundation(table, index)
    return value & _32_BITS


def _column(table: Table, number: int, index: int) -> int:
    seat = table.seats[number]
    down = seat.down[index]
    faces = "".join(map(face_text, seat.columns[index][down:]))
    return crc32(f"{number}c{index + 1}:{down}:{faces}".encode())


def _stock(table: Table, number: int) -> int:
    return crc32(f"{number}s:{len(table.seats[number].stock)}".encode())


def _waste(table: Table, number: int) -> int:
    return crc32(f"{number}w:{''.join(map(face_text, table.seats[number].waste))}".encode())


def _foundation(table: Table, index: int) -> int:
    owned = len(table.seats) > 1
    owners = "".join(str(copy_of(card) if owned else 0) for card in table.foundations[index])
    return crc32(f"f{index}:{owners}".encode())


class RunningDigest:
    """The digest of a table that is being played, kept by recomputing only the piles a move touches."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._piles: dict[tuple[str, int, int], int] = {}
        self.value = 0
        for number, seat in enumerate(table.seats):
            self._touch(("s", number, 0), ("w", number, 0), *(("c", number, i) for i in range(len(seat.columns))))
        self._touch(*(("f", 0, index) for index in range(len(table.foundations))))

    def after(self, played: Played) -> int:
        """The digest after this move was played or taken back."""
        seat, move = played.seat, played.move
        match move.kind:
            case Kind.DRAW | Kind.RECYCLE:
                self._touch(("s", seat, 0), ("w", seat, 0))
            case Kind.WASTE_TO_COLUMN:
                self._touch(("w", seat, 0), ("c", seat, move.target))
            case Kind.WASTE_TO_FOUNDATION:
                self._touch(("w", seat, 0), ("f", 0, played.slot))
            case Kind.COLUMN_TO_COLUMN:
                self._touch(("c", seat, move.source), ("c", seat, move.target))
            case Kind.COLUMN_TO_FOUNDATION:
                self._touch(("c", seat, move.source), ("f", 0, played.slot))
            case Kind.FOUNDATION_TO_COLUMN:
                self._touch(("f", 0, played.slot), ("c", seat, move.target))
        return self.value

    def _touch(self, *piles: tuple[str, int, int]) -> None:
        for pile in piles:
            kind, number, index = pile
            match kind:
                case "c":
                    fresh = _column(self._table, number, index)
                case "s":
                    fresh = _stock(self._table, number)
                case "w":
                    fresh = _waste(self._table, number)
                case _:
                    fresh = _foundation(self._table, index)
            self.value = (self.value - self._piles.get(pile, 0) + fresh) & _32_BITS
            self._piles[pile] = fresh
