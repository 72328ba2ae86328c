"""Any lens, and a camera on its side: what lies on the table is seen where it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.calibrate import calibrate, see_dice
from calibration.lens import likelier_focal
from calibration.light import in_light_of
from calibration.stickers import measure_stickers
from companion.reliability import is_right
from tests.sessions import photo, profile, truth
from vision.change import carry, compare, half
from vision.geometry import Floats, Image, Lens, View
from vision.read import read
from vision.tags import find_tags, fit_lens, fit_views, locate_roughly
from vision.tops import Table

SESSION = "session-09"
LAYOUT = profile(SESSION).layout
SIZES = st.sampled_from([(1536, 864), (864, 1536), (1640, 1232)])
FOCALS = st.floats(0.4, 1.0)
"""Focal length by the longer side: from 102 degrees across to 53."""


def overhead(focal: float, size: tuple[int, int], tilt: float, k1: float) -> View:
    """The board as large as half the picture is high, seen `tilt` radians from aside."""
    lens = Lens(focal * max(size), k1, size)
    far = lens.focal * 2 * LAYOUT.half_mm / (0.5 * min(size))
    return View(lens, (tilt, 0.0, 0.0), (0.0, 0.0, far))


def tags_in(view: View, noise: float = 0.0, seed: int = 0) -> dict[int, Floats]:
    rng = np.random.default_rng(seed)
    corners = {tag: np.hstack([LAYOUT.tag_corners(tag), np.zeros((4, 1))]) for tag in LAYOUT.tags}
    return {tag: view.project(flat) + rng.normal(0, noise, (4, 2)) for tag, flat in corners.items()}


@settings(max_examples=40, deadline=None)
@given(FOCALS, SIZES, st.floats(0.2, 0.6), st.floats(-0.05, 0.05), st.integers(0, 99))
def test_lens_and_height_are_learned_from_the_tags(
    focal: float, size: tuple[int, int], tilt: float, k1: float, seed: int
) -> None:
    view = overhead(focal, size, tilt, k1)
    lens, (found, _) = fit_lens([tags_in(view, 0.1, seed), tags_in(view, 0.1, seed + 1)], LAYOUT, size)
    assert lens.focal == pytest.approx(view.lens.focal, rel=0.06)
    assert found.eye[2] == pytest.approx(view.eye[2], rel=0.06)


@settings(max_examples=20, deadline=None)
@given(FOCALS, SIZES, st.floats(0.0, 0.6))
def test_tags_lie_as_they_should_through_any_lens(focal: float, size: tuple[int, int], tilt: float) -> None:
    view = overhead(focal, size, tilt, 0.0)
    found = locate_roughly(tags_in(view), LAYOUT, size)
    assert found is not None
    assert found[1] < 2


@settings(max_examples=20, deadline=None)
@given(FOCALS, SIZES, st.floats(0.2, 0.6))
def test_stickers_are_measured_through_any_lens(focal: float, size: tuple[int, int], tilt: float) -> None:
    found = measure_stickers(tags_in(overhead(focal, size, tilt, 0.0)), size, LAYOUT.tag_mm)
    middle = np.mean(list(LAYOUT.tags.values()), axis=0)
    for tag, at in LAYOUT.tags.items():
        assert np.hypot(*(np.array(found.centres[tag]) - (at - middle))) < 1.5


def on_its_side(shot: Image) -> Image:
    return cv2.rotate(shot, cv2.ROTATE_90_CLOCKWISE)


def wide(shot: Image) -> Image:
    """As through a lens that sees 98 degrees across, and not 64: twice as much of the table."""
    high, broad = shot.shape[0] // 2, shot.shape[1] // 2
    return cv2.copyMakeBorder(shot, high, high, broad, broad, cv2.BORDER_REPLICATE)


@pytest.mark.parametrize("other", [on_its_side, wide])
def test_a_table_is_learned_and_read_by_other_cameras(other: Callable[[Image], Image]) -> None:
    known = profile(SESSION)
    names = [colour.name for colour in known.colours]
    empty, dice, frame = (other(photo(SESSION, name)) for name in ("empty.jpg", "dice.jpg", "frames/001.jpg"))
    learned = calibrate(known.layout, empty, dice, names, known.die_mm, known.piece_mm)
    assert learned.view.eye[2] == pytest.approx(known.view.eye[2], rel=0.03)
    reading = read(frame, learned)
    assert reading.sure
    assert is_right(reading, truth(SESSION)["001.jpg"])


@pytest.mark.slow
def test_from_right_above_the_dice_tell_what_the_tags_do_not() -> None:
    """The camera is 2 degrees aside; what it sees from so near through a wider lens is nearly the same."""
    known = profile("session-01")
    empty, dice = photo("session-01", "empty.jpg"), photo("session-01", "dice.jpg")
    six, right = see_dice(known.layout, empty, dice), known.view.lens.focal
    tags = [find_tags(shot, known.layout)[0] for shot in (empty, dice)]
    at = six.dice_view.project(np.array([[face.x, face.y, six.seen] for face in six.faces]))

    def likelier(focal: float) -> float | None:
        then, view = fit_views(tags, known.layout, known.view.lens.size, focal)[0]
        carried = carry(empty, then, view)
        lit = in_light_of(carried, dice)
        table = Table(lit, carried, view, compare(half(lit), half(carried)), six.seen)
        where = view.unproject(at, six.seen).tolist()
        faces = [replace(face, x=x, y=y) for face, (x, y) in zip(six.faces, where, strict=True)]
        return likelier_focal(tags, known.layout, empty, table, faces, six.seen)

    assert likelier(right) is None
    assert likelier(0.6 * right) == pytest.approx(right, rel=0.25)
