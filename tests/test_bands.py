"""Bands of a lamp that flickers: found and undone, in frames and glances, and in nothing else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.light import in_light_of
from hardware.camera import small_grey
from tests.sessions import frames, photo, profile
from tests.shade import banded, in_shadow
from vision.bands import bands_in
from vision.change import half
from vision.geometry import Floats, Image
from vision.light import light_of
from vision.steady import moves

SIZE = (1536, 864)
READABLE = frames(readable=True)


def ratio_along(light: Floats, even: Floats) -> Floats:
    """How much lighter each row of a light's grid is than the whole is, against another light, as a log."""
    rows = np.log(cv2.resize(light, (8, 100)) / cv2.resize(even, (8, 100))).mean(axis=(1, 2))
    return np.asarray(rows - rows.mean())


@pytest.mark.parametrize("cycles", [1.3, 2.4, 6.2])
@pytest.mark.parametrize(("session", "name"), READABLE[::2])
def test_they_are_undone_in_the_light_of_a_frame(session: str, name: str, cycles: float) -> None:
    frame, empty = photo(session, f"frames/{name}"), profile(session).empty_half
    lit = banded(frame, 0.08, cycles)
    light, even = light_of(half(lit), empty, SIZE), light_of(half(frame), empty, SIZE)
    drawn = np.log(banded(np.full((100, 8, 3), 200, np.uint8), 0.08, cycles)[:, 0, 0] / 200.0)
    off = ratio_along(light.grid, even.grid) - (drawn - drawn.mean())
    assert np.abs(off).max() < 0.02 and np.ptp(drawn) > 0.13


def test_in_a_photograph_on_its_side_they_are_columns() -> None:
    frame, empty = photo("session-01", "frames/004.jpg"), profile("session-01").empty
    (now, then), size = (
        (cv2.rotate(one, cv2.ROTATE_90_CLOCKWISE) for one in (banded(frame, 0.1, 2.4), empty)),
        SIZE[::-1],
    )
    light = light_of(half(now), half(then), size)
    assert np.ptp(np.log(light.grid).mean(axis=(0, 2))) > 0.15


@pytest.mark.parametrize(("session", "name"), READABLE)
def test_nothing_is_taken_for_bands_that_is_none(session: str, name: str) -> None:
    frame, empty = photo(session, f"frames/{name}"), profile(session).empty_half
    plain = light_of(half(frame), empty, SIZE).grid.shape
    for other in (in_shadow(frame, 0.6), cv2.convertScaleAbs(frame, alpha=0.6)):
        assert light_of(half(other), empty, SIZE).grid.shape == plain


def test_of_rows_that_are_unknown_or_even_nothing_is_said() -> None:
    wave = 0.05 * np.sin(np.linspace(0, 15, 27))
    cycles = bands_in(wave)
    # Half as many, each with two crests, are the same.
    assert cycles is not None and min(abs(cycles - 2.5), abs(2 * cycles - 2.5)) < 0.15
    assert bands_in(np.where(np.arange(27) % 9 == 4, np.nan, wave)) is not None
    assert bands_in(0.1 * wave) is None
    assert bands_in(np.full(27, np.nan)) is None
    assert bands_in(np.random.default_rng(2).normal(0, 0.05, 27)) is None


def test_the_photo_of_the_dice_is_brought_into_the_light_of_the_empty_one() -> None:
    empty, dice = (photo("session-01", f"{name}.jpg") for name in ("empty", "dice"))
    one, other = banded(empty, 0.08, 2.4), banded(dice, 0.08, 2.4, turned=2.0)
    off = np.abs(in_light_of(one, other).astype(np.int16) - one).max(axis=2)
    assert np.median(off) <= 4 and np.percentile(off, 90) < 10 and off.max() > 60


def test_they_are_no_move_and_what_moves_among_them_is() -> None:
    def glance(frame: Image, turned: float) -> Image:
        return small_grey(banded(frame, 0.06, 2.4, turned))

    one, other = (photo(session, f"frames/{name}") for session, name in READABLE if session == "session-01")
    for turned in (1.0, 2.0, 3.0):
        assert moves(glance(one, 0.0), glance(one, turned)) is None
        assert moves(glance(one, 0.0), glance(other, turned)) is not None
