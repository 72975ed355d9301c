"""The catalogue as a message, made once."""

from typing import Final

from acerace_protocol.messages import GameInfo, Games, OptionInfo
from acerace_rules.catalogue import GAMES
from acerace_rules.options import Choice, Option


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
