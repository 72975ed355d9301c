"""A table that knows the rules of RULES.md 1, 3, 5 and 6 by itself: what may be moved, what it does, what it pays."""

import itertools
import zlib
from dataclasses import dataclass, field
from typing import Any, Final

from tests.e2e.week.cards import RANKS, SUITS, is_red, rank

Json = dict[str, Any]
NO_PLACE: Final = "no foundation takes it"
_KLONDIKE: Final = tuple((down, 1) for down in range(7))
_RUSSIAN: Final = ((0, 1), *((down, 5) for down in range(1, 7)))


@dataclass(frozen=True)
class Points:
    """What pays (RULES.md 3, 5, 6)."""

    start: int = 0
    up: int = 0
    waste: int = 0
    turn: int = 0
    recycle: int = 0
    floor: bool = True


SCORINGS: Final = {
    "microsoft": Points(up=10, waste=5, turn=5, recycle=-2),
    "none": Points(),
    "vegas": Points(start=-52, up=5, floor=False),
    "groups": Points(up=10, turn=5),
    "match": Points(up=1),
}


@dataclass(frozen=True)
class Game:
    """What makes one game differ from another."""

    columns: tuple[tuple[int, int], ...] = _KLONDIKE
    draw: tuple[int, ...] = (1,)
    passes: int | None = None
    groups: bool = False
    """Any face-up card moves with all that lies on it."""
    same_suit: bool = False
    take_back: bool = True
    undos: int = 200
    points: Points = field(default_factory=Points)


def game_of(key: str, options: Json) -> Game:
    """The games that are played in this week. Raises ``KeyError`` for another."""
    passes = options.get("passes", "unlimited")
    limit = None if passes == "unlimited" else int(passes)
    if key == "double-klondike":
        draws = (options["draw"], options["second_draw"] or options["draw"])
        return Game(draw=draws, passes=limit, take_back=False, points=SCORINGS["match"])
    if key == "klondike":
        assert not options["thoughtful"], "not played in this week"
        points, back = SCORINGS[options["scoring"]], options["take_back"]
        return Game(draw=(options["draw"],), passes=limit, take_back=back, points=points)
    group = Game(columns=_RUSSIAN, draw=(0,), groups=True, undos=100, points=SCORINGS["groups"])
    return {"yukon": group}[key]


class Seat:
    """One seat's own piles: the last card of a column or of the waste can be played, the first of the stock is next."""

    def __init__(self, game: Game, cards: list[str], draw: int) -> None:
        self.columns: list[list[str]] = [[] for _ in game.columns]
        left = iter(cards)
        for row in range(max(down + up for down, up in game.columns)):
            for column, (down, up) in zip(self.columns, game.columns, strict=True):
                if row < down + up:
                    column.append(next(left))
        self.down = [down for down, _ in game.columns]
        self.stock = [*left]
        self.waste: list[str] = []
        self.draw = draw
        self.recycles = self.moves = 0
        self.score = self.strict = game.points.start

    def copy(self) -> "Seat":
        twin = object.__new__(Seat)
        twin.__dict__.update(self.__dict__)
        twin.columns = [[*column] for column in self.columns]
        twin.down, twin.stock, twin.waste = [*self.down], [*self.stock], [*self.waste]
        return twin

    def up(self, column: int) -> list[str]:
        """The face-up cards of a column."""
        return self.columns[column][self.down[column] :]


class Table:
    """One or two seats and the foundations between them."""

    def __init__(self, game: Game, decks: list[list[str]]) -> None:
        self.game = game
        self.seats = [Seat(game, cards, draw) for cards, draw in zip(decks, game.draw, strict=True)]
        self.copies = len(decks)
        self.piles: list[list[tuple[str, int]]] = [[] for _ in range(4 * self.copies)]
        """The foundations: cards with the seat whose deck they are of."""
        self.arrived: frozenset[str] = frozenset()
        """Solo: the cards that have been on a foundation."""

    def copy(self) -> "Table":
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.seats = [seat.copy() for seat in self.seats]
        twin.piles = [[*pile] for pile in self.piles]
        return twin

    # --- what may be done ---

    def slot(self, card: str) -> int | None:
        """The lowest foundation of its suit that takes this card (D14, D15)."""
        first = SUITS.index(card[1]) * self.copies
        slots = range(first, first + self.copies)
        return next((slot for slot in slots if len(self.piles[slot]) == rank(card) - 1), None)

    def fits(self, column: list[str], card: str) -> bool:
        if not column:
            return rank(card) == 13
        below = column[-1]
        one_lower = rank(below) == rank(card) + 1
        return one_lower and (below[1] == card[1] if self.game.same_suit else is_red(below) != is_red(card))

    def is_run(self, cards: list[str]) -> bool:
        return all(self.fits([below], card) for below, card in itertools.pairwise(cards))

    def meant(self, seat: int, move: str) -> str | None:
        """The deepest card that a move would take up."""
        me, (source, _, target) = self.seats[seat], move.partition(">")
        if not target:
            return None
        if source.startswith("f"):
            slot = self._taken_from(source)
            return None if slot is None else self.piles[slot][-1][0]
        pile, size = self._lifted(me, source)
        return pile[-size] if 0 < size <= len(pile) else None

    def _lifted(self, me: Seat, source: str) -> tuple[list[str], int]:
        """The open cards of a pile, and how many of them are to be lifted."""
        if source == "w":
            return me.waste, 1
        column, _, size = source[1:].partition(":")
        return me.up(int(column) - 1), int(size or 1)

    def _taken_from(self, source: str) -> int | None:
        """The foundation that ``f:h`` or ``f:h2`` means, if it has a card and no other could be meant (D17)."""
        first = SUITS.index(source[2]) * self.copies
        slots = [first + int(source[3]) - 1] if source[3:] else range(first, first + self.copies)
        filled = [slot for slot in slots if self.piles[slot]]
        return filled[0] if len(filled) == 1 else None

    def why_not(self, seat: int, move: str) -> str | None:
        """Why a move is not allowed; ``None``: it is."""
        me = self.seats[seat]
        if move == "d":
            return None if me.stock else "there is nothing to draw"
        if move == "r":
            allowed = self.game.passes is None or me.recycles < self.game.passes - 1
            return None if me.waste and not me.stock and allowed else "no recycle"
        source, _, target = move.partition(">")
        if any(pile[0] == "c" and int(pile[1]) > len(me.columns) for pile in (source, target)):
            return "no such pile"
        card = self.meant(seat, move)
        if card is None:
            return "there is no such card to lift"
        if target == "f":
            return NO_PLACE if self.slot(card) is None else None
        if source == target or not self.fits(me.columns[int(target[1:]) - 1], card):
            return "it does not fit there"
        if source.startswith("f"):
            return None if self.game.take_back else "nothing is taken back"
        pile, size = self._lifted(me, source)
        whole = source.partition(":")[0] == target
        return "no run" if whole or not (self.game.groups or self.is_run(pile[-size:])) else None

    # --- what it does ---

    def play(self, seat: int, move: str) -> Json:
        """Make a legal move; the fields of ``played`` that say what it did."""
        me, (source, _, target) = self.seats[seat], move.partition(">")
        me.moves += 1
        if move == "d":
            drawn, me.stock = me.stock[: me.draw], me.stock[me.draw :]
            me.waste += drawn
            return {"cards": drawn}
        if move == "r":
            me.stock, me.waste = me.waste, []
            me.recycles += 1
            self._pay(me, self.game.points.recycle)
            return {}
        effect: Json = {}
        if source.startswith("f"):
            slot = self._taken_from(source)
            assert slot is not None
            cards = [self.piles[slot].pop()[0]]
            effect["slot"] = slot
        else:
            cards = self._lift(me, source)
        effect["cards"] = cards
        if target == "f":
            effect["slot"] = self._put_up(seat, cards[0])
        else:
            me.columns[int(target[1:]) - 1] += cards
            self._pay(me, self.game.points.waste if source == "w" else 0)
        if source.startswith("c"):
            effect |= self._turn_up(me, int(source[1]) - 1)
        return effect

    def _lift(self, me: Seat, source: str) -> list[str]:
        pile, size = (me.waste, 1) if source == "w" else (me.columns[int(source[1]) - 1], int(source[3:] or 1))
        cards = pile[-size:]
        del pile[-size:]
        return cards

    def _put_up(self, seat: int, card: str) -> int:
        slot = self.slot(card)
        assert slot is not None
        self.piles[slot].append((card, seat))
        again = card in self.arrived and self.copies == 1
        self._pay(self.seats[seat], self.game.points.up, strict=0 if again else None)
        self.arrived |= {card}
        return slot

    def _turn_up(self, me: Seat, column: int) -> Json:
        cards = me.columns[column]
        if not cards or len(cards) > me.down[column]:
            return {}
        me.down[column] -= 1
        self._pay(me, self.game.points.turn)
        return {"turned": cards[-1]}

    def _pay(self, me: Seat, points: int, strict: int | None = None) -> None:
        """Clamped after each event (D31); ``strict``: what strict scoring pays, if it is another sum."""
        me.score += points
        me.strict += points if strict is None else strict
        if self.game.points.floor:
            me.score, me.strict = max(me.score, 0), max(me.strict, 0)

    def contribution(self, seat: int) -> int:
        """Cards of a seat's own deck on the foundations."""
        return sum(owner == seat for pile in self.piles for _, owner in pile)

    @property
    def won(self) -> bool:
        return sum(map(len, self.piles)) == len(RANKS) * len(self.piles)

    # --- what is told of it ---

    def state(self) -> Json:
        """As ``state`` of PROTOCOL.md 6."""
        return {
            "seats": [
                {
                    "columns": [
                        {"down": down, "up": column[down:]} for column, down in zip(me.columns, me.down, strict=True)
                    ],
                    "stock": len(me.stock),
                    "waste": [*me.waste],
                    "draw": me.draw,
                    "recycles": me.recycles,
                    "moves": me.moves,
                    "score": me.score,
                }
                for me in self.seats
            ],
            "foundations": [
                {"suit": SUITS[number // self.copies], "owners": [owner for _, owner in pile]}
                for number, pile in enumerate(self.piles)
            ],
        }

    @property
    def check(self) -> int:
        return digest(self.state())


def digest(state: Json) -> int:
    """The digest of a position as it is on the wire (PROTOCOL.md 10)."""
    texts: list[str] = []
    for number, seat in enumerate(state["seats"]):
        for place, column in enumerate(seat["columns"], 1):
            texts.append(f"{number}c{place}:{column['down']}:{''.join(column['up'])}")
        texts += [f"{number}s:{seat['stock']}", f"{number}w:{''.join(seat['waste'])}"]
    for number, pile in enumerate(state["foundations"]):
        texts.append(f"f{number}:{''.join(map(str, pile['owners']))}")
    return sum(zlib.crc32(text.encode()) for text in texts) % 2**32
