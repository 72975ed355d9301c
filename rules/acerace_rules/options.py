"""Options of a game as data: what can be chosen, what is chosen when nothing is said, and who is refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

Value = str | int | bool
Chosen = Mapping[str, Value]


class UnknownChoiceError(ValueError):
    """A game, preset, option or value that does not exist; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An option with a few named values."""

    key: str
    values: tuple[Value, ...]
    default: Value

    def accepts(self, value: Value) -> bool:
        # bool is an int in Python: 1 must not pass for True, nor True for 1
        return any(value == known and type(value) is type(known) for known in self.values)

    @property
    def expected(self) -> str:
        return "one of " + ", ".join(map(repr, self.values))


@dataclass(frozen=True, slots=True)
class Span:
    """An option that is a whole number from ``least`` to ``most``."""

    key: str
    least: int
    most: int
    default: int

    def accepts(self, value: Value) -> bool:
        return type(value) is int and self.least <= value <= self.most

    @property
    def expected(self) -> str:
        return f"a whole number from {self.least} to {self.most}"


Option = Choice | Span


def choose(game: str, options: tuple[Option, ...], chosen: Chosen) -> dict[str, Value]:
    """Every option's value: as chosen, else the default.

    Raises :class:`UnknownChoiceError` for an option this game has not, or a value the option does not take.
    """
    known: Final = {option.key: option for option in options}
    for key, value in chosen.items():
        option = known.get(key)
        if option is None:
            expected = ", ".join(known) or "none"
            raise UnknownChoiceError(f"{game} has no option {key!r}; its options: {expected}")
        if not option.accepts(value):
            raise UnknownChoiceError(f"{game}: option {key!r} is {value!r}; expected {option.expected}")
    return {option.key: chosen.get(option.key, option.default) for option in options}
