"""What the networks of the markers are shown and what they answer: bare, or what colour stands in a piece.

Two pairs look at the same pieces, one at half the photo's size and one at its whole, and learned from
different sets; what both make of a piece is added up. Of each pair the first network sees a piece's top in
the frame and the same place in the empty photo, in hues, the words of the answer too. The second is told
what the first made of a piece, and of the others: six pieces are alike, and bare ones look alike in one
light.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vision.geometry import Floats
from vision.hues import as_features
from vision.looks import veiled


class Pair(NamedTuple):
    """Two networks, `name` and `name`-beside; pixels of their picture, and of a piece's diameter in it;
    whether it is cut from the frame at `half` its size."""

    name: str
    size: int
    lid_px: float
    half: bool


PAIRS = (Pair("markers", 28, 20.0, half=True), Pair("markers-fine", 56, 40.0, half=False))
TEMPER, MEAN_TEMPER = 0.7, 0.6
"""What the sum of the networks' scores is divided by after one look, and their mean over four turns and as
many in a mirror, which is surer. Fitted on sessions that they did not learn from."""


def scores(said: Floats, colours: Floats) -> Floats:
    """(N, 1 + C): what a pair holds for each piece's being bare, and for each of the set's C colours.

    The network tells how likely it is bare, what Lab colour it sees there, and how exactly; `colours`
    are the set's, (C, 3) as OpenCV's 8-bit Lab. How likely the nearest of them is against bare is told by
    its plain colour: under a veil bare metal looks like any of them. How far the others are behind it is
    told under more gloss or less, too: a brown marker that mirrors a lamp looks pink.
    """
    spread = np.exp(said[:, None, 4:7])

    def near(wanted: Floats) -> Floats:
        return np.asarray(-(((said[:, None, 1:4] - wanted) * spread) ** 2).sum(axis=2))

    plain, glossy = near(as_features(colours)), []
    for lab in colours:
        light, hue, usual = veiled((float(lab[0]), float(lab[1]), float(lab[2])))
        seen = np.concatenate([np.log(light / 66)[:, None], hue], axis=1)
        glossy.append((near(seen) + np.log(usual)).max(axis=1))
    which = np.stack(glossy, axis=1)
    which += plain.max(axis=1, keepdims=True) - which.max(axis=1, keepdims=True)
    return np.concatenate([said[:, :1], which], axis=1)


def likelihoods(summed: Floats, temper: float) -> Floats:
    """(N, 1 + C): how likely each piece is bare or carries each colour, from the sum of the pairs' scores."""
    told = summed / temper
    told = np.exp(told - told.max(axis=1, keepdims=True))
    return np.asarray(told / told.sum(axis=1, keepdims=True))
