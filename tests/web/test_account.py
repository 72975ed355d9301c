"""A name of one's own, its keys, and what is said when something is wrong."""

import secrets

from playwright.async_api import Page, expect

from tests.web.pages import OpenPage, fits, serious, shot, until

PASSWORD = "correct horse battery"
KEPT = """JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie
    + document.documentElement.outerHTML"""
VALUES = "[...document.querySelectorAll('input')].map(({value}) => value)"


async def _enter(page: Page, form: str, name: str, password: str) -> None:
    box = page.locator(f"form.{form}")
    await box.get_by_label("Your name").fill(name)
    await box.get_by_label("Password").fill(password)
    await box.get_by_role("button").click()


async def _nothing_kept(page: Page) -> None:
    assert PASSWORD not in await page.evaluate(KEPT)
    assert PASSWORD not in await page.evaluate(VALUES)


async def test_a_name_is_claimed_kept_and_brought_back(open_page: OpenPage) -> None:
    name = f"Ada {secrets.token_hex(3)}"
    page = await open_page("#account", color_scheme="dark", viewport={"width": 320, "height": 640})
    await page.locator("form.claim").wait_for()
    assert await fits(page)
    assert await serious(page) == []
    await shot(page, "account-guest-320")
    await _enter(page, "claim", name, PASSWORD)
    await expect(page.get_by_role("alert")).to_have_text(f"The name {name} is yours now.")
    player = await page.evaluate(WHO)
    await _nothing_kept(page)
    await expect(page.get_by_role("heading", name=name)).to_be_visible()
    await page.get_by_label("What it is for").fill("bot at home")
    await page.get_by_role("button", name="New key").click()
    token = await page.locator(".made input").input_value()
    assert len(token) >= 16
    assert await fits(page)
    assert await serious(page) == []
    await shot(page, "account-owner-320")
    await expect(page.locator(".account .rows li")).to_have_count(2)
    await page.reload()
    await expect(page.get_by_role("heading", name=name)).to_be_visible()
    await expect(page.locator(".account .rows li")).to_have_count(2)
    assert token not in await page.evaluate(KEPT)
    await expect(page.locator("li").filter(has_text="this device")).to_have_count(1)
    await page.get_by_role("button", name="Revoke: bot at home").click()
    await expect(page.locator("li").filter(has_text="revoked")).to_contain_text("bot at home")

    other = await open_page("#account")
    await _enter(other, "claim", name.upper(), PASSWORD)
    await expect(other.get_by_role("alert")).to_contain_text("looks like it: choose another one")
    await _enter(other, "login", name, "not the password")
    await expect(other.get_by_role("alert")).to_contain_text("Name and password do not belong together")
    await expect(other.locator("body")).to_have_attribute("data-connection", "online")
    await _enter(other, "login", name, PASSWORD)
    await expect(other.get_by_role("alert")).to_have_text(f"Welcome back, {name}.")
    assert await other.evaluate(WHO) == player
    await _nothing_kept(other)
    await shot(other, "account-owner")

    await page.locator(".brand").click()
    await page.get_by_role("banner").get_by_role("link", name="Account").click()  # which looks again
    await page.get_by_role("button", name="Revoke: login").click()
    await expect(other.locator(".toast")).to_contain_text("has been revoked")
    await expect(other.locator("form.login")).to_be_visible()
    await page.get_by_role("button", name="Log out here").click()
    await expect(page.locator("form.login")).to_be_visible()
    await until(page, "player => document.body.dataset.connection === 'online'")
    assert await page.evaluate(WHO) != player


WHO = """new Promise((resolve) => {
    const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws', ['acerace.1.json']);
    socket.onopen = () => socket.send(JSON.stringify({type: 'hello', token: JSON.parse(localStorage.acerace).token}));
    socket.onmessage = ({data}) => (socket.close(), resolve(JSON.parse(data).player));
})"""


async def test_a_name_of_ones_own_is_not_lost_in_passing(open_page: OpenPage) -> None:
    page = await open_page("#account", locale="ca-ES")
    name = f"Núria {secrets.token_hex(3)}"
    await page.locator("form.claim").get_by_label("El teu nom").fill(name)
    await page.locator("form.claim").get_by_label("Contrasenya").fill("curta")
    await page.locator("form.claim").get_by_role("button").click()
    assert await page.locator("form.claim input:invalid").count() == 1  # too short: not even sent
    await page.locator("form.claim").get_by_label("Contrasenya").fill(PASSWORD)
    await page.locator("form.claim").get_by_role("button").click()
    await expect(page.get_by_role("alert")).to_contain_text("ara és teu")
    await page.locator(".brand").click()
    await page.get_by_role("button", name="Preferències").click()
    await page.get_by_role("link", name=f"El teu compte: {name}").click()
    await expect(page.get_by_role("heading", name=name)).to_be_visible()
    assert await page.locator("dialog").count() == 0
