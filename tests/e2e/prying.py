"""What nobody may be sent while a match is running, and the search for it in bytes."""

import base64
import re
from collections.abc import Iterator
from hashlib import sha256

from acerace_protocol.codec import JSON, MSGPACK
from acerace_protocol.messages import Ended, Played, ServerMessage, Snapshot
from acerace_rules.cards import face_text
from acerace_rules.table import Seat
from acerace_server.core.match import Match

_CARD = rb"[A23456789TJQK][shdc]"
_AS_JSON = re.compile(rb'"(' + _CARD + rb')"')
_AS_MSGPACK = re.compile(rb"\xa2(" + _CARD + rb")")


class LeakError(AssertionError):
    """Somebody was sent what nobody may know yet."""


def hidden_cards(seat: Seat) -> list[int]:
    """The cards of a seat that nobody has seen yet: those face down, and the stock before its first recycle."""
    face_down = [card for column, down in zip(seat.columns, seat.down, strict=True) for card in column[:down]]
    return face_down + ([] if seat.recycles else seat.stock)


def shapes(secret: bytes) -> list[bytes]:
    """A secret in every form in which it could slip out."""
    forms = {secret, secret.hex().encode(), secret.hex().upper().encode(), repr(secret).encode()}
    forms |= {base64.b64encode(secret).rstrip(b"="), base64.urlsafe_b64encode(secret).rstrip(b"=")}
    forms |= {str(list(secret)).encode(), str(int.from_bytes(secret, "big")).encode()}
    return sorted(forms)


def encodings(message: ServerMessage) -> Iterator[bytes]:
    """The bytes of a message, as either kind of client is sent them."""
    yield JSON.encode(message)
    yield MSGPACK.encode(message)


def cards_in(data: bytes) -> set[str]:
    """Every card that is named anywhere in these bytes, in either encoding."""
    return {card.decode() for card in {*_AS_JSON.findall(data), *_AS_MSGPACK.findall(data)}}


class Watched:
    """A running match: what is secret about it now."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.seed = sha256(match.setup.table.encode()).hexdigest()[:32]
        """What its players add to the deal; like the secret it is published at the end, and not before."""
        self.forms = [*shapes(match.setup.secret), self.seed.encode()]

    @property
    def running(self) -> bool:
        return self.match.ended is None

    def unseen(self) -> list[set[str]]:
        """By seat: the faces of its cards that nobody has seen; none before the deal."""
        if self.match.table is None:
            return [set() for _ in range(self.match.variant.seats)]
        return [set(map(face_text, hidden_cards(seat))) for seat in self.match.table.seats]

    def search_secret(self, data: bytes) -> None:
        """Raises :class:`LeakError` if what the deal comes from is in these bytes."""
        for form in self.forms:
            if form in data:
                raise LeakError(f"the secret of {self.match.setup.table} is in {data!r}")

    @staticmethod
    def search(message: ServerMessage, data: bytes, hidden: list[set[str]]) -> int:
        """Look for what is :meth:`unseen` in a message about this table; how many cards are named in it.

        A card that both seats have hidden may be named nowhere; one that a seat has hidden may not be named where
        the message speaks of that seat's cards. Raises :class:`LeakError`.
        """
        named = cards_in(data)
        if of_all := named.intersection(*hidden):
            raise LeakError(f"{of_all} in {message}")
        if isinstance(message, Played) and named & hidden[message.seat]:
            raise LeakError(f"{named & hidden[message.seat]} of seat {message.seat} in {message}")
        if isinstance(message, Snapshot) and message.state:
            for seat, state in enumerate(message.state.seats):
                shown = {*state.waste, *(card for column in state.columns for card in column.up)}
                if shown & hidden[seat]:
                    raise LeakError(f"{shown & hidden[seat]} of seat {seat} in {message}")
        return len(named)


def is_about(message: ServerMessage, table: str) -> bool:
    return getattr(message, "table", None) == table and not isinstance(message, Ended)
