"""What bare pieces look like: learned from readings without a doubt about pieces, each look once."""

from __future__ import annotations

import numpy as np

from calibration.bare import MOST, knowing, more
from tests.sessions import photo, profile
from vision.geometry import Floats
from vision.read import read
from vision.reading import NO_TOPS, Reading


def tops(*lights: float) -> Floats:
    """(N, 5, 6) the rings of even grey tops so light (CIE Lab)."""
    rings = np.zeros((len(lights), 5, 6))
    rings[..., 0] = np.array(lights)[:, None]
    return rings


def test_a_look_is_known_once() -> None:
    known = more(NO_TOPS, tops(30, 60))
    assert len(known) == 2
    assert more(known, tops(30, 60)) is known
    assert more(known, NO_TOPS) is known
    assert len(more(known, tops(30, 90))) == 3


def test_the_oldest_looks_are_forgotten() -> None:
    known = NO_TOPS
    for redness in range(MOST + 20):
        redder = tops(50)
        redder[..., 1] = 2 * redness
        known = more(known, redder)
    assert known[:, 0, 1].tolist() == [2 * redness for redness in range(20, MOST + 20)]


def test_a_profile_that_learns_nothing_new_stays_the_same() -> None:
    """And one that does keeps what was worked out for it."""
    learned = profile("session-01")
    frame = photo("session-01", "frames/001.jpg")
    reading = read(frame, learned)
    assert reading.sure and len(reading.bare) == 6
    taught = knowing(learned, reading)
    assert not len(learned.bare) and len(taught.bare)
    assert taught.places is learned.places
    assert knowing(taught, reading) is taught
    assert read(frame, taught) == reading
    assert knowing(learned, Reading(None, {})) is learned


def test_marked_pieces_are_none_to_learn_from() -> None:
    """Nor are any where something is in doubt about a piece: here one is cut off."""
    reading = read(photo("session-09", "frames/001.jpg"), profile("session-09"))
    assert len(reading.bare) == len(reading.pieces) - len(reading.markers)
    frame = photo("session-01", "frames/001.jpg").copy()
    x, y = (round(along) for along in read(frame, profile("session-01")).pieces[0].centre)
    frame[max(y - 60, 0) : y + 60, x:] = 128
    assert not len(read(frame, profile("session-01")).bare)
