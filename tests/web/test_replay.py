"""A finished game is seen again, step by step, and checked by the page itself."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.async_api import Page, WebSocketRoute, expect

from tests.server.core.support import TABLE
from tests.web import replays
from tests.web.opponents import OpenOpponent, match_against
from tests.web.pages import (
    OpenPage,
    fits,
    give_up,
    on_table,
    play_all,
    seq,
    serious,
    shot,
    until,
    wait_seq,
)
from tests.web.test_modules import CODES

FIRST_DEAL = "#deal=KL1-D1UM-AAAAAAB"
STATUS = ".replay-panel .says"
FOLLOW = """async text => {
    const {readReplay} = await import('/js/replay_file.js');
    const {ReplayGame} = await import('/js/replay_game.js');
    const {Mirror} = await import('/js/mirror.js');
    const {digest} = await import('/js/digest.js');
    const game = new ReplayGame(readReplay(text));
    const last = game.steps.length;
    const checks = [];
    for (let n = 0; n <= last; n += 1) {
        const {seats, foundations} = new Mirror(game.snapshot(n));
        checks.push(digest(seats, foundations));
    }
    return {line: game.falseLine, kept: game.kept, checks, races: game.raceSteps.length, up: game.contributions.at(-1)};
}"""


def _checks(text: str) -> list[int]:
    """The digests that the file names, those of lost races and of what moves no card left out."""
    return [int(check) for check in re.findall(r"check=(\d+)", text)]


def _texts() -> dict[str, str]:
    return {code: replays.solo(code) for code in CODES} | {
        "match": replays.raced(),
        "mirrored": replays.text_of(replays.duel(5, mirror=True, second_draw=3).match),
        "in turns": replays.text_of(replays.duel(7, "alternating").match),
        "bicycle": replays.text_of(replays.duel(8, "alternating", turn="bicycle").match),
        "a mirror in turns": replays.text_of(replays.duel(9, "alternating", mirror=True).match),
        "with a bonus": replays.text_of(replays.duel(10, clear_bonus="cards").match),
        "for time": replays.solo("KL1-D1UW-AAAAAAB", 200),
        "three for time": replays.solo("KL1-D3UW-AAAAAAC", 200),
        "won for time": replays.won("KL1-D1UW-AAAAAAC"),
    }


async def test_the_page_agrees_with_every_position_of_a_true_replay(modules: Page) -> None:
    for name, text in _texts().items():
        found: dict[str, Any] = await modules.evaluate(FOLLOW, text)
        assert (found["line"], found["kept"]) == (None, True), name
        assert set(_checks(text)) <= set(found["checks"]), name
        assert found["races"] == text.count("refused lost_race"), name


@pytest.mark.parametrize("what", ["turned", "cards", "check", "move"])
async def test_a_line_that_is_not_true_is_found(modules: Page, what: str) -> None:
    text = replays.raced()
    lines = text.split("\n")
    number = next(i for i, line in enumerate(lines) if i > 60 and f"{what}=" in line and " played " in line)
    forged: dict[str, Callable[[str], str]] = {
        "turned": lambda line: re.sub(r"turned=(..)", lambda m: f"turned={'Kh' if m[1] != 'Kh' else 'Ks'}", line),
        "cards": lambda line: re.sub(r"cards=(..)", lambda m: f"cards={'Kh' if m[1] != 'Kh' else 'Ks'}", line),
        "check": lambda line: re.sub(r"check=\d", "check=7777", line),
        "move": lambda line: re.sub(r"move=\S+", "move=c1:9>c2", line),
    }
    lines[number] = forged[what](lines[number])
    found: dict[str, Any] = await modules.evaluate(FOLLOW, "\n".join(lines))
    assert found["line"] == number + 1


def _forged(text: str, pattern: str, put: Callable[[re.Match[str]], str]) -> tuple[str, int]:
    """A file that says something else at the last place like this, and the number of that line."""
    lines = text.split("\n")
    number = next(i for i in reversed(range(len(lines))) if re.search(pattern, lines[i]))
    lines[number] = re.sub(pattern, put, lines[number], count=1)
    return "\n".join(lines), number + 1


def _one_more(match: re.Match[str]) -> str:
    return f"{match[1]}{int(match[2]) + 1}"


def _other(match: re.Match[str]) -> str:
    return f"{match[1]}{1 - int(match[2])}"


async def test_a_score_a_turn_or_an_end_that_is_not_true_is_found(modules: Page) -> None:
    raced, in_turns = replays.raced(), replays.text_of(replays.duel(7, "alternating").match)
    numbers: list[tuple[str, str, Callable[[re.Match[str]], str]]] = [
        (raced, r"( score=)(\d+)", _one_more),
        (replays.solo("KL1-D1UW-AAAAAAB", 200), r"( undone .*score=)(\d+)", _one_more),
        (replays.won("KL1-D1UW-AAAAAAC"), r"( score=)(\d+)", _one_more),
        (in_turns, r"( dealt .*turn=)(\d)", _other),
        (in_turns, r"( played .*turn=)(\d)", _other),
    ]
    for text, pattern, put in numbers:
        forged, line = _forged(text, pattern, put)
        assert (await modules.evaluate(FOLLOW, forged))["line"] == line, pattern
    last = raced.count("\n") - 1  # the end is told in the last entry
    for pattern in (r'("scores":\[)(\d+)', r'("contributions":\[)(\d+)', r'("moves":\[)(\d+)'):
        forged, _ = _forged(raced, pattern, _one_more)
        assert (await modules.evaluate(FOLLOW, forged))["line"] == last, pattern
    forged, _ = _forged(raced, r'("winner":)(\d)', _other)
    assert (await modules.evaluate(FOLLOW, forged))["line"] == last


async def _open(open_page: OpenPage, text: str, **choices: Any) -> Page:
    """A page whose server has this replay, in two parts."""
    middle = text.index("\n", len(text) // 2) + 1
    parts = [text[:middle], text[middle:]]

    def answer(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            asked = json.loads(message)
            if asked["type"] != "get_replay":
                server.send(message)
                return
            part = int(asked["part"])
            reply = {"type": "replay", "table": TABLE, "text": parts[part], "part": part, "parts": len(parts)}
            route.send(json.dumps({**reply, "nonce": asked["nonce"]}))

        route.on_message(pass_on)

    page = await open_page(f"#replay={TABLE}", between=answer, **choices)
    await page.locator(".replay .card").first.wait_for()
    return page


async def test_a_race_is_found_played_and_judged(open_page: OpenPage) -> None:
    page = await _open(open_page, replays.raced())
    await expect(page.locator(".fair")).to_contain_text("Checked here: the deal follows from the secret")
    await expect(page.locator(STATUS)).to_have_text("The cards are dealt.")
    await page.get_by_role("button", name="Next race").click()
    await expect(page.locator(STATUS)).to_contain_text(re.compile(r"(Ada|Bruno) was first, by [\d.]+ ms"))
    await expect(page.locator(".card.raced")).to_have_count(1)
    await expect(page.locator(".foundation[data-races='1']")).to_have_count(1)
    await shot(page, "replay-race")
    at = int(await page.get_by_label("Step of the game").input_value())
    await page.get_by_role("button", name="One step back").click()
    await page.get_by_role("button", name="One step forward").click()
    await expect(page.get_by_label("Step of the game")).to_have_value(str(at))
    await page.get_by_label("Speed").select_option("16")
    await page.get_by_role("button", name="Play", exact=True).click()
    await until(page, "at => document.querySelector('.when').value > at + 2", at)
    await page.get_by_role("button", name="Pause").click()
    await page.keyboard.press("End")
    await expect(page.locator(STATUS)).to_contain_text("A player has given up.")
    box = await page.locator(".curve").bounding_box()
    assert box
    await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 5)
    middle = await page.evaluate("document.querySelector('.when').value / document.querySelector('.when').max")
    assert 0.2 < middle < 0.8
    assert await serious(page) == []


async def test_a_replay_that_lies_is_called_so(open_page: OpenPage) -> None:
    text = replays.raced()
    page = await _open(open_page, re.sub(r'commitment "..', 'commitment "00', text))
    await expect(page.locator(".fair")).to_contain_text("does not follow from what the server had committed to")
    page = await _open(open_page, text.replace("check=", "check=1", 40), viewport={"width": 320, "height": 568})
    await expect(page.locator(".fair")).to_contain_text("This is not true")
    assert await fits(page)
    await shot(page, "replay-false-320")


async def test_a_replay_in_turns_says_whose_turn_it_is(open_page: OpenPage) -> None:
    text = replays.text_of(replays.duel(7, "alternating").match)
    turns = re.findall(r"turn=(\d)", text)
    page = await _open(open_page, text)
    sides = page.locator(".players .player")
    for turn in turns[:4]:  # after the deal and after each of three moves
        await expect(sides.nth(int(turn))).to_contain_text("to move")
        await expect(sides.nth(1 - int(turn))).not_to_contain_text("to move")
        await page.keyboard.press("ArrowRight")
    assert {*turns[:4]} == {"0", "1"}
    await shot(page, "replay-in-turns")


async def test_a_match_is_replayed_from_its_result(open_page: OpenPage, opponent: OpenOpponent) -> None:
    ada, grace = await open_page(viewport={"width": 320, "height": 640}), await opponent()
    await match_against(grace, ada)
    await play_all(ada, ["d", "d"], "keys")
    await wait_seq(ada, await grace.play("d"))
    steps = await seq(ada)
    await give_up(ada)
    await ada.get_by_role("link", name="Replay").click()
    await expect(ada.locator(".fair")).to_contain_text("Checked here")
    await ada.get_by_role("button", name="To the end").click()
    await expect(ada.locator(".replay .extra")).to_have_text(f"{steps - 2} / {steps - 2}")
    assert await fits(ada)
    await shot(ada, "replay-320")


async def test_a_solo_game_is_replayed_from_the_results(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL)
    await on_table(page)
    scores = ["0"]
    for number, move in enumerate(["c4:1>c5", "c1>f", "d"], 1):
        await play_all(page, [move], "keys")
        await wait_seq(page, number)
        scores.append(await page.locator(".players .score").inner_text())
    await page.evaluate("driver.session().command('undo')")
    await until(page, "driver.session()?.mirror?.seq === 4")
    await give_up(page, "Give up")
    await page.get_by_role("button", name="Home").first.click()
    await page.get_by_role("link", name="Results and rankings").click()
    await page.get_by_role("link", name="Replay: Klondike").click()
    await expect(page.locator(".fair")).to_contain_text("the code KL1-D1UM-AAAAAAB")
    assert scores == ["0", "5", "15", "15"]
    for step, score in enumerate(scores):
        await page.locator(".when").fill(str(step))
        await expect(page.locator(".replay .score")).to_have_text(score)
    await page.locator(".when").fill("4")
    await expect(page.locator(STATUS)).to_contain_text("Undone. Drawn:")
    await expect(page.locator(".replay .score")).to_have_text("15")
    await shot(page, "replay-solo")


async def test_there_is_no_replay_of_nothing(open_page: OpenPage) -> None:
    page = await open_page("#table=nothing")  # a link to a table that is no more leads to its replay
    await until(page, "location.hash === '#replay=nothing'")
    await expect(page.locator(".notice")).to_contain_text("There is no such table")
