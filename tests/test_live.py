"""Pages kept up to date: parts on the stream, what outlasts a swap, silence, packed answers."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, Route, expect

from companion.games.corona import game, notation
from companion.web import announce_photo, events
from tests.browser import House, browser, house, phone
from tests.test_fixing import seen
from tests.test_web import Stream, ask, state

LINE = notation.read("200010201000-366421")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    page = phone(chromium)
    yield page
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()


def auction(at: House) -> None:
    at.do(game.Start(("Anna", "Ben"), "Anna"), game.Lay(LINE), game.Turn(at.table.now()))


@given(st.text("ab \r\n:"))
def test_no_line_end_in_a_part_ends_its_event(html: str) -> None:
    written = io.BytesIO((events._event("status", html, "0f") + events._event("state", "{}")).encode())
    assert state(written.readline) == {"parts": {"status": ("0f", html.replace("\r", "\n"))}}
    assert written.read() == b""


def test_a_part_that_the_page_shows_already_is_not_swapped(tmp_path: Path, page: Page) -> None:
    with house(tmp_path) as at:
        auction(at)
        page.goto(f"{at.url}/?seat=Anna")
        old = page.locator(".part-board svg").element_handle()
        with page.expect_request("**/events*"):
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        at.do(game.Bid("Ben", 9, at.table.now()))
        expect(page.locator(".high")).to_contain_text("9 Ben")
        assert old.evaluate("one => one.isConnected")


def test_silence_is_noticed(tmp_path: Path, page: Page) -> None:
    with house(tmp_path) as at:
        auction(at)
        page.clock.install()
        page.goto(f"{at.url}/?seat=Anna")
        at.do(game.Bid("Ben", 9, at.table.now()))
        expect(page.locator(".high")).to_contain_text("9 Ben")
        page.wait_for_timeout(100)  # the facts come behind the parts
        page.clock.run_for(
            24_000
        )  # of the page's time; really next to none passes, and the server writes nothing
        expect(page.locator("#gone")).to_be_hidden()
        page.route("**/events*", lambda route: route.abort())
        page.clock.run_for(2_000)
        expect(page.locator("#gone")).to_be_visible()
        page.unroute_all()
        page.clock.run_for(2_000)
        expect(page.locator("#gone")).to_be_hidden()
        page.faults.clear()  # type: ignore[attr-defined]


def test_the_sand_runs_by_what_the_server_says(tmp_path: Path, page: Page) -> None:
    """Whatever the phone's own clock says."""
    with house(tmp_path) as at:
        auction(at)
        page.clock.install(time=0)
        page.goto(f"{at.url}/?seat=Anna")
        page.clock.pause_at(20)
        at.wind(7)
        at.do(game.Bid("Ben", 9, at.table.now()))
        expect(page.locator("#seconds")).to_have_text("53")
        page.clock.set_system_time("2030-01-01T12:00:00")
        page.clock.run_for(5_000)
        expect(page.locator("#seconds")).to_have_text("48")


@pytest.mark.slow
def test_a_picture_is_shown_once_it_is_loaded_and_only_the_latest(tmp_path: Path, page: Page) -> None:
    last = [seen()]
    held: list[Route] = []
    with house(tmp_path, photo=lambda: last[0]) as at:
        at.do(game.Start(("Anna", "Ben"), "Anna"))
        page.goto(f"{at.url}/?seat=Anna")
        shown = page.locator("image")
        first = shown.get_attribute("href")
        page.route("**/photo.jpg*", lambda route: held.append(route))
        for number in (1, 2):
            last[0] = (*seen()[:2], seen()[2] + number)
            with page.expect_request("**/photo.jpg*"):
                announce_photo(at.app)
        assert shown.get_attribute("href") == first
        for route in reversed(held):
            route.continue_()
        expect(shown).to_have_attribute("href", f"/photo.jpg?seq={seen()[2] + 2}")
        page.wait_for_function("() => document.querySelectorAll('image').length === 1")


def test_while_a_form_is_on_its_way_no_other_is_sent(tmp_path: Path, page: Page) -> None:
    held: list[Route] = []
    with house(tmp_path) as at:
        auction(at)
        page.goto(f"{at.url}/?seat=Anna")
        page.route("**/bid", lambda route: held.append(route))
        for points in ("8", "9"):
            page.get_by_role("button", name=points, exact=True).tap()
        expect(page.locator("body.busy")).to_have_count(1)
        held[0].continue_()
        expect(page.locator(".high")).to_contain_text("8 Anna")
        expect(page.locator("body.busy")).to_have_count(0)
        assert len(held) == 1


@pytest.mark.parametrize("path", ["/", "/screen", "/static/vendor/htmx.min.js", "/static/corona.css"])
def test_what_is_text_goes_packed_where_it_is_taken(tmp_path: Path, path: str) -> None:
    with house(tmp_path) as at:
        plain = ask(at, "GET", path, Accept_Encoding="gzip;q=0")
        packed = ask(at, "GET", path, Accept_Encoding="gzip, br")
        assert (plain.header("Content-Encoding"), packed.header("Content-Encoding")) == ("", "gzip")
        assert gzip.decompress(packed.bytes) == plain.bytes
        assert "Accept-Encoding" in plain.header("Vary")
        assert len(packed.bytes) < 0.5 * len(plain.bytes)
        etag = packed.header("ETag")
        again = ask(at, "GET", path, Accept_Encoding="gzip", If_None_Match=etag)
        assert not etag or (again.status, again.bytes) == (304, b"")


def test_neither_streams_nor_pictures_are_packed(tmp_path: Path) -> None:
    with house(tmp_path, photo=seen) as at:
        stream = Stream(at, Accept_Encoding="gzip")
        assert stream.next()["parts"]
        stream.close()
        picture = ask(at, "GET", "/photo.jpg", Accept_Encoding="gzip")
        assert (picture.status, picture.header("Content-Encoding")) == (200, "")


def test_the_first_page_is_below_100_kb(tmp_path: Path, page: Page) -> None:
    sent: list[int] = []
    with house(tmp_path) as at:
        auction(at)
        page.on("requestfinished", lambda one: sent.append(one.sizes()["responseBodySize"]))
        page.goto(f"{at.url}/?seat=Anna")
        expect(page.locator("#seconds")).to_have_text("60")
        page.wait_for_load_state("load")
        assert 20_000 < sum(sent) < 100_000


def test_who_types_a_bid_is_not_disturbed_by_the_others(tmp_path: Path, page: Page) -> None:
    """Not even for a moment: a phone would take its keys away and bring them again."""
    with house(tmp_path) as at:
        auction(at)
        page.goto(f"{at.url}/?seat=Anna")
        number = page.get_by_label("Another number")
        number.evaluate("one => { one.onblur = () => one.classList.add('left'); }")
        number.press("1")
        at.do(game.Bid("Ben", 9, at.table.now()))
        expect(page.locator(".high")).to_contain_text("9 Ben")
        page.keyboard.press("2")
        expect(number).to_have_value("12")
        if page.evaluate("'moveBefore' in Element.prototype"):
            expect(number).not_to_have_class("left")
        page.keyboard.press("Enter")
        expect(page.locator(".high")).to_contain_text("12 Anna")
        expect(number).to_have_value("")
