"""A TCP proxy that cuts its connections after so many bytes: the network as it is on a train."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from random import Random
from urllib.parse import urlsplit

HANDSHAKE_BYTES = 4000
"""About what a connection needs to come about and say hello; a cut before that only makes the test slow."""


@asynccontextmanager
async def flaky(url: str, random: Random, mean_bytes: int) -> AsyncGenerator[str]:
    """Stand before a server; gives the URL to use instead."""
    target = urlsplit(url)
    tasks: set[asyncio.Task[None]] = set()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: int) -> None:
        while left > 0 and (data := await reader.read(512)):
            writer.write(data[:left])
            left -= len(data)
            await writer.drain()

    async def both(client: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
        server = await asyncio.open_connection(target.hostname, target.port)
        left = HANDSHAKE_BYTES + int(random.expovariate(1 / mean_bytes))
        pumps = [
            asyncio.create_task(carry(client[0], server[1], left)),
            asyncio.create_task(carry(server[0], client[1], left)),
        ]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
            for writer in (client[1], server[1]):
                writer.transport.abort()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(both((reader, writer)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"ws://127.0.0.1:{port}{target.path}"
    finally:
        server.close()
        for task in [*tasks]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
