"""Reads the files of ``oracles/``, which other programs wrote, into this project's values."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from acerace_rules.cards import COPY_SHIFT, SUIT_LETTERS, copy_of, face_text, parse_card, suit_of
from acerace_rules.moves import Kind, Move
from acerace_rules.table import Seat, Table
from acerace_rules.variant import Variant

_FOLDER = Path(__file__).with_name("oracles")

OracleMove = tuple[str | int, ...]
Json = Any


def cards(texts: str | Iterable[str]) -> list[int]:
    """Card texts, however the face-down ones are marked, as first copies."""
    words = texts.split() if isinstance(texts, str) else texts
    return [parse_card(word.rstrip("-")) for word in words]


class _Copies:
    """Gives the second of two identical cards the second copy's number."""

    def __init__(self) -> None:
        self.seen: Counter[int] = Counter()

    def tell_apart(self, pile: Iterable[int]) -> list[int]:
        told: list[int] = []
        for card in pile:
            told.append(card | self.seen[card] << COPY_SHIFT)
            self.seen[card] += 1
        return told


# --- positions with their legal moves ----------------------------------------------------------------------


@dataclass(frozen=True)
class Golden:
    game: str
    layout: Mapping[str, Sequence[Any]]
    legal: frozenset[OracleMove]

    def table(self, variant: Variant) -> Table:
        copies = _Copies()
        columns = [copies.tell_apart(cards(column)) for column in self.layout["columns"]]
        down = [sum(text.endswith("-") for text in column) for column in self.layout["columns"]]
        stock, waste = (copies.tell_apart(cards(self.layout[pile])) for pile in ("stock", "waste"))
        foundations: list[list[int]] = [[] for _ in range(4 * variant.copies)]
        for pile in self.layout["foundations"]:
            told = copies.tell_apart(cards(pile))
            first = suit_of(told[0]) * variant.copies
            slot = next(slot for slot in range(first, first + variant.copies) if not foundations[slot])
            foundations[slot] = told
        return Table(variant, [Seat(columns, down, stock, waste)], foundations)


def golden_positions() -> Iterator[Golden]:
    with (_FOLDER / "legal_moves_golden.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            yield Golden(entry["game"], entry["layout"], frozenset(map(tuple, entry["legal"])))


def oracle_move(table: Table, move: Move) -> OracleMove:
    """A move as the golden positions write it: a take-back by the card's face, since they know no slots."""
    match move.kind:
        case Kind.COLUMN_TO_COLUMN:
            return "T", move.source, move.size, move.target
        case Kind.COLUMN_TO_FOUNDATION:
            return "TF", move.source
        case Kind.WASTE_TO_FOUNDATION:
            return ("WF",)
        case Kind.WASTE_TO_COLUMN:
            return "WT", move.target
        case Kind.FOUNDATION_TO_COLUMN:
            copies = table.variant.copies
            piles = table.foundations[move.source * copies : (move.source + 1) * copies]
            [pile] = [piles[move.slot - 1]] if move.slot else [pile for pile in piles if pile]
            face = face_text(pile[-1]).upper()
            return "FT", face[1] + face[0], move.target
        case Kind.DRAW | Kind.RECYCLE:
            raise AssertionError(f"{move} is not in the golden positions")


# --- winning lines -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    name: str
    deck: tuple[int, ...]
    """In dealing order."""
    columns: list[list[int]]
    steps: list[Json]
    counters: Mapping[str, int]
    checkpoints: Mapping[int, Json]
    """By the number of the step after which it holds."""
    draw: int = 1
    largest_group: int = 0

    def table(self, variant: Variant) -> Table:
        return Table.deal(variant, [self.deck])


@cache
def _deals(name: str) -> list[Json]:
    deals: list[Json] = json.loads((_FOLDER / name).read_text(encoding="utf-8"))["deals"]
    return deals


def _line(deal: Json, deck: Iterable[int], entry: Json, draw: int) -> Line:
    return Line(
        name=f"{deal['name']}, draw {draw}",
        deck=tuple(_Copies().tell_apart(deck)),
        columns=[*map(cards, deal["columns_bottom_to_top"])],
        steps=entry["steps"],
        counters=entry.get("counters", {}),
        checkpoints={point["after_step"]: point for point in entry.get("checkpoints", [])},
        draw=draw,
        largest_group=deal.get("largest_group", 0),
    )


def klondike_lines() -> list[Line]:
    return [
        _line(deal, _pyksolve_deck(deal["pyksolve_deck"]), deal[f"draw{draw}"], draw)
        for deal in _deals("klondike_solutions.json")
        for draw in (1, 3)
        if deal[f"draw{draw}"].get("steps")
    ]


def _pyksolve_deck(text: str) -> list[int]:
    groups = [text[at : at + 3] for at in range(0, len(text), 3)]
    return [parse_card("A23456789TJQK"[int(group[:2]) - 1] + "cdhs"[int(group[2]) - 1]) for group in groups]


def double_lines() -> list[Line]:
    return [
        _line(deal, cards(deal["deck"]), deal[f"draw{draw}_unlimited"], draw)
        for deal in _deals("double_klondike_solutions.json")
        for draw in (1, 3)
        if deal[f"draw{draw}_unlimited"].get("steps")
    ]


def easy_harp_lines() -> list[Line]:
    return [_line(deal, cards(deal["deck"]), deal, 1) for deal in _deals("easyharp_solutions.json")]


def russian_lines() -> list[Line]:
    return [_line(deal, cards(deal["deck"]), deal, 1) for deal in _deals("russian_solutions.json")]


def step_move(table: Table, step: Json) -> Move | None:
    """The move of one step; ``None`` for a card that turns up, which happens by itself here (D0)."""
    match step["op"]:
        case "flip":
            return None
        case "draw":
            return Move(Kind.DRAW)
        case "recycle":
            return Move(Kind.RECYCLE)
        case _:
            return _carried(table, step)


def _carried(table: Table, step: Json) -> Move:
    source, _, place = step["from"].partition(":")
    target, _, goal = step["to"].partition(":")
    if source == "foundation":
        return _take_back(table, step, place.lower(), int(goal) - 1)
    if target == "foundation":
        if source == "waste":
            return Move(Kind.WASTE_TO_FOUNDATION)
        return Move(Kind.COLUMN_TO_FOUNDATION, int(place) - 1)
    if source == "waste":
        return Move(Kind.WASTE_TO_COLUMN, target=int(goal) - 1)
    return Move(Kind.COLUMN_TO_COLUMN, int(place) - 1, int(goal) - 1, step["count"])


def _take_back(table: Table, step: Json, suit_letter: str, target: int) -> Move:
    """The lines say which card comes back; which foundation it lies on, the table says."""
    suit = SUIT_LETTERS.index(suit_letter)
    copies = table.variant.copies
    filled = [slot for slot in range(copies) if table.foundations[suit * copies + slot]]
    slot = next(s for s in filled if face_text(table.foundations[suit * copies + s][-1]).upper() == step["card"])
    return Move(Kind.FOUNDATION_TO_COLUMN, suit, target, slot=slot + 1 if len(filled) > 1 else 0)


def faces(pile: Iterable[int]) -> list[int]:
    return [card & ~(copy_of(card) << COPY_SHIFT) for card in pile]
