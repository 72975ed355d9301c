"""How many come from one address, and how often; a proxy's word counts only if it is a trusted one."""

import json
from ipaddress import ip_network

import pytest
from websockets.datastructures import Headers

from acerace_protocol.codec import JSON
from acerace_server.adapters.memory import MemoryJournal
from acerace_server.adapters.system import SystemClock
from acerace_server.shell.bounds import Bounds
from acerace_server.shell.door import Door
from acerace_server.shell.gateway import About, Gateway
from tests.server.shell.fakes import FakeHub
from tests.server.shell.support import Running, Start, client, handshake, raw, until

SECOND = 1_000_000_000
PROXIES = (ip_network("10.0.0.0/8"), ip_network("::1"))


def headers(*forwarded: str) -> Headers:
    return Headers([("X-Forwarded-For", each) for each in forwarded])


@pytest.mark.parametrize(
    ("peer", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("10.1.2.3", ""),
        ("::1", ""),
        ("127.0.0.1", ""),
        ("", ""),
    ],
)
def test_whom_a_connection_counts_for(peer: str, counted: str) -> None:
    assert Door(Bounds(), PROXIES).address_of(peer) == counted


@pytest.mark.parametrize(
    ("peer", "said", "counted"),
    [
        ("10.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", ["198.51.100.9, 192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", ["198.51.100.9", "192.0.2.7, 10.0.0.2"], "192.0.2.7"),
        ("10.0.0.1", ["192.0.2.7, nonsense"], ""),
        ("10.0.0.1", ["10.0.0.2"], ""),
        ("10.0.0.1", [""], ""),
        ("10.0.0.1", [], ""),
        ("192.0.2.66", ["192.0.2.7"], ""),
    ],
)
def test_whom_a_request_counts_for_that_came_through_a_proxy(peer: str, said: list[str], counted: str) -> None:
    assert Door(Bounds(), PROXIES).forwarded(peer, headers(*said)) == counted


def test_so_many_connections_may_come_from_one_address() -> None:
    door = Door(Bounds(connections_per_address=2), ())
    assert [door.enter("a") for _ in range(3)] == [True, True, False]
    assert door.enter("b")
    door.leave("a")
    assert not door.enter("a")
    for _ in range(2):
        door.leave("a")
    assert door.enter("a")
    assert all(door.enter("") for _ in range(9))


def test_so_often_one_address_may_come() -> None:
    door = Door(Bounds(arrivals_per_minute=6), ())
    assert [door.knock("a", SECOND) for _ in range(7)] == [True] * 6 + [False]
    assert door.knock("b", SECOND)
    assert door.knock("a", 11 * SECOND)
    assert not door.knock("a", 11 * SECOND)


def test_what_is_not_counted_may_come_as_often_as_it_likes() -> None:
    door = Door(Bounds(arrivals_per_minute=6, connections_per_address=2), ())
    assert all(door.enter("") and door.knock("", 0) for _ in range(100))
    for _ in range(100):
        door.leave("")


def test_who_has_left_takes_no_room() -> None:
    door = Door(Bounds(connections_per_address=2), ())
    for number in range(50):
        assert door.enter(f"192.0.2.{number}")
        door.leave(f"192.0.2.{number}")
    assert len(door) == 0
    for _ in range(2):
        assert door.enter("192.0.2.1")
    door.leave("192.0.2.1")
    assert door.enter("192.0.2.1")
    assert len(door) == 1


def test_addresses_that_came_once_are_forgotten() -> None:
    door = Door(Bounds(), ())
    for number in range(100_000):
        door.knock(str(number), number * SECOND // 10)
    assert len(door) < 3000


# --- over sockets ------------------------------------------------------------------------------------------


async def test_one_address_cannot_take_all_the_room(start: Start) -> None:
    running = await start(None, Bounds(connections_per_address=2, count_loopback=True))
    async with client(running) as one, client(running) as two:
        async with raw(running) as third:
            assert (await third.rest()).startswith(b"HTTP/1.1 429 ")
        assert await one.echoes()
        assert await two.echoes()
    await until(lambda: not running.gateway.health()["sockets"])
    async with client(running) as again:
        assert await again.echoes()


async def test_one_address_cannot_come_and_go_all_the_time(start: Start) -> None:
    hub = FakeHub()
    running = await start(hub, Bounds(arrivals_per_minute=5, count_loopback=True))
    statuses: list[bytes] = []
    for _ in range(8):
        async with raw(running) as visitor:
            visitor.write(handshake(JSON.subprotocol))
            head = await visitor.head()
            statuses.append(head.split()[1])
            assert (b"Retry-After: " in head) == (b" 429 " in head)
    assert statuses == [b"101"] * 5 + [b"429"] * 3
    async with raw(running) as looker:  # pages are another matter: a browser asks for a dozen files at once
        looker.write(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert b'"connections"' in await looker.rest()


async def proxied(about: About) -> Running:
    journal = MemoryJournal()
    bounds = Bounds(connections_per_address=1, count_loopback=True)
    gateway = Gateway(FakeHub(), clock=SystemClock(), journal=journal, about=about, bounds=bounds)
    return Running(gateway, journal, *await gateway.listen("127.0.0.1", 0))


async def test_behind_a_trusted_proxy_each_client_is_counted_for_itself() -> None:
    running = await proxied(About("0.0", proxies=(ip_network("127.0.0.1"),)))
    try:
        async with raw(running) as one, raw(running) as two, raw(running) as same:
            for visitor, address in ((one, "192.0.2.1"), (two, "192.0.2.2"), (same, "192.0.2.1")):
                visitor.write(handshake(JSON.subprotocol, "/ws", f"X-Forwarded-For: {address}"))
            assert [(await each.head()).split()[1] for each in (one, two, same)] == [b"101", b"101", b"429"]
        await until(lambda: not running.gateway.health()["sockets"])
        async with raw(running) as again:
            again.write(handshake(JSON.subprotocol, "/ws", "X-Forwarded-For: 192.0.2.1"))
            assert (await again.head()).split()[1] == b"101"
    finally:
        await running.gateway.close(timeout_s=0.2)


async def test_nobody_else_can_say_to_be_another() -> None:
    running = await proxied(About("0.0"))
    try:
        async with raw(running) as one, raw(running) as two:
            one.write(handshake(JSON.subprotocol, "/ws", "X-Forwarded-For: 192.0.2.1"))
            assert (await one.head()).split()[1] == b"101"
            assert (await two.head()).split()[1] == b"429"
    finally:
        await running.gateway.close(timeout_s=0.2)


async def test_who_is_turned_away_is_counted(start: Start) -> None:
    running = await start(None, Bounds(connections_per_address=1, count_loopback=True))
    async with raw(running) as one, raw(running) as two:
        await two.rest()
        one.write(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
        assert b'acerace_turned_away_total{why="too_many_from_address"} 1.0' in await one.rest()
    assert json.dumps(running.gateway.health())
