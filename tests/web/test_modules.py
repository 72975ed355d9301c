"""The page's own copies of the protocol's algorithms agree with PROTOCOL.md and with the server."""

import hashlib
import hmac
import json
from typing import Any

from playwright.async_api import Page

from acerace_rules.deal import read_code
from tests.web.pages import OpenPage, on_table, until
from tests.web.servers import ROOT

DOCUMENT = (ROOT / "PROTOCOL.md").read_text(encoding="utf-8")
VECTORS: dict[str, Any] = json.loads(DOCUMENT.partition("```json vectors\n")[2].partition("```")[0])


async def test_the_digest_is_the_documented_one(modules: Page) -> None:
    texts = {"0c1:0:6c": 4202075955, "0s:24": 4222713963, "0w:": 2102921729, "f0:": 2857468353}
    for text, crc in texts.items():
        assert f"`{text}` | {crc}" in DOCUMENT
        assert await modules.evaluate("async text => (await import('/js/digest.js')).crc32(text)", text) == crc


async def test_the_deal_is_the_documented_one(modules: Page) -> None:
    match = VECTORS["match"]
    script = """async ({secret, seeds}) => {
        const {matchDecks, matchKey} = await import('/js/deal.js');
        const {bytes, hex} = await import('/js/sha256.js');
        const decks = matchDecks(bytes(secret), seeds, {});
        return [hex(matchKey(bytes(secret), seeds)), ...decks.map((deck) => deck.join(' '))];
    }"""
    assert await modules.evaluate(script, match) == [match["key"], *match["decks"]]


async def test_a_deal_that_is_not_the_promised_one_is_called_unfair(modules: Page) -> None:
    match = VECTORS["match"]
    script = """async ({secret, seeds, commitment, own, seen}) => {
        const {verifyMatch} = await import('/js/verify.js');
        const witnessed = new Map(Object.entries(seen));
        return verifyMatch({ended: {secret, seeds}, commitment, witnessed, options: {}}, own);
    }"""
    first, second = (deck.split() for deck in match["decks"])
    seen = {"0 c1 0": first[0], "0 c7 6": first[27], "1 s 0": second[28], "1 s 23": second[51]}
    changes: list[tuple[dict[str, Any], str]] = [
        ({"seen": seen}, "fair"),
        ({"seen": {**seen, "0 c2 1": first[8]}}, "unfair"),
        ({"seen": seen, "own": "abcd"}, "unfair"),
        ({"seen": seen, "commitment": "00" * 32}, "unfair"),
        ({"seen": {}}, "unknown"),
    ]
    for change, verdict in changes:
        assert await modules.evaluate(script, {**match, "own": match["seeds"][0], **change}) == verdict


CODES = ["KL1-D1UM-AAAAAAB", "KL1-D3P3WT-AAAAAAC", "DS1-D3N-AAAAAAB", "RU1-R-AAAAAAB", "EH1-N-AAAAAAB", "YU1-N-AAAAAAB"]


async def test_the_copy_agrees_with_the_server_whatever_is_played_and_undone(open_page: OpenPage) -> None:
    page = await open_page()
    for code in CODES:
        await page.evaluate("code => (location.hash = `deal=${code}`)", code)
        await until(page, "code => driver.board()?.session?.mirror?.code === code", code)
        await on_table(page)
        assert await page.evaluate("driver.walk(45)") == 0


async def test_the_hash_is_the_one_everybody_has(modules: Page) -> None:
    texts = ["", "abc", "x" * 55, "x" * 56, "x" * 64, "é" * 500]
    script = """async texts => {
        const {hex, hmac, sha256} = await import('/js/sha256.js');
        const bytes = texts.map((text) => new TextEncoder().encode(text));
        return bytes.map((one) => [hex(sha256(one)), hex(hmac(one, one))]);
    }"""
    data = [text.encode() for text in texts]
    assert await modules.evaluate(script, texts) == [
        [hashlib.sha256(one).hexdigest(), hmac.digest(one, one, "sha256").hex()] for one in data
    ]


async def test_a_deal_of_the_day_is_known_by_its_code(modules: Page) -> None:
    script = """async ({game, code, date, days}) => {
        const {dayOf} = await import('/js/deal.js');
        return dayOf(game, code, Date.parse(`${date}T23:59Z`) + days * 86_400_000);
    }"""
    for vector in VECTORS["day"]:
        for days in (-1, 0, 1, 29):  # our own clock may be behind; the game may be an older one
            assert await modules.evaluate(script, {**vector, "days": days}) == vector["date"]
        for days in (-2, 30):
            assert await modules.evaluate(script, {**vector, "days": days}) is None
    other = {"game": "klondike", "code": "KL1-D1UM-AAAAAAB", "date": "2026-11-30", "days": 0}
    assert await modules.evaluate(script, other) is None


async def test_a_deck_costs_what_the_rules_say(modules: Page) -> None:
    """A replay begins with the score of the deal, which no event tells."""
    script = """async ({game, code, options}) => {
        const {deal, soloDeck} = await import('/js/deal.js');
        return deal(game, options, [soloDeck(game, code)]).state.seats[0].score;
    }"""
    for code in [*CODES, "KL1-D1P1V-AAAAAAB", "DS1-D3V-AAAAAAB"]:
        dealt = read_code(code)
        asked = {"game": dealt.game, "code": code, "options": dict(dealt.options)}
        assert await modules.evaluate(script, asked) == dealt.table().seats[0].score


async def test_solo_deals_are_the_documented_ones(modules: Page) -> None:
    games = {"KL": "klondike", "DS": "double-solitaire", "RU": "russian", "EH": "easy-harp", "YU": "yukon"}
    script = """async ({game, code}) => {
        const {deal, soloDeck} = await import('/js/deal.js');
        const {Mirror} = await import('/js/mirror.js');
        const deck = soloDeck(game, code);
        const {state} = deal(game, {}, [deck]);
        const {digest} = await import('/js/digest.js');
        const {seats, foundations} = new Mirror({players: [{}], state});
        return [deck.join(' '), digest(seats, foundations)];
    }"""
    for vector in VECTORS["solo"]:
        deal = {"game": games[vector["code"][:2]], "code": vector["code"]}
        assert await modules.evaluate(script, deal) == [vector["deck"], vector["check"]]
