"""What a person lays in place of what the camera read: what the form keeps, what is said, what lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest
from playwright.sync_api import expect

from calibration.layouts import MAT
from companion.games.corona import game, notation
from companion.games.corona.rules import DEFAULT_COLOURS, LETTERS, Situation
from companion.selftest.setups import setups
from companion.selftest.sources import lay
from companion.web.photo import Photo
from hardware.virtual import VirtualTable
from tests.browser import House, browser, house, phone
from tests.seeing import truthful
from tests.test_web import ask
from vision.reading import Doubt, Reading

CLEAR, CORRECTED = "Everything was read clearly.", "Corrected by hand: "


class Camera:
    """What the camera sees of a virtual table: true but for what a test says that it reads of the dice."""

    def __init__(self) -> None:
        self.virtual = VirtualTable(MAT, DEFAULT_COLOURS, clock=lambda: 0.0)
        lay(self.virtual, setups(DEFAULT_COLOURS)[0])
        frame = self.virtual.draw()
        self.true = truthful(self.virtual)(frame)
        self._jpeg, self._seq = cv2.imencode(".jpg", frame)[1].tobytes(), 1
        self.reading = self.true

    def reads(self, **dice: int | None) -> Reading:
        """From now on."""
        unread = tuple(Doubt(f"die {name}", "not to be seen") for name, pips in dice.items() if not pips)
        self.reading = replace(
            self.true, dice={**self.true.dice, **dice}, doubts=unread, sure=not unread, confidence=None
        )
        self._seq += 1
        return self.reading

    def situation(self, **dice: int) -> Situation:
        """What lies there, with other dice."""
        assert self.true.counts
        counts = tuple(count or 0 for count in self.true.counts)
        return Situation(counts, tuple((self.true.dice | dice)[name] or 0 for name in DEFAULT_COLOURS))

    def photo(self) -> Photo:
        return self._jpeg, self.reading, self._seq


@pytest.fixture
def camera() -> Camera:
    return Camera()


@pytest.fixture
def watched(camera: Camera, tmp_path: Path) -> Iterator[House]:
    with house(tmp_path, photo=camera.photo) as built:
        built.do(game.Start(("Anna", "Ben"), "Anna"))
        yield built


def picture(at: House, **headers: Any) -> str:
    """The part with the photo and the form below it."""
    return ask(at, "GET", "/", **headers).text.split('sse-swap="photo"')[1].split('sse-swap="lay"')[0]


def chosen(at: House) -> dict[str, int]:
    """What the form of corrections has chosen."""
    found = re.findall(r'name="fix-(\w+)" value="(\d)" checked', picture(at))
    return {name: int(value) for name, value in found}


def values(situation: Situation) -> dict[str, int]:
    return dict(zip((*LETTERS, *DEFAULT_COLOURS), (*situation.waiting, *situation.dice), strict=True))


def test_once_laid_the_form_starts_with_what_was_laid(camera: Camera, watched: House) -> None:
    camera.reads(red=None)
    assert "red" not in chosen(watched)
    fixed = camera.situation(red=3, blue=camera.true.dice["blue"] or 0)
    watched.do(game.Lay(fixed))
    assert chosen(watched) == values(fixed)
    camera.reads(red=None, green=None)  # it sees worse for a moment
    assert chosen(watched) == values(fixed)
    line = re.search(r'name="situation" value="([^"]+)"', picture(watched))
    assert line and notation.read(line[1]) == fixed


def test_what_lies_otherwise_than_when_it_was_laid_starts_as_it_is_read(
    camera: Camera, watched: House
) -> None:
    first, other = camera.reads(red=2, blue=None), {"red": 5, "blue": 4}
    assert first.dice["red"] == 2
    watched.do(game.Lay(camera.situation(red=3, blue=1)))
    camera.reads(red=5, blue=None, green=None)  # thrown anew
    assert chosen(watched) == values(camera.situation(red=5, blue=1))
    assert CORRECTED not in picture(watched)
    camera.reads(**other)
    assert chosen(watched)["red"] == 5


def test_what_was_corrected_is_said_in_place_of_all_was_clear(camera: Camera, watched: House) -> None:
    camera.reads(red=2)
    watched.do(game.Lay(camera.situation(red=2)))
    assert CLEAR in picture(watched) and CORRECTED not in picture(watched)
    watched.do(game.Lay(camera.situation(red=3)))
    said = f"{CORRECTED}red 3 (the camera read 2)."
    assert said in picture(watched) and CLEAR not in picture(watched)
    camera.reads(red=2)  # the same, seen again
    assert said in picture(watched)
    assert "Von Hand berichtigt: rot 3 (die Kamera las 2)." in picture(watched, Accept_Language="de")
    watched.do(game.Turn(watched.table.now()))
    assert said in picture(watched) and CLEAR not in picture(watched)
    watched.do(game.Undo(1), game.Undo(1))
    assert CLEAR in picture(watched) and CORRECTED not in picture(watched)


def test_many_corrections_are_told_without_what_was_read(camera: Camera, watched: House) -> None:
    camera.reads(**dict.fromkeys(DEFAULT_COLOURS, 1))
    watched.do(game.Lay(camera.situation(**dict.fromkeys(DEFAULT_COLOURS, 6))))
    assert f"{CORRECTED}red 6, blue 6, green 6, yellow 6, white 6, black 6." in picture(watched)


@pytest.mark.slow
def test_a_phone_corrects_names_what_lacks_and_keeps_what_was_chosen(camera: Camera, watched: House) -> None:
    camera.reads(red=None)
    with browser() as chromium:
        page = phone(chromium, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        page.goto(f"{watched.url}/?seat=Anna")
        laying = page.locator(".dock").get_by_role("button", name="This is the situation")
        notice = page.get_by_role("alert")
        laying.click()
        expect(notice).to_have_text("The red die needs a number from 1 to 6.")
        page.locator("#fix-red input[value='3']").check()
        expect(notice).to_be_hidden()
        laying.click()
        expect(page.get_by_text("The situation is set. Anna turns the hourglass.")).to_be_visible()
        red = page.locator("#fix-others #fix-red input:checked")
        expect(red).to_have_value("3")
        # Another phone corrects it meanwhile, and the camera sees the same: the form follows.
        watched.do(game.Lay(camera.situation(red=4)))
        expect(red).to_have_value("4")
        camera.reads(red=2)
        watched.do(game.Lay(camera.situation(red=2)))  # one message: a second might come amid what is chosen
        expect(page.get_by_text(CLEAR)).to_be_visible()
        page.locator("#fix-others summary").click()
        page.locator("#fix-red input[value='3']").check()
        page.locator(".dock").get_by_role("button", name="This is the situation").click()
        expect(page.get_by_text(f"{CORRECTED}red 3 (the camera read 2).")).to_be_visible()
        expect(red).to_have_value("3")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.locator("#lay-anew summary").first.click()
        page.locator("#lay [data-clear]").click()
        page.locator("#lay [data-field=C]").click()
        page.locator("#lay").get_by_role("button", name="This is the situation").click()
        expect(notice).to_contain_text("1 piece is on the fields instead of six. These dice need")
        page.locator("#lay [data-field=D]").click()
        expect(notice).to_be_hidden()
        page.context.close()
