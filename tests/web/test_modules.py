"""The page's own copies of the protocol's algorithms agree with PROTOCOL.md and with the server."""

import json
from typing import Any

import pytest

from tests.web.pages import OpenPage, on_table
from tests.web.servers import ROOT

DOCUMENT = (ROOT / "PROTOCOL.md").read_text(encoding="utf-8")
VECTORS: dict[str, Any] = json.loads(DOCUMENT.partition("```json vectors\n")[2].partition("```")[0])


async def test_the_digest_is_the_documented_one(open_page: OpenPage) -> None:
    page = await open_page()
    texts = {"0c1:0:6c": 4202075955, "0s:24": 4222713963, "0w:": 2102921729, "f0:": 2857468353}
    for text, crc in texts.items():
        assert f"`{text}` | {crc}" in DOCUMENT
        assert await page.evaluate("async text => (await import('/js/digest.js')).crc32(text)", text) == crc


async def test_the_deal_is_the_documented_one(open_page: OpenPage) -> None:
    page = await open_page()
    match = VECTORS["match"]
    script = """async ({secret, seeds}) => {
        const {bytes, matchKey, shuffled} = await import('/js/verify.js');
        const key = await matchKey(bytes(secret), seeds);
        return [
            [...key].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
            (await shuffled(key, 'acerace/deck/0/')).join(' '),
            (await shuffled(key, 'acerace/deck/1/')).join(' '),
        ];
    }"""
    assert await page.evaluate(script, match) == [match["key"], *match["decks"]]


async def test_a_deal_that_is_not_the_promised_one_is_called_unfair(open_page: OpenPage) -> None:
    page = await open_page()
    match = VECTORS["match"]
    script = """async ({secret, seeds, commitment, own, seen}) => {
        const {verifyMatch} = await import('/js/verify.js');
        const witnessed = new Map(Object.entries(seen));
        return verifyMatch({ended: {secret, seeds}, commitment, witnessed, options: {}, players: [{}, {}]}, own);
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
        assert await page.evaluate(script, {**match, "own": match["seeds"][0], **change}) == verdict


CODES = ["KL1-D1UM-AAAAAAB", "KL1-D3P3WT-AAAAAAC", "DS1-D3N-AAAAAAB", "RU1-R-AAAAAAB", "EH1-N-AAAAAAB", "YU1-N-AAAAAAB"]


@pytest.mark.parametrize("code", CODES)
async def test_the_copy_agrees_with_the_server_whatever_is_played_and_undone(open_page: OpenPage, code: str) -> None:
    page = await open_page(f"#deal={code}")
    await on_table(page)
    assert await page.evaluate("driver.walk(70)") == 0
