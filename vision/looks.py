"""How dice look: one colour each, recognised in any light."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np

from vision.faces import Face, Top, silhouette
from vision.geometry import Floats, Grey, Image, View
from vision.median import median
from vision.outline import SIDE_PX, flatten
from vision.profile import Lab

VEILS = np.concatenate([-(np.linspace(1, 0, 9) ** 2), np.linspace(0, 1, 9)[1:] ** 2]).astype(np.float32) * 0.4
"""What gloss and lens may add to every colour of the light, as shares of white, more or less than they did in
the photo of the dice: it lifts the lightness and takes from the colours, the hue stays. In glossy sets that
is nearly all by which tops of one colour differ."""

GLOSS = 0.1
"""A little: of white, in which a hue is looked for."""

INNER = 0.9
"""Of a die's outline: what lies behind it has no say."""


class Spread(NamedTuple):
    """How much a colour differs between photographs: in `hue` (a, b by L + 16) and in `light` (the log of
    L + 16), and the `veil` that is half as likely as none."""

    hue: float
    light: float
    veil: float


MIDDLE, RIM = Spread(0.03, 0.12, 0.06), Spread(0.045, 0.3, 0.02)
"""Of the middle colours of tops (1650 of 31 rendered sets), and of the least veiled part of their rims."""


def likeness(lab: Floats | Image, learned: Lab, spread: Spread = MIDDLE) -> Grey:
    """How much (N, 3) Lab colours of dice look like a learned one, 0 to 1, in light, in shade, or veiled.

    Brightness scales L + 16, a and b alike (all follow the cube root of the light), so a / (L + 16)
    and b / (L + 16) stay. The tails are wide.
    """
    values = np.asarray(lab, dtype=np.float32)
    light = values[:, :1] * (100 / 255) + 16
    own, hue_of_own, veils = veiled(learned)
    hue = ((values[:, 1:] - 128) / light)[:, None]
    away = ((hue - hue_of_own) ** 2).sum(axis=2) / (spread.hue + 1.2 / light) ** 2
    away += (np.log(light / own) / spread.light) ** 2
    alike: Grey = ((1 + away / 4) ** -3.5 * usual(veils, spread)).max(axis=1)
    return alike


def off_hue(lab: Floats, learned: Lab) -> Floats:
    """(N,) how far the hues of (N, 3) Lab colours, a and b by L + 16, are off a learned one's, whatever the
    light, under a little gloss."""
    _, hues, veils = veiled(learned)
    seen = (lab[:, 1:] - 128) / (lab[:, :1] * (100 / 255) + 16)
    away = np.linalg.norm(seen[:, None] - hues[abs(veils) <= GLOSS], axis=2)
    return np.asarray(away.min(axis=1), dtype=np.float64)


def deepest(lab: Floats) -> Lab:
    """The middle of the most colourful sixth of (N, 3) Lab colours, where gloss hides least.

    In the shade a and b are less by as much as L + 16 is.
    """
    order = (np.hypot(*(lab[:, 1:] - 128).T) / (lab[:, 0] * (100 / 255) + 16)).argsort()
    light, a, b = median(lab[order[-len(lab) // 6 :]]).tolist()
    return light, a, b


def darkest(lab: Floats) -> Lab:
    """The middle of the darkest sixth of (N, 3) Lab colours: of a black die, where gloss hides least."""
    light, a, b = median(lab[lab[:, 0].argsort()[: len(lab) // 6 + 1]]).tolist()
    return light, a, b


def sides_look(
    photo: Image,
    view: View,
    top: Top,
    die_mm: float,
    light: Floats,
    plainest: Callable[[Floats], Lab] = deepest,
) -> Lab:
    """The Lab colour of all that is seen of a die, where it is least veiled: mostly its sides.

    `photo`: BGR uint8 (H, W, 3); `light` (3,): how many times lighter it is there than the empty photo;
    `plainest`: how that is told of its pixels.
    """
    outline = silhouette(top, die_mm, view)
    inner = outline.mean(axis=0) + INNER * (outline - outline.mean(axis=0))
    last = np.array(photo.shape[1::-1]) - 1
    low, high = (
        np.clip(corner, 0, last).astype(np.int32) for corner in (inner.min(axis=0), inner.max(axis=0))
    )
    part = photo[low[1] : high[1] + 2, low[0] : high[0] + 2]
    where = np.zeros(part.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(where, np.round(inner).astype(np.int32) - low, 1)
    seen = part[where > 0] if where.any() else part.reshape(-1, 3)
    lit = np.clip(seen / light, 0, 255).astype(np.uint8)
    return plainest(cv2.cvtColor(lit[None], cv2.COLOR_BGR2LAB)[0].astype(np.float64))


def usual(veils: Grey, spread: Spread = MIDDLE) -> Grey:
    """How likely some veils are, of none being 1."""
    return np.asarray(1 / (1 + (veils / spread.veil) ** 2))


@cache
def veiled(lab: tuple[float, float, float]) -> tuple[Grey, Grey, Grey]:
    """An 8-bit Lab colour under each of V veils: L + 16 (V,), a and b by it (V, 2), the veils (V,)."""
    pixel = np.array([[[lab[0] * (100 / 255), lab[1] - 128, lab[2] - 128]]], dtype=np.float32)
    light = np.clip(cv2.cvtColor(pixel, cv2.COLOR_LAB2LBGR), 0, 1)
    # No more can be missing than was there.
    veils = VEILS[-light.min() <= VEILS]
    seen = cv2.cvtColor(np.clip(light + veils[:, None, None], 0, 1), cv2.COLOR_LBGR2LAB)[:, 0]
    own = seen[:, 0] + 16
    return own, seen[:, 1:] / own[:, None], veils


def look(frame: Image, view: View, face: Face, die_mm: float, light: Floats) -> tuple[float, float, float]:
    """The middle Lab colour of a top face, pips and edges left out, in the empty photo's light."""
    patch = flatten(frame, view, (face.x, face.y), face.turn, die_mm)
    cut = round((patch.shape[0] - SIDE_PX * 0.8) / 2)
    inner = np.clip(patch[cut:-cut, cut:-cut] / light, 0, 255).astype(np.uint8)
    lab = cv2.cvtColor(inner, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float64)
    order = lab[:, 0].argsort()
    part = len(order) // 3
    body = order[: 2 * part] if face.bright else order[part:]
    middle = median(lab[body])
    return float(middle[0]), float(middle[1]), float(middle[2])
