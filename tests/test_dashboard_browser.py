"""The pages in a real browser: live, by keyboard, narrow and dark, and read aloud."""

from __future__ import annotations

import json
import re
import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conftest import need
from tests.provide import chromium
from tests.test_cli import run
from tests.test_up import Service

LISTS = (
    "",
    "experiences",
    "memories",
    "review",
    "sessions",
    "sessions?id=day-3",
    "nights",
    "playground?prompt=deploy",
    "events",
    "health",
)
UNNAMED = """() => [...document.querySelectorAll('a, button, input, select, textarea, canvas, meter')]
    .filter((one) => !(one.textContent.trim() || one.labels?.length || one.getAttribute('aria-label')))
    .map((one) => one.outerHTML.slice(0, 120))"""
TWICE = (
    "() => [...document.querySelectorAll('[id]')].map((one) => one.id).filter((id, at, all) => all.indexOf(id) !== at)"
)
CONTRASTS = """() => {
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = (colour) => {
        pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data];
    };
    const light = (colour) => {
        const [r, g, b] = rgb(colour).slice(0, 3).map((part) => part / 255)
            .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (one) => {
        while (one && rgb(getComputedStyle(one).backgroundColor)[3] < 255) one = one.parentElement;
        return getComputedStyle(one || document.body).backgroundColor;
    };
    const found = [];
    for (const one of document.querySelectorAll('main *, header *')) {
        const words = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!words || !one.getClientRects().length || one.tagName === 'OPTION') continue;
        const [high, low] = [light(getComputedStyle(one).color), light(ground(one))].sort((a, b) => b - a);
        const ratio = (high + 0.05) / (low + 0.05);
        if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${one.outerHTML.slice(0, 90)}`);
    }
    return found;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium()
    need("Chromium", path is not None)
    with sync_playwright() as play:
        made = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    run(tmp_path, "demo", "--project", ".")
    started = Service(tmp_path)
    yield started
    if started.process.poll() is None:
        started.end()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1280, "height": 800})
    opened.set_default_timeout(15_000)
    yield opened
    opened.close()


def asked(service: Service, path: str) -> Any:
    with urllib.request.urlopen(f"{service.address}api/{path}") as answer:
        return json.load(answer)


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 1280), ("light", 360), ("dark", 3840)])
def test_every_page_is_readable_named_and_quiet(browser: Browser, service: Service, theme: Any, width: int) -> None:
    """Contrast of at least 4.5, a name on everything one can use, one heading, no sideways scrolling, no complaints."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
    complaints: list[str] = []
    elsewhere: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda asks: elsewhere.append(asks.url) if not asks.url.startswith(service.address) else None)
    rooms = {"experiences": "list", "memories": "memories", "nights": "jobs/history"}
    further = [f"{room}/{asked(service, f'{path}?limit=1')[0]['id']}" for room, path in rooms.items()]
    for address in (*LISTS, *further, "events/3"):
        page.goto(service.address + address)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, address
        assert page.evaluate(UNNAMED) == [], address
        assert page.evaluate(TWICE) == [], address
        assert page.evaluate(CONTRASTS) == [], address
        assert page.locator("h1").count() == 1, address
        assert page.locator("nav [aria-current=page]").count() == 1, address
    page.close()

    assert complaints == []
    assert elsewhere == []


def test_search_follows_what_is_typed_and_the_address_keeps_it(page: Page, service: Service) -> None:
    page.goto(f"{service.address}experiences")
    page.get_by_label("Search").press_sequentially("flaky login")

    expect(page.locator("#rows li")).to_have_count(1)
    expect(page.locator("#rows summary").first).to_contain_text("relevance")
    assert "q=flaky+login" in page.url or "q=flaky%20login" in page.url
    page.locator("#rows a.what").click()
    expect(page.locator("h1")).to_contain_text("flaky login test")
    page.go_back()
    expect(page.get_by_label("Search")).to_have_value("flaky login")
    expect(page.locator("#rows li")).to_have_count(1)


def test_the_overview_follows_the_store_without_a_reload(page: Page, service: Service, tmp_path: Path) -> None:
    page.goto(service.address)
    page.evaluate("window.same = true")
    before = int(page.locator(".tiles dd").first.inner_text())
    run(tmp_path, "record", "water the plants in the office", "with the green can")

    expect(page.locator(".tiles dd").first).to_have_text(str(before + 1), timeout=30_000)
    assert page.evaluate("window.same")
    assert page.locator("canvas").count() == 4


def test_a_queue_is_worked_off_by_keyboard(page: Page, service: Service) -> None:
    """j goes down, a says yes, r says no, x ticks; what is decided leaves the list, and one goes on where one was."""
    page.goto(f"{service.address}review")
    rows = page.locator(".queue > li")
    before = rows.count()
    first, second = (rows.nth(at).locator("input").get_attribute("value") for at in (0, 1))
    page.keyboard.press("j")
    page.keyboard.press("r")
    expect(rows).to_have_count(before - 1)
    expect(rows.first).to_be_focused()
    page.keyboard.press("x")
    page.keyboard.press("a")
    expect(rows).to_have_count(before - 2)

    expect(page.locator("#banner")).to_contain_text("1 approved")
    told = {one["subject"]: one["data"]["decision"] for one in asked(service, "events?type=memory.reviewed")}
    assert told == {first: "rejected", second: "approved"}


def test_keys_are_letters_where_one_types(page: Page, service: Service) -> None:
    page.goto(f"{service.address}review")
    before = page.locator(".queue > li").count()
    page.get_by_label("You are").fill("")
    page.get_by_label("You are").press_sequentially("jara")

    assert page.locator(".queue > li").count() == before
    page.reload()
    page.get_by_label("You are").fill("Ada")
    page.get_by_label("You are").blur()
    page.reload()
    expect(page.get_by_label("You are")).to_have_value("Ada")


def test_the_playground_answers_while_one_types_and_hands_out_nothing(page: Page, service: Service) -> None:
    before = asked(service, "stats")["injections"]
    page.goto(f"{service.address}playground")
    page.get_by_label("Prompt").press_sequentially("deploy the shop to staging")

    expect(page.locator("#block pre")).to_contain_text("<experience-memory")
    expect(page.locator("#block")).to_contain_text("Considered")
    assert asked(service, "stats")["injections"] == before


def test_an_edit_is_seen_at_once(page: Page, service: Service) -> None:
    id = asked(service, "memories?limit=1")[0]["id"]
    page.goto(f"{service.address}memories/{id}")
    page.get_by_label("It says").fill("Releases go out on Wednesdays.")
    page.get_by_role("button", name="Save").click()

    expect(page.locator("h1")).to_have_text("Releases go out on Wednesdays.")
    expect(page.locator("#banner")).to_contain_text("Saved")


def test_a_night_is_done_from_the_page(page: Page, service: Service) -> None:
    page.goto(f"{service.address}nights")
    before = page.locator("#runs li").count()
    page.get_by_role("link", name="Show the plan").click()
    expect(page.locator("#plan")).to_contain_text("What a night would do now")
    page.get_by_role("button", name="Do one now").click()

    expect(page.locator("#runs li")).to_have_count(before + 1, timeout=30_000)
    expect(page.locator("#runs li").first).to_contain_text("done", timeout=30_000)


def test_a_service_that_goes_away_is_told_and_the_last_figures_stay(page: Page, service: Service) -> None:
    page.goto(f"{service.address}nights")
    shown = page.locator("#runs li").count()
    service.end(signal.SIGTERM)

    expect(page.locator("#banner")).to_contain_text("does not answer", timeout=30_000)
    assert page.locator("#runs li").count() == shown


def test_times_are_told_in_the_viewers_zone(browser: Browser, service: Service) -> None:
    """A viewer in Tokyo reads their own time, and UTC in the tooltip."""
    page = browser.new_page(timezone_id="Asia/Tokyo", locale="en-GB")
    page.goto(f"{service.address}events")
    time = page.locator("#rows time").first
    utc = re.search(r"T(\d\d):", time.get_attribute("datetime") or "")
    shown = re.search(r"(\d\d):\d\d$", time.inner_text())
    title = time.get_attribute("title") or ""
    page.close()

    assert utc
    assert shown
    assert (int(shown[1]) - int(utc[1])) % 24 == 9
    assert title.endswith("UTC")
