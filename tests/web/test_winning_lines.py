"""Each solo game is won on the page, by lines that other programs found."""

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from acerace_rules.cards import face_text
from acerace_rules.deal import number_text
from acerace_rules.play import play
from acerace_rules.table import Table
from acerace_rules.variant import Variant
from tests.rules import oracle
from tests.rules.oracle import Line, step_move
from tests.rules.support import rules
from tests.web.pages import OpenPage, on_table, play_line, shot
from tests.web.servers import Server, serving


def _shortest(lines: list[Line], draw: int = 1) -> Line:
    return min((line for line in lines if line.draw == draw), key=lambda line: len(line.steps))


LINES = {
    # deal code without the number, rules, line, how it is played
    "klondike by drag": ("KL1-D1UM", "klondike", _shortest(oracle.klondike_lines()), "drag"),
    "klondike draw 3 by tap": ("KL1-D3UM", "klondike/draw=3", _shortest(oracle.klondike_lines(), 3), "tap"),
    "double-solitaire by keys": ("DS1-D3N", "double-solitaire/draw=3", _shortest(oracle.double_lines(), 3), "keys"),
    "russian by drag": ("RU1-C", "russian", _shortest(oracle.russian_lines()), "drag"),
    "easy-harp by keys": ("EH1-N", "easy-harp", _shortest(oracle.easy_harp_lines()), "keys"),
}
FIRST_NUMBER = 900_001


@pytest.fixture(scope="module")
def rigged() -> Iterator[Server]:
    """A server that deals these lines' cards under numbers of its own."""
    deals = {
        str(FIRST_NUMBER + i): [face_text(card) for card in line.deck]
        for i, (_, _, line, _) in enumerate(LINES.values())
    }
    with serving("--commands-per-second", "2000", rigged=deals) as running:
        yield running


def _moves(line: Line, variant: Variant) -> list[str]:
    table: Table = line.table(variant)
    moves: list[str] = []
    for step in line.steps:
        move = step_move(table, step)
        if move is not None:
            play(table, 0, move)
            moves.append(str(move))
    return moves


@pytest.mark.parametrize("name", LINES)
async def test_it_is_won(open_page: OpenPage, rigged: Server, name: str) -> None:
    prefix, key, line, way = LINES[name]
    code = f"{prefix}-{number_text(FIRST_NUMBER + [*LINES].index(name))}"
    page = await open_page(f"#deal={code}", at=rigged.url)
    await on_table(page)
    moves = _moves(line, rules(key))
    if key == "russian":
        await play_line(page, moves[:-4], way)
        await page.get_by_role("button", name="Finish").click()
    else:
        await play_line(page, moves, way)
    await expect(page.locator(".result")).to_contain_text("Solved!")
    assert await page.evaluate("driver.session().drifts") == 0
    await shot(page, f"won-{key.partition('/')[0]}")
