"""Where deals come from."""

import hmac
from collections.abc import Callable

from acerace_protocol.limits import Fault
from acerace_protocol.messages import Solo
from acerace_rules.deal import NUMBER_MAX, DealCodeError, SoloDeal, deal_of_the_day, read_code
from acerace_rules.shuffle import SEED_BYTES
from acerace_server.core.catalogue import chosen_options
from acerace_server.core.refusal import RefusalError


class Deals:
    """Secrets for matches, and deals for solo games."""

    def __init__(self, entropy: Callable[[int], bytes], today: Callable[[], str], seed: bytes | None) -> None:
        self._entropy = entropy
        self._today = today
        """The UTC date as ``2026-11-30``."""
        self._seed = seed
        """If set, every deal can be foretold from it: for tests."""
        self._dealt = 0

    def secret(self) -> bytes:
        """A new secret, ``SEED_BYTES`` long."""
        if self._seed is None:
            return self._entropy(SEED_BYTES)
        self._dealt += 1
        return hmac.digest(self._seed, b"acerace/deal/%d" % self._dealt, "sha256")

    def solo(self, wish: Solo) -> SoloDeal:
        """The deal of a code, of the day, or a new one.

        Raises :class:`RefusalError`: ``BAD_CODE``, ``NO_SUCH_GAME``, ``BAD_OPTIONS``.
        """
        if wish.code is not None:
            try:
                return read_code(wish.code)
            except DealCodeError as error:
                raise RefusalError(Fault.BAD_CODE, str(error)) from None
        game, options = chosen_options(wish.game, wish.options, seats=1)
        if wish.daily:
            return deal_of_the_day(game, self._today(), options)
        return SoloDeal(game, options, int.from_bytes(self.secret(), "big") % NUMBER_MAX + 1)
