"""Several tables on one connection."""

import asyncio
from typing import cast

import pytest

from acerace_client.connection import Connection
from acerace_client.tables import TableLine
from acerace_protocol.limits import Fault
from acerace_protocol.messages import ClientMessage, Leave, Problem, Refused, Watchers
from acerace_rules.moves import Reason

PATIENCE_S = 60


class Wire:
    """What a line needs of a connection."""

    def __init__(self) -> None:
        self.sent: list[ClientMessage] = []
        self.last = 0

    def nonce(self) -> int:
        self.last += 1
        return self.last

    async def send(self, message: ClientMessage) -> None:
        self.sent.append(message)


def line(wire: Wire, table: str = "t1", reaction_s: float = 0.0) -> TableLine:
    return TableLine(cast("Connection", wire), table, reaction_s=reaction_s)


def news(table: str = "t1", count: int = 1) -> Watchers:
    return Watchers(table=table, count=count)


async def test_messages_come_in_their_order_and_are_counted_as_pending() -> None:
    one = line(Wire())
    assert one.pending == 0
    for count in (1, 2):
        one.deliver(news(count=count))
    assert one.pending == 1
    assert [await one.receive(), await one.receive()] == [news(count=1), news(count=2)]
    assert one.pending == 0


async def test_who_waits_is_woken_or_waits_in_vain() -> None:
    one = line(Wire())
    waiting = asyncio.create_task(one.receive(PATIENCE_S))
    await asyncio.sleep(0)
    one.deliver(news())
    assert await waiting == news()
    with pytest.raises(TimeoutError):
        await one.receive(0.001)


async def test_a_message_is_seen_only_after_a_moment() -> None:
    slow = line(Wire(), reaction_s=1000)
    slow.deliver(news())
    assert slow.pending == 0
    with pytest.raises(TimeoutError):
        await slow.receive(0.001)
    quick = line(Wire(), reaction_s=0.05)
    now = asyncio.get_running_loop().time
    delivered = now()
    quick.deliver(news())
    assert await quick.receive(PATIENCE_S) == news()
    assert now() - delivered > 0.049


async def test_what_is_sent_goes_through_the_connection() -> None:
    wire = Wire()
    await line(wire).send(Leave(table="t1"))
    assert wire.sent == [Leave(table="t1")]


async def test_a_line_hears_of_its_own_table_and_of_the_problems_it_has_made_itself() -> None:
    wire = Wire()
    one, other = line(wire, "t1"), line(wire, "t2")
    mine, theirs = one.nonce(), other.nonce()
    assert one.concerns(news("t1"))
    assert not one.concerns(news("t2"))
    assert one.concerns(Refused(table="t1", nonce=theirs, reason=Reason.GAME_OVER))  # told by table
    assert one.concerns(Problem(code=Fault.TOO_FAST, nonce=mine))
    assert not one.concerns(Problem(code=Fault.TOO_FAST, nonce=theirs))
    assert not one.concerns(Problem(code=Fault.NO_SUCH_SEEK))
    gone = Problem(code=Fault.NO_SUCH_TABLE, table="t1")
    assert (one.concerns(gone), other.concerns(gone)) == (True, False)
