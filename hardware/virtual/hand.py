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
Colour = tuple[float, float, float]
SKIN, NAIL, CLOTH, CUFF = (0.6, 0.3, 0.2), (0.74, 0.44, 0.35), (0.03, 0.055, 0.11), (0.62, 0.62, 0.6)
OVER_MM = 26.0
COARSE = 2

# In the hand's own frame, mm: the middle finger's knuckle is near the origin, fingers point to -y.
_FINGERS: list[tuple[Line, float]] = [
    ([(-22, 10), (-32, -22), (-32, -44)], 7.4),
    ([(-8, 4), (-14, -34), (-12, -60)], 7.8),
    ([(8, 6), (7, -34), (5, -57)], 7.6),
    ([(21, 13), (25, -14), (22, -35)], 6.6),
    ([(-22, 52), (-48, 24), (-50, 0)], 8.4),
]


@dataclass(frozen=True)
class Part:
    """A rounded part of the hand: a line, or an area, of `radius` mm around; `lift` mm above the skin."""

    line: Line
    radius: float
    paint: Colour
    lift: float = 0.0
    area: bool = False


_PARTS = [
    Part([(-1, 60), (1, 130)], 22.0, SKIN),
    Part([(-11, 22), (0, 16), (11, 25), (12, 50), (5, 74), (-7, 74), (-14, 50)], 12.5, SKIN, 4.0, area=True),
    *(Part(line, radius, SKIN, 3.0) for line, radius in _FINGERS),
    Part([(1, 112), (3, 128)], 30.0, CUFF, 8.0),
    Part([(2, 121), (14, 420)], 36.0, CLOTH, 12.0),
]


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
    for part in _PARTS:
        _add(depth, colour, part, _seen(lens, hand, part.line), _scale(lens))
    for line, radius in _FINGERS:
        _nail(colour, _seen(lens, hand, line), radius * _scale(lens))
    rows, columns = np.nonzero(depth)
    if not rows.size:
        return None
    lit = colour * _shading(depth)[..., None]
    cover = cv2.GaussianBlur((depth > 0).astype(np.float32), (0, 0), 0.7)
    fall = round(OVER_MM * _scale(lens) * 0.55)
    below = cv2.warpAffine(cover, np.array([[1, 0, fall * 0.8], [0, 1, fall]], np.float32), (width, height))
    shade = 1 - 0.5 * cv2.GaussianBlur(below, (0, 0), 7)
    left, top = max(columns.min() - 8, 0), max(rows.min() - 8, 0)
    window = (
        slice(top, min(rows.max() + fall + 24, height)),
        slice(left, min(columns.max() + fall + 24, width)),
    )
    size = ((window[1].stop - window[1].start) * COARSE, (window[0].stop - window[0].start) * COARSE)
    big = [
        cv2.resize(np.ascontiguousarray(image[window]), size, interpolation=cv2.INTER_LINEAR)
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


def _add(depth: Floats, colour: Floats, part: Part, line: npt.NDArray[np.int32], scale: float) -> None:
    """Lay one rounded part over the hand: where it stands higher, it covers what was there."""
    mask = np.zeros(depth.shape, np.uint8)
    if part.area:
        cv2.fillPoly(mask, [line], 255, cv2.LINE_8, 4)
    radius = part.radius * scale
    cv2.polylines(mask, [line], part.area, 255, max(round(radius * 2), 1), cv2.LINE_8, 4)
    inside = np.minimum(
        np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 5), np.float32), np.float32(radius)
    )
    high = np.sqrt(inside * (2 * radius - inside)) + np.where(mask > 0, part.lift * scale, 0)
    over = high > depth
    depth[over] = high[over]
    tone = np.array(part.paint[::-1], np.float32)
    if part.paint != SKIN:
        colour[over] = tone
        return
    # Blood shows at the tips.
    rows, columns = np.nonzero(over)
    x, y = line[-1] / 16
    tips = np.clip(1 - np.hypot(columns - x, rows - y) / (radius * 2.4), 0, 1)[:, None]
    colour[over] = tone * np.array([0.84, 0.8, 1.06], np.float32) ** tips


def _nail(colour: Floats, line: npt.NDArray[np.int32], radius: float) -> None:
    """Paint a nail near the end of a finger's line, in coarse pixels and sixteenths."""
    tip, joint = line[-1] / 16, line[-2] / 16
    along = (tip - joint) / np.linalg.norm(tip - joint)
    middle = np.round((tip + along * radius * 0.3) * 16).astype(int)
    axes = (round(radius * 0.5 * 16), round(radius * 0.62 * 16))
    turn = float(np.degrees(np.arctan2(along[1], along[0]))) + 90
    cv2.ellipse(colour, (int(middle[0]), int(middle[1])), axes, turn, 0, 360, NAIL[::-1], -1, cv2.LINE_8, 4)


def _shading(depth: Floats) -> Floats:
    """Light (h, w) on a skin whose height above its edge is `depth`, in coarse pixels."""
    smooth = cv2.GaussianBlur(depth, (0, 0), 1.6)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    up = 1 / np.sqrt(1 + across**2 + down**2)
    facing = np.clip((-across * LAMP[0] - down * LAMP[1] + LAMP[2]) * up, 0, 1)
    return np.asarray(LAMP_SHARE * facing + SKY_SHARE * (0.35 + 0.65 * up), np.float32)
