"""PROTOCOL.md as data: its sections, tables and examples, and a client's copy kept by what it says."""

import json
import re
from pathlib import Path
from typing import Any
from zlib import crc32

from acerace_protocol.codec import JSON
from acerace_protocol.messages import (
    ServerMessage,
)

Json = Any
TEXT = Path(__file__).parents[2].joinpath("PROTOCOL.md").read_text(encoding="utf-8")


def blocks(mark: str) -> list[str]:
    return re.findall(rf"^```{re.escape(mark)}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def section(title: str) -> str:
    found = re.search(rf"^## \d+\. {re.escape(title)}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def rows(text: str, columns: int) -> list[list[str]]:
    """The rows of all tables with so many columns, without code marks."""
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in cells] for cells in lines if len(cells) == columns]


def close_codes() -> set[int]:
    """All codes of the section on them."""
    return {int(code) for row in rows(section("Close codes"), 3)[2:] for code in row[0].split(",")}


def handshake_statuses() -> set[int]:
    """All HTTP statuses of a handshake that is refused."""
    refusals = section("Connecting").partition("is answered in HTTP")[2].partition("Both carry")[0]
    return {int(status) for row in rows(refusals, 3)[2:] for status in row[0].split(",")}


CLIENT_EXAMPLES = blocks("json from-client")
SERVER_EXAMPLES = blocks("json from-server")
VECTORS: Json = json.loads(blocks("json vectors")[0])


def server_examples() -> list[ServerMessage]:
    return [JSON.decode_server(text.encode()) for text in SERVER_EXAMPLES]


def plain(message: ServerMessage) -> Json:
    return json.loads(JSON.encode(message))


class Copy:
    """A copy of the position in the document's own words: plain maps and lists."""

    def __init__(self, state: Json) -> None:
        self.state = json.loads(json.dumps(state))

    def played(self, event: Json) -> None:
        me, cards = self.state["seats"][event["seat"]], event.get("cards", [])
        owner = event["seat"] if len(self.state["seats"]) > 1 else 0
        source, _, target = event["move"].partition(">")
        if source == "d":
            me["stock"] -= len(cards)
            me["waste"] += cards
        elif source == "r":
            me["stock"], me["waste"], me["recycles"] = len(me["waste"]), [], me["recycles"] + 1
        else:
            pile = self.pile(me, source, event)
            del pile[-len(cards) :]
            self.pile(me, target, event).extend(self.as_lies(target, cards, owner))
        if "turned" in event:
            column = self.column(me, source)
            column["down"], column["up"] = column["down"] - 1, [event["turned"]]
        me["moves"], me["score"] = me["moves"] + 1, event["score"]

    def undone(self, event: Json) -> None:
        me, cards = self.state["seats"][event["seat"]], event.get("cards", [])
        owner = event["seat"] if len(self.state["seats"]) > 1 else 0
        source, _, target = event["move"].partition(">")
        if "turned" in event:
            column = self.column(me, source)
            column["down"], column["up"] = column["down"] + 1, []
        if source == "d":
            me["stock"] += len(cards)
            del me["waste"][-len(cards) :]
        elif source == "r":
            me["stock"], me["waste"], me["recycles"] = 0, cards, me["recycles"] - 1
        else:
            del self.pile(me, target, event)[-len(cards) :]
            self.pile(me, source, event).extend(self.as_lies(source, cards, owner))
        me["moves"], me["score"] = event["moves"], event["score"]

    @staticmethod
    def as_lies(pile: str, cards: list[str], owner: int) -> Json:
        """On a foundation a card is told by its owner, anywhere else by its face."""
        return [owner for _ in cards] if pile.startswith("f") else cards

    def pile(self, me: Json, name: str, event: Json) -> Json:
        if name == "w":
            return me["waste"]
        if name.startswith("f"):
            return self.state["foundations"][event["slot"]]["owners"]
        return self.column(me, name)["up"]

    def column(self, me: Json, name: str) -> Json:
        return me["columns"][int(name[1]) - 1]

    def digest(self) -> int:
        texts = [f"f{k}:{''.join(map(str, pile['owners']))}" for k, pile in enumerate(self.state["foundations"])]
        for s, seat in enumerate(self.state["seats"]):
            texts += [f"{s}s:{seat['stock']}", f"{s}w:{''.join(seat['waste'])}"]
            texts += [
                f"{s}c{n}:{column['down']}:{''.join(column['up'])}" for n, column in enumerate(seat["columns"], 1)
            ]
        return sum(crc32(text.encode()) for text in texts) % 2**32
