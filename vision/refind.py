"""The board found again without its tags: features of the print in the empty photo, and in a frame.

ORB features (Rublee and others 2011) of the board itself, never of the table it lies on: a board that
was pushed is not where its table is. Corners of a flat print give a plane's pose (RANSAC, then the
infinitesimal method of Collins and Bartoli 2014). What comes out are guesses: who asks must check.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.geometry import Floats, Image, Lens, View, on_board, square_seen

FEATURES, IN_FRAME = 1200, 3000
LEAST_MATCHES = 10
NEAR_PX = 3.0
"""Matches that agree with a pose do so within this."""


@dataclass(frozen=True, slots=True)
class Features:
    """`mm` (N, 2): places on the board; `looks` (N, 32) uint8: how each one looks to ORB."""

    mm: Floats
    looks: Any


def features_of(empty: Image, view: View, reach: float) -> Features:
    """The features of the board in its empty photo, BGR uint8; `reach` is half its side in mm."""
    mask: Image = square_seen(empty.shape, view, reach) * np.uint8(255)
    points, looks = _orb(FEATURES).detectAndCompute(cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY), mask)
    if not points:
        return Features(np.zeros((0, 2)), np.zeros((0, 32), np.uint8))
    return Features(view.unproject(np.array([point.pt for point in points])), looks)


def candidates(frame: Image, known: Features, lens: Lens) -> list[View]:
    """Views under which many features of the board lie where the frame (BGR uint8) has them."""
    points, looks = _orb(IN_FRAME).detectAndCompute(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), None)
    if len(known.mm) < LEAST_MATCHES or not points:
        return []
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(known.looks, looks)
    pairs = [pair for pair in pairs if pair.distance < 64]
    if len(pairs) < LEAST_MATCHES:
        return []
    mm = known.mm[[pair.queryIdx for pair in pairs]]
    flat = lens.undistorted(np.array([points[pair.trainIdx].pt for pair in pairs]))
    cv2.setRNGSeed(1974)
    _, inside = cv2.findHomography(mm, flat, cv2.RANSAC, NEAR_PX, maxIters=4000)
    if inside is None or int(inside.sum()) < LEAST_MATCHES:
        return []
    chosen = inside.ravel() > 0
    solid = on_board(mm[chosen])
    done, turn, shift = cv2.solvePnP(solid, flat[chosen], lens.matrix, np.zeros(4), flags=cv2.SOLVEPNP_IPPE)
    if not done:
        return []
    a, b, c = (float(v) for v in np.ravel(turn))
    x, y, z = (float(v) for v in np.ravel(shift))
    return [View(lens, (a, b, c), (x, y, z))]


def _orb(most: int) -> Any:
    return cv2.ORB.create(nfeatures=most, nlevels=4, fastThreshold=8)
