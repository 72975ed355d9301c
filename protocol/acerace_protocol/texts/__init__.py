"""What people read, in their language: one JSON file a language, which the browser client loads as it is.

Keys are ``reason.kings_only``, ``fault.too_fast``, ``end.blocked``, ``game.klondike``, ``preset.klondike-three``,
``option.draw``, ``value.draw.1``, ``rank.1``, ``suit.h`` ..., with the wire's own words behind the first dot
(``true`` and ``false`` as in JSON). ``{name}`` stands for a value to be filled in.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Final

import msgspec

LANGUAGES: Final = ("en", "it", "ca")
FALLBACK: Final = "en"


def _read(language: str) -> Mapping[str, str]:
    data = files(__name__).joinpath(f"{language}.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, str])


TEXTS: Final[Mapping[str, Mapping[str, str]]] = {language: _read(language) for language in LANGUAGES}
"""Every text by language and key."""


def text(language: str, key: str, **values: object) -> str:
    """The text for this key in this language (``it`` or ``it-CH``), else in English, with the values filled in.

    A key without a text is given back itself: a newer server may name what this version has no words for.
    Raises ``KeyError`` for a value that the text needs and that is not given.

    >>> text("it", "card", rank=text("it", "rank.13"), suit=text("it", "suit.h"))
    're di cuori'
    """
    spoken = TEXTS.get(language.partition("-")[0].lower(), TEXTS[FALLBACK])
    template = spoken.get(key) or TEXTS[FALLBACK].get(key)
    return key if template is None else template.format_map(values)
