"""House bots, rematches, emotes: what a server with company offers."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from tests.web.opponents import OpenOpponent, Opponent, match_against, match_between
from tests.web.pages import OpenPage, give_up, on_table, play_all, quick_match, shot, until, wait_seq
from tests.web.servers import Server, serving


@pytest.fixture
def house() -> Iterator[Server]:
    """A server with bots of its own; the others of these tests have none, as those would take open seeks."""
    with serving("--house-bots") as running:
        yield running


async def test_an_emote_is_a_bubble_beside_the_name(open_page: OpenPage, opponent: OpenOpponent) -> None:
    ada, grace = await open_page(), await opponent()
    await match_against(grace, ada)
    await ada.get_by_role("button", name="Say").click()
    await shot(ada, "emotes")
    await ada.get_by_role("button", name="Well played!").click()
    await expect(ada.locator(".bubble")).to_have_text("Well played!")
    await expect(ada.locator("[role=log]")).to_contain_text("Well played!")
    assert await grace.hears() == "well_played"
    await grace.say("thanks")
    await expect(ada.locator(".bubble.right")).to_have_text("Thank you!")
    await expect(ada.locator("[role=log]")).to_contain_text("Thank you!")
    await shot(ada, "said")


async def test_what_stands_over_the_board_is_readable_and_on_the_right_side(open_page: OpenPage) -> None:
    """On a phone no name is cut; for the left hand, names stand over their tableaux as these change sides."""
    phone = {"width": 390, "height": 844}
    ada, grace = [await open_page(viewport=phone, has_touch=True, is_mobile=True), await open_page()]
    await ada.evaluate("driver.stopTime()")  # what is said at the beginning stands only so long
    await quick_match(ada, grace)
    await expect(ada.locator(".notice")).to_contain_text("Go! Every card of yours on the foundations counts")
    await grace.get_by_role("button", name="I’m done").click()  # noqa: RUF001  # as it is printed
    await expect(grace.locator(".notice")).to_contain_text("you may still play on")
    await expect(ada.locator(".toast")).to_contain_text("press “I’m done”")  # noqa: RUF001
    await expect(ada.locator(".player .state")).to_have_text("done")
    assert await ada.evaluate(
        "[...document.querySelectorAll('.player .name, .tool span')].every(e => e.scrollWidth <= e.clientWidth)"
    )
    await shot(ada, "done-phone")
    await shot(grace, "done")
    await ada.get_by_role("button", name="Share").click()
    await expect(ada.locator(".toast").last).to_contain_text("The link to watch this match is copied")
    places = "['.me', '[data-pile$=\"c1\"].own'].map(s => document.querySelector(s).getBoundingClientRect().x > 600)"
    assert await grace.evaluate(places) == [False, False]
    await grace.evaluate("import('/js/settings.js').then(({settings}) => (settings.leftHanded = true))")
    await until(grace, f"JSON.stringify({places}) === '[true,true]'")


async def test_the_way_in_leads_back_to_a_match_that_goes_on(open_page: OpenPage, opponent: OpenOpponent) -> None:
    ada, grace = await open_page(), await opponent()
    await match_against(grace, ada)
    await ada.evaluate("location.hash = ''")
    await ada.reload()
    await expect(ada.locator(".mine li")).to_contain_text(f"against {grace.name}")
    await ada.get_by_role("link", name="Continue").click()
    await on_table(ada)
    await grace.resign()
    await ada.reload()
    await ada.evaluate("location.hash = ''")
    await expect(ada.locator(".mine")).to_be_hidden()


async def test_who_mutes_a_table_sees_no_emotes(open_page: OpenPage, opponent: OpenOpponent) -> None:
    ada, grace = await open_page(), await opponent()
    await match_against(grace, ada)
    mute = ada.get_by_role("button", name="Mute")
    await mute.click()
    await expect(mute).to_have_attribute("aria-pressed", "true")
    await ada.evaluate("window.dispatchEvent(new Event('pagehide'))")  # a new connection has to say it again
    await ada.evaluate("window.dispatchEvent(new Event('pageshow'))")
    await on_table(ada)
    await play_all(ada, ["d"], "keys")
    await grace.say("ouch")
    assert await grace.hears() == "ouch"
    await play_all(ada, ["d"], "keys")  # so that all that was said before has come
    await expect(ada.locator(".bubble")).to_have_count(0)
    await mute.click()
    await expect(mute).to_have_attribute("aria-pressed", "false")
    await grace.say("thanks")
    await expect(ada.locator(".bubble")).to_have_text("Thank you!")


async def test_one_may_watch_later_than_it_happens(open_page: OpenPage, opponent: OpenOpponent) -> None:
    ada, grace = await opponent(), await opponent()
    watcher = await open_page(f"#table={await match_between(ada, grace)}")
    await watcher.locator(".card").first.wait_for()
    await watcher.get_by_label("How much later you watch").select_option("0:30 later")
    await expect(watcher.locator(".notice")).to_contain_text("You watch 0:30 later than it happens")
    await expect(watcher.locator(".card").first).to_be_hidden()
    drawn = await ada.play("d")
    assert await watcher.evaluate("driver.session().mirror") is None
    await shot(watcher, "watched-late")
    await watcher.get_by_label("How much later you watch").select_option("live")
    await wait_seq(watcher, drawn)
    await expect(watcher.locator(".card").first).to_be_visible()


async def test_a_rematch_is_asked_for_and_agreed_to(open_page: OpenPage, opponent: OpenOpponent) -> None:
    ada, grace = await open_page(), await opponent()
    await match_against(grace, ada)
    await give_up(ada)
    await ada.get_by_role("button", name="Rematch").click()
    await expect(ada.locator(".company")).to_contain_text("You have asked for a rematch")
    await expect(ada.get_by_role("button", name="Rematch")).to_be_disabled()  # and nothing else is where it was pressed
    await grace.asked_again()
    await grace.ask_again()
    await grace.sit()
    await _led_on(ada, grace)
    await grace.resign()
    await grace.ask_again()
    await expect(ada.locator(".company")).to_contain_text("would like a rematch")
    await shot(ada, "rematch-offered")
    await ada.get_by_role("button", name="Rematch").click()
    await grace.sit()
    await _led_on(ada, grace)
    await play_all(ada, ["d"], "keys")


async def _led_on(page: Page, opponent: Opponent) -> None:
    """Wait until the page is where its opponent has a seat."""
    await until(page, "table => driver.board() && driver.session()?.table === table", opponent.table)
    await on_table(page)


async def _seek_series(page: Page) -> None:
    await page.locator(".race summary").click()
    await page.get_by_label("Series", exact=True).select_option(label="best of so many games")


async def test_the_next_match_of_a_series_waits_until_the_result_is_read(
    open_page: OpenPage, opponent: OpenOpponent
) -> None:
    ada, grace = await open_page(), await opponent()
    await _seek_series(ada)
    await match_against(grace, ada, {"series": "best"})
    table = grace.table
    await ada.evaluate("driver.stopTime()")  # after some seconds it would begin by itself
    await give_up(ada)
    await expect(ada.locator(".result .fair")).to_be_visible()
    await grace.sit()
    assert await ada.evaluate("driver.session().table") == table
    await ada.get_by_role("link", name="Next match").click()
    await _led_on(ada, grace)
    assert await ada.evaluate("driver.session().mirror.ready") == [True, True]  # and the server need not wait for them
    await expect(ada.locator(".extra")).to_contain_text("Series 0 : 1, match 2 of 3")
    await grace.resign()
    await ada.get_by_role("link", name="Next match").click()
    await grace.sit()
    await _led_on(ada, grace)
    await expect(ada.locator(".extra")).to_contain_text("Series 1 : 1, match 3 of 3")


async def test_who_watches_is_offered_the_rematch(open_page: OpenPage, opponent: OpenOpponent) -> None:
    ada, grace = await opponent(), await opponent()
    table = await match_between(ada, grace)
    phone = {"width": 390, "height": 844}
    watcher = await open_page(f"#table={table}", viewport=phone, has_touch=True, is_mobile=True)
    await watcher.locator(".card").first.wait_for()
    await ada.resign()
    await expect(watcher.locator(".result")).to_be_visible()
    for one in (ada, grace):
        await one.ask_again()
    await expect(watcher.locator(".company")).to_contain_text("The rematch has begun.")
    assert await watcher.evaluate("driver.session().table") == table  # nobody is led on who still reads
    await shot(watcher, "rematch-to-watch")
    await watcher.locator(".result").get_by_role("link", name="Watch").tap()
    for one in (ada, grace):
        await one.sit()
    await until(watcher, "table => driver.session()?.table === table", ada.table)
    await watcher.locator(".card").first.wait_for()


async def test_who_watches_a_series_is_led_on_with_its_players(open_page: OpenPage, opponent: OpenOpponent) -> None:
    ada, grace = await open_page(), await opponent()
    await _seek_series(ada)
    await match_against(grace, ada, {"series": "best"})
    first = grace.table
    watcher = await open_page(f"#table={first}")
    await watcher.locator(".card").first.wait_for()
    await give_up(ada)
    await expect(watcher.locator(".company")).to_contain_text("Series 1 : 0, match 1 of 3")
    await shot(watcher, "series-to-watch")
    await grace.sit()
    for page in (ada, watcher):  # nobody presses anything
        await expect(page.get_by_role("link", name="Next match")).to_be_visible()
        assert await page.evaluate("driver.session().table") == first
        await page.evaluate("driver.passTime(7000)")
        await until(page, "table => driver.session()?.table === table", grace.table)
        await page.locator(".card").first.wait_for()


async def test_who_watched_later_watches_the_next_match_as_much_later(modules: Page) -> None:
    delays = await modules.evaluate(
        """async () => {
            const {Client} = await import('/js/client.js');
            const client = new Client({seated: () => {}, complain: () => {}});
            const first = client.follow('t1');
            first.watchLater(30);
            first.receive({type: 'next_match', table: 't1', next: 't2'}, 'me');
            client.drop(first);
            return [client.follow('t2').delay, client.follow('t3').delay];
        }"""
    )
    assert delays == [30, 0]


async def test_a_house_bot_plays_within_two_clicks(open_page: OpenPage, house: Server) -> None:
    page = await open_page(at=house.url)
    await page.get_by_role("button", name="Play a program: easy").click()  # once its process has started
    await on_table(page)
    await expect(page.locator(".player .tag")).to_have_text("program")
