"""What axe finds on any page, and what does not fit a small phone: nothing, in any phase, language and theme.

A look takes a third of a second, so not every combination is looked at: every address once in English and
light, and at every stop of the evening in one of the six combinations of language and theme, which go round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import cycle
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Browser, Page

from companion.games.corona import game, notation
from companion.games.corona.commands import Pause, Resume, Step
from companion.games.corona.rules import DEFAULT_COLOURS
from companion.phones import PHONES, Phones
from companion.web import words
from tests.browser import House, browser, house, phone
from tests.test_browser import FITS
from tests.test_demo import served, until

pytestmark = pytest.mark.slow

LINE = "200010201000-366421"
PUZZLE = "/puzzle?day=2026-11-21"
NO_PAGES = {"static", "events", "photo.jpg", "manifest.webmanifest", "puzzle/another"}
WITH_A_CAMERA = ("setup/",)
"""Beginnings of addresses that only a house with a camera has."""
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
OPTIONS = {"resultTypes": ["violations"], "preload": False}
OPEN = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


class Looker:
    """Looks at pages on one phone for each language."""

    def __init__(self, running: Browser) -> None:
        self._phones = {language: phone(running, locale=language) for language in words.LANGUAGES}
        self._round = cycle((language, theme) for theme in THEMES for language in words.LANGUAGES)
        self._axe = Axe()
        self.found: list[str] = []
        self.seen: set[str] = set()

    def look(self, at: str, *paths: str, by_thumb: bool = True) -> None:
        """Opens pages of the server at address `at`, and notes what axe finds and what a thumb would miss."""
        for path in paths:
            address = urlsplit(path).path.strip("/")
            looks = [next(self._round)] if address in self.seen else [("en", THEMES[0]), next(self._round)]
            self.seen.add(address)
            for language, theme in looks:
                page = self._phones[language]
                page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                page.goto(at + path)
                self._judge(page, f"{path} in {language}, {theme}", by_thumb)

    def put_away(self) -> None:
        """Lets go of the phones."""
        for page in self._phones.values():
            page.context.close()

    def _judge(self, page: Page, where: str, by_thumb: bool) -> None:
        page.evaluate(OPEN)
        fits = page.evaluate(FITS)
        if by_thumb and fits != {"wide": 360, "boxes": [], "small": []}:
            self.found.append(f"{where}: {fits}")
        told: dict[str, Any] = self._axe.run(page, options=OPTIONS).response
        for fault in told["violations"]:
            for node in fault["nodes"]:
                self.found.append(
                    f"{where}: {fault['id']}: {node['html'][:120]}: {node['failureSummary'][:200]}"
                )


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture
def looker(chromium: Browser) -> Iterator[Looker]:
    looker = Looker(chromium)
    yield looker
    looker.put_away()


BESIDE = (
    *("/", "/help", "/setups", "/setups?pieces=201000100011", f"/situation/{LINE}?moves=A-red,E-blue"),
    *(PUZZLE, f"{PUZZLE}&sand=", f"{PUZZLE}&number=9", f"{PUZZLE}&number=9&moves=A-red"),
    *(
        f"{PUZZLE}&number=9&done=",
        "/screen",
        "/rounds",
        "/players",
        "/right",
        "/setup",
        "/settings",
        "/nowhere",
    ),
)
"""What there is before a game."""
APART = ("/", "/screen", "/door")


def evening(at: House) -> Iterator[Iterable[str]]:
    """A game from its start to its end; at each stop the pages to look at."""
    ending = game.Ending("rounds", 2)
    at.do(game.Start(("Anna", "Ben", "Zoé"), None, ending=ending))
    yield "/", "/screen"
    at.do(game.Throw("Anna", 6))
    yield ("/",)
    at.do(game.Lay(notation.read(LINE)))
    yield "/", "/right", f"/situation/{LINE}"
    at.do(game.Turn(at.table.now()))
    yield "/", "/?seat=Anna", "/screen"
    at.do(game.Bid("Anna", 8, at.table.now()), game.Bid("Ben", 9, at.table.now()))
    yield "/?seat=Anna", "/right", "/screen"
    at.wind(60)
    yield "/?seat=Ben", "/screen"
    at.do(Step(0, 0, at.table.now()), Pause(at.table.now()))
    yield ("/",)
    at.do(Resume(at.table.now()))
    yield "/?seat=Ben", "/screen"
    at.do(game.Result(3, at.table.now()))
    yield "/", "/right?seat=Anna", "/screen", "/rounds", "/rounds/1", "/players", "/settings"
    at.do(game.Lay(notation.read(LINE)), game.Turn(at.table.now()))
    yield ("/?seat=Ben",)  # keeps silent
    at.do(game.Bid("Anna", 8, at.table.now()))
    at.wind(60)
    at.do(game.Result(8, at.table.now()))
    yield "/", "/screen", "/rounds"


def pages(app: Flask) -> set[str]:
    """The addresses of all pages, without what varies in them."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    found = {rule.rule.split("<")[0].strip("/") for rule in rules}
    return {address for address in found if not address.startswith(WITH_A_CAMERA)} - NO_PAGES


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path, today=lambda: date(2026, 11, 21), addresses=("http://192.168.1.20:8000/",)) as built:
        yield built


def test_axe_finds_nothing_beside_the_table(at: House, looker: Looker) -> None:
    looker.look(at.url, *BESIDE)
    assert "\n".join(looker.found) == ""


def test_axe_finds_nothing_all_evening(at: House, looker: Looker) -> None:
    for paths in evening(at):
        looker.look(at.url, *paths)
    assert "\n".join(looker.found) == ""


def test_axe_finds_nothing_where_phones_are_told_apart(tmp_path: Path, looker: Looker) -> None:
    with house(tmp_path, phones=Phones(tmp_path / PHONES)) as at:
        looker.look(at.url, *APART)
        at.do(game.Start(("Anna", "Ben"), "Anna"), game.Lay(notation.read(LINE)), game.Turn(at.table.now()))
        looker.look(at.url, "/door", "/?look=", "/right")
    assert "\n".join(looker.found) == ""


def test_axe_finds_nothing_on_the_virtual_table(tmp_path: Path, looker: Looker) -> None:
    with served(tmp_path) as (_, url, _):
        looker.look(url, "/demo", by_thumb=False)  # pieces and dice are as large there as on a table
    assert "\n".join(looker.found) == ""


STEPS = (
    "camera/begin",
    "camera/aimed",
    "camera/hand",
    "camera/take",
    "camera/hand",
    "camera/take",
    "camera/name",
)


def test_axe_finds_nothing_while_camera_and_wiring_are_set_up(tmp_path: Path, looker: Looker) -> None:
    with served(tmp_path) as (parts, url, _):
        looker.look(url, "/setup", "/setup/camera", "/setup/wiring")
        phone = parts.app.test_client()
        for step in STEPS:
            answer = phone.post(f"/setup/{step}", data={"board": "mat", "name": [*DEFAULT_COLOURS]})
            assert answer.status_code == 303, answer.text
            looker.look(url, "/setup/camera?look=")
        assert phone.post("/setup/camera/finish").status_code == 303
        looker.look(url, "/setup/camera?done=")
        assert phone.post("/setup/wiring/begin").status_code == 303
        looker.look(url, "/setup/wiring")
    assert "\n".join(looker.found) == ""


def test_axe_finds_nothing_while_the_self_test_goes_on(tmp_path: Path, looker: Looker) -> None:
    with served(tmp_path) as (parts, url, _):
        until(lambda: parts.rig.latest() is not None)
        phone = parts.app.test_client()

        def post(step: str, number: int) -> None:
            answer = phone.post(f"/setup/selftest/{step}", data={"number": number})
            assert answer.status_code == 303, answer.text

        looker.look(url, "/setup", "/setup/selftest")
        post("begin", 0)
        for number in range(1, 11):
            looker.look(url, "/setup/selftest?look=")
            if number in (1, 3, 10):
                post("look", number)
                looker.look(url, "/setup/selftest")
                post("hand", number)
                post("look", number)
                looker.look(url, "/setup/selftest")
                post("next", number)
            else:
                post("skip", number)
        looker.look(url, "/setup/selftest", "/setup/selftest/results", "/setup/selftest/results/1")
    assert "\n".join(looker.found) == ""


def test_every_page_is_looked_at(at: House) -> None:
    looked = {urlsplit(path).path.strip("/") for paths in (BESIDE, APART, *evening(at)) for path in paths}
    assert pages(at.app) - looked - {path.rpartition("/")[0] for path in looked} == set()
