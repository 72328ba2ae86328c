"""Patches of light on the board, of the sun or a lamp: they are read through, and a hand in one is not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.reliability import is_right
from tests.sessions import frames, photo, profile, truth
from vision.board import where_board_lies
from vision.doubts import doubts_of
from vision.geometry import Image, on_board
from vision.judge import confidence
from vision.look import Seen, look, look_past_the_sun
from vision.profile import Profile
from vision.read import read
from vision.reading import MANY, Reading

pytestmark = pytest.mark.slow

WINDOW = np.array([(-0.8, -0.9), (0.1, -0.7), (0.7, 0.5), (-0.3, 0.3)])
"""Where the sun falls through one, in halves of the board."""


def window(frame: Image, known: Profile) -> Image:
    """1 where that light falls, grey float32 (H, W)."""
    there = np.zeros(frame.shape[:2], np.float32)
    corners = known.view.project(on_board(WINDOW * known.layout.half_mm))
    return np.asarray(cv2.fillConvexPoly(there, np.round(corners).astype(np.int32), 1.0))


def lit(frame: Image, known: Profile, times: float) -> Image:
    """The frame with so many times the light in a window's shape on the board, warmer, its edge soft."""
    share = cv2.GaussianBlur(window(frame, known), (0, 0), 3)[..., None] * np.array([0.9, 1.0, 1.08])
    light = (frame / 255) ** 2.2 * (1 + (times - 1) * share)
    return np.asarray(np.clip(light, 0, 1) ** (1 / 2.2) * 255, dtype=np.uint8)


def past(frame: Image, known: Profile) -> Seen | None:
    """What is seen of a frame without the sun on the board; None where there is none."""
    view = where_board_lies(frame, known).view
    assert view is not None
    return look_past_the_sun(look(frame, view, known), known)


def told(reading: Reading) -> tuple[object, ...]:
    return reading.counts, reading.dice, reading.markers


@pytest.mark.parametrize(
    ("session", "name", "times"),
    [
        ("play-03", "002.jpg", 1.25),
        ("session-01", "004.jpg", 1.5),
        ("session-04", "001.jpg", 1.25),
        ("session-09", "007.jpg", 1.5),
    ],
)
def test_a_patch_of_sun_on_the_board_is_no_hand(session: str, name: str, times: float) -> None:
    known, frame = profile(session), photo(session, f"frames/{name}")
    reading = read(lit(frame, known, times), known)
    assert reading.sure and told(reading) == told(read(frame, known))


@pytest.mark.parametrize(("session", "name"), frames(readable=True))
@pytest.mark.parametrize("times", [2.0, 4.0])
def test_where_the_sun_burns_the_picture_nothing_is_told_wrongly(
    session: str, name: str, times: float
) -> None:
    known, frame = profile(session), photo(session, f"frames/{name}")
    reading = read(lit(frame, known, times), known)
    assert not reading.sure or is_right(reading, truth(session)[name])


@pytest.mark.parametrize(("session", "name"), frames(readable=False))
@pytest.mark.parametrize("times", [1.25, 1.5])
def test_nobody_reads_through_a_hand_in_the_sun(session: str, name: str, times: float) -> None:
    known, frame = profile(session), photo(session, f"frames/{name}")
    assert not read(lit(frame, known, times), known).sure


def test_past_the_sun_a_marker_is_no_surer_than_in_it() -> None:
    """Nor does it lose its name: that of the piece is said, and not that there are many small doubts."""
    known, frame = profile("session-01"), photo("session-01", "frames/004.jpg")
    view = where_board_lies(frame, known).view
    assert view is not None
    seen = look(lit(frame, known, 1.4), view, known)
    assert seen.hidden
    vague = [replace(marker, likely=0.9) for marker in seen.markers]
    again = look_past_the_sun(replace(seen, markers=vague, marked=0.9), known)
    assert again and again.marked == 0.9
    assert [marker.likely for marker in again.markers] == [0.9] * len(again.markers)
    whys = {doubt.why for doubt in doubts_of(again, known, confidence(again, known))}
    assert any(why.startswith("a marker may be") for why in whys) and MANY not in whys


def test_what_hides_the_print_is_no_light() -> None:
    """A lighter sheet of the board's own hue, as even as light is, but nothing is seen through it."""
    known, frame = profile("session-09"), photo("session-09", "frames/007.jpg")
    there = window(frame, known) > 0
    sheet = frame.copy()
    sheet[there] = np.minimum(1.15 * np.median(frame[there], axis=0), 250)
    assert past(sheet, known) is None and not read(sheet, known).sure
    assert past(lit(frame, known, 1.4), known) is not None
