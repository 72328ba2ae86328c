"""Squares of the table, flattened: small ones as networks are shown dice and markers, and all of the ring."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.geometry import Floats, Grey, Image, View
from vision.light import Light
from vision.nets import planes


class Square(NamedTuple):
    """The square around `at` (mm) on the plane `height` mm up, `size` pixels wide; x right, y down.

    `turn`: radians by which its own axes are turned from x towards y.
    """

    at: tuple[float, float]
    height: float
    mm_per_px: float
    size: int
    turn: float = 0.0


def pixels_of_plane(view: View, reach: float, height: float, scale: float, half: bool = False) -> Grey:
    """(n, n, 2) float32: the pixel of the frame for every place of a plane `height` mm up, `scale` places a
    mm, `reach` mm to each side of the board's middle; `half`: of a frame at half its size."""
    coarse = np.linspace(0.5 / scale - reach, reach - 0.5 / scale, 33)
    x, y = np.meshgrid(coarse, coarse)
    seen = view.project(np.stack([x.ravel(), y.ravel(), np.full(x.size, height)], axis=1))
    pixels = ((seen - 0.5) / 2 if half else seen).reshape(33, 33, 2).astype(np.float32)
    across, down = np.meshgrid(*[np.linspace(0, 32, round(2 * reach * scale), dtype=np.float32)] * 2)
    return cv2.remap(pixels, across, down, cv2.INTER_LINEAR)


def cut_out(frame: Image, view: View, square: Square, half: bool = False) -> Image:
    """A square of a frame, BGR uint8 (size, size, 3); `half`: the frame is given at half its size."""
    return _cut(frame, _to_pixels(view, square, half), square.size)


def _cut(photo: Image, to_pixels: Floats, size: int) -> Image:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(photo, to_pixels, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _to_pixels(view: View, square: Square, half: bool) -> Floats:
    """3 x 3: pixels of such a square -> pixels of the frame, homogeneous."""
    (x, y), height, mm_per_px, size, turn = square
    middle = (size - 1) / 2
    c, s = math.cos(turn) * mm_per_px, math.sin(turn) * mm_per_px
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


def cut_out_lit(frame: Image, lights: Light, view: View, square: Square) -> Image:
    """The same in the empty photo's light."""
    return _lit(cut_out(frame, view, square), lights, view, square)


def now_and_then(
    frame: Image, empty: Image, lights: Light, view: View, square: Square
) -> tuple[Image, Image]:
    """The same of the frame, in the empty photo's light, and of the empty photo."""
    to_pixels = _to_pixels(view, square, half=False)
    now, then = (_cut(photo, to_pixels, square.size) for photo in (frame, empty))
    return _lit(now, lights, view, square), then


def _lit(flat: Image, lights: Light, view: View, square: Square) -> Image:
    gain = 1 / lights.at(*view.pixel(*square.at, square.height))
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
    other[:, 6], other[:, 7] = turned_ways(other[:, 6].copy(), other[:, 7].copy(), quarter)
    return other


def turned_ways(x: Floats, y: Floats, quarter: int) -> tuple[Floats, Floats]:
    """Ways across and down a picture after so many quarter turns against the clock."""
    return ((x, y), (y, -x), (-x, -y), (-y, x))[quarter % 4]


def mirrored(blob: Floats) -> Floats:
    """A network's pictures as a mirror shows them, left for right."""
    other = blob[..., ::-1].copy()
    other[:, 6] *= -1
    return other
