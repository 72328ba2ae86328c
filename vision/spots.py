"""Where on the table dice may lie, roughly: a small network looks at the whole picture at once.

It sees the frame and the empty photo, both so small that a die is twelve pixels wide. What it finds, the
network of the dice looks at closely.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.change import NOISE, Change, Mask
from vision.geometry import Floats, Image, View
from vision.maps import STRIDE, peaks
from vision.nets import ask, planes
from vision.once import once
from vision.parts import EVEN, Part, joined, parts_with

SIDE_PX = 12.0
"""Pixels of a die's side in the middle of the picture."""
LEAST, MOST, APART = 0.1, 20, 0.6
"""Places at least so likely, so many at most, so many sides from each other."""
AROUND = 5
"""Cells around all that is new that are looked at too."""
Place = tuple[float, float]
"""(x, y) mm."""
Spot = tuple[Place, float]
"""A place, and how likely a top face is there."""


def small(change: Change, view: View, die_mm: float) -> tuple[Image, Image]:
    """Frame and empty photo, BGR uint8, at the size the network sees, an even number of cells wide."""
    scale = SIDE_PX / (die_mm * view.pixels_per_mm(height=die_mm)) * 2
    height, width = change.frame.shape[:2]
    step = EVEN * STRIDE
    wide, high = (max(round(v * scale / step), 2) * step for v in (width, height))
    return _resized(change.frame, (wide, high)), _kept_resized(change.empty, (wide, high))


def _resized(photo: Image, size: tuple[int, int]) -> Image:
    # About half as large: means of areas that are no whole pixels take five times as long.
    return cv2.resize(photo, size, interpolation=cv2.INTER_LINEAR)


_kept_resized = once(_resized)


@once
def _kept_planes(empty: Image) -> Floats:
    return planes([empty])


def as_blob(frame: Image, empty: Image, part: Part = (slice(None), slice(None))) -> Floats:
    """What the network takes: that part (rows, columns) of both, float32 (1, 6, H, W)."""
    return np.concatenate(
        [planes([np.ascontiguousarray(frame[part])]), _kept_planes(empty)[..., *part]], axis=1
    )


def spots(view: View, change: Change, die_mm: float) -> list[Spot]:
    """Where every top face that there may be is, the likeliest first."""
    frame, empty = small(change, view, die_mm)
    rows, columns = frame.shape[0] // STRIDE, frame.shape[1] // STRIDE
    shown = parts_with(_new(change, columns, rows), AROUND)
    said = [ask("spots", as_blob(frame, empty, one.pixels))[0] for one in shown]
    found = peaks(joined(shown, said, 1, (rows, columns)), APART * SIDE_PX / STRIDE, LEAST, MOST)
    if not found:
        return []
    height, width = change.frame.shape[:2]
    wide = np.array([2 * width / columns, 2 * height / rows])
    pixels = (np.array([[x, y] for x, y, _ in found]) + 0.5) * wide - 0.5
    at = view.unproject(pixels, die_mm).tolist()
    return [((x, y), there) for (x, y), (_, _, (_, there)) in zip(at, found, strict=True)]


def _new(change: Change, columns: int, rows: int) -> Mask:
    """Which cells (rows, columns) hold something new."""
    _, differs = cv2.threshold(change.much, NOISE, 255, cv2.THRESH_BINARY)
    # First by exactly 4, which is quick: means of areas that are no whole pixels take five times as long.
    quarter = cv2.resize(differs, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    share = cv2.resize(quarter, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(share > 255 / 4)
