"""How often passwords are looked at, so that nobody can guess one by trying, or keep its owner out by guessing."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from acerace_protocol.limits import (
    PASSWORDS_FOR_NAME_PER_MINUTE,
    PASSWORDS_FROM_ADDRESS_PER_MINUTE,
    PASSWORDS_PER_MINUTE,
    Fault,
)
from acerace_server.core.bucket import Bucket
from acerace_server.core.refusal import RefusalError

_MINUTE_S: Final = 60


@dataclass(frozen=True, slots=True)
class Share:
    """Whom a password counts for, and how many a minute that one may have looked at."""

    whom: Hashable
    per_minute: int
    text: str
    """Who that is, for the one who is refused."""


def of_connection(number: int) -> Share:
    return Share(("connection", number), PASSWORDS_PER_MINUTE, "from this connection")


def of_player(player: str) -> Share:
    return Share(("player", player), PASSWORDS_PER_MINUTE, "of yours")


def of_address(source: str) -> list[Share]:
    """None of an address that is not counted: those who run programs on the server's own machine."""
    return [Share(("address", source), PASSWORDS_FROM_ADDRESS_PER_MINUTE, "from your address")] if source else []


def of_name(folded: str, source: str, *, known: bool) -> list[Share]:
    """From one address few, so that a stranger elsewhere who guesses does not use up the owner's; of everybody more.

    ``known``: the name's owner has been at this address, where what everybody else tries does not count.
    """
    here = Share(("name", folded, source), PASSWORDS_PER_MINUTE, "for this name from your address")
    if known:
        return [here]
    return [here, Share(("name", folded), PASSWORDS_FOR_NAME_PER_MINUTE, "for this name")]


class Guesses:
    """A bucket for each connection, address, name or player that passwords come from or are for.

    One that is full again is forgotten, so there are never more of them than a minute's attempts need.
    """

    def __init__(self) -> None:
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()
        """Those that were used last are last."""

    def __len__(self) -> int:
        return len(self._buckets)

    def pay(self, shares: Sequence[Share], at: int) -> None:
        """Count one password for all of these, or, if it is one too many for any, for none.

        Raises :class:`RefusalError` (``TOO_FAST``).
        """
        while self._buckets and (first := next(iter(self._buckets.items())))[1].is_full(at):
            del self._buckets[first[0]]
        paid: list[tuple[Hashable, Bucket]] = []
        for share in shares:
            bucket = self._buckets.get(share.whom) or Bucket(share.per_minute / _MINUTE_S, share.per_minute, at)
            if not bucket.take(at):
                for _, other in paid:
                    other.charge(-1)
                raise RefusalError(Fault.TOO_FAST, f"more than {share.per_minute} passwords a minute {share.text}")
            paid.append((share.whom, bucket))
        for whom, bucket in paid:
            self._buckets[whom] = bucket
            self._buckets.move_to_end(whom)
