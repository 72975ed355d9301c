"""Results, statistics, the table of the day, rankings."""

import secrets

from playwright.async_api import Page, expect

from tests.web.opponents import OpenOpponent, Opponent, match_against
from tests.web.pages import OpenPage, fits, give_up, on_table, play_all, serious, shot, until

TABS = ("Results", "Statistics", "Deal of the day", "Ranking")


async def _tab(page: Page, name: str) -> None:
    await page.get_by_role("navigation").get_by_role("link", name=name).click()
    await expect(page.get_by_role("heading", level=2)).to_have_text(name)


async def _named(page: Page) -> str:
    """Come again by a name that nobody else has. The first welcome is waited for: it writes what the browser keeps."""
    await until(page, "document.body.dataset.connection === 'online'")
    name = f"Ada {secrets.token_hex(3)}"
    await page.evaluate("name => (localStorage.acerace = JSON.stringify({name}))", name)
    await page.reload()
    return name


async def _some_games(page: Page, other: Opponent) -> None:
    """A deal of the day, a game that is left, and a rated match, which is lost."""
    await page.get_by_role("button", name="Deal of the day: Klondike").click()
    await on_table(page)
    await play_all(page, ["d"], "keys")
    await give_up(page, "Give up")
    await page.evaluate("location.hash = 'deal=YU1-N-AAAAAAB'")
    await until(page, "driver.session()?.mirror?.game === 'yukon'")
    await on_table(page)
    await page.evaluate("driver.session().play([...driver.session().choices][0])")
    await until(page, "driver.session()?.mirror?.seq > 0")
    await page.evaluate("location.hash = ''")
    await page.locator(".race summary").click()
    await page.get_by_label("Rated").check()
    await match_against(other, page, rated=True)
    await give_up(page)
    await expect(page.locator(".company")).to_contain_text("→")


async def test_what_was_played_is_told(open_page: OpenPage, opponent: OpenOpponent) -> None:
    page, other = await open_page(), await opponent()
    name = await _named(page)
    await _some_games(page, other)
    await page.get_by_role("link", name="Results and rankings").click()
    rows = page.locator(".records .rows li")
    await expect(rows.first).to_contain_text("lost")
    await expect(rows.first).to_contain_text("A player has given up.")
    await expect(page.locator(".records")).to_contain_text("People, both at once: ")
    await expect(rows.filter(has_text="Klondike").last).to_contain_text("given up")
    assert await serious(page) == []
    await shot(page, "results")
    await _tab(page, "Statistics")
    await expect(page.locator(".record").filter(has_text="Klondike")).to_contain_text("Won0 (0 %)")
    await shot(page, "statistics")
    await _tab(page, "Deal of the day")
    await expect(page.locator("tbody tr").filter(has_text=name)).to_have_count(1)
    assert await serious(page) == []
    await shot(page, "day")
    await _tab(page, "Ranking")
    await expect(page.locator("tbody tr").filter(has_text=name)).to_contain_text("±")
    assert await serious(page) == []
    await shot(page, "ranking")
    await page.locator("tbody tr").first.get_by_role("link").click()
    await expect(rows.first).to_contain_text("won")
    await page.set_viewport_size({"width": 320, "height": 568})
    await _small(page)


async def _small(page: Page) -> None:
    """All of it on a small phone, in dark colours."""
    await page.emulate_media(color_scheme="dark")
    for name in TABS:
        await _tab(page, name)
        await page.locator(".records :is(li, tr, .record)").first.wait_for()
        assert await fits(page), name
        assert await serious(page, "color-contrast") == []
        await shot(page, f"{name.partition(' ')[0].lower()}-320")


async def test_the_deal_of_the_day_leads_to_its_table(open_page: OpenPage) -> None:
    page = await open_page()
    name = await _named(page)
    klondike = page.locator(".games > li").filter(has_text="Klondike").first
    await klondike.locator("summary").click()
    await klondike.get_by_label("Scoring").select_option(label="dollars")
    await klondike.get_by_role("button", name="Deal of the day: Klondike").click()
    await on_table(page)
    await play_all(page, ["d"], "keys")
    await give_up(page, "Give up")
    await shot(page, "day-result")
    await page.locator(".result a[href*=day]").click()
    await expect(page.get_by_role("heading", level=2)).to_have_text("Deal of the day")
    await expect(page.locator("tbody tr").filter(has_text=name)).to_have_count(1)
    await page.locator(".records summary").click()
    await expect(page.get_by_label("Scoring").locator("option:checked")).to_have_text("dollars")


async def test_a_day_that_has_not_come_is_refused_in_words(open_page: OpenPage) -> None:
    page = await open_page("#records=day", locale="it-IT")
    await expect(page.get_by_role("heading", level=2)).to_have_text("Mano del giorno")
    await page.get_by_label("Giorno (UTC)").fill("2999-01-01")
    await expect(page.get_by_role("alert")).to_contain_text("una partita di quel giorno: deve ancora venire")
    await page.get_by_label("Giorno (UTC)").fill("2026-01-01")
    await page.get_by_label("Gioco").select_option("easy-harp")
    await expect(page.locator(".records")).to_contain_text("EH1-N-AAAULKP")
    await expect(page.locator(".records")).to_contain_text("Nessuno ha ancora finito questa mano.")


async def test_long_results_come_in_pages(open_page: OpenPage) -> None:
    page = await open_page("#records")
    await until(page, "document.querySelector('.records li')")
    script = """async (limits) => {
        const {RecordsView} = await import('/js/records.js');
        const seats = [{player: 'p', name: 'Ada', won: false}];
        const result = (number) => ({number, table: '', game: 'yukon', reason: 'left', finished_us: 1, seats});
        const ask = async (type, {before = 6}) => {
            const numbers = [before - 1, before - 2].filter((number) => number > 0);
            return {results: numbers.map(result), ratings: [], player: 'p'};
        };
        const view = new RecordsView({games: [{}], connection: {welcome: {limits}}, requests: {ask}}, '');
        document.querySelector('main').replaceChildren(view.element);
    }"""
    await page.evaluate(script, {"results_per_page": 2})
    await page.get_by_role("button", name="Older ones").click()
    await expect(page.locator(".records li")).to_have_count(4)
    await page.get_by_role("button", name="Older ones").click()
    await expect(page.locator(".records li")).to_have_count(5)
    await expect(page.get_by_role("button", name="Older ones")).to_have_count(0)
