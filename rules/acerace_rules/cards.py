"""Cards as small integers.

A card is ``copy << 6 | suit << 4 | rank``: bits 0-3 hold the rank (1 ace ... 13 king), bits 4-5 the suit,
bit 6 the copy (the second deck of a two-deck game; in Double Klondike the seat that owns the card).
``card & FACE`` leaves what is printed on it. No card is 0, so 0 can mean "nothing is known of this card"
without ever being mistaken for one.
"""

from typing import Final

HIDDEN: Final = 0
FACE: Final = 0b0011_1111
RANK: Final = 0b0000_1111
COPY_SHIFT: Final = 6
SUIT_SHIFT: Final = 4

ACE: Final = 1
KING: Final = 13
RANKS: Final = range(ACE, KING + 1)

SPADES, HEARTS, DIAMONDS, CLUBS = SUITS = range(4)
RED: Final = frozenset({HEARTS, DIAMONDS})

RANK_LETTERS: Final = "A23456789TJQK"
SUIT_LETTERS: Final = "shdc"
UNKNOWN_TEXT: Final = "??"
SECOND_COPY_MARK: Final = "'"

DECK_SIZE: Final = 52


def make_card(rank: int, suit: int, copy: int = 0) -> int:
    return copy << COPY_SHIFT | suit << SUIT_SHIFT | rank


def rank_of(card: int) -> int:
    return card & RANK


def suit_of(card: int) -> int:
    return card >> SUIT_SHIFT & 0b11


def copy_of(card: int) -> int:
    return card >> COPY_SHIFT


def is_red(card: int) -> bool:
    return suit_of(card) in RED


def full_deck(copy: int = 0) -> tuple[int, ...]:
    """The 52 cards of one deck, unshuffled: spades ace to king, then hearts, diamonds, clubs."""
    return tuple(make_card(rank, suit, copy) for suit in SUITS for rank in RANKS)


_TEXT: Final = {HIDDEN: UNKNOWN_TEXT} | {
    card: RANK_LETTERS[rank_of(card) - 1] + SUIT_LETTERS[suit_of(card)] for card in full_deck()
}
_CARD: Final = {text: card for card, text in _TEXT.items()}


def face_text(card: int) -> str:
    """Two characters, rank then suit: ``Th``; ``??`` for a card nobody knows.

    >>> face_text(make_card(10, HEARTS, copy=1))
    'Th'
    """
    return _TEXT[card & FACE]


def card_text(card: int) -> str:
    """As :func:`face_text`, with a mark behind the second copy: ``Th'``. Round-trips with :func:`parse_card`."""
    return face_text(card) + SECOND_COPY_MARK * copy_of(card)


def parse_card(text: str) -> int:
    """Read ``Th``, ``Th'`` or ``??``; case does not matter.

    Raises ``ValueError`` naming the text that is no card.

    >>> parse_card("th") == make_card(10, HEARTS)
    True
    """
    face = text.removesuffix(SECOND_COPY_MARK)
    copy = len(text) - len(face)
    card = _CARD.get(face[:1].upper() + face[1:].lower())
    if card is None or (copy and card == HIDDEN):
        message = f"{text!r} is no card; expected a rank ({RANK_LETTERS}) and a suit ({SUIT_LETTERS}), as in 'Th'"
        raise ValueError(message)
    return copy << COPY_SHIFT | card
