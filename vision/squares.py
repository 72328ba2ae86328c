"""Small squares of the table, flattened, as the networks of dice and markers are shown them."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Floats, Image, View
from vision.light import Light

CHANNELS = 8
"""The frame and the empty photo, BGR each, and how far the camera looks aside there (x, y)."""


def square(
    frame: Image, view: View, at: tuple[float, float], height: float, mm_per_px: float, size: int
) -> Image:
    """The square around `at` (mm) on the plane `height` mm up, BGR uint8 (size, size, 3); x right, y down."""
    middle = (size - 1) / 2 * mm_per_px
    to_mm = np.array([[mm_per_px, 0, at[0] - middle], [0, mm_per_px, at[1] - middle], [0, 0, 1]])
    plane = view.plane(height)
    # The lens bends slowly: within so small a square it is a shift.
    straight = plane @ np.array([at[0], at[1], 1.0])
    bend = np.eye(3)
    bend[:2, 2] = view.project([[at[0], at[1], height]])[0] - straight[:2] / straight[2]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(
        frame, bend @ plane @ to_mm, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )


def lit_square(
    frame: Image,
    lights: Light,
    view: View,
    at: tuple[float, float],
    height: float,
    mm_per_px: float,
    size: int,
) -> Image:
    """The same in the empty photo's light."""
    x, y = view.project([[at[0], at[1], height]])[0]
    gain = 1 / lights.at(x, y)
    return cv2.multiply(square(frame, view, at, height, mm_per_px, size), np.array([*gain, 0.0]))


def lean(view: View, at: tuple[float, float], height: float) -> tuple[float, float]:
    """How far the foot of a thing is seen from its top, in its height: what a thing that stands must show."""
    eye = view.eye
    return float((at[0] - eye[0]) / (eye[2] - height)), float((at[1] - eye[1]) / (eye[2] - height))


def as_blob(frames: list[Image], empties: list[Image], leans: list[tuple[float, float]]) -> Floats:
    """What a network takes, float32 (N, 8, size, size), from squares in one light."""
    size = frames[0].shape[0] if frames else 0
    blob = np.empty((len(frames), CHANNELS, size, size), dtype=np.float32)
    for row, now, then, (x, y) in zip(blob, frames, empties, leans, strict=True):
        row[:3], row[3:6] = now.transpose(2, 0, 1), then.transpose(2, 0, 1)
        row[:6] /= 128
        row[:6] -= 1
        row[6], row[7] = x, y
    return blob
