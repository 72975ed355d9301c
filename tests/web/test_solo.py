"""A person alone with the page."""

from playwright.async_api import expect

from tests.web.chromium import tell
from tests.web.pages import MOVING, OpenPage, drag, on_table, play_all, seq, serious, shot, until, wait_seq

FIRST_DEAL = "#deal=KL1-D1UM-AAAAAAB"


async def test_two_clicks_from_the_link_to_the_cards(open_page: OpenPage) -> None:
    page = await open_page()
    await page.get_by_role("button", name="Play: Klondike").click()
    await on_table(page)
    await page.keyboard.press("d")  # keys play at once, whatever had the focus before
    await wait_seq(page, 1)
    await shot(page, "klondike")


async def test_a_link_to_a_deal_opens_that_deal(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL)
    await on_table(page)
    await expect(page.get_by_text("KL1-D1UM-AAAAAAB")).to_be_visible()
    assert await page.evaluate("driver.session().mirror.seats[0].columns.map(c => c.at(-1).face).join(' ')") == (
        "Ah 5h 8c Qd Ks Ts 8d"
    )


async def test_drag_tap_double_tap_and_keys_each_make_a_move(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL, reduced_motion=MOVING)
    await on_table(page)
    await drag(page, "c4:1>c5")
    await wait_seq(page, 1)
    x, y = await page.evaluate("driver.point('0c1')")
    await page.mouse.click(x, y)  # the ace goes up
    await wait_seq(page, 2)
    await on_table(page)
    x, y = await page.evaluate("driver.point('0c4')")  # the nine goes to the ten
    await page.evaluate("driver.stopTime()")  # two taps are one double tap only if they are quick
    await page.mouse.dblclick(x, y)
    await wait_seq(page, 3)
    assert await page.evaluate("driver.session().mirror.seats[0].columns[5].at(-1).face") == "9h"
    await on_table(page)
    await page.locator("[data-pile='0s']").focus()
    await page.keyboard.press("Enter")
    await wait_seq(page, 4)
    assert await page.evaluate("driver.session().mirror.seats[0].waste.length") == 1


async def test_a_tap_that_moves_nothing_says_where_the_card_may_go(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL)
    await on_table(page)
    await page.mouse.click(*await page.evaluate("driver.point('0c4')"))
    await expect(page.locator(".pile.target")).to_have_attribute("data-pile", "0c5")
    await expect(page.locator(".toast")).to_contain_text("Tap it twice")
    await page.mouse.click(*await page.evaluate("driver.point('0c7')"))
    await expect(page.locator(".toast").last).to_contain_text("nowhere")
    assert await seq(page) == 0


async def test_a_finger_drags(open_page: OpenPage) -> None:
    """The browser's own touches: it captures a finger for what it first meets, and the board takes it over."""
    page = await open_page(FIRST_DEAL, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    await on_table(page)
    fingers = await page.context.new_cdp_session(page)
    (x, y), (to_x, to_y) = await page.evaluate("[driver.point('0c4'), driver.point('0c5')]")

    async def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": left, "y": top} for left, top in points]
        await tell(fingers, "Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    await touch("touchStart", (x, y))
    await touch("touchMove", (x + 15, y + 15))
    await touch("touchMove", (to_x, to_y))
    await expect(page.locator(".pile.target")).to_have_attribute("data-pile", "0c5")
    await touch("touchEnd")
    await wait_seq(page, 1)


async def test_a_refused_drop_flies_home_and_says_which_rule_it_breaks(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL, reduced_motion=MOVING)
    await on_table(page)
    before = await page.evaluate("driver.point('0c7')")
    await drag(page, "c7:1>c2")
    await expect(page.locator(".toast")).to_contain_text("Colours alternate")
    assert await serious(page, "color-contrast") == []
    assert await seq(page) == 0
    await page.evaluate("driver.frame()")
    assert await page.evaluate("driver.board().held.size") == 0
    assert await page.evaluate("driver.point('0c7')") == before


async def test_undo_redo_hint_and_same(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL)
    await on_table(page)
    await drag(page, "c4:1>c5")
    await wait_seq(page, 1)
    await expect(page.locator(".players .score")).to_have_text("5")
    undo, redo = page.get_by_role("button", name="Undo"), page.get_by_role("button", name="Redo")
    await expect(redo).to_be_disabled()
    await undo.click()
    await wait_seq(page, 2)
    await expect(page.locator(".players .score")).to_have_text("0")
    await expect(undo).to_be_disabled()
    await page.keyboard.press("y")
    await wait_seq(page, 3)
    await expect(redo).to_be_disabled()
    await page.keyboard.press("h")
    await expect(page.locator("[role=log]")).to_contain_text("Hint:")
    await page.get_by_role("button", name="Again").click()
    await until(page, "driver.session()?.mirror?.seq === 0")
    await expect(undo).to_be_disabled()
    await expect(page.get_by_text("KL1-D1UM-AAAAAAB")).to_be_visible()


async def test_a_screen_reader_hears_every_move(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL)
    await on_table(page)
    await play_all(page, ["c4:1>c5", "c1>f", "d"], "keys")
    log = page.locator("[role=log]")
    await expect(log).to_contain_text("queen of diamonds from column 4 to column 5. Turned up: nine of hearts.")
    await expect(log).to_contain_text("ace of hearts from column 1 to the foundation.")
    await expect(log).to_contain_text("Drawn:")


async def test_places_are_marked_while_a_card_is_held(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL, reduced_motion=MOVING)
    await on_table(page)
    await drag(page, "c4:1>c5", drop=False)
    await expect(page.locator(".pile.target")).to_have_attribute("data-pile", "0c5")
    await shot(page, "drag")
    await page.keyboard.press("Escape")
    await page.mouse.up()
    assert await seq(page) == 0


async def test_the_arrows_reach_every_pile_and_enter_lifts_and_lays_down(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL)
    await on_table(page)
    await page.locator("[data-pile='0c1']").focus()
    for _ in range(3):
        await page.keyboard.press("ArrowRight")
    await expect(page.locator("[data-pile='0c4']")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator(".pile.target")).to_have_attribute("data-pile", "0c5")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    await wait_seq(page, 1)
    await page.locator("[data-pile='0c1']").focus()
    await page.keyboard.press("f")
    await wait_seq(page, 2)
    await page.keyboard.press("ArrowUp")
    await expect(page.locator("[data-pile='0s']")).to_be_focused()
    await expect(page.locator("[data-pile='f1']")).to_have_attribute(
        "aria-label", "foundation of hearts: ace of hearts"
    )
