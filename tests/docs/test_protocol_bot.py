"""The bot of PROTOCOL.md, as it stands there, plays on a real server."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import websockets

from acerace_client.commands.server import throwaway_server
from tests.protocol.document import blocks

PATIENCE_S = 60
MOVES = 5
Json = Any


async def resign_after(url: str, moves: int) -> list[Json]:
    """Be an opponent that only looks on, and gives up when the other has made so many moves; these moves."""
    async with websockets.connect(url, subprotocols=[websockets.Subprotocol("acerace.1.json")]) as socket:

        async def send(**message: object) -> None:
            await socket.send(json.dumps(message))

        await send(type="hello")
        await send(type="seek", house=False)
        seat, played = -1, list[Json]()
        async for data in socket:
            message = json.loads(data)
            if message["type"] == "seated":
                seat = message["seat"]
                await send(type="ready", table=message["table"], nonce=1)
            if message["type"] == "played" and message["seat"] != seat:
                played.append(message)
                if len(played) == moves:
                    await send(type="resign", table=message["table"], nonce=2)
            if message["type"] == "ended":
                break
    return played


async def test_the_bot_of_the_document_plays_and_comes_to_its_end(tmp_path: Path) -> None:
    [bot] = blocks("python")
    program = tmp_path / "bot.py"
    program.write_text(bot.replace("SPEED_S = 0.5", "SPEED_S = 0.01"), encoding="utf-8")
    async with asyncio.timeout(PATIENCE_S), throwaway_server(["--seed", "7"]) as url:
        running = await asyncio.create_subprocess_exec(sys.executable, program, url, stderr=asyncio.subprocess.PIPE)
        try:
            moves = await resign_after(url, MOVES)
            _, err = await running.communicate()
        finally:
            if running.returncode is None:
                running.kill()
    assert running.returncode == 0, err.decode()
    assert len(moves) >= MOVES
