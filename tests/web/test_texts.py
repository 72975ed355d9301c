"""The page's texts, and how its modules name them."""

import json
import re
from pathlib import Path

SITE = Path(__file__).parents[2] / "client" / "acerace_web"
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in SITE.glob("js/*.js"))
WORDS = {*re.findall(r"'([\w.]+)'", SOURCE), *re.findall(r"\b(\w+):", SOURCE)}
"""Quoted words and the keys of objects."""
STARTS = {*re.findall(r"`(ui\.\w*)\$\{", SOURCE)}
"""Of keys that are put together."""
ONE = ".one"


def _texts(language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((SITE / "ui" / f"{language}.json").read_text(encoding="utf-8"))
    return texts


def _blanks(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)\}", text))


def test_every_text_is_there_in_every_language() -> None:
    english = _texts("en")
    assert {path.stem for path in (SITE / "ui").iterdir()} == {"en", "it", "ca"}
    for language in ("it", "ca"):
        texts = _texts(language)
        assert texts.keys() == english.keys()
        for key, text in texts.items():
            assert _blanks(text) == _blanks(english[key]), (language, key)


def test_every_key_that_is_named_has_its_text() -> None:
    assert {word for word in WORDS if word.startswith("ui.")} <= _texts("en").keys()


def test_no_text_is_for_nothing() -> None:
    def named(key: str) -> bool:
        if key in WORDS:
            return True
        parts = {key.removeprefix(start) for start in STARTS if key.startswith(start)}
        return any(part in WORDS or set(part.split(".")) <= WORDS for part in parts)

    assert [key for key in _texts("en") if not named(key.removesuffix(ONE))] == []


def test_one_of_something_has_a_text_of_its_own() -> None:
    """The form for one stands beside the one for more, and is of a text that counts."""
    texts = _texts("en")
    ones = [key for key in texts if key.endswith(ONE)]
    assert ones
    for key in ones:
        assert "count" in _blanks(texts[key.removesuffix(ONE)])
