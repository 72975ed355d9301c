"""Who may come in: how many connections one address may have, and how often it may come."""

from collections.abc import Sequence
from http import HTTPStatus
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from websockets.datastructures import Headers

from acerace_server.core.bucket import Buckets
from acerace_server.shell.bounds import Bounds

Network = IPv4Network | IPv6Network
TOO_MANY: Final = HTTPStatus.TOO_MANY_REQUESTS, "Too many connections from your address; close some."
TOO_OFTEN: Final = HTTPStatus.TOO_MANY_REQUESTS, "Your address comes too often; try again in a moment."
_MINUTE_S: Final = 60
_V6_HOME_BITS: Final = 64
"""A home has so many bits of an IPv6 address to itself, so what follows them tells nobody apart."""


class Door:
    """Counts addresses. An address is text; the empty one is not counted: nobody's, or a trusted proxy's own."""

    def __init__(self, bounds: Bounds, proxies: Sequence[Network]) -> None:
        self._bounds = bounds
        self._proxies = tuple(proxies)
        self._inside: dict[str, int] = {}
        self._knocks = Buckets(bounds.arrivals_per_minute / _MINUTE_S, bounds.arrivals_per_minute)

    def __len__(self) -> int:
        """How much is remembered."""
        return len(self._knocks) + len(self._inside)

    def address_of(self, peer: str) -> str:
        """Whom a TCP connection from here counts for; who comes through a trusted proxy is known only later."""
        address = _parsed(peer)
        if address is None or self._is_proxy(address):
            return ""
        return self._counted(address)

    def forwarded(self, peer: str, headers: Headers) -> str:
        """Whom a request counts for that came through a trusted proxy; empty if it did not.

        The last address in ``X-Forwarded-For`` that is no proxy of ours: what is before it anybody may have written.
        """
        address = _parsed(peer)
        if address is None or not self._is_proxy(address):
            return ""
        said = ",".join(headers.get_all("X-Forwarded-For")).split(",")
        for text in reversed(said):
            known = _parsed(text.strip())
            if known is None:
                return ""
            if not self._is_proxy(known):
                return self._counted(known)
        return ""

    def enter(self, address: str) -> bool:
        """Count one more connection, which :meth:`leave` takes back; ``False``: it is one too many."""
        if not address:
            return True
        count = self._inside[address] = self._inside.get(address, 0) + 1
        return count <= self._bounds.connections_per_address

    def leave(self, address: str) -> None:
        if address:
            left = self._inside[address] - 1
            if left:
                self._inside[address] = left
            else:
                del self._inside[address]

    def knock(self, address: str, at: int) -> bool:
        """Whether one more WebSocket may be opened from here at ``at`` (ns)."""
        return not address or self._knocks.take(address, at)

    def _is_proxy(self, address: IPv4Address | IPv6Address) -> bool:
        return any(address in network for network in self._proxies)

    def _counted(self, address: IPv4Address | IPv6Address) -> str:
        if address.is_loopback and not self._bounds.count_loopback:
            return ""  # who runs programs on this machine need not flood it
        if address.version == 6:  # noqa: PLR2004  # IPv6
            return str(ip_network((address, _V6_HOME_BITS), strict=False))
        return str(address)


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
