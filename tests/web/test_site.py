"""What the server sends for the page."""

import gzip
import http.client
import re
import subprocess
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.web.node import NODE
from tests.web.pages import OpenPage
from tests.web.servers import Server

WEB = Path(__file__).parent
SITE = WEB.parents[1] / "client" / "acerace_web"
FIRST_VIEW_MAX_BYTES = 200_000
NEVER_LOADED = {SITE / "js" / "wire.js"}
"""Only types."""
LOADED_LATER = {SITE / "js" / "curve.js", *SITE.glob("js/replay_*.js")}
"""For a replay."""
AT_ONCE = {*SITE.glob("js/*")} - NEVER_LOADED - LOADED_LATER


def _ask(server: Server, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/index.html", "text/html; charset=utf-8"),
        ("/js/main.js", "text/javascript; charset=utf-8"),
        ("/css/board.css", "text/css; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
        ("/texts/ca.json", "application/json"),
        ("/ui/it.json", "application/json"),
        ("/?x=1", "text/html; charset=utf-8"),
    ],
)
def test_files_have_their_type_and_are_guarded(server: Server, path: str, kind: str) -> None:
    response, body = _ask(server, path)
    assert response.status == 200
    assert body
    assert response.headers["Content-Type"] == kind
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert f"ws://127.0.0.1:{server.port}" in policy


def test_a_policy_never_repeats_a_strange_host(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", "/", headers={"Host": "evil; script-src *"})
    response = connection.getresponse()
    assert "evil" not in response.headers["Content-Security-Policy"]
    connection.close()


def test_head_is_get_without_the_body(server: Server) -> None:
    full, body = _ask(server, "/js/main.js")
    head, nothing = _ask(server, "/js/main.js", "HEAD")
    assert (head.status, nothing) == (200, b"")
    assert head.headers["Content-Length"] == str(len(body)) == full.headers["Content-Length"]


def test_what_is_known_is_not_sent_again(server: Server) -> None:
    first, _ = _ask(server, "/js/main.js")
    again, body = _ask(server, "/js/main.js", If_None_Match=first.headers["ETag"])
    assert (again.status, body) == (304, b"")


def test_it_is_packed_for_who_can_unpack(server: Server) -> None:
    _, plain = _ask(server, "/js/board.js")
    response, packed = _ask(server, "/js/board.js", Accept_Encoding="gzip, br")
    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed) == plain


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/js/",
        "/js/../index.html",
        "/../../etc/passwd",
        "/%2e%2e/pyproject.toml",
        "/__init__.py",
        "//index.html",
    ],
)
def test_there_is_no_other_file(server: Server, path: str) -> None:
    response, _ = _ask(server, path)
    assert response.status == 404


def test_the_first_view_is_small(server: Server) -> None:
    paths = ["/", "/icon.svg", "/texts/en.json", "/ui/en.json"]
    paths += [f"/{path.relative_to(SITE)}" for path in [*AT_ONCE, *SITE.glob("css/*")]]
    assert sum(len(_ask(server, path, Accept_Encoding="gzip")[1]) for path in paths) < FIRST_VIEW_MAX_BYTES / 2


def test_all_modules_are_fetched_at_once() -> None:
    """Not one after the other as each is found to need the next."""
    text = (SITE / "index.html").read_text(encoding="utf-8")
    assert {*re.findall(r'(?:href|src)="(js/[^"]+)"', text)} == {f"js/{path.name}" for path in AT_ONCE}
    assert {*re.findall(r'href="(css/[^"]+)"', text)} == {f"css/{path.name}" for path in SITE.glob("css/*")}


async def test_what_is_for_replays_is_fetched_for_a_replay(open_page: OpenPage) -> None:
    page = await open_page()
    await page.locator(".games li").first.wait_for()
    fetched = "performance.getEntriesByType('resource').map(({name}) => name.split('/').at(-1))"
    later = {path.name for path in LOADED_LATER}
    assert later.isdisjoint(await page.evaluate(fetched))
    await page.evaluate("location.hash = 'replay=nothing'")
    await expect(page.locator(".notice")).to_contain_text("There is no such table")
    assert later <= {*await page.evaluate(fetched)}


def test_the_page_names_no_other_host_and_writes_no_markup() -> None:
    for path in [*SITE.rglob("*.js"), *SITE.rglob("*.css"), *SITE.rglob("*.html")]:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|innerHTML|outerHTML|insertAdjacentHTML|eval\(|new Function", text), path


def test_modules_are_small() -> None:
    for path in [*SITE.rglob("*.js"), *SITE.rglob("*.css")]:
        assert len(path.read_text(encoding="utf-8").splitlines()) < 400, path


def test_the_types_are_right() -> None:
    """The TypeScript compiler, strict, on the JSDoc types."""
    compiler = WEB / "node_modules" / "typescript" / "bin" / "tsc"
    done = subprocess.run([NODE, compiler, "-p", WEB / "tsconfig.json"], capture_output=True, text=True, check=False)
    assert done.stdout == ""
