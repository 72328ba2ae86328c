"""Dice with a crumb in the middle of their top: a pip that it may hide is doubted."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sessions import SESSIONS, frames, photo, profile
from tests.slowly import slowly
from vision.faces import USUAL_DOTS
from vision.geometry import Image
from vision.look import look
from vision.outline import SIDE_PX
from vision.read import read
from vision.values import NOT_PLAIN, strange_middle

PLACES = {2: ((-1, -1), (1, 1)), 4: ((-1, -1), (1, 1), (-1, 1), (1, -1))}
BEIGE = (120, 165, 200)
COLOURS = st.tuples(*[st.integers(0, 255)] * 3)


def face(pips: int, top: tuple[int, ...], ink: tuple[int, ...], more: tuple[int, ...] | None = None) -> Image:
    """A top laid straight, BGR, with a disc of the colour `more` in its middle."""
    drawn = np.full((41, 41, 3), top, np.uint8)
    for x, y in (*PLACES[pips], *([(0, 0)] if more else [])):
        off = USUAL_DOTS.offset * SIDE_PX
        at = (round(16 * (20 + x * off)), round(16 * (20 + y * off)))
        colour = more if more and (x, y) == (0, 0) else ink
        cv2.circle(drawn, at, round(16 * 0.1 * SIDE_PX), colour, -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), 0.8))


@given(st.sampled_from([2, 4]), COLOURS, COLOURS)
def test_no_clean_top_has_anything_strange_in_its_middle(
    pips: int, top: tuple[int, ...], ink: tuple[int, ...]
) -> None:
    assert strange_middle(face(pips, top, ink), pips) < NOT_PLAIN[0] / 2


@pytest.mark.parametrize("pips", [2, 4])
def test_a_crumb_may_hide_a_pip(pips: int) -> None:
    yellow, black, brown = (40, 190, 230), (30, 30, 30), (60, 90, 130)
    for crumb in (BEIGE, brown):
        assert strange_middle(face(pips, yellow, black, crumb), pips) > NOT_PLAIN[1]
    # Where the pips are themselves unlike, nobody can say what a pip looks like.
    lit = face(pips, yellow, black, brown)
    lit[:18, :18] = (90, 200, 235)
    assert strange_middle(lit, pips) == 0


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
        x, y = (round(16 * at) for at in known.view.pixel(die.x, die.y, known.die_mm))
        crumb = np.zeros(frame.shape[:2], np.uint8)
        cv2.circle(crumb, (x, y), round(16 * wide), 255, -1, cv2.LINE_AA, 4)
        share = cv2.GaussianBlur(crumb, (0, 0), 0.7)[..., None] / 255
        reading = read((frame * (1 - share) + share * BEIGE).astype(np.uint8), known)
        assert not reading.sure or reading.dice[name] == die.pips, (name, die.pips)
