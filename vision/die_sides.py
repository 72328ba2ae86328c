"""What the sides of a die tell of its top: opposite faces add up to seven, so that on top is neither what a
side shows nor what lies opposite to it.

A small network reads each side that is seen, laid flat, by itself; it learned from drawn dice alone. A lamp
that is mirrored in a top hides no side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.face_net import Answer
from vision.faces import Top, silhouette
from vision.geometry import Floats, Grey, Image, View
from vision.nets import ask, planes_and, shares

SIDE_PX, SIZE = 24, 32
"""Pixels of a die's side in the flattened picture, and of that picture, which shows what is around, too."""
HIGHEST = 28.0
"""Of a side that is seen higher than so many pixels of the frame, the network is told no more than that."""
LEAST = 5.0
"""A side that is seen no higher tells nothing."""
EXCLUDED = 0.005
"""Sides that leave a top no more than this exclude it. Of 2360 dice of 63 sets that the network had not seen,
half of them by other makers of pictures, none is excluded; seven are left less than 0.1, and 1889 lose two
other values by 6 in logs and more."""
CLEAR = 0.9995
"""A value less likely than this is looked at once more: sides in a mirror, tops in `vision/values.py`."""
EVEN = 0.6
"""A value that is no likelier on top is not contradicted: a lamp or a crumb leaves two."""
CAREFUL = 1e-4
"""No value of a side is less likely than this."""
LIKELY = 0.5
"""What is likelier a die may hide a side."""
NEAR = 1.2
"""A side whose middle is so many sides near to where something else stands may be hidden by it."""
Pixel = tuple[float, float]
_INSIDE = 0.6
"""Where another die that hides a side is looked for: in its middle, and so far from there to its corners."""
_PAIRS = np.array([0, 1, 2, 2, 1, 0])
"""Which values lie opposite to each other, of one to six."""
_TOP, _FIRST, _SECOND = np.ix_(_PAIRS, _PAIRS, _PAIRS)
_POSSIBLE = ((_TOP != _FIRST) & (_TOP != _SECOND) & (_FIRST != _SECOND)).astype(np.float64)
"""(6, 6, 6) 1 where the top, a side and the one beside it can be so."""


def told_by_sides(
    frame: Image, view: View, tops: list[Answer], die_mm: float, others: Sequence[Pixel] = ()
) -> list[Answer]:
    """The same tops of a BGR picture (H, W, 3), laid straight; their values as likely as their sides leave
    them, and in doubt where these exclude what was seen on top.

    `others`: the pixels where something else stands; sides near to them may be hidden.
    """
    sides = seen_sides(view, tops, die_mm, others)
    read = [_weighed(*both) for both in zip(tops, _left(frame, sides), strict=True)]
    vague = [i for i, top in enumerate(tops) if min(top.pips.max(), read[i].pips.max()) < CLEAR]
    for i, left in zip(vague, _left(frame, [sides[i] for i in vague], again=True), strict=True):
        read[i] = _weighed(tops[i], left)
    return read


def _left(frame: Image, sides: Sequence[Sequence[Floats]], again: bool = False) -> list[Floats]:
    """`left_by` the sides of each of some dice; `again`: seen in a mirror, too."""
    every = [quad for some in sides for quad in some]
    if not every:
        return [left_by([])] * len(sides)
    told = iter(values_of([flattened(frame, quad) for quad in every], list(map(height_of, every)), again))
    return [left_by([next(told) for _ in some]) for some in sides]


def _weighed(top: Answer, left: Floats) -> Answer:
    """A top whose values are as likely as its sides leave them."""
    if left[top.pips.argmax()] < EXCLUDED and top.pips.max() > EVEN:
        pips = top.pips + left / left.sum()
    else:
        pips = top.pips * left
    return replace(top, pips=pips / pips.sum())


def values_of(pictures: Sequence[Image], heights: Sequence[float], again: bool = False) -> Floats:
    """(N, 6) how likely each value is, of flattened sides that are seen so many pixels high; N at least 1.

    `again`: by two looks, one of them in a mirror, where a side's value is the same.
    """
    blob = as_blob(pictures, heights)
    said = ask("sides", blob)
    if again:
        said = (said + ask("sides", np.ascontiguousarray(blob[..., ::-1]))) / 2
    return shares(said)


def as_blob(pictures: Sequence[Image], heights: Sequence[float]) -> Floats:
    """What the network takes: float32 (N, 4, SIZE, SIZE), the picture and how high the side was seen."""
    return planes_and(pictures, heights, HIGHEST)


def left_by(sides: Sequence[Floats]) -> Floats:
    """(6,) how well each value on top goes with what none, one or two sides show, (6,) each; 1 at most."""
    first, second = [*((1 - 6 * CAREFUL) * side + CAREFUL for side in sides), np.ones(6), np.ones(6)][:2]
    fit = np.einsum("tab,a,b->t", _POSSIBLE, first, second)
    return np.asarray(fit / fit.max())


def flattened(picture: Image, quad: Floats, side_px: int = SIDE_PX, size: int = SIZE) -> Image:
    """The face with these corners (4, 2) pixels, a side's upper edge first, and what is around it; `size`
    pixels wide, the face itself `side_px`."""
    near = (size - side_px - 1) / 2
    far = near + side_px
    square = np.array([(near, near), (far, near), (far, far), (near, far)], dtype=np.float32)
    to_square = cv2.getPerspectiveTransform(quad.astype(np.float32), square)
    return cv2.warpPerspective(
        picture, to_square, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def height_of(quad: Floats) -> float:
    """How many pixels high a side is seen: its area by its upper edge."""
    return float(cv2.contourArea(quad.astype(np.float32)) / max(math.dist(quad[0], quad[1]), 1e-9))


def sides_of_die(view: View, top: Top, die_mm: float) -> list[Floats]:
    """(4, 2) pixels: the corners of each side that the camera sees, its upper edge first, left to right."""
    eye, sides = view.eye, []
    for turn in top.turn + np.arange(4) * np.pi / 2:
        out = np.array([math.cos(turn), math.sin(turn)])
        middle = np.array([top.x, top.y]) + out * die_mm / 2
        if (eye[:2] - middle) @ out > 0:
            across = np.array([-out[1], out[0]]) * die_mm / 2
            left, right = (middle + across).tolist(), (middle - across).tolist()
            corners = [(*left, die_mm), (*right, die_mm), (*right, 0.0), (*left, 0.0)]
            sides.append(np.array([view.pixel(*corner) for corner in corners]))
    return sides


def seen_sides(
    view: View, tops: Sequence[Answer], die_mm: float, others: Sequence[Pixel] = ()
) -> list[list[Floats]]:
    """Of each top the `sides_of_die` that are high enough, wholly in the picture, and hidden by no die nor
    anything else; `others` as in `told_by_sides`."""
    outlines = [silhouette(top, die_mm, view).astype(np.float32) for top in tops]
    return [_seen_of(view, i, tops, outlines, die_mm, others) for i in range(len(tops))]


def _seen_of(
    view: View,
    which: int,
    tops: Sequence[Answer],
    outlines: Sequence[Grey],
    die_mm: float,
    others: Sequence[Pixel],
) -> list[Floats]:
    top, eye, (width, height) = tops[which], view.eye[:2], view.lens.size
    far = [math.dist((one.x, one.y), eye) for one in tops]
    before = [
        outline
        for one, away, outline in zip(tops, far, outlines, strict=True)
        if one.die > LIKELY and away < far[which]
    ]
    near = NEAR * die_mm * view.pixels_per_mm(top.x, top.y, die_mm)

    def is_free(quad: Floats) -> bool:
        middle = quad.mean(axis=0)
        if (quad < 0).any() or (quad > (width - 1, height - 1)).any():
            return False
        if any(math.dist(middle, other) < near for other in others):
            return False
        points = [middle, *(middle + _INSIDE * (quad - middle))]
        return not any(cv2.pointPolygonTest(one, at.tolist(), False) > 0 for one in before for at in points)

    return [quad for quad in sides_of_die(view, top, die_mm) if height_of(quad) > LEAST and is_free(quad)]
