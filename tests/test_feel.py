"""How the pages feel: dice told apart in grey, an icon, a screen that stays on, vibration, the keyboard."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games.corona import game, notation
from companion.games.corona.commands import Pause
from companion.games.corona.rules import COLOURS
from companion.web import words
from tests.browser import INSECURE, House, browser, house, phone
from tests.test_web import ask

pytestmark = pytest.mark.slow

LINE = "200010201000-366421"
STATIC = Path(__file__).parents[1] / "companion" / "web" / "static"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as built:
        yield built


def auction(at: House) -> None:
    at.do(game.Start(("Anna", "Ben"), "Anna"), game.Lay(notation.read(LINE)), game.Turn(at.table.now()))


# Patterns


def test_every_colour_has_a_pattern_of_its_own_and_white_none(at: House) -> None:
    page = ask(at, "GET", "/").text
    drawn = re.findall(r"<pattern id=\"grain-(\w+)\" .*? d=\"([^\"]+)\"", page)
    assert sorted(colour for colour, _ in drawn) == sorted(set(COLOURS) - {"white"})
    assert len({lines for _, lines in drawn}) == len(drawn)


def test_every_die_on_the_board_bears_its_pattern(at: House) -> None:
    auction(at)
    page = ask(at, "GET", "/").text
    dice = re.findall(r"data-die=\"(\w+)\".*?</g>", page, re.DOTALL)
    borne = re.findall(r"fill=\"url\(#grain-(\w+)\)\"", page)
    assert sorted(borne) == sorted(set(dice) - {"white"})


# Among the phone's apps


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_the_manifest_names_what_a_phone_needs(at: House, language: str) -> None:
    answer = ask(at, "GET", "/manifest.webmanifest", Accept_Language=language)
    assert answer.header("Content-Type") == "application/manifest+json"
    said = json.loads(answer.text)
    assert (said["lang"], said["start_url"], said["display"]) == (language, "/", "standalone")
    assert [(icon["sizes"], icon["purpose"]) for icon in said["icons"]] == [
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    ]
    for icon in said["icons"]:
        assert png_size(STATIC / Path(icon["src"]).name) == icon["sizes"]
    assert png_size(STATIC / "icon-180.png") == "180x180"


def png_size(path: Path) -> str:
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    return f"{width}x{height}"


def test_the_browser_takes_the_manifest(at: House, chromium: Browser) -> None:
    page = phone(chromium, locale="de-DE")
    page.goto(at.url)
    told = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert told["errors"] == []
    assert json.loads(told["data"])["name"] == "Corona-Begleiter"
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()


# A screen that stays on


PLAYS = "() => { const video = document.querySelector('video'); return Boolean(video && !video.paused); }"


def test_a_video_keeps_the_screen_on_where_there_is_no_lock(at: House, chromium: Browser) -> None:
    auction(at)
    page = phone(chromium)
    page.goto(f"http://{INSECURE}:{at.port}/?seat=Anna")
    assert page.evaluate("'wakeLock' in navigator") is False
    page.get_by_role("button", name="8", exact=True).tap()
    page.wait_for_function(PLAYS)
    # What Chromium asks of a muted one: three quarters of it in sight, and a fifth of the window.
    box = page.locator("video").bounding_box()
    assert box == {"x": 0, "y": 0, "width": 360, "height": 780}
    at.wind(60)
    expect(page.locator("main")).to_have_attribute("data-phase", "play")
    assert page.evaluate(PLAYS) is True
    at.do(Pause(at.table.now()))
    page.wait_for_function(f"() => !({PLAYS})()")
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()


def test_nothing_plays_before_the_hourglass_is_turned(at: House, chromium: Browser) -> None:
    at.do(game.Start(("Anna", "Ben"), "Anna"), game.Lay(notation.read(LINE)))
    page = phone(chromium)
    page.goto(f"http://{INSECURE}:{at.port}/?seat=Anna")
    page.get_by_text("Correct the situation").tap()
    assert page.locator("video").count() == 0
    page.get_by_role("button", name="Turn the hourglass").tap()
    page.wait_for_function(PLAYS)
    page.evaluate(HIDE)
    assert page.evaluate(PLAYS) is False
    page.context.close()


HIDE = """() => {
  Object.defineProperty(document, "hidden", { value: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""

LOCKS = """
  window.locks = [];
  Object.defineProperty(navigator, "wakeLock", { value: { request: async (kind) => {
    const lock = { kind, released: false, release: async () => { lock.released = true; } };
    window.locks.push(lock);
    return lock;
  } } });
"""


def test_the_browsers_own_lock_is_taken_where_there_is_one(at: House, chromium: Browser) -> None:
    auction(at)
    page = phone(chromium)
    page.add_init_script(LOCKS)
    page.goto(f"http://localhost:{at.port}/?seat=Anna")
    page.wait_for_function("() => locks.length")
    assert page.evaluate("locks.map((lock) => [lock.kind, lock.released])") == [["screen", False]]
    at.do(game.Bid("Ben", 8, at.table.now()))
    at.wind(60)
    at.do(game.Result(8, at.table.now()))
    page.wait_for_function("() => locks.every((lock) => lock.released)")
    assert page.evaluate("locks.length") == 1
    assert page.locator("video").count() == 0
    page.context.close()


# Vibration

VIBRATES = """
  window.buzzes = [];
  navigator.vibrate = (pattern) => { window.buzzes.push(pattern); return true; };
"""


def felt(page: Page, *patterns: list[int]) -> None:
    page.wait_for_function(
        "(wanted) => JSON.stringify(buzzes) === wanted", arg=json.dumps(patterns).replace(" ", "")
    )


def test_a_hand_feels_the_auction(at: House, chromium: Browser) -> None:
    auction(at)
    page = phone(chromium)
    page.add_init_script(VIBRATES)
    page.goto(f"{at.url}/?seat=Anna")
    page.get_by_role("button", name="8", exact=True).tap()
    felt(page, [40])
    at.do(game.Bid("Ben", 9, at.table.now()))
    felt(page, [40], [80, 60, 80])
    at.wind(49.8)
    at.do(game.Bid("Ben", 10, at.table.now()))
    felt(page, [40], [80, 60, 80], [150])
    at.wind(11)
    felt(page, [40], [80, 60, 80], [150], [400])
    page.context.close()


@pytest.mark.parametrize("without", ["reduced_motion", "vibration"])
def test_nothing_vibrates_unasked_and_nothing_fails(at: House, chromium: Browser, without: str) -> None:
    auction(at)
    page = phone(chromium, **({"reduced_motion": "reduce"} if without == "reduced_motion" else {}))
    page.add_init_script(VIBRATES if without == "reduced_motion" else "navigator.vibrate = undefined;")
    page.goto(f"{at.url}/?seat=Anna")
    page.get_by_role("button", name="8", exact=True).tap()
    expect(page.locator(".high")).to_contain_text("8 Anna")
    assert page.evaluate("window.buzzes ?? []") == []
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()


# By keyboard

FOCUSED = "() => document.activeElement.textContent.trim().split(/\\s+/).join(' ')"


def tab_to(page: Page, text: str) -> None:
    """Goes on by the Tab key until it is on what says `text`."""
    met = []
    for _ in range(40):
        page.keyboard.press("Tab")
        met.append(page.evaluate(FOCUSED))
        if met[-1] == text:
            return
    pytest.fail(f"{text} is not among {met}")


def bids(at: House) -> list[tuple[str, int]]:
    return [(bid.seat, bid.points) for bid in at.table.state.bids]


def test_an_auction_by_keyboard(at: House, chromium: Browser) -> None:
    auction(at)
    page = phone(chromium)
    page.goto(f"{at.url}/?seat=Anna")
    expect(page.locator("#gone")).to_be_hidden()
    tab_to(page, "8")
    page.keyboard.press("Enter")
    expect(page.locator(".high")).to_contain_text("8 Anna")
    assert bids(at) == [("Anna", 8)]
    # The 8 is gone, so the keyboard is where the numbers are.
    expect(page.locator(".part-next")).to_be_focused()
    tab_to(page, "11")
    at.do(game.Bid("Ben", 9, at.table.now()))
    expect(page.locator(".high")).to_contain_text("9 Ben")
    expect(page.get_by_role("button", name="11", exact=True)).to_be_focused()
    at.do(game.Bid("Ben", 11, at.table.now()))
    expect(page.locator(".part-next")).to_be_focused()
    page.keyboard.press("Enter")  # and does not bid what stands where the 11 was
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "12"
    page.keyboard.press("Space")
    expect(page.locator(".high")).to_contain_text("12 Anna")
    assert bids(at) == [("Anna", 8), ("Ben", 9), ("Ben", 11), ("Anna", 12)]
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()


def test_the_keyboard_stays_on_a_seat_and_on_what_is_open(at: House, chromium: Browser) -> None:
    at.do(game.Start(("Anna", "Ben"), "Anna"), game.Lay(notation.read(LINE)))
    page = phone(chromium)
    page.goto(at.url)
    expect(page.locator("#gone")).to_be_hidden()
    page.get_by_role("link", name="Ben").focus()
    at.do(game.Turn(at.table.now()), game.Bid("Ben", 8, at.table.now()))
    expect(page.locator(".high")).to_contain_text("8 Ben")
    assert page.evaluate("() => document.activeElement.textContent.includes('Ben')") is True
    page.context.close()


# Settings


def test_the_settings_lead_everywhere_and_say_what_was_agreed(at: House) -> None:
    assert "What was agreed" not in ask(at, "GET", "/settings").text
    at.do(game.Start(("Anna", "Ben"), "Anna", edition="de", hourglass=90, ending=game.Ending("broke", None)))
    page = ask(at, "GET", "/settings").text
    assert all(said in page for said in ("German edition", ">90<", "when somebody has no chips left"))
    assert 'href="/right"' in page


def test_a_phone_that_is_not_to_vibrate_does_not(at: House, chromium: Browser) -> None:
    page = phone(chromium)
    page.add_init_script(
        "navigator.vibrate = (pattern) => { (window.buzzes ??= []).push(pattern); return true; };"
    )
    page.goto(f"{at.url}/settings")
    expect(page.get_by_label("vibrates at bids")).to_be_checked()
    page.get_by_label("vibrates at bids").uncheck()
    page.reload()
    expect(page.get_by_label("vibrates at bids")).not_to_be_checked()
    auction(at)
    page.goto(f"{at.url}/?seat=Anna")
    page.get_by_role("button", name="7", exact=True).tap()
    expect(page.locator(".high strong")).to_have_text("7")
    assert page.evaluate("window.buzzes ?? []") == []
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()
