"""For everybody: assistive technology, languages, sizes, preferences."""

import pytest
from playwright.async_api import Page, expect

from tests.web.opponents import OpenOpponent, match_against
from tests.web.pages import (
    MOVING,
    OpenPage,
    drag,
    fits,
    give_up,
    on_table,
    seq,
    serious,
    shot,
    until,
    wait_seq,
)

DURATION = "getComputedStyle(document.querySelector('.card')).transitionDuration"
FIRST_DEAL = "#deal=KL1-D1UM-AAAAAAB"
SIZES = [(320, 568), (360, 740), (740, 360), (768, 1024), (1280, 800), (1920, 1080)]
GAMES = ["klondike", "double-solitaire", "russian", "easy-harp", "yukon"]


async def _nothing_serious(page: Page, name: str) -> None:
    """Everything in light colours; in dark ones only what has to do with colours."""
    assert await serious(page) == []
    await shot(page, f"{name}-light")
    await page.emulate_media(color_scheme="dark")
    assert await serious(page, "color-contrast", "link-in-text-block") == []
    await shot(page, f"{name}-dark")
    await page.emulate_media(color_scheme="light")


async def test_axe_finds_nothing_serious(open_page: OpenPage, opponent: OpenOpponent) -> None:
    page = await open_page(color_scheme="light")
    await page.get_by_role("button", name="Play: Klondike").wait_for()
    await _nothing_serious(page, "home")
    await page.get_by_role("button", name="Preferences").click()
    await _nothing_serious(page, "preferences")
    await page.get_by_role("button", name="Close").click()
    await page.get_by_role("button", name="Play: Klondike").click()
    await on_table(page)
    await _nothing_serious(page, "solo")
    await page.get_by_role("link", name="Home").click()
    await match_against(await opponent(), page)
    await _nothing_serious(page, "match")
    await give_up(page)
    await expect(page.locator(".fair")).to_contain_text("fair")
    await _nothing_serious(page, "result")


@pytest.mark.parametrize(
    ("locale", "play", "refusal"),
    [
        ("en-GB", "Play: Klondike", "Colours alternate"),
        ("it-IT", "Gioca: Klondike", "colori"),
        ("ca-ES", "Juga: Klondike", "colors"),
    ],
)
async def test_it_speaks_the_browsers_language(open_page: OpenPage, locale: str, play: str, refusal: str) -> None:
    page = await open_page(locale=locale)
    await page.get_by_role("button", name=play).wait_for()
    assert await page.evaluate("document.documentElement.lang") == locale[:2]
    await page.evaluate("location.hash = 'deal=KL1-D1UM-AAAAAAB'")
    await on_table(page)
    await drag(page, "c7:1>c2")
    await expect(page.locator(".toast")).to_contain_text(refusal)


@pytest.mark.parametrize("mobile", [True, False])
async def test_everything_fits(open_page: OpenPage, mobile: bool) -> None:
    sizes = [(width, height) for width, height in SIZES if (width < 800) == mobile]
    page = await open_page(has_touch=mobile, is_mobile=mobile)
    for number, game in enumerate(GAMES):
        await page.evaluate("location.hash = ''")
        await page.locator(".games li").first.wait_for()
        width, height = sizes[number % len(sizes)]
        await page.set_viewport_size({"width": width, "height": height})
        assert await fits(page)
        await page.locator(".games li").nth(number).get_by_role("button").first.click()
        await until(page, "game => driver.board()?.session?.mirror?.game === game", game)
        await on_table(page)
        for width, height in sizes:
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate("driver.landed()")
            assert await page.evaluate("driver.outside()") == []
            assert await page.evaluate("driver.board().layout.cardWidth") >= 28
            if width in {320, 740, 1920}:
                await shot(page, f"{game}-{width}")


WORDS_FIT = """() => {
    document.querySelector('.tool.finish').hidden = false; // as when the game is as good as won
    return [...document.querySelectorAll('.tool')].filter((tool) => tool.checkVisibility()).map((tool) => {
        const {left, right, width} = tool.querySelector('span').getBoundingClientRect();
        return width > 0 && left >= 0 && right <= innerWidth;
    });
}"""


@pytest.mark.parametrize("locale", ["en-GB", "it-IT", "ca-ES"])
async def test_every_button_says_what_it_does_on_the_narrowest_phone(open_page: OpenPage, locale: str) -> None:
    small = {"width": 320, "height": 568}
    page = await open_page(FIRST_DEAL, locale=locale, viewport=small, has_touch=True, is_mobile=True)
    await on_table(page)
    assert await page.evaluate(WORDS_FIT) == [True] * 6
    await page.locator(".tool.others").tap()
    await shot(page, f"tools-{locale}")
    assert await page.evaluate(WORDS_FIT) == [True] * 10
    assert await fits(page)
    await page.set_viewport_size({"width": 568, "height": 320})
    assert await page.evaluate(WORDS_FIT) == [True] * 10
    assert await serious(page, "color-contrast") == []


async def test_what_comes_up_on_a_phone_goes_by_a_tap_beside_that_plays_nothing(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    await on_table(page)
    give_up = page.get_by_role("button", name="Give up")
    await expect(give_up).to_be_hidden()
    await page.get_by_role("button", name="More").tap()
    await give_up.tap()
    await expect(page.get_by_role("button", name="Really?")).to_be_visible()  # it has asked, so it stays
    await page.touchscreen.tap(*await page.evaluate("driver.point('0c1')"))  # an ace, which a tap plays
    await expect(page.locator(".other-tools")).to_be_hidden()
    await page.evaluate("driver.session().ask('hint')")  # whatever was sent before is answered by then
    assert await seq(page) == 0
    await page.touchscreen.tap(*await page.evaluate("driver.point('0c1')"))
    await wait_seq(page, 1)
    await page.get_by_role("button", name="More").tap()
    await give_up.tap()
    await page.get_by_role("button", name="Really?").tap()
    code = page.locator(".result dd").last
    await expect(code).to_have_text("KL1-D1UM-AAAAAAB")
    assert await code.evaluate("code => code.scrollWidth <= code.clientWidth && code.clientHeight < 36")  # in one line


async def test_a_phone_says_where_one_has_come(open_page: OpenPage) -> None:
    page = await open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    await expect(page.locator(".brand span")).to_be_visible()
    assert await fits(page)


@pytest.mark.parametrize("width", [320, 1920])
async def test_a_run_drops_on_the_column_under_its_first_card(open_page: OpenPage, width: int) -> None:
    """U1: the first card counts, not the whole of a long group; here five cards over each column in turn."""
    page = await open_page("#deal=RU1-C-AAAAAAB", viewport={"width": width, "height": 800})
    await on_table(page)
    for number in range(1, 8):
        wanted = await page.evaluate("number => driver.dropGroup('0c7', 5, number)", number)
        assert wanted == f"c{number}"


async def test_preferences_are_kept(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL)
    await on_table(page)
    left = await page.evaluate("driver.point('0s')[0]")
    await page.get_by_role("button", name="Preferences").click()
    await page.get_by_label("Left-handed layout").check()
    await page.get_by_label("Four-colour deck").check()
    await page.get_by_label("Colours").select_option("dark")
    await page.get_by_role("button", name="Close").click()
    await page.reload()
    await on_table(page)
    assert await page.evaluate("driver.point('0s')[0]") > left + 300
    assert await page.evaluate("getComputedStyle(document.querySelector('svg.suit-c')).color") == "rgb(17, 113, 58)"
    assert await page.evaluate("document.documentElement.dataset.theme") == "dark"
    await shot(page, "left-handed-dark")


async def test_colours_are_the_devices_unless_one_wants_others(open_page: OpenPage) -> None:
    page = await open_page()
    await page.locator(".games li").first.wait_for()
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = "rgb(238, 242, 238)", "rgb(18, 24, 21)"
    for wanted, (at_day, at_night) in {"auto": (light, dark), "light": (light, light), "dark": (dark, dark)}.items():
        await page.evaluate("theme => import('/js/settings.js').then(({settings}) => (settings.theme = theme))", wanted)
        await page.emulate_media(color_scheme="light")
        assert await page.evaluate(ground) == at_day, wanted
        await page.emulate_media(color_scheme="dark")
        assert await page.evaluate(ground) == at_night, wanted


async def test_a_language_is_chosen_at_the_table(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL)
    await on_table(page)
    await page.get_by_role("button", name="Preferences").click()
    await page.get_by_label("Language").select_option("it")
    await expect(page.get_by_role("button", name="Suggerimento")).to_be_visible()


async def test_a_strangers_name_is_text(open_page: OpenPage, opponent: OpenOpponent) -> None:
    page, other = await open_page(), await opponent(name="<img src=x>&amp;")
    await match_against(other, page)
    await expect(page.locator(".players .name").last).to_have_text("<img src=x>&amp;")
    assert await page.locator("img").count() == 0


async def test_a_name_that_is_written_into_the_preferences_is_ones_own(
    open_page: OpenPage, opponent: OpenOpponent
) -> None:
    page, other = await open_page(), await opponent()
    await page.get_by_role("button", name="Preferences").click()
    await page.get_by_label("Your name").fill("Ada <3")
    await page.get_by_label("Your name").blur()
    await page.get_by_role("button", name="Close").click()
    await expect(page.locator(".status")).to_contain_text("ms")
    await match_against(other, page)
    assert other.names[1] == "Ada <3"
    await expect(page.locator(".player.me .name")).to_have_text("Ada <3")


async def test_without_movement_nothing_is_animated(open_page: OpenPage) -> None:
    page = await open_page(FIRST_DEAL)
    await on_table(page)
    assert await page.evaluate(DURATION) == "0s"
    await page.emulate_media(reduced_motion=MOVING)
    await page.reload()
    await on_table(page)
    assert await page.evaluate(DURATION) != "0s"
