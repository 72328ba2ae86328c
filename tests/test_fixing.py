"""Correcting what the camera read, in the picture: what is doubtful first, and of it the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from calibration.layouts import MAT
from companion.games.corona import game, notation
from companion.games.corona.rules import DEFAULT_COLOURS, LETTERS
from companion.onlooker import OTHER_DICE
from companion.selftest.setups import setups
from companion.selftest.sources import lay
from companion.sessions import as_jpeg
from companion.web.photo import Photo, overlay
from hardware.virtual import VirtualTable
from tests.browser import House, browser, house, phone
from tests.seeing import truthful
from tests.sessions import photo, profile, truth
from tests.test_web import SCRIPT, ask
from vision.doubts import ANOTHER, COVERED
from vision.geometry import Image
from vision.read import read
from vision.reading import Doubt, Reading

UNSURE = ("session-09", "008.jpg")
LAID = "200010201000-366421"


@cache
def seen() -> Photo:
    """A photo that is not read surely, as the page gets it."""
    session, name = UNSURE
    frame = photo(session, f"frames/{name}")
    return cv2.imencode(".jpg", frame)[1].tobytes(), read(frame, profile(session)), 1


def test_a_marker_that_may_be_none_is_shown_only_where_it_is_asked_about() -> None:
    """While a situation is laid it is not: markers come later."""
    reading = read(photo("session-01", "frames/004.jpg"), profile("session-01"))
    (at, colour), *_ = reading.markers
    assert reading.sure and reading.confidence
    likely = replace(reading.confidence, markers=(0.6,) * len(reading.markers))
    doubt = Doubt(f"field {LETTERS[at]}", f"a marker may be {colour}", (at,), of_marker=True)
    asked = replace(reading, confidence=likely, sure=False, doubts=(doubt,))

    def shown(reading: Reading) -> tuple[str, ...]:
        fields = overlay((seen()[0], reading, 1)).fields
        return next(field.markers for field in fields if field.letter == LETTERS[at])

    assert shown(reading) == shown(asked) == (colour,)
    assert asked.without_markers().sure and shown(asked.without_markers()) == ()


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    colours = tuple(seen()[1].dice)
    with house(tmp_path, photo=seen, colours=colours) as built:
        built.do(game.Start(("Anna", "Ben"), "Anna", colours=colours))
        yield built


def test_what_is_read_lies_in_the_picture_whatever_its_size() -> None:
    """A camera may give pictures of another size than the profile's, in whose pixels all was read."""
    known = profile("session-01")
    frame = photo("session-01", "frames/001.jpg")
    small: Image = cv2.resize(frame, (768, 432), interpolation=cv2.INTER_AREA)
    whole, half = (overlay((as_jpeg(one), read(one, known), 1)) for one in (frame, small))
    assert (half.width, half.height) == (whole.width, whole.height) == known.view.lens.size
    for one, other in zip(whole.fields, half.fields, strict=True):
        assert np.abs(np.subtract(one.top, other.top)).max() < 2


def test_what_is_read_comes_first_and_what_is_true_is_among_the_likely() -> None:
    reading, known = seen()[1], truth(UNSURE[0])[UNSURE[1]]
    assert not reading.sure
    assert reading.counts
    assert reading.may_be
    for count, may_be, true in zip(reading.counts, reading.may_be.counts, known["pieces"], strict=True):
        assert count in (None, may_be[0])
        assert true in may_be
    for colour, pips in reading.dice.items():
        assert pips in (None, reading.may_be.dice[colour][0])
        assert sorted(reading.may_be.dice[colour]) == [1, 2, 3, 4, 5, 6]


def test_the_likeliest_number_stands_first(at: House) -> None:
    page = ask(at, "GET", "/").text
    may_be = seen()[1].may_be
    assert may_be
    for colour, pips in may_be.dice.items():
        first = re.search(rf'id="fix-{colour}".*?value="(\d)" checked.*?value="(\d)"', page, re.DOTALL)
        assert first
        assert first.groups() == tuple(map(str, pips[:2]))


def test_the_doubtful_stand_above_the_others(tmp_path: Path) -> None:
    """A hand covers three fields and two dice."""
    frame = photo("session-01", "frames/002.jpg")
    reading = read(frame, profile("session-01"))
    jpeg = cv2.imencode(".jpg", frame)[1].tobytes()
    colours = tuple(reading.dice)
    with house(tmp_path, photo=lambda: (jpeg, reading, 1), colours=colours) as built:
        built.do(game.Start(("Anna", "Ben"), "Anna", colours=colours))
        doubtful, others = ask(built, "GET", "/").text.split('id="fix-others"')
    named, rest = (set(re.findall(r'class="fix" id="fix-(\w+)"', part)) for part in (doubtful, others))
    assert named >= {"B", "C", "D", "red", "yellow"}
    assert named | rest == {*LETTERS, *colours}
    assert not named & rest


def test_once_it_is_said_what_lies_there_only_the_turn_is_asked_for(at: House) -> None:
    doubt = "<li><strong>"
    before = ask(at, "GET", "/").text
    assert doubt in before and 'form="fixing">This is the situation</button>' in before
    at.do(game.Lay(notation.read(LAID)))
    picture = ask(at, "GET", "/").text.split('sse-swap="photo"')[1].split('sse-swap="lay"')[0]
    assert doubt not in picture and "not sure" not in picture
    assert picture.index('id="fix-others"') < picture.index('class="fix"')
    assert re.findall(r'class="button[^"]*"', picture) == ['class="button quiet"']


LATER = {
    "a die leans": ({"doubts": (Doubt("die red", "it leans"),), "sure": False}, "it leans"),
    "the board is gone": (
        {"counts": None, "doubts": (Doubt("board", "none of the 4 tags is to be seen"),), "sure": False},
        "none of the 4 tags",
    ),
    "a hand turns the hourglass": (
        {"covered": True, "doubts": (Doubt("field A", "something covers this"),), "sure": False},
        "",
    ),
    "another board lies there": (
        {
            "covered": True,
            "doubts": (Doubt(f"fields {' '.join('ABCDEFGHIJKL')}", f"{COVERED}{ANOTHER}"),),
            "sure": False,
        },
        "or it is another board",
    ),
    "nothing": ({}, ""),
}


@pytest.mark.parametrize("since", LATER)
def test_what_is_doubted_since_it_was_laid_is_told(tmp_path: Path, since: str) -> None:
    frame = photo("session-01", "frames/001.jpg")
    jpeg, reading = cv2.imencode(".jpg", frame)[1].tobytes(), read(frame, profile("session-01"))
    assert reading.sure and reading.counts
    colours, changes, told = tuple(reading.dice), *LATER[since]
    shown = [(jpeg, reading, 1)]
    with house(tmp_path, photo=lambda: shown[0], colours=colours) as built:
        built.do(game.Start(("Anna", "Ben"), "Anna", colours=colours))
        dice = "".join(map(str, reading.dice.values()))
        built.do(game.Lay(notation.read(f"{''.join(map(str, reading.counts))}-{dice}")))
        shown[0] = (jpeg, replace(reading, **changes), 2)
        picture = ask(built, "GET", "/").text.split('sse-swap="photo"')[1].split('sse-swap="lay"')[0]
    assert ("no longer sees clearly what was laid" in picture) == bool(told)
    assert told in picture and ("<li><strong>" in picture) == bool(told)


def test_another_table_than_was_laid_is_asked_about_and_not_turned(tmp_path: Path) -> None:
    """It cannot be read whole, so it is not laid: what was laid before is on the table no more."""
    frame = photo("session-01", "frames/001.jpg")
    before = read(frame, profile("session-01"))
    assert before.sure and before.counts
    turned = (*before.counts[6:], *before.counts[:6])
    now = replace(before, counts=turned, sure=False, doubts=(Doubt("die red", "it leans"),))
    jpeg, colours = cv2.imencode(".jpg", frame)[1].tobytes(), tuple(before.dice)
    shown = [(jpeg, before, 1)]
    laid = f"{''.join(map(str, before.counts))}-{''.join(map(str, before.dice.values()))}"
    with house(tmp_path, photo=lambda: shown[0], colours=colours) as built:
        built.do(game.Start(("Anna", "Ben"), "Anna", colours=colours))
        built.do(game.Lay(notation.read(laid)))
        assert '<button class="button">Turn the hourglass' in ask(built, "GET", "/").text
        shown[0] = (jpeg, now, 2)
        page = ask(built, "GET", "/").text
    assert "Something else lies there now than what was laid." in page
    assert '<button class="button quiet">Turn the hourglass' in page
    assert '<button class="button" form="fixing">This is the situation' in page


def test_a_correction_of_what_is_no_longer_laid_is_refused(at: House) -> None:
    """A phone slept meanwhile, and another situation was laid."""
    line = "600000000000-462415"
    form = {"me": "Anna", "situation": line, "then": ""}
    assert ask(at, "POST", "/lay", form).status in (204, 303)
    refused = ask(at, "POST", "/lay", form)
    assert refused.status == 400 and "Something else has happened meanwhile" in refused.text
    assert ask(at, "POST", "/lay", {**form, "then": line}).status in (204, 303)


@pytest.mark.parametrize(
    ("pieces", "said"), [(0, "Nothing lies on the board yet."), (6, "No dice are to be seen yet.")]
)
def test_a_table_that_is_being_set_up_is_no_list_of_doubts(tmp_path: Path, pieces: int, said: str) -> None:
    frame = photo("session-01", "empty.jpg")
    jpeg, reading = cv2.imencode(".jpg", frame)[1].tobytes(), read(frame, profile("session-01"))
    assert reading.counts == (0,) * 12 and len(reading.doubts) == 7
    reading = replace(reading, counts=(pieces, *(0,) * 11))
    if pieces:
        reading = replace(reading, doubts=tuple(one for one in reading.doubts if one.what != "pieces"))
    colours = tuple(reading.dice)
    with house(tmp_path, photo=lambda: (jpeg, reading, 1), colours=colours) as built:
        built.do(game.Start(("Anna", "Ben"), "Anna", colours=colours))
        picture = ask(built, "GET", "/").text.split('sse-swap="photo"')[1].split('sse-swap="lay"')[0]
    assert said in picture
    assert "<li><strong>" not in picture and "fix-" not in picture and "warning" not in picture


def test_dice_of_another_set_are_not_read_clearly_nor_put_right(tmp_path: Path) -> None:
    frame = photo("session-01", "frames/001.jpg")
    jpeg, reading = cv2.imencode(".jpg", frame)[1].tobytes(), read(frame, profile("session-01"))
    assert reading.sure
    with house(tmp_path, photo=lambda: (jpeg, reading, 1), trouble=lambda: OTHER_DICE) as built:
        built.do(game.Start(("Anna", "Ben"), "Anna", colours=("pink", *tuple(reading.dice)[1:])))
        page = ask(built, "GET", "/").text
    assert "The camera reads nothing: this game has other dice" in page
    assert "read clearly" not in page and 'id="fixing"' not in page


def test_corrections_are_laid_with_the_rest_as_it_was_read(at: House) -> None:
    reading = seen()[1]
    assert reading.counts
    line = "".join(str(count or 0) for count in reading.counts) + "-"
    line += "".join(str(pips or 1) for pips in reading.dice.values())
    spare = 6 - sum(count or 0 for count in reading.counts)
    form = {"situation": line, "fix-L": str(spare + (reading.counts[11] or 0)), "fix-brown": "2"}
    assert ask(at, "POST", "/lay", form, **SCRIPT).status == 204
    laid = at.table.state.situation
    assert laid
    assert laid.waiting[11] == int(form["fix-L"])
    assert laid.dice[list(reading.dice).index("brown")] == 2
    for wrong in ({"fix-A": "9"}, {"fix-A": ""}, {"fix-brown": "0"}, {"situation": "x"}):
        assert ask(at, "POST", "/lay", form | wrong, **SCRIPT).status == 400


def test_a_tap_in_the_picture_leads_to_the_numbers(at: House) -> None:
    with browser() as chromium:
        page = phone(chromium, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        page.goto(f"{at.url}/?seat=Anna")
        others = page.locator("#fix-others")
        expect(others).not_to_have_attribute("open", "")
        empty = next(letter for letter in LETTERS if not (seen()[1].counts or ())[LETTERS.index(letter)])
        page.locator(f"[data-fix={empty}]").dispatch_event("click")
        expect(others).to_have_attribute("open", "")
        expect(page.locator(f"#fix-{empty} input:focus")).to_have_count(1)
        expect(page.locator(f"#fix-{empty} .cut")).to_be_in_viewport()
        page.locator("#fix-A input[value='2']").check()
        page.get_by_role("button", name="This is the situation").first.click()
        expect(page.get_by_text("The situation is set. Anna turns the hourglass.")).to_be_visible()
        assert at.table.state.situation
        assert at.table.state.situation.waiting[0] == 2
        assert page.faults == []  # type: ignore[attr-defined]
        page.context.close()


def test_a_correction_that_is_begun_outlives_a_reload_and_comes_before_the_turn(tmp_path: Path) -> None:
    jpeg, reading, _ = seen()
    shown, trouble = [(jpeg, reading, 1)], [""]
    colours = tuple(reading.dice)
    with (
        house(tmp_path, photo=lambda: shown[0], colours=colours, trouble=lambda: trouble[0]) as at,
        browser() as chromium,
    ):
        at.do(game.Start(("Anna", "Ben"), "Anna", colours=colours), game.Lay(notation.read(LAID)))
        page = phone(chromium, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        page.goto(f"{at.url}/?seat=Anna")
        turn = page.locator(".dock").get_by_role("button", name="Turn the hourglass")
        confirm = page.locator(".dock").get_by_role("button", name="This is the situation")
        expect(turn).to_be_visible()
        expect(confirm).to_be_hidden()
        page.locator("#fix-others summary").click()
        for field, count in (("A", 1), ("B", 1)):
            page.locator(f"#fix-{field} input[value='{count}']").check()
        for _ in range(2):
            expect(turn).to_be_hidden()
            expect(confirm).to_be_in_viewport()
            expect(page.locator("#fix-B input:checked")).to_have_value("1")
            page.reload()
        before = page.locator("#fix-B input[checked]").get_attribute("value") or ""
        kept = page.locator("#fix-A input[checked]").get_attribute("value") or ""
        page.locator(f"#fix-A input[value='{kept}']").check()
        page.locator(f"#fix-B input[value='{before}']").check()
        expect(turn).to_be_visible()  # all is as it was again
        for field in "AB":
            page.locator(f"#fix-{field} input[value='1']").check()
        trouble[0] = "the camera at number 0 gave no picture"
        at.do(game.Lay(notation.read(LAID)))  # the same again: only the trouble is news
        expect(page.get_by_text("The camera reads nothing")).to_be_visible()
        expect(page.locator("#fix-B input:checked")).to_have_value("1")
        confirm.click()
        expect(turn).to_be_visible()
        laid = at.table.state.situation
        assert laid and laid.waiting[:2] == (1, 1)
        page.reload()
        expect(turn).to_be_visible()
        page.context.close()


def test_the_big_screen_says_what_is_doubted_until_somebody_lays_it(at: House) -> None:
    def doubts() -> str:
        return ask(at, "GET", "/screen").text.split('sse-swap="doubts"')[1].split('sse-swap="trouble"')[0]

    assert "5 of 6 pieces are to be seen" in doubts()
    at.do(game.Lay(notation.read(LAID)))
    assert "<li>" not in doubts()


OVERLAPS = """(texts) => {
  const boxes = texts.map((one) => [one.textContent, one.getBBox()]);
  const over = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width
    && a.y + a.height / 4 < b.y + b.height * 3 / 4 && b.y + b.height / 4 < a.y + a.height * 3 / 4;
  return boxes.flatMap(([a, one], k) =>
    boxes.slice(k + 1).filter(([, other]) => over(one, other)).map(([b]) => a + b));
}"""
"""Labels that run into each other; a letter takes half of its line's height."""


@pytest.mark.slow
def test_labels_of_dice_that_touch_lie_apart(tmp_path: Path) -> None:
    virtual = VirtualTable(MAT, DEFAULT_COLOURS, clock=lambda: 0.0)
    block = next(one for one in setups(DEFAULT_COLOURS) if one.dice_lie == "block")
    lay(virtual, block)
    near = photo("session-01", "frames/002.jpg")
    shown = [(near, read(near, profile("session-01"))), (drawn := virtual.draw(), truthful(virtual)(drawn))]
    with browser() as chromium, house(tmp_path, photo=lambda: now[0]) as built:
        built.do(game.Start(("Anna", "Ben"), "Anna"))
        page = phone(chromium, viewport={"width": 390, "height": 844})
        for number, (frame, reading) in enumerate(shown):
            now = [(cv2.imencode(".jpg", frame)[1].tobytes(), reading, number)]
            page.goto(f"{built.url}/?seat=Anna")
            texts = page.locator(".photo text")
            assert texts.count() > len(reading.seen_dice)
            assert texts.evaluate_all(OVERLAPS) == []
        page.context.close()
