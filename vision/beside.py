"""What is new beside a die: one that leans sticks out of its outline, and leans on something.

Nothing tells a flat die from one that leans a little as plainly as what the table shows around it, for a
die that stands free has nothing to lean on. The networks see no farther than a die's own sides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change import Change
from vision.faces import Top, silhouette
from vision.geometry import Image, View

AROUND = 1.15
"""Sides of a die: so far around its middle it is looked at."""
FREE, EVEN, COUNTS = 0.02, 0.1, 1.6
"""That a die lies flat is likelier by this power of how many times less is new beside it than `EVEN`; `FREE`
is added to what is. Of 14317 readings of flat dice of 39 games 75 in 100 have no more than that beside them,
of the 127 that the networks doubted 80; of 117 readings of leaning dice none has, of 2457 thrown ones that
lean, many of them on nothing, 7 in 100. Of the 127, 62 are still in doubt; of the 2457, 34 pass (55), and of
3322 thrown flat ones 122 are in doubt (116)."""
UNSEEN = 0.3
"""Of a die that is not told from the table itself, only this share of the power counts for it: on thrown sets
as little was beside 15 in 100 leaning ones of which less than half was new, beside 5 of all others."""
_EDGE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class Stance:
    """How a die stands out, to tell one that lies flat from one that leans.

    `new` and `beside`: how much of the die's outline is surely no table and no shadow; and how much around it
    is, that is no other die, in shares of its outline's area.
    """

    new: float
    beside: float


def stances(view: View, change: Change, tops: Mapping[str, Top], die_mm: float) -> dict[str, Stance]:
    """The stance of every die, whose tops are told."""
    hulls = {
        name: np.round(silhouette(top, die_mm, view) / 2 - 0.25).astype(np.int32)
        for name, top in tops.items()
    }
    everything: Image = np.zeros(change.much.shape, dtype=np.uint8)
    for hull in hulls.values():
        cv2.fillConvexPoly(everything, hull, 1)
    everything = cv2.dilate(everything, _EDGE)
    reach = round(AROUND * die_mm * view.pixels_per_mm() / 2)
    return {name: _stance(change.thing, hull, everything, reach) for name, hull in hulls.items()}


def heard(flat: float, stance: Stance) -> float:
    """How likely a die lies flat that is this likely `flat` by its own look."""
    less = EVEN / (stance.beside + FREE)
    power = COUNTS * (UNSEEN + (1 - UNSEEN) * min(stance.new, 1.0) if less > 1 else 1.0)
    for_flat = flat * less**power
    return float(for_flat / (for_flat + (1 - flat)))


def _stance(thing: NDArray[np.bool_], hull: NDArray[np.int32], everything: Image, reach: int) -> Stance:
    middle = hull.mean(axis=0)
    low = np.maximum(np.minimum(hull.min(axis=0), np.floor(middle) - reach) - 2, 0).astype(int)
    high = np.maximum(hull.max(axis=0), np.ceil(middle) + reach).astype(int) + 3
    part = slice(low[1], high[1]), slice(low[0], high[0])
    thing = thing[part]
    own: Image = np.zeros(thing.shape, dtype=np.uint8)
    around: Image = np.zeros_like(own)
    cv2.fillConvexPoly(own, hull - low.astype(np.int32), 1)
    own = cv2.erode(own, _EDGE)
    cv2.circle(around, tuple(int(v) for v in middle - low), reach, 1, -1)
    area = max(int(own.sum()), 1)
    return Stance(
        float((thing & (own > 0)).sum()) / area,
        float((thing & (around > 0) & (everything[part] == 0)).sum()) / area,
    )
