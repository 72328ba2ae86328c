"""Small squares of the table, flattened, as the networks of dice and markers are shown them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.geometry import Floats, Image, View
from vision.light import Light
from vision.nets import planes


def square(
    frame: Image,
    view: View,
    at: tuple[float, float],
    height: float,
    mm_per_px: float,
    size: int,
    half: bool = False,
    turn: float = 0.0,
) -> Image:
    """The square around `at` (mm) on the plane `height` mm up, BGR uint8 (size, size, 3); x right, y down.

    `half`: the frame is given at half its size. `turn`: radians by which the square's own axes are turned
    from x towards y.
    """
    return _cut(frame, _to_pixels(view, at, height, mm_per_px, size, half, turn), size)


def _cut(photo: Image, to_pixels: Floats, size: int) -> Image:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(photo, to_pixels, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _to_pixels(
    view: View,
    at: tuple[float, float],
    height: float,
    mm_per_px: float,
    size: int,
    half: bool,
    turn: float,
) -> Floats:
    """3 x 3: pixels of such a square -> pixels of the frame, homogeneous."""
    middle = (size - 1) / 2
    c, s = math.cos(turn) * mm_per_px, math.sin(turn) * mm_per_px
    x, y = at
    left, top = x - (c - s) * middle, y - (s + c) * middle
    # In plain numbers: some eighty squares are cut out of a frame. From the square's pixels to camera axes:
    rows = [(a * c + b * s, b * c - a * s, a * left + b * top + up * height + d) for a, b, up, d in view.pose]
    across, down, ahead = ((a + b) * middle + d for a, b, d in rows)
    # The lens bends slowly: within so small a square it is a shift.
    u, v = view.pixel(x, y, height)
    focal = view.lens.focal
    if half:
        u, v, focal = u / 2 - 0.25, v / 2 - 0.25, focal / 2
    aside, below = u - focal * across / ahead, v - focal * down / ahead
    columns = zip(*rows, strict=True)
    return np.array([(focal * a + aside * d, focal * b + below * d, d) for a, b, d in columns]).T


def lit_square(
    frame: Image,
    lights: Light,
    view: View,
    at: tuple[float, float],
    height: float,
    mm_per_px: float,
    size: int,
    turn: float = 0.0,
) -> Image:
    """The same in the empty photo's light."""
    return _lit(square(frame, view, at, height, mm_per_px, size, turn=turn), lights, view, at, height)


def now_and_then(
    frame: Image,
    empty: Image,
    lights: Light,
    view: View,
    at: tuple[float, float],
    height: float,
    mm_per_px: float,
    size: int,
    turn: float = 0.0,
) -> tuple[Image, Image]:
    """The same of the frame, in the empty photo's light, and of the empty photo."""
    to_pixels = _to_pixels(view, at, height, mm_per_px, size, False, turn)
    now, then = (_cut(photo, to_pixels, size) for photo in (frame, empty))
    return _lit(now, lights, view, at, height), then


def _lit(flat: Image, lights: Light, view: View, at: tuple[float, float], height: float) -> Image:
    gain = 1 / lights.at(*view.pixel(*at, height))
    return cv2.multiply(flat, np.array([*gain, 0.0]))


def lean(view: View, at: tuple[float, float], height: float) -> tuple[float, float]:
    """How far the foot of a thing is seen from its top, in its height: what a thing that stands must show."""
    eye = view.eye
    return float((at[0] - eye[0]) / (eye[2] - height)), float((at[1] - eye[1]) / (eye[2] - height))


def as_blob(
    frames: Sequence[Image],
    empties: Sequence[Image],
    leans: Sequence[tuple[float, float]],
    shown: Callable[[Sequence[Image]], Floats] = planes,
) -> Floats:
    """What a network takes: the frame and the empty photo, in one light, three channels each as `shown`
    makes them of BGR, and how far the camera looks aside there (x, y); float32 (N, 8, size, size), N at
    least 1."""
    size = frames[0].shape[0]
    aside = np.empty((len(leans), 2, size, size), dtype=np.float32)
    aside[:] = np.array(leans)[:, :, None, None]
    return np.concatenate([shown(frames), shown(empties), aside], axis=1)


def turned(blob: Floats, quarter: int) -> Floats:
    """A network's pictures after so many quarter turns against the clock; channels 6 and 7 tell the lean."""
    if quarter % 4 == 0:
        return blob
    other = np.rot90(blob, quarter, axes=(2, 3)).copy()
    # Such a turn takes (x, y) to (y, -x).
    x, y = other[:, 6].copy(), other[:, 7].copy()
    other[:, 6], other[:, 7] = ((x, y), (y, -x), (-x, -y), (-y, x))[quarter % 4]
    return other


def mirrored(blob: Floats) -> Floats:
    """A network's pictures as a mirror shows them, left for right."""
    other = blob[..., ::-1].copy()
    other[:, 6] *= -1
    return other
