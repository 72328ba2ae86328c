"""Markers in other colours than they were rendered in: what is in a piece is to be seen in any metal."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
COLOURFUL = 22.0
"""Of Lab's a and b, 8 bit: markers less colourful cannot be told from metal by their colour."""
GREYS = ("white", "black")
"""Those that bare metal can look like, whatever the metal."""
_LIGHT = np.array([0.11, 0.59, 0.3], dtype=np.float32)
_SHINE = 1.25
"""Times a marker's own light: what is lighter mirrors a lamp, and keeps the lamp's colour."""


def marker_mask(picture: Array, own: Array, reach: float) -> Array | None:
    """Where the marker of colour `own` (Lab) is, 0 to 1, in a BGR square with a piece in its middle.

    `reach`: the piece's radius and a little more, pixels. None where colour alone does not tell.
    """
    fine = max(1, round(reach / 12))
    hue = own[1:] - 128
    colourful = float(np.hypot(*hue))
    if colourful < COLOURFUL:
        return None
    seen = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)[..., 1:] - 128
    along = (seen @ hue) / colourful**2
    across = np.abs(seen[..., 0] * hue[1] - seen[..., 1] * hue[0]) / colourful**2
    alike = ((along > 0.3) & (across < 0.3 * along + 0.12)).astype(np.uint8)
    middle = (len(picture) - 1) / 2
    away = np.hypot(*np.meshgrid(*[np.arange(len(picture)) - middle] * 2))
    alike[away > reach] = 0
    alike = cv2.morphologyEx(alike, cv2.MORPH_CLOSE, _square(4 * fine + 1))
    alike = cv2.morphologyEx(alike, cv2.MORPH_OPEN, _square(2 * fine + 1))
    count, spots, stats, middles = cv2.connectedComponentsWithStats(alike)
    if count < 2:
        return None
    spot = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    share = stats[spot, cv2.CC_STAT_AREA] / (np.pi * reach**2)
    if not 0.06 < share < 0.5 or np.hypot(*(middles[spot] - middle)) > 0.3 * reach:
        return None
    outlines, _ = cv2.findContours((spots == spot).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(outlines[0])
    if stats[spot, cv2.CC_STAT_AREA] < 0.82 * cv2.contourArea(hull):
        return None
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, hull, 1.0)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.6 * fine))


def recoloured(picture: Array, mask: Array, own: Array, other: Array) -> Array:
    """The BGR picture with what is under `mask` in the colour `other` instead of `own` (both Lab, 8 bit)."""
    before, after = (_bgr(colour) for colour in (own, other))
    light, usual = picture.astype(np.float32) @ _LIGHT, float(before @ _LIGHT)
    shade = np.minimum(light / usual, _SHINE)[..., None]
    shine = np.maximum(0, light - _SHINE * usual)[..., None]
    changed = np.clip(shade * after + shine, 0, 255)
    return np.asarray(picture * (1 - mask[..., None]) + changed * mask[..., None]).astype(np.uint8)


def _square(side: int) -> Array:
    return np.ones((side, side), np.uint8)


def _bgr(lab: Array) -> Array:
    pixel = np.clip(lab, 0, 255).astype(np.uint8)[None, None]
    return cv2.cvtColor(pixel, cv2.COLOR_LAB2BGR)[0, 0].astype(np.float32) + 2
