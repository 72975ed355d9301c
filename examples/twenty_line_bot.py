"""A whole bot. Run it: python examples/twenty_line_bot.py ws://127.0.0.1:8080/ws ."""  # noqa: INP001

import asyncio
import sys

from acerace_client.runner import run_bot
from acerace_rules.hints import hint


class TwentyLines:
    def choose(self, view):
        return hint(view.table, view.seat)  # your idea here: one of view.legal, or None for "nothing to do"


async def main(url):
    async for game in run_bot(url, TwentyLines, name="twenty lines"):
        print("won" if game.won else "lost", game.ended.scores)  # noqa: T201


asyncio.run(main(sys.argv[1]))
