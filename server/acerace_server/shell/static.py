"""The files of the browser client: read once at the start into a fixed table, so no request can name another file."""

import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

SITE_PACKAGE: Final = "acerace_web"
"""Found by its name at run time: the server imports nothing of a client's."""
TEXTS_PACKAGE: Final = "acerace_protocol.texts"
_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_INDEX: Final = "index.html"
_PLAIN_HOST: Final = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")
_GZIP_LEAST_BYTES: Final = 256


@dataclass(frozen=True, slots=True)
class File:
    """One file, ready to be sent."""

    body: bytes
    packed: bytes | None
    """With gzip, if that is shorter."""
    kind: str
    etag: str

    @classmethod
    def of(cls, body: bytes, kind: str) -> "File":
        """A file with this content."""
        packed = gzip.compress(body, mtime=0) if len(body) >= _GZIP_LEAST_BYTES else body
        etag = hashlib.sha256(body).hexdigest()[:20]
        return cls(body, packed if len(packed) < len(body) else None, kind, etag)


Site = Mapping[str, File]
"""Files by the path of a URL."""


@cache
def load_site() -> Site:
    """The browser client with the texts it shares with the server; empty if it is not installed."""
    site: dict[str, File] = {}
    for prefix, package in (("/", SITE_PACKAGE), ("/texts/", TEXTS_PACKAGE)):
        try:
            root = files(package)
        except ModuleNotFoundError:
            continue
        site.update(_under(root, prefix))
    if f"/{_INDEX}" not in site:
        return {}
    site["/"] = site[f"/{_INDEX}"]
    return site


def _under(folder: Traversable, prefix: str) -> Iterator[tuple[str, File]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _under(entry, f"{prefix}{entry.name}/")
            continue
        _, dot, ending = entry.name.rpartition(".")
        kind = _KINDS.get(dot + ending)
        if kind and not entry.name.startswith("."):
            yield prefix + entry.name, File.of(entry.read_bytes(), kind)


def send_file(websocket: ServerProtocol, request: Request, file: File, host: str) -> Response:
    """The answer to GET or HEAD for this file."""
    packed = file.packed if "gzip" in _listed(request, "Accept-Encoding") else None
    etag = f'"{file.etag}{"-gz" if packed else ""}"'
    fresh = any(part.strip().removeprefix("W/") == etag for part in _listed(request, "If-None-Match").split(","))
    response = websocket.reject(HTTPStatus.NOT_MODIFIED if fresh else HTTPStatus.OK, "")
    body = b"" if fresh else packed or file.body
    set_header(response, "Content-Type", file.kind)
    set_header(response, "ETag", etag)
    set_header(response, "Cache-Control", "no-cache")  # asked again each time, so that all files are of one version
    set_header(response, "Vary", "Accept-Encoding")
    if packed and not fresh:
        set_header(response, "Content-Encoding", "gzip")
    set_header(response, "Content-Length", str(len(body)))
    guard(response, host)
    response.body = b"" if request.method == "HEAD" else body
    return response


def _listed(request: Request, name: str) -> str:
    """A header that is a list and may be sent in several lines, as one (RFC 9110, 5.3)."""
    return ", ".join(request.headers.get_all(name))


def guard(response: Response, host: str) -> None:
    """What keeps a page from running, loading or being anything that is not ours."""
    sockets = (
        f" ws://{host} wss://{host}" if _PLAIN_HOST.fullmatch(host) else ""
    )  # not every browser has them in 'self'
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; manifest-src 'self'; "
        f"connect-src 'self'{sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    set_header(response, "Content-Security-Policy", policy)
    set_header(response, "X-Content-Type-Options", "nosniff")
    set_header(response, "Referrer-Policy", "no-referrer")
    set_header(response, "Cross-Origin-Opener-Policy", "same-origin")
    set_header(response, "Cross-Origin-Resource-Policy", "same-origin")
    set_header(response, "Permissions-Policy", "camera=(), geolocation=(), microphone=()")


def set_header(response: Response, name: str, value: str) -> None:
    """Setting a header adds one more; this one replaces."""
    if name in response.headers:
        del response.headers[name]
    response.headers[name] = value
