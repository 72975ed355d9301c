"""How smoothly the page moves: a card is dragged with both tableaux on screen while the opponent plays.

    python -m bench.page --seconds 6

Chromium's own tracing tells which frames were drawn, what the page's main thread did for them, and when an opponent's
move, from the arrival of its event on, was on the screen. Processor times are to be compared; how many frames were
drawn depends on what else the machine has to do, and on how it draws: here without a graphics card.
"""

import argparse
import asyncio
import math
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from statistics import median, quantiles
from time import monotonic
from typing import Any, Final

from playwright.async_api import Browser, CDPSession, Page

from tests.web.chromium import chromium, tell
from tests.web.pages import DRIVER, on_table
from tests.web.servers import ROOT, Server, serving

FRAME_MS: Final = 1000 / 60
LATE_MS: Final = 1.5 * FRAME_MS
POINTER_EVERY_S: Final = 0.008
BOT_PACE_MS: Final = 150
CATEGORIES: Final = (
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "blink.user_timing",
)
WINDOWS: Final[dict[str, dict[str, Any]]] = {
    "desktop, 1280 x 800": {"viewport": {"width": 1280, "height": 800}},
    "phone, 390 x 844": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2},
}
MARKS: Final = """() => {
    const board = document.querySelector('ace-board');
    const {session} = board;
    session.listen((news) => {
        if (news?.type === 'played' && news.seat !== session.seat) performance.mark('played');
    });
    board.addEventListener('drawn', () => performance.mark('drawn'));
}"""

Event = dict[str, Any]
"""Of the trace: ``name``, ``ts`` and ``dur`` in microseconds, ``tdur`` in microseconds of processor time ..."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6, help="how long to drag in each window")
    asyncio.run(measure(parser.parse_args().seconds))


async def measure(seconds: float) -> None:
    with serving("--commands-per-second", "1000") as server:
        async with chromium() as browser:
            for name, choices in WINDOWS.items():
                with opponent(server):
                    events = await one(browser, server, choices, seconds)
                print(name)
                report(events)


@contextmanager
def opponent(server: Server) -> Generator[None]:
    """A program that looks for a match, and plays faster than people do."""
    command = [sys.executable, "-m", "acerace_client", "bot", "greedy", "--url", server.socket_url]
    with subprocess.Popen(
        [*command, "--seek", "--pace", str(BOT_PACE_MS)], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as running:
        yield
        running.terminate()


async def one(browser: Browser, server: Server, choices: dict[str, Any], seconds: float) -> list[Event]:
    """The trace of a drag: what the page's own process did in that time."""
    context = await browser.new_context(**choices, reduced_motion="no-preference", locale="en-GB")
    await context.add_init_script(path=DRIVER)
    page = await context.new_page()
    await page.goto(server.url)
    await page.locator(".race .rows").get_by_role("button", name="Play").click()
    await on_table(page)
    await page.evaluate(MARKS)
    tracing, hand = await browser.new_browser_cdp_session(), await context.new_cdp_session(page)
    events: list[Event] = []
    complete = asyncio.Event()

    def collected(data: dict[str, Any]) -> None:
        events.extend(data["value"])

    def completed(_: dict[str, Any]) -> None:
        complete.set()

    tracing.on("Tracing.dataCollected", collected)
    tracing.on("Tracing.tracingComplete", completed)
    wanted = {"transferMode": "ReportEvents", "traceConfig": {"includedCategories": [*CATEGORIES]}}
    await tell(tracing, "Tracing.start", wanted)
    await drag(page, hand, seconds)
    await tell(tracing, "Tracing.end", {})
    await complete.wait()
    await context.close()
    return window(events)


async def drag(page: Page, hand: CDPSession, seconds: float) -> None:
    """Hold the last card of a column and move it in circles over the tableau, as often as a good mouse tells."""
    x, y = await page.evaluate("driver.point(`${driver.session().seat}c7`)")
    size = page.viewport_size or {"width": 0, "height": 0}
    radius = size["width"] / 12
    button: dict[str, Any] = {"button": "left", "buttons": 1}
    await tell(hand, "Input.dispatchMouseEvent", {"type": "mousePressed", "x": x, "y": y, "clickCount": 1, **button})
    await page.evaluate("performance.mark('drag-begins')")
    sent: list[asyncio.Task[None]] = []
    begun = monotonic()
    while (now := monotonic() - begun) < seconds:
        at = {"x": x - radius * (1 - math.cos(5 * now)), "y": y + radius * math.sin(5 * now)}
        sent.append(asyncio.create_task(tell(hand, "Input.dispatchMouseEvent", {"type": "mouseMoved", **at, **button})))
        await asyncio.sleep(POINTER_EVERY_S)
    await asyncio.gather(*sent)
    held = await page.locator(".card.held").count()
    assert held, "the card was let go: nothing was measured"
    await page.evaluate("performance.mark('drag-ends')")
    await tell(hand, "Input.dispatchMouseEvent", {"type": "mouseReleased", "x": x, "y": y, "clickCount": 1, **button})


def window(events: list[Event]) -> list[Event]:
    """What happened in the page's process during the drag, in the order of time."""
    begins, ends = (next(event for event in events if event["name"] == f"drag-{end}") for end in ("begins", "ends"))
    pid = begins["pid"]
    inside = [event for event in events if event["pid"] == pid and begins["ts"] <= event["ts"] <= ends["ts"]]
    return sorted(inside, key=lambda event: event["ts"])


# --- what the trace says -----------------------------------------------------------------------------------


def report(events: list[Event]) -> None:
    lasted = (events[-1]["ts"] - events[0]["ts"]) / 1e6
    drawn = times(events, "DrawFrame")
    waits = [(after - before) / 1000 for before, after in pairwise(drawn)]
    late = sum(wait > LATE_MS for wait in waits)
    print(f"  frames drawn a second                {len(drawn) / lasted:8.1f}   (wanted: 60)")
    print(f"  from one frame to the next, ms       {spread(waits)}   {late} of {len(waits)} over {LATE_MS:.0f}")
    work = frame_work(events)
    print(f"  main thread for a frame, ms of work  {spread(work)}   (room: {FRAME_MS:.1f})")
    report_moves(events)


def report_moves(events: list[Event]) -> None:
    """From an opponent's event to the frame that shows it."""
    arrived, redrawn = times(events, "played"), times(events, "drawn")
    begun, activated, shown = (
        times(events, name) for name in ("BeginMainThreadFrame", "ActivateLayerTree", "DrawFrame")
    )
    frames: list[int] = []
    delays: list[float] = []
    for at in arrived:
        drawn = following(redrawn, at)
        on_screen = following(shown, following(activated, drawn))
        if math.isfinite(on_screen):
            frames.append(bisect_right(begun, drawn) - bisect_right(begun, at))
            delays.append((on_screen - at) / 1000)
    next_frame = sum(count == 1 for count in frames)
    print(f"  opponent's moves in the next frame   {next_frame:4} of {len(frames)}")
    print(f"  from event to screen, ms             {spread(delays)}")


def times(events: list[Event], name: str) -> list[float]:
    return [event["ts"] for event in events if event["name"] == name and event["ph"] not in {"e", "E"}]


def following(moments: Sequence[float], at: float) -> float:
    """The first moment after another one; infinite: there is none."""
    index = bisect_right(moments, at)
    return moments[index] if index < len(moments) else math.inf


def frame_work(events: list[Event]) -> list[float]:
    """Processor time, in milliseconds, that the main thread spent from one frame's beginning to the next one's."""
    begun = [event for event in events if event["name"] == "BeginMainThreadFrame"]
    thread = begun[0]["tid"]
    starts = [event["ts"] for event in begun]
    work = [0.0] * (len(starts) + 1)
    for event in events:
        if event["name"] == "RunTask" and event["tid"] == thread and event["ph"] == "X":
            work[bisect_right(starts, event["ts"] + event["dur"])] += event.get("tdur", 0) / 1000
    return work[1:-1]


def spread(values: Sequence[float]) -> str:
    """Median, the value that 95 in a hundred do not exceed, and the greatest."""
    if len(values) < 2:  # no spread of one value
        return "too few"
    often = quantiles(values, n=20, method="inclusive")[-1]
    return f"median {median(values):5.1f}, 95 % {often:5.1f}, most {max(values):6.1f}"


if __name__ == "__main__":
    main()
