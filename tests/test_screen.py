"""The big screen: how to join, the host's PIN until it is used, and the round, live and legible."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games.corona import game, notation
from companion.games.corona.commands import Step
from companion.phones import PHONES, Phones
from tests.browser import House, browser, house, phone
from tests.slowly import slowly
from tests.test_web import Stream, ask

LINE = notation.read("200010201000-366421")
ADDRESSES = ("http://192.168.178.120:8000/", "http://corona.local:8000/")
TV, TABLET = {"width": 1920, "height": 1080}, {"width": 820, "height": 1180}


@pytest.fixture
def phones(tmp_path: Path) -> Phones:
    return Phones(tmp_path / PHONES)


@pytest.fixture
def at(tmp_path: Path, phones: Phones) -> Iterator[House]:
    with house(tmp_path, phones=phones, addresses=ADDRESSES) as built:
        yield built


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture
def screen(at: House, chromium: Browser) -> Iterator[Page]:
    page = phone(chromium, viewport=TV, device_scale_factor=1, is_mobile=False)
    page.goto(f"{at.url}/screen")
    yield page
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()


def test_the_pin_is_shown_until_it_is_used(at: House, phones: Phones, screen: Page) -> None:
    pin = str(phones.fresh_pin)
    expect(screen.get_by_text(f"The host's PIN: {pin}")).to_be_visible()
    assert phones.let_in("somebody", pin)
    expect(screen.get_by_text("The host's PIN")).to_have_count(0)
    assert pin not in ask(at, "GET", "/screen").text


def test_no_other_page_shows_the_pin(at: House, phones: Phones) -> None:
    at.do(game.Start(("Anna", "Ben"), "Anna"))
    for path in ("/", "/?look=", "/door", "/right", "/setups", "/puzzle"):
        assert str(phones.fresh_pin) not in ask(at, "GET", path).text.replace(",", "")
    stream = Stream(at)
    assert "join" not in stream.next()["parts"]
    stream.close()


def test_it_shows_who_sits_where_and_how_to_join(at: House, phones: Phones, screen: Page) -> None:
    for address in ADDRESSES:
        shown = screen.get_by_text(address)
        expect(shown).to_be_visible()
        lines = "one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)"
        assert shown.evaluate(lines) < 1.5  # in two lines it would be typed wrongly
    at.do(game.Start(("Anna", "Ben"), "Anna"))
    phones.take("Ben", "somebody")
    expect(screen.get_by_text("On phones: Ben")).to_be_visible()


def test_the_code_leads_to_the_surest_address(screen: Page) -> None:
    picture = np.frombuffer(screen.locator(".join svg").screenshot(), np.uint8)
    assert cv2.QRCodeDetector().detectAndDecode(cv2.imdecode(picture, cv2.IMREAD_COLOR))[0] == ADDRESSES[0]


def test_a_round_on_the_screen(at: House, screen: Page) -> None:
    at.do(game.Start(("Anna", "Ben"), "Anna"), game.Lay(LINE), game.Turn(at.table.now()))
    expect(screen.locator("#seconds")).to_have_text("60")
    at.do(game.Bid("Ben", 9, at.table.now()))
    expect(screen.locator(".high strong")).to_have_text("9")
    at.wind(60)
    at.do(Step(0, 0, at.table.now()))
    expect(screen.get_by_text("So far 0 points of 9")).to_be_visible()
    at.do(Step(4, 4, at.table.now()))
    expect(screen.get_by_text("So far 3 points of 9")).to_be_visible()
    at.do(game.Done(at.table.now()))
    expect(screen.locator(".figures .best dd")).to_have_text("15")
    expect(screen.locator("[data-replayed] .now")).to_have_count(1)  # it plays by itself
    assert screen.evaluate("document.documentElement.scrollHeight") <= TV["height"]


def test_the_sound_is_off_until_somebody_taps(screen: Page) -> None:
    button = screen.get_by_role("button", name="Sound")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("size", slowly([TABLET, TV, {"width": 1280, "height": 720}]))
def test_nothing_is_cut_off(at: House, phones: Phones, chromium: Browser, size: dict[str, int]) -> None:
    page = phone(chromium, viewport=size, device_scale_factor=1, locale="de-DE")
    page.goto(f"{at.url}/screen")
    at.do(game.Start(("Anna", "Ben", "Clara", "Dora", "Emil", "Fritz"), "Anna"))
    assert phones.let_in("somebody", str(phones.fresh_pin))
    phones.take("Anna", "somebody")
    expect(page.get_by_text("Mit Handy: Anna")).to_be_visible()
    code = page.locator(".join svg").bounding_box()  # below the longest sentence and six seats
    assert code
    assert code["y"] + code["height"] <= size["height"]
    at.do(game.Lay(LINE))
    at.do(game.Turn(at.table.now()), game.Bid("Ben", 5, at.table.now()))
    expect(page.locator(".high strong")).to_have_text("5")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    board = page.locator(".part-board .board").bounding_box()
    assert board
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= size["height"]
    page.context.close()
