"""Which tops are none, but sides of dice whose tops lie behind them: where the camera looks aslant, a side is
seen about where the top of a die would be that stood nearer.

Such a die would hide the table before it, nearer yet to the camera, by its own sides. There a side leaves the
table as it was; where a shadow lies, a side stays a top.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.change import new_within
from vision.face_net import Answer
from vision.faces import corners, silhouette
from vision.geometry import Floats, Grey, Image, View
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
"""As likely a die, and one of these pips, is plainly one; what has a side is as likely flat, too."""
_LARGER = 1.06
"""A top is taken to be so much wider, when it is left out of what its sides hide."""


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
    whole, other = (_half(silhouette(one, die_mm, view)) for one in (top, of))
    face = _half(view.project(corners(top, _LARGER * die_mm, die_mm)))
    new = new_within(much, whole, [face, other])
    return len(new) >= LEAST and float(new.mean()) < NEW


def _half(outline: Floats) -> Grey:
    """The convex outline around pixels of a frame, in pixels of half its size."""
    return np.asarray(cv2.convexHull((outline / 2 - 0.25).astype(np.float32)))[:, 0]
