"""At no log level does a token, a card or a message reach the log."""

import logging

import pytest

from acerace_protocol.accounts import ClaimName
from acerace_protocol.messages import Hello, Snapshot, Solo, Welcome
from tests.server.shell.support import Start, client, real_hub


async def test_nothing_secret_is_logged(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    running = await start(real_hub())
    caplog.clear()
    async with client(running, greet=False) as one:
        await one.send(Hello(name="Zebra", agent="agent 007"))
        welcome = await one.receive()
        assert isinstance(welcome, Welcome)
        await one.send(Solo())
        await one.receive()
        snapshot = await one.receive()
        assert isinstance(snapshot, Snapshot)
        await one.send(ClaimName(name="Zebra", password="correct horse", nonce=1))
        await one.websocket.send("null")
        await one.receive()
    ours = [record for record in caplog.records if not record.name.startswith("websockets.client")]
    text = "\n".join(f"{record.getMessage()} {getattr(record, 'fields', '')}" for record in ours)
    assert "agent 007" in text
    for secret in (welcome.token, snapshot.table, str(snapshot.code), "Zebra", "null", "horse"):
        assert secret not in text
