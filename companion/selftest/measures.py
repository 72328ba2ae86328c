"""What a photo says of light, shine, sharpness and the camera's place, against that of the empty board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.games.corona.rules import LETTERS
from vision.geometry import Floats, Image, square
from vision.profile import Profile
from vision.reading import Point, Reading

SIDE = 280
"""Pixels of a side of the board seen straight from above: one for each millimetre of the mat."""
BLOWN, NOT_BLOWN = 248, 225
"""Grey levels: at the first all three channels are as good as white, below the second none is near it."""


@dataclass(frozen=True, slots=True)
class Measures:
    """One photo. `bright`: middle grey level of the board. `light`: times as bright as the empty photo.

    `uneven`: how much more that is in one quarter of the board than in another. `shine`: share of the
    board that became white, and `shine_near` the field next to it. `sharp`: sharpness of the tags as a
    share of what it was. `moved_mm`: how far the camera's view of the board has gone since then.
    """

    bright: float
    light: float
    uneven: float
    shine: float
    shine_near: str
    sharp: float
    moved_mm: float


@dataclass(frozen=True, slots=True)
class Place:
    """Where the camera stands: mm above the board, degrees off the vertical over its middle, pixels a die."""

    above_mm: float
    off_deg: float
    die_px: float


def place(profile: Profile) -> Place:
    return Place(float(profile.view.eye[2]), profile.view.tilt, profile.die_px)


def measure(frame: Image, reading: Reading, profile: Profile) -> Measures | None:
    """`frame`: BGR uint8 (H, W, 3) of the profile's size; None where the board was not found in it."""
    if len(reading.board) != 4:
        return None
    then_corners = profile.view.project(square(profile.layout.half_mm))
    now, then = _board(frame, reading.board), _board(profile.empty, then_corners)
    usable = (then > 16).all(axis=2) & (then < 245).all(axis=2)
    grey_now, grey_then = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY).astype(np.float32) for one in (now, then))
    ratio = np.where(usable, grey_now / np.maximum(grey_then, 1), np.nan)
    half = SIDE // 2
    parts = (slice(None, half), slice(half, None))
    quarters = [_middle(ratio[rows, columns]) for rows in parts for columns in parts]
    white = (now.min(axis=2) >= BLOWN) & (then.max(axis=2) < NOT_BLOWN)
    white = cv2.erode(white.astype(np.uint8), np.ones((3, 3), np.uint8))  # glints on metal are no fault
    corners = np.array(reading.board)
    away = np.hypot(*(corners - then_corners).T).max() / profile.view.pixels_per_mm()
    sharp_now, sharp_then = (
        _sharpness(frame, corners, profile),
        _sharpness(profile.empty, then_corners, profile),
    )
    return Measures(
        bright=float(np.median(grey_now)),
        light=_middle(ratio),
        uneven=max(quarters) / max(min(quarters), 0.01),
        shine=float(white.mean()),
        shine_near=_nearest(white, profile) if white.any() else "",
        sharp=sharp_now / max(sharp_then, 1e-6),
        moved_mm=float(away),
    )


def _middle(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if known.size else 1.0


def _board(frame: Image, corners: Sequence[Point] | Floats) -> Image:
    """The board seen straight from above: BGR uint8 (SIDE, SIDE, 3)."""
    into = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    turn = cv2.getPerspectiveTransform(np.array(corners, np.float32), into)
    return np.asarray(cv2.warpPerspective(frame, turn, (SIDE, SIDE)), np.uint8)


def _sharpness(frame: Image, corners: Floats, profile: Profile) -> float:
    """How steep the edges of the tags are, whatever their contrast; the middle one of all tags."""
    turn = cv2.getPerspectiveTransform(
        square(profile.layout.half_mm)[:, :2].astype(np.float32), corners.astype(np.float32)
    )
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).astype(np.float32)
    found = []
    for tag in profile.layout.tags:
        outline = profile.layout.tag_corners(tag).reshape(-1, 1, 2).astype(np.float32)
        at = cv2.perspectiveTransform(outline, turn).reshape(-1, 2)
        left, top = np.maximum(at.min(axis=0).astype(int), 0)
        right, low = at.max(axis=0).astype(int) + 1
        crop = grey[top:low, left:right]
        if min(crop.shape) > 8:
            found.append(float(cv2.Laplacian(crop, cv2.CV_32F).var() / max(float(crop.var()), 25.0)))
    return float(np.median(found)) if found else 0.0


def _nearest(white: Image, profile: Profile) -> str:
    """The field nearest to the middle of the largest white spot."""
    _, _, stats, middles = cv2.connectedComponentsWithStats(white, connectivity=8)
    middle = middles[1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())]
    at = (middle / SIDE * 2 - 1) * profile.layout.half_mm
    return LETTERS[profile.layout.nearest_field(*at)]
