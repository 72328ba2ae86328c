"""What a die's top shows, though a lamp is mirrored in it or a crumb lies on it: a small network reads each
top, laid flat, by itself.

It learned from drawn frames alone, in most of which dice mirror lamps of every size and strength. So it is
less sure of a pip than networks that hardly saw one hidden; `vision/values.py` asks what else may be there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.die_sides import flattened
from vision.faces import Top, corners
from vision.geometry import Floats, Image, View
from vision.nets import ask, planes_and, shares

SIDE_PX, SIZE = 30, 48
"""Pixels of a top's side in the flattened picture, and of that picture, which shows what is around, too."""
LARGEST = 48.0
"""Of a top that is seen larger than so many pixels of the frame, the network is told no more than that."""


def lit_values(
    frame: Image, view: View, tops: Sequence[Top], die_mm: float, every_way: bool = False
) -> Floats:
    """(N, 6) how likely each value is, of tops laid straight in a BGR picture (H, W, 3); N at least 1.

    `every_way`: by eight looks, in four turns and in a mirror: a value is the same in all of them.
    """
    quads = [view.project(corners(top, die_mm, die_mm)) for top in tops]
    pictures = [flattened(frame, quad, SIDE_PX, SIZE) for quad in quads]
    blob = as_blob(pictures, [side_of(quad) for quad in quads])
    ways = [blob]
    if every_way:
        turned = [np.rot90(blob, quarter, (2, 3)) for quarter in range(4)]
        ways = [*turned, *(one[..., ::-1] for one in turned)]
    said = [ask("lit-tops", np.ascontiguousarray(one)) for one in ways]
    return shares(np.mean(said, axis=0))


def side_of(quad: Floats) -> float:
    """How many pixels a top with these corners (4, 2) is wide: the square root of its area."""
    return math.sqrt(cv2.contourArea(quad.astype(np.float32)))


def as_blob(pictures: Sequence[Image], sides: Sequence[float]) -> Floats:
    """What the network takes: float32 (N, 4, SIZE, SIZE), the picture and how large the top was seen."""
    return planes_and(pictures, sides, LARGEST)
