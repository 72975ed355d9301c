"""What the server answers to HTTP: the WebSocket handshake, a health report, a page that says what this is."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Final

from websockets.datastructures import MultipleValuesError
from websockets.exceptions import NegotiationError
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from acerace_protocol.codec import CODECS
from acerace_server.shell.metrics import CONTENT_TYPE as METRICS_TYPE
from acerace_server.shell.static import Site, load_site, send_file, set_header

WEBSOCKET_PATH: Final = "/ws"
HEALTH_PATH: Final = "/healthz"
METRICS_PATH: Final = "/metrics"
ANY_ORIGIN: Final = "*"
_PATHS: Final = frozenset({"/", WEBSOCKET_PATH, HEALTH_PATH, METRICS_PATH})
_REQUEST_LINE: Final = re.compile(rb"([A-Z]{1,16}) (\S{1,8192}) HTTP/1\.[01]\r\n")
RETRY_AFTER_S: Final = 10
"""When it may be worth while to come again to a server that is full, or for an address that has too much."""
_SUBPROTOCOLS: Final = " or ".join(CODECS)
_HOME: Final = f"""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Ace Race</title>
<h1>Ace Race</h1>
<p>A real-time server for Double Klondike: two decks, shared foundations, and a referee that says who came first.</p>
<p>Programs connect with a WebSocket to <code>{WEBSOCKET_PATH}</code> on this host and port and offer the subprotocol
<code>acerace.1.msgpack</code> or <code>acerace.1.json</code>. How the server is:
<a href="{HEALTH_PATH}">{HEALTH_PATH}</a>.</p>
</html>
"""

Health = Callable[[], Mapping[str, object]]
Metrics = Callable[[], str]


class Pages:
    """Answers requests. Knows no connection but the one that asks."""

    def __init__(
        self,
        origins: Sequence[str],
        health: Health,
        metrics: Metrics,
        has_room: Callable[[], bool],
        site: Site | None = None,
    ) -> None:
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)
        self._health = health
        self._metrics = metrics
        self._has_room = has_room
        self._site = load_site() if site is None else site

    def respond(self, websocket: ServerProtocol, request: Request) -> Response:
        """The answer; status 101 accepts the WebSocket."""
        path = request.path.partition("?")[0]
        hosts = request.headers.get_all("Host")
        if len(hosts) > 1 or (not hosts and request.protocol == "HTTP/1.1"):
            return reject(websocket, HTTPStatus.BAD_REQUEST, "A request names one Host.")
        file = self._site.get(path)
        if file and request.method in {"GET", "HEAD"}:
            return send_file(websocket, request, file, hosts[0] if hosts else "")
        if path not in _PATHS:
            return reject(websocket, HTTPStatus.NOT_FOUND, f"Nothing is here. WebSockets are at {WEBSOCKET_PATH}.")
        if request.method != "GET":
            return _method_not_allowed(websocket)
        if path == WEBSOCKET_PATH:
            return self._accept(websocket, request, hosts)
        if path == HEALTH_PATH:
            return _page(websocket, json.dumps(self._health()), "application/json")
        if path == METRICS_PATH:
            return _page(websocket, self._metrics(), METRICS_TYPE)
        return _page(websocket, _HOME, "text/html; charset=utf-8")

    def _accept(self, websocket: ServerProtocol, request: Request, hosts: Sequence[str]) -> Response:
        try:
            origin = request.headers.get("Origin")
        except MultipleValuesError:
            return reject(websocket, HTTPStatus.BAD_REQUEST, "A request has one Origin at most.")
        if origin is not None and not self._welcomes(origin.lower(), hosts):
            return reject(websocket, HTTPStatus.FORBIDDEN, "Pages from that origin may not connect here.")
        if not self._has_room():
            return reject(websocket, HTTPStatus.SERVICE_UNAVAILABLE, "The server is full; try again later.")
        return websocket.accept(request)

    def _welcomes(self, origin: str, hosts: Sequence[str]) -> bool:
        """Whether a browser's page from this origin may connect. Who sends no Origin is no browser."""
        if ANY_ORIGIN in self._origins or origin in self._origins:
            return True
        scheme, _, host = origin.partition("://")
        return scheme in {"http", "https"} and host in {name.lower() for name in hosts}


def select_subprotocol(websocket: ServerProtocol, offered: Sequence[Subprotocol]) -> Subprotocol:
    """The server's favourite among those offered. Raises ``NegotiationError``: the handshake fails with 400."""
    del websocket
    for name in CODECS:
        if name in offered:
            return Subprotocol(name)
    raise NegotiationError(f"offer the WebSocket subprotocol {_SUBPROTOCOLS}")


def reject(websocket: ServerProtocol, status: HTTPStatus, text: str) -> Response:
    """A short answer in plain text that says what was wrong, and when to come again if that may help."""
    response = websocket.reject(status, f"{text}\n")
    if status in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}:
        set_header(response, "Retry-After", str(RETRY_AFTER_S))
    return response


def bad_request(websocket: ServerProtocol, head: bytes) -> Response:
    """The answer to what the WebSocket layer could not read as a request; ``head`` is how it began.

    That layer reads no request with a body, so a well-formed POST comes here as well.
    """
    line = _REQUEST_LINE.match(head)
    if line and line[1] != b"GET":
        path = line[2].partition(b"?")[0].decode("ascii", "replace")
        if path in _PATHS:
            return _method_not_allowed(websocket)
        return reject(websocket, HTTPStatus.NOT_FOUND, "Nothing is here.")
    return reject(websocket, HTTPStatus.BAD_REQUEST, "This is no HTTP request that the server understands.")


def _method_not_allowed(websocket: ServerProtocol) -> Response:
    response = reject(websocket, HTTPStatus.METHOD_NOT_ALLOWED, "Only GET is understood here.")
    set_header(response, "Allow", "GET")
    return response


def _page(websocket: ServerProtocol, text: str, kind: str) -> Response:
    response = websocket.reject(HTTPStatus.OK, text)  # "reject" only in the sense that it is no WebSocket
    set_header(response, "Content-Type", kind)
    set_header(response, "Cache-Control", "no-store")
    set_header(response, "X-Content-Type-Options", "nosniff")
    return response
