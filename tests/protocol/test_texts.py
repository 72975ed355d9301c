"""Texts for people: nothing the wire can say is without words, in any language."""

import json
import re
from importlib.resources import files
from typing import get_args

import pytest

from acerace_protocol.limits import Fault
from acerace_protocol.messages import EndReason
from acerace_protocol.people import HOUSE_LEVELS, Emote
from acerace_protocol.texts import FALLBACK, LANGUAGES, TEXTS, text
from acerace_rules.cards import RANKS, SUIT_LETTERS
from acerace_rules.catalogue import GAMES
from acerace_rules.moves import Kind, Reason
from acerace_rules.options import Choice
from acerace_server.core.ratings import POOLS

EACH_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)
OPTIONS = [option for game in GAMES.values() for option in game.options]
CHOICES = [option for option in OPTIONS if isinstance(option, Choice)]
NEEDED = {
    "reason": [*Reason],
    "fault": [*Fault],
    "level": HOUSE_LEVELS,
    "emote": get_args(Emote),
    "end": get_args(EndReason),
    "game": [*GAMES],
    "preset": [preset for game in GAMES.values() for preset in game.presets],
    "option": [option.key for option in OPTIONS],
    "value": [
        f"{option.key}.{value if isinstance(value, str) else json.dumps(value)}"
        for option in CHOICES
        for value in option.values
    ],
    "rank": RANKS,
    "suit": SUIT_LETTERS,
    "move": [kind.name.lower() for kind in Kind],
    "pool": POOLS,
}
"""By the first word of a key: everything that has a text, in the wire's own words."""


def placeholders(template: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)\}", template))


@EACH_LANGUAGE
@pytest.mark.parametrize("group", NEEDED)
def test_everything_has_a_text_and_nothing_else_has(language: str, group: str) -> None:
    keys = {key for key in TEXTS[language] if key.startswith(f"{group}.")}
    assert keys == {f"{group}.{name}" for name in NEEDED[group]}


@EACH_LANGUAGE
def test_every_language_says_the_same_things_with_the_same_values(language: str) -> None:
    assert list(TEXTS[language]) == list(TEXTS[FALLBACK])
    for key, template in TEXTS[language].items():
        assert placeholders(template) == placeholders(TEXTS[FALLBACK][key]), key


@EACH_LANGUAGE
def test_no_text_is_empty_or_only_its_key(language: str) -> None:
    for key, template in TEXTS[language].items():
        assert template == template.strip() != "", key
        assert template != key
        assert "_" not in re.sub(r"\{\w+\}", "", template), f"{key} shows people a word of the wire"


@EACH_LANGUAGE
def test_a_refusal_is_one_sentence_and_no_two_are_the_same(language: str) -> None:
    sentences = [template for key, template in TEXTS[language].items() if key.startswith(("reason.", "fault.", "end."))]
    assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in sentences)
    assert len({*sentences}) == len(sentences)


@EACH_LANGUAGE
def test_languages_are_translated(language: str) -> None:
    english = TEXTS[FALLBACK]
    same = {key for key, template in TEXTS[language].items() if template == english[key] and len(template) > 12}
    assert language == FALLBACK or not same - {"card"}


@pytest.mark.parametrize(
    ("language", "words"), [("en", "second by 0.4 ms."), ("it", "secondo per 0.4 ms."), ("ca", "segon per 0.4 ms.")]
)
def test_a_lost_race_tells_its_margin(language: str, words: str) -> None:
    assert text(language, "lost_race", margin_ms=0.4).endswith(words)


@pytest.mark.parametrize("language", ["it", "it-CH", "IT", "it-Latn-IT"])
def test_a_regional_language_is_understood(language: str) -> None:
    assert text(language, "rank.13") == "re"


@pytest.mark.parametrize("language", ["de", "", "-", "tlh"])
def test_an_unknown_language_is_english(language: str) -> None:
    assert text(language, "reason.waste_empty") == TEXTS["en"]["reason.waste_empty"]


def test_what_a_newer_server_says_is_shown_as_it_is() -> None:
    assert text("ca", "reason.of_tomorrow") == "reason.of_tomorrow"


def test_a_value_that_is_missing_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError, match="margin_ms"):
        text("en", "lost_race")


def test_a_value_is_not_taken_for_a_template() -> None:
    assert text("en", "result.won", name="{name} {0} {{") == "{name} {0} {{ wins."


@EACH_LANGUAGE
def test_the_browser_loads_the_same_file(language: str) -> None:
    data = files("acerace_protocol.texts").joinpath(f"{language}.json").read_text(encoding="utf-8")
    assert json.loads(data) == TEXTS[language]
