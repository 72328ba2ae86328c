"""Frames whose camera bent their tones or changed their colours, or that are too light: read, or doubted."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

import vision.marker_lids
from companion.cameras import CAMERAS, Camera
from companion.disturbances import disturbed
from companion.reliability import is_right
from tests.sessions import SESSIONS, frames, photo, profile, truth
from tests.slowly import slowly
from vision.change import half
from vision.geometry import Floats, Image
from vision.marker_light import alike_where_ended, cut_short, may_have
from vision.read import read
from vision.tones import colours, curve, seen_alike, straightened

ALL = frames(readable=True)


def bent(values: Image, power: float, veil: float) -> Image:
    """uint8 as a camera gives it whose tones are bent by a power, under a veil; 255 stays."""
    tones = veil + (255 - veil) * np.linspace(0, 1, 256) ** power
    return np.asarray(np.round(tones).astype(np.uint8)[values])


def spread(factors: Floats) -> float:
    """By how much the most and the least of some factors (N, 3) differ, as a log, in the worst channel."""
    return float(np.ptp(np.log(factors), axis=0).max())


def test_frames_in_the_empty_photos_tones_are_left_alone() -> None:
    """But for a few, where much that is dark, or light, is covered: those cost some time, and are read."""
    left = 0
    for session, name in ALL:
        shown = disturbed(photo(session, f"frames/{name}"), "warmer", name)
        left += seen_alike(shown, profile(session).empty_half)[0] is shown
    assert left >= 0.8 * len(ALL)


@pytest.mark.parametrize(("power", "veil"), [(0.8, 0), (1.25, 0), (1, 30)])
@pytest.mark.parametrize("session", SESSIONS)
def test_a_curve_of_tones_is_found_again(session: str, power: float, veil: float) -> None:
    """Whatever lies on the table: straightened, each value is as it was, but for a factor."""
    known = profile(session)
    name = next(name for of, name in ALL if of == session)
    straight = curve(half(bent(photo(session, f"frames/{name}"), power, veil)), known.empty_half)
    assert straight is not None
    assert (np.diff(straight[:, 0].astype(int), axis=0) >= 0).all()
    values = np.arange(40, 230)[:, None].repeat(3, axis=1)
    seen = bent(values, power, veil)
    again = np.take_along_axis(straight[:, 0], seen.astype(np.intp), axis=0)
    assert spread(again / values) < 0.5 * spread(seen / values)


@pytest.mark.parametrize("camera", [Camera(colourful=1.25), Camera(colourful=0.8), Camera(hue_deg=10)])
def test_colours_are_found_again(camera: Camera) -> None:
    """Though a sixth of the table is covered: in the mean at most a third as far off as they were."""
    patches = np.random.default_rng(4).integers(70, 170, (12, 16, 3)).astype(np.uint8)
    empty = cv2.resize(patches, (768, 432), interpolation=cv2.INTER_NEAREST)
    shown = empty.copy()
    shown[:72] = (30, 60, 200)
    changed = camera.takes(shown)
    back = colours(changed, empty)
    assert back is not None
    were, seen = (one[72:].reshape(-1, 3).astype(np.float64) for one in (empty, changed))
    assert off(seen @ back.T, were) < off(seen, were) / 3


def off(colours: Floats, were: Floats) -> float:
    """How far colours (N, 3) are off in the mean, as shares of their light."""
    shares, wanted = (one / one.sum(axis=1, keepdims=True) for one in (colours, were))
    return float(np.abs(shares - wanted).mean())


@pytest.mark.parametrize("how", slowly(["other colours", "veiled", "other tones"]))
def test_frames_in_other_tones_and_colours_are_read(how: str) -> None:
    sure = 0
    for session, name in ALL:
        reading = read(disturbed(photo(session, f"frames/{name}"), how, name), profile(session))
        right = is_right(reading, truth(session)[name])
        assert right or not reading.sure, name
        sure += reading.sure
    assert sure >= 0.9 * len(ALL)


def test_tones_that_the_light_does_not_tell_are_straightened_where_there_is_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where most of a table is of one tone, its lightest and darkest are too little to tell by."""
    monkeypatch.setattr("vision.tones.BENT", np.inf)

    def sure() -> list[bool]:
        told = []
        for session, name in ("session-01", "001.jpg"), ("session-04", "001.jpg"), ("session-09", "001.jpg"):
            darker = bent(photo(session, f"frames/{name}"), 1.35, 0)
            reading = read(darker, profile(session))
            assert is_right(reading, truth(session)[name]) or not reading.sure, session
            told.append(reading.sure)
        return told

    assert all(sure())
    monkeypatch.setattr("vision.read.look_in_its_tones", lambda *_: None)
    assert not any(sure())


@pytest.mark.slow
def test_frames_in_the_empty_photos_tones_are_not_looked_at_in_others() -> None:
    for session, name in ALL:
        assert straightened(photo(session, f"frames/{name}"), profile(session).empty_half) is None


def test_tones_that_no_exposure_explains_are_not_straightened() -> None:
    name = next(name for of, name in ALL if of == "session-04")
    known, shown = profile("session-04"), photo("session-04", f"frames/{name}")
    hard = CAMERAS["hard tones"].takes(shown)
    assert curve(half(hard), known.empty_half) is None
    assert not read(hard, known).sure


def test_a_black_picture_has_no_tones() -> None:
    known = profile("session-04")
    black = np.zeros_like(known.empty_half)
    assert curve(black, known.empty_half) is None
    assert colours(black, known.empty_half) is None


def test_a_colour_whose_red_ends_may_be_redder() -> None:
    """An orange marker in a frame 1.3 times as light as the photos learned from: its hue is that of gold."""
    orange, yellow, blue = (157, 176, 184), (219, 127, 206), (92, 144, 82)
    three, seen = np.array([orange, yellow, blue], dtype=np.float64), np.full((10, 10, 3), (78, 156, 255))
    light = np.full(3, 1.3)
    assert may_have(seen, light, three).tolist() == [True, False, False]
    assert not may_have(seen, np.ones(3), three).any(), "as light as the photos: so it looked there, too"
    assert not may_have(np.full_like(seen, (150, 215, 255)), light, three).any(), "bare gold"
    assert may_have(np.full_like(seen, 255), light, three).all()
    may = np.array([[True, False, False]] * 3)
    held = np.array([[0.9, 0.1, 0, 0], [0.1, 0.9, 0, 0], [0, 0, 1, 0]])  # bare, orange, yellow
    none = np.zeros_like(may)
    assert cut_short(held, may, none).tolist() == [True, False, True]
    assert not cut_short(held, none, none).any()


def test_colours_are_alike_where_what_tells_them_apart_has_ended() -> None:
    """At twice the exposure: `play-01`'s dice, and its orange marker, a little lighter than its die."""
    dice = np.array(
        [(222, 130, 190), (249, 110, 197), (158, 190, 156)], dtype=np.float64
    )  # orange, yellow, red
    seen = np.full((10, 10, 3), (123, 238, 255), np.uint8)
    assert alike_where_ended(seen, dice).tolist() == [True, True, False]
    assert not alike_where_ended(np.full_like(seen, (60, 100, 160)), dice).any(), "nothing has ended"
    assert not alike_where_ended(np.full_like(seen, 255), dice).any(), "all has: that is burnt"
    usual = np.array([(163, 172, 190), (213, 127, 203)], dtype=np.float64)
    lit = np.full_like(seen, (60, 150, 255))
    assert alike_where_ended(lit, usual).sum() <= 1, "in usual light green tells them apart"
    either = np.array([[True, True, False]] * 4)
    held = np.array([[0.9, 0.1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])  # bare, orange, yellow, red
    none = np.zeros_like(either)
    assert cut_short(held, none, either).tolist() == [False, True, True, False]
    assert not cut_short(held, none, either & (np.arange(3) == 0)).any(), "it may be one alone"


def test_a_piece_that_may_have_a_colour_is_not_surely_bare(monkeypatch: pytest.MonkeyPatch) -> None:
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    assert read(frame, known).sure
    monkeypatch.setattr(vision.marker_lids, "may_have", lambda *_: np.arange(6) == 0)
    reading = read(frame, known)
    assert not reading.sure
    assert "a lamp shines in a piece: its marker cannot be told" in [doubt.why for doubt in reading.doubts]


@pytest.mark.parametrize(("session", "name"), ALL)
def test_a_frame_that_is_too_light_is_read_right_or_doubted(session: str, name: str) -> None:
    reading = read(CAMERAS["overexposed"].takes(photo(session, f"frames/{name}")), profile(session))
    assert is_right(reading, truth(session)[name]) or not reading.sure
