"""The catalogue as a message, made once; and what a message has chosen from it."""

from typing import Final

from acerace_protocol.limits import Fault
from acerace_protocol.messages import GameInfo, Games, OptionInfo
from acerace_rules.catalogue import GAMES, find_game
from acerace_rules.options import Choice, Chosen, Option, UnknownChoiceError, Value
from acerace_server.core.refusal import RefusalError


def _option_info(option: Option) -> OptionInfo:
    if isinstance(option, Choice):
        return OptionInfo(option.key, option.default, option.values)
    return OptionInfo(option.key, option.default, least=option.least, most=option.most)


GAMES_MESSAGE: Final = Games(
    games=tuple(
        GameInfo(
            game.key,
            game.name,
            game.seats,
            tuple(_option_info(option) for option in game.options),
            {preset: dict(options) for preset, options in game.presets.items()},
        )
        for game in GAMES.values()
    )
)


def chosen_options(key: str, options: Chosen, *, seats: int) -> tuple[str, dict[str, Value]]:
    """A game's key and all its options, from a game's or preset's key and what was chosen.

    Raises :class:`RefusalError`: ``NO_SUCH_GAME`` (also for a game with another number of seats), ``BAD_OPTIONS``.
    """
    try:
        game, preset = find_game(key)
    except UnknownChoiceError as error:
        raise RefusalError(Fault.NO_SUCH_GAME, str(error)) from None
    if game.seats != seats:
        raise RefusalError(Fault.NO_SUCH_GAME, f"{key} is a game for {game.seats}, not for {seats}")
    try:
        return game.key, game.chosen({**preset, **options})
    except UnknownChoiceError as error:
        raise RefusalError(Fault.BAD_OPTIONS, str(error)) from None
