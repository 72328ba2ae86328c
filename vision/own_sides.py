"""Which tops are none, but sides of dice whose tops lie behind them: where the camera looks aslant, a side is
seen about where the top of a die would be that stood nearer.

Such a die would hide the table farther on, towards the camera, by its own sides. There a side leaves it as it
was, but for a shadow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.change import NOISE
from vision.face_net import Answer
from vision.faces import corners, silhouette
from vision.geometry import Floats, Image, View
from vision.squares import lean

ASLANT = 0.5
"""A die whose foot is seen so many of its heights from its top shows a side that may be taken for one."""
NEAREST, BEYOND, ASIDE = 0.6, 0.25, 0.35
"""So many sides of a die nearer to the camera than its top a side is seen at the least; so many beyond where
the middle of one is seen, and aside of that, at the most."""
NEW, LEAST = 0.65, 20
"""A top is a side if less of what its own sides would hide is new, of so many pixels of half size: of 54 sets
21 tops that lay so were, by 0.59 and less, and of five dice that did 0.92 and more was new."""
CLEARLY = 0.97
"""As likely a die, one that lies flat, and of one value, must be what it is a side of."""
_LARGER, _SHIFT = 1.06, 4


def without_sides(tops: Sequence[Answer], much: Image, view: View, die_mm: float) -> list[Answer]:
    """The tops, laid straight, that are not sides of others among them; `much` as in `Change`."""
    plain = [top for top in tops if min(top.die, top.flat, top.pips.max()) > CLEARLY]
    return [top for top in tops if not any(_is_side(top, of, much, view, die_mm) for of in plain)]


def _is_side(top: Answer, of: Answer, much: Image, view: View, die_mm: float) -> bool:
    """Whether a top is a side of another die."""
    across, down = lean(view, (top.x, top.y), die_mm)
    far = math.hypot(across, down)
    if top is of or far < ASLANT:
        return False
    across, down = across / far, down / far
    x, y = (top.x - of.x) / die_mm, (top.y - of.y) / die_mm
    towards, aside = -(x * across + y * down), abs(x * down - y * across)
    if not NEAREST < towards < (1 + far) / 2 + BEYOND or aside > ASIDE:
        return False
    seen = _new_of_sides(top, of, much, view, die_mm)
    return seen is not None and seen < NEW


def _new_of_sides(top: Answer, of: Answer, much: Image, view: View, die_mm: float) -> float | None:
    """How much is new of what a die's sides would hide, and another does not; None where that is small."""
    whole, other = silhouette(top, die_mm, view), silhouette(of, die_mm, view)
    square = corners(top, _LARGER * die_mm, die_mm).tolist()
    face = np.array([view.pixel(*corner) for corner in square])
    low = np.maximum(np.floor(whole.min(axis=0) / 2).astype(int), 0)
    high = np.minimum(np.ceil(whole.max(axis=0) / 2).astype(int) + 1, much.shape[1::-1])
    if (high <= low).any():
        return None
    mask: Image = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    for value, outline in ((1, whole), (0, face), (0, other)):
        _fill(mask, outline / 2 - 0.25 - low, value)
    there = much[low[1] : high[1], low[0] : high[0]][mask > 0]
    return float(np.mean(there > NOISE)) if len(there) >= LEAST else None


def _fill(mask: Image, outline: Floats, value: int) -> None:
    hull = cv2.convexHull(outline.astype(np.float32))
    cv2.fillConvexPoly(mask, np.round(hull * 2**_SHIFT).astype(np.int32), value, shift=_SHIFT)
