"""A hand over the drawn table: a sleeve, a palm and five fingers, rounded and lit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin

import cv2
import numpy as np
import numpy.typing as npt

from hardware.virtual.lens import Floats, Lens
from hardware.virtual.light import LAMP, LAMP_SHARE, SKY_SHARE, Layer

Line = list[tuple[float, float]]
SKIN, CLOTH, CUFF = (0.62, 0.3, 0.19), (0.035, 0.06, 0.11), (0.6, 0.6, 0.58)
OVER_MM = 26.0
COARSE = 2

# In the hand's own frame, mm: the middle finger's knuckle is the origin, fingers point to -y.
_FINGERS: list[tuple[Line, float]] = [
    ([(-27, 6), (-36, -26), (-37, -50)], 8.2),
    ([(-10, 0), (-15, -38), (-14, -64)], 8.6),
    ([(9, 2), (9, -36), (6, -62)], 8.4),
    ([(27, 10), (30, -20), (27, -42)], 7.2),
    ([(-34, 52), (-58, 24), (-60, 0)], 9.4),
]
_PALM: Line = [(-22, 18), (0, 14), (22, 22), (18, 52), (-20, 52), (0, 74)]
_ARM: Line = [(-2, 60), (0, 130)]
_CUFF: Line = [(2, 116), (3, 126)]
_SLEEVE: Line = [(2, 122), (14, 420)]


@dataclass(frozen=True)
class Hand:
    """A hand whose fingers reach to (x, y) mm, coming from the near side, turned by `turn_deg`."""

    x: float
    y: float
    turn_deg: float = 8.0


@lru_cache(maxsize=4)
def cast(lens: Lens, hand: Hand) -> Layer | None:
    """The hand as `lens` sees it, or None where it lies outside the frame."""
    width, height = lens.width // COARSE, lens.height // COARSE
    depth = np.zeros((height, width), np.float32)
    colour = np.zeros((height, width, 3), np.float32)
    for line, radius, paint in _parts():
        _add(depth, colour, _seen(lens, hand, line), radius * _scale(lens), paint)
    rows, columns = np.nonzero(depth)
    if not rows.size:
        return None
    lit = colour * _shading(depth)[..., None]
    cover = cv2.GaussianBlur((depth > 0).astype(np.float32), (0, 0), 0.7)
    fall = round(OVER_MM * _scale(lens) * 0.55)
    below = cv2.warpAffine(cover, np.array([[1, 0, fall * 0.8], [0, 1, fall]], np.float32), (width, height))
    shade = 1 - 0.5 * cv2.GaussianBlur(below, (0, 0), 7)
    left, top = max(columns.min() - 8, 0), max(rows.min() - 8, 0)
    part = (
        slice(top, min(rows.max() + fall + 24, height)),
        slice(left, min(columns.max() + fall + 24, width)),
    )
    size = ((part[1].stop - part[1].start) * COARSE, (part[0].stop - part[0].start) * COARSE)
    big = [
        cv2.resize(np.ascontiguousarray(image[part]), size, interpolation=cv2.INTER_LINEAR)
        for image in (lit * cover[..., None], cover, shade)
    ]
    return Layer(
        int(left) * COARSE,
        int(top) * COARSE,
        np.asarray(big[0], np.float32),
        np.asarray(big[1], np.float32)[..., None],
        np.asarray(big[2], np.float32)[..., None],
        0.0,
    )


def _parts() -> list[tuple[Line, float, tuple[float, float, float]]]:
    return [
        (_SLEEVE, 41.0, CLOTH),
        (_CUFF, 38.0, CUFF),
        (_ARM, 27.0, SKIN),
        (_PALM, 22.0, SKIN),
        *((line, radius, SKIN) for line, radius in _FINGERS),
    ]


def _scale(lens: Lens) -> float:
    return lens.focal_px / (lens.height_mm - OVER_MM) / COARSE


def _seen(lens: Lens, hand: Hand, line: Line) -> npt.NDArray[np.int32]:
    """A line of the hand's own frame as coarse pixels, in sixteenths."""
    turn = radians(hand.turn_deg)
    own = np.array(line, np.float32) + np.array([0, 58], np.float32)
    x = hand.x + own[:, 0] * cos(turn) - own[:, 1] * sin(turn)
    y = hand.y + own[:, 0] * sin(turn) + own[:, 1] * cos(turn)
    points = np.stack([x, y, np.full(len(line), OVER_MM)], axis=1)
    return np.round(lens.pixels(points) / COARSE * 16).astype(np.int32)


def _add(
    depth: Floats,
    colour: Floats,
    line: npt.NDArray[np.int32],
    radius: float,
    paint: tuple[float, float, float],
) -> None:
    """Lay one rounded part over the hand: where it stands higher, it covers what was there."""
    mask = np.zeros(depth.shape, np.uint8)
    cv2.polylines(mask, [line], False, 255, max(round(radius * 2), 1), cv2.LINE_8, 4)
    inside = np.minimum(
        np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 3), np.float32), np.float32(radius)
    )
    high = np.sqrt(inside * (2 * radius - inside)) + np.where(mask > 0, 0.15 * radius, 0)
    over = high > depth
    depth[over] = high[over]
    tone = np.array(paint[::-1], np.float32)
    tips = np.clip(1 - np.hypot(*np.moveaxis(_from_end(line, depth.shape), -1, 0)) / (radius * 2.2), 0, 1)
    warm = np.array([0.86, 0.84, 1.04], np.float32)
    painted = tone * (warm ** tips[..., None] if paint == SKIN else 1)
    colour[over] = np.broadcast_to(painted, colour.shape)[over]


def _from_end(line: npt.NDArray[np.int32], shape: tuple[int, ...]) -> Floats:
    ys, xs = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    x, y = line[-1] / 16
    return np.stack([xs - x, ys - y], axis=-1).astype(np.float32)


def _shading(depth: Floats) -> Floats:
    """Light (h, w) on a skin whose height above its edge is `depth`, in coarse pixels."""
    smooth = cv2.GaussianBlur(depth, (0, 0), 1.6)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    up = 1 / np.sqrt(1 + across**2 + down**2)
    facing = np.clip((-across * LAMP[0] - down * LAMP[1] + LAMP[2]) * up, 0, 1)
    return np.asarray(LAMP_SHARE * facing + SKY_SHARE * (0.35 + 0.65 * up), np.float32)
