"""How many nanoseconds: the referee's times are whole numbers of them."""

from typing import Final

US_NS: Final = 1_000
MS_NS: Final = 1_000_000
SECOND_NS: Final = 1_000_000_000
MINUTE_NS: Final = 60 * SECOND_NS
