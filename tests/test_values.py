"""Dice with a lamp or a crumb in their top, that may be a pip or hide one: read rightly, or doubted."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.pictures.dice_lit import draw_lit
from tests.sessions import SESSIONS, frames, photo, profile
from tests.slowly import slowly
from vision.die_sides import flattened
from vision.face_net import Answer
from vision.geometry import Image, Lens, View
from vision.lit_tops import SIDE_PX, SIZE, as_blob, lit_values, side_of
from vision.look import look
from vision.nets import ask, shares
from vision.read import read
from vision.reading import SURE
from vision.values import may_be_lamp

BEIGE, WHITE = (120, 165, 200), (250, 250, 250)
ABOVE = View(Lens(1300.0, 0.0, (600, 600)), (0.0, 0.0, 0.0), (0.0, 0.0, 600.0))
"""A camera that looks straight down."""


def with_disc(frame: Image, at: tuple[float, float], radius: float, colour: tuple[int, ...]) -> Image:
    """The frame with a disc, its middle and radius in pixels, its rim a little soft."""
    disc = np.zeros(frame.shape[:2], np.uint8)
    x, y = (round(16 * v) for v in at)
    cv2.circle(disc, (x, y), round(16 * radius), 255, -1, cv2.LINE_AA, 4)
    share = cv2.GaussianBlur(disc, (0, 0), 0.7)[..., None] / 255
    return np.asarray((frame * (1 - share) + share * colour).astype(np.uint8))


def test_tops_drawn_under_lamps_are_read_right_or_not_surely() -> None:
    """Of frames that were never learned from, laid as exactly as they were drawn."""
    chances, values = [], []
    for seed in range(8):
        frame, tops = draw_lit(np.random.default_rng([7, seed]))
        for value, corners, seen in tops:
            if seen > 0.95:
                picture = flattened(frame, corners, SIDE_PX, SIZE)
                chances.append(shares(ask("lit-tops", as_blob([picture], [side_of(corners)])))[0])
                values.append(value - 1)
    said, sure = np.argmax(chances, axis=1), np.max(chances, axis=1) > SURE
    assert len(values) > 30 and np.mean(said == values) > 0.85
    assert sure.sum() > len(values) / 3 and (said == values)[sure].all()


def test_tops_of_photographed_dice_show_what_they_are() -> None:
    for session, name in frames(readable=True):
        known, frame = profile(session), photo(session, f"frames/{name}")
        seen = look(frame, known.view, known)
        tops = [die for die in seen.dice.values() if die]
        chances = lit_values(frame, seen.view, tops, known.die_mm, every_way=True)
        assert [int(one.argmax()) + 1 for one in chances] == [die.pips for die in tops]
        assert chances.max(axis=1).min() > 0.99


@pytest.mark.parametrize("pips", [3, 5])
def test_a_middle_pip_lighter_than_all_others_may_be_a_lamp(pips: int) -> None:
    """Not where one of the others is nearly as light: where one shines they may all."""
    mm, corners = 16.0, ((-1, -1), (1, 1), (1, -1), (-1, 1))[: pips - 1]
    top = Answer(0.0, 0.0, 1.0, 1.0, np.eye(6)[pips - 1], 0.0, 0.9)

    def shown(middle: int, first: int) -> Image:
        frame = np.full((600, 600, 3), (60, 40, 150), np.uint8)
        for (x, y), grey in zip(((0, 0), *corners), (middle, first, *[180] * 3), strict=False):
            at = ABOVE.pixel(0.25 * mm * x, 0.25 * mm * y, mm)
            frame = with_disc(frame, at, 0.1 * mm * ABOVE.pixels_per_mm(0, 0, mm), (grey,) * 3)
        return frame

    assert may_be_lamp(shown(230, 180), ABOVE, top, pips, mm)
    assert not may_be_lamp(shown(190, 180), ABOVE, top, pips, mm)
    assert not may_be_lamp(shown(230, 225), ABOVE, top, pips, mm)
    assert not may_be_lamp(shown(230, 180), ABOVE, top, 4, mm)


@pytest.mark.parametrize("session", slowly(SESSIONS))
def test_dice_with_a_lamp_in_their_top_are_read_right_or_doubted(session: str) -> None:
    """A glow over the middle of each, half as wide as the top, and less; it burns out what is light.

    On a rendered five a lamp hid two pips: a four, swore the networks that know no lamps. A spot just as
    wide and as light as the other pips is a pip to anybody: none such is tried here.
    """
    known = profile(session)
    frame = photo(session, f"frames/{next(name for one, name in frames(readable=True) if one == session)}")
    seen = look(frame, known.view, known)
    for name, die in seen.dice.items():
        assert die
        wide = known.die_mm * known.view.pixels_per_mm(die.x, die.y, known.die_mm)
        at = known.view.pixel(die.x, die.y, known.die_mm)
        for share in (0.15, 0.25):
            glow = with_disc(np.zeros_like(frame), at, share * wide, WHITE).astype(np.float32)
            lit = frame + 0.5 * cv2.GaussianBlur(glow, (0, 0), 0.06 * wide)
            reading = read(np.clip(lit, 0, 255).astype(np.uint8), known)
            assert not reading.sure or reading.dice[name] == die.pips, (name, die.pips, share)


@pytest.mark.parametrize("session", slowly(SESSIONS))
def test_dice_with_a_crumb_in_the_middle_are_read_right_or_doubted(session: str) -> None:
    """A beige one, a little wider than a pip, over the middle pip of each 3 and 5 of a frame."""
    known = profile(session)
    frame = photo(session, f"frames/{next(name for one, name in frames(readable=True) if one == session)}")
    assert read(frame, known).sure
    seen = look(frame, known.view, known)
    for name, die in seen.dice.items():
        if die is None or die.pips not in (3, 5):
            continue
        wide = 0.12 * known.die_mm * known.view.pixels_per_mm(die.x, die.y, known.die_mm)
        crumbed = with_disc(frame, known.view.pixel(die.x, die.y, known.die_mm), wide, BEIGE)
        reading = read(crumbed, known)
        assert not reading.sure or reading.dice[name] == die.pips, (name, die.pips)
