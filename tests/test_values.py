"""Dice with a crumb in the middle of their top: a pip too many, or one that is hidden, is doubted."""

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
from vision.values import NO_PIP, NOT_PLAIN, strange_middle

PLACES = {2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1))}
PLACES |= {4: ((-1, -1), (1, 1), (-1, 1), (1, -1))}
PLACES |= {5: (*PLACES[4], (0, 0))}
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


@given(st.sampled_from([2, 3, 4, 5]), COLOURS, COLOURS)
def test_no_clean_top_has_anything_strange_in_its_middle(
    pips: int, top: tuple[int, ...], ink: tuple[int, ...]
) -> None:
    assert strange_middle(face(pips, top, ink), pips) < min(NO_PIP[0], NOT_PLAIN[0]) / 2


def test_a_crumb_is_no_pip_and_hides_one() -> None:
    yellow, black, brown = (40, 190, 230), (30, 30, 30), (60, 90, 130)
    for pips in (2, 4):
        assert strange_middle(face(pips, yellow, black, BEIGE), pips + 1) > NO_PIP[1]
        assert strange_middle(face(pips, yellow, black, brown), pips) > NOT_PLAIN[1]
    # Where the outer pips are themselves unlike, nobody can say what a pip looks like.
    lit = face(5, yellow, black, BEIGE)
    lit[:18, :18] = (90, 200, 235)
    assert strange_middle(lit, 5) == 0


@pytest.mark.parametrize("session", slowly(SESSIONS))
def test_dice_with_a_crumb_in_the_middle_are_read_right_or_doubted(session: str) -> None:
    """A beige one as wide as a pip; on 2 and 4, and over the middle pip of 3 and 5, of one frame."""
    known = profile(session)
    frame = photo(session, f"frames/{next(name for one, name in frames(readable=True) if one == session)}")
    assert read(frame, known).sure
    seen = look(frame, known.view, known)
    for name, die in seen.dice.items():
        if die is None or die.pips not in PLACES:
            continue
        wide = 0.1 * known.die_mm * known.view.pixels_per_mm(die.x, die.y, known.die_mm)
        x, y = (round(16 * at) for at in known.view.pixel(die.x, die.y, known.die_mm))
        crumb = np.zeros(frame.shape[:2], np.uint8)
        cv2.circle(crumb, (x, y), round(16 * wide), 255, -1, cv2.LINE_AA, 4)
        share = cv2.GaussianBlur(crumb, (0, 0), 0.7)[..., None] / 255
        reading = read((frame * (1 - share) + share * BEIGE).astype(np.uint8), known)
        assert not reading.sure or reading.dice[name] == die.pips, (name, die.pips)
