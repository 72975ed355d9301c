"""docs/games: every game has its page, and a page names only what is there."""

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

from acerace_rules.catalogue import GAMES, variant_of
from acerace_rules.deal import SoloDeal, deal_match
from acerace_rules.diagram import draw_table
from acerace_rules.options import Choice, Option
from acerace_rules.view import view

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "games"
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.md"))}
INDEX = PAGES.pop("README")
SOLO = [key for key, game in GAMES.items() if game.seats == 1]
A_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def section(page: str, title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def rows(text: str) -> list[list[str]]:
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in cells] for cells in lines]


def code(key: str) -> str:
    return f"`{key}`"


def values(option: Option) -> str:
    if isinstance(option, Choice):
        return ", ".join(code(json.dumps(value)) for value in option.values)
    return f"{code(str(option.least))} to {code(str(option.most))}"


@cache
def functions(path: str) -> frozenset[str]:
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_every_game_has_a_page_and_every_page_a_game() -> None:
    assert set(PAGES) == set(GAMES)


@pytest.mark.parametrize("key", GAMES)
def test_the_index_leads_to_the_page_and_names_the_game(key: str) -> None:
    assert f"[{GAMES[key].name}]({key}.md)" in INDEX
    assert code(key) in INDEX
    assert PAGES[key].startswith(f"# {GAMES[key].name}\n")
    assert code(key) in PAGES[key]


@pytest.mark.parametrize("key", GAMES)
def test_the_options_and_presets_are_those_of_the_catalogue(key: str) -> None:
    game = GAMES[key]
    options = [[code(option.key), values(option), code(json.dumps(option.default))] for option in game.options]
    presets = [[code(preset), code(json.dumps(dict(sets)))] for preset, sets in game.presets.items()]
    if presets:
        presets = [[code(key), "nothing"], *presets]
    found = [row for row in rows(section(PAGES[key], "Options")) if row[0] not in {"option", "key", "---"}]
    assert [row[:3] for row in found[: len(options)]] == options
    assert [row[:2] for row in found[len(options) :]] == presets


@pytest.mark.parametrize("key", SOLO)
def test_the_depth_of_undo_is_that_of_the_catalogue(key: str) -> None:
    assert f"The last {variant_of(key).undo_depth} accepted commands" in section(PAGES[key], "Undo")


@pytest.mark.parametrize("key", SOLO)
def test_every_option_and_preset_is_shown_in_a_deal_code(key: str) -> None:
    game, page = GAMES[key], PAGES[key]
    prefix = SoloDeal(key, {}, 1).code.partition("-")[0]
    assert f"deal codes {code(prefix)}" in page
    assert code(prefix) in INDEX
    chosen = [{option.key: value} for option in game.options if isinstance(option, Choice) for value in option.values]
    for options in ({}, *chosen, *game.presets.values()):
        assert code(SoloDeal(key, options, 1).code) in page


@pytest.mark.parametrize("key", SOLO)
def test_the_picture_is_that_of_deal_1(key: str) -> None:
    assert f"```text\n{draw_table(SoloDeal(key, {}, 1).table())}```" in PAGES[key]


def test_the_pictures_of_a_match_are_those_of_the_vectors_of_the_protocol() -> None:
    table = deal_match(variant_of("double-klondike"), bytes(range(32)), [bytes.fromhex("c0ffee"), b""])
    for seen in (table, view(table)):
        assert f"```text\n{draw_table(seen)}```" in PAGES["double-klondike"]


@pytest.mark.parametrize("key", GAMES)
def test_every_test_named_on_a_page_is_there(key: str) -> None:
    named = A_TEST.findall(section(PAGES[key], "Which test holds which rule"))
    assert named
    assert not re.search(r"\btest_", A_TEST.sub("", PAGES[key])), "a test is named in another way"
    assert [f"{path}::{name}" for path, name in named if name not in functions(path)] == []
