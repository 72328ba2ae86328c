"""Several browsers at one table, on an address without a name: presses, lost lines, a restart, a crowd."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games.corona import game, notation
from companion.phones import PHONES, Phones
from companion.web import events
from companion.welcome import own_address
from tests.browser import House, browser, house, phone

pytestmark = pytest.mark.slow

SEATS = ("Anna", "Ben", "Clara")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path, host="0.0.0.0", phones=Phones(tmp_path / PHONES)) as built:
        yield built


def auction(at: House) -> None:
    at.do(
        game.Start(SEATS, "Anna"),
        game.Lay(notation.read("200010201000-366421")),
        game.Turn(at.table.now()),
    )


def sit(chromium: Browser, at: House, name: str) -> Page:
    page = phone(chromium)
    page.goto(at.url)
    page.get_by_role("button", name=name).tap()
    expect(page.get_by_text(f"{name} bids")).to_be_visible()
    return page


def call(page: Page, points: int) -> None:
    page.get_by_role("button", name=str(points), exact=True).tap()


def show(points: str, *pages: Page) -> None:
    for page in pages:
        expect(page.locator(".high")).to_contain_text(points, timeout=15_000)


def test_a_press_is_on_every_page(at: House, chromium: Browser) -> None:
    auction(at)
    screen, looking = phone(chromium), phone(chromium)
    screen.goto(f"{at.url}/screen")
    looking.goto(f"{at.url}/?look=")
    pages = (sit(chromium, at, "Anna"), screen, looking)
    at.do(game.Press("Clara", at.table.now()))
    show("7 Clara", *pages)
    assert own_address() in pages[0].url
    assert pages[0].evaluate("isSecureContext") is (own_address() == "127.0.0.1")
    for page in pages:
        assert page.faults == []  # type: ignore[attr-defined]
        page.context.close()


def test_a_phone_that_was_away_goes_on_where_the_others_are(at: House, chromium: Browser) -> None:
    auction(at)
    anna, ben = sit(chromium, at, "Anna"), sit(chromium, at, "Ben")
    anna.context.set_offline(True)
    expect(anna.locator("#gone")).to_be_visible()
    call(ben, 7)
    show("7 Ben", ben)
    anna.context.set_offline(False)
    show("7 Ben", anna)
    expect(anna.locator("#gone")).to_be_hidden()
    call(anna, 8)
    show("8 Anna", anna, ben)
    for page in (anna, ben):
        page.context.close()


def test_after_a_restart_in_mid_auction_phones_come_back_and_keep_their_seats(
    tmp_path: Path, chromium: Browser
) -> None:
    with house(tmp_path, host="0.0.0.0", phones=Phones(tmp_path / PHONES)) as at:
        auction(at)
        anna, ben = sit(chromium, at, "Anna"), sit(chromium, at, "Ben")
        call(anna, 7)
        show("7 Anna", anna, ben)
    for page in (anna, ben):
        expect(page.locator("#gone")).to_be_visible()
    with house(tmp_path, host="0.0.0.0", port=at.port, phones=Phones(tmp_path / PHONES)) as at:
        for page in (anna, ben):
            expect(page.locator("#gone")).to_be_hidden(timeout=15_000)
        show("7 Anna", anna, ben)
        call(ben, 8)
        show("8 Ben", anna, ben)
        call(anna, 9)
        show("9 Anna", anna, ben)
        for page in (anna, ben):
            page.context.close()


def test_a_phone_beyond_the_streams_looks_every_few_seconds_and_says_so(
    tmp_path: Path, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "AGAIN_SECONDS", 1)
    monkeypatch.setattr(events, "BEAT_SECONDS", 0.2)
    with house(tmp_path, streams=1) as at:
        auction(at)
        first, second = phone(chromium), phone(chromium)
        for page, seat in ((first, "Anna"), (second, "Ben")):
            page.goto(f"{at.url}/?seat={seat}")
            expect(page.locator("#seconds")).to_have_text("60")
        expect(first.locator("#many")).to_be_hidden()
        expect(second.locator("#many")).to_have_text(
            "Many phones are watching: this one looks every 1 seconds."
        )
        expect(second.locator("#gone")).to_be_hidden()
        call(second, 7)
        show("7 Ben", first, second)
        call(first, 9)
        show("9 Anna", first, second)
        first.context.close()
        expect(second.locator("#many")).to_be_hidden(timeout=15_000)  # there is a stream for it now
        at.do(game.Bid("Ben", 11, at.table.now()))
        show("11 Ben", second)
        assert second.faults == []  # type: ignore[attr-defined]
        second.context.close()
