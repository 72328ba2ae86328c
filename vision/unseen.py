"""What keeps a board, or what is on it, from being seen in a photo: mirrored, too dark or light, blurred."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

import cv2
import numpy as np

from vision.geometry import Image, Layout
from vision.once import once
from vision.tags import find_tags

VERY_DARK, BRIGHT = 55.0, 252.0
"""Grey levels (of 255): nothing is read where the lightest of a photo is darker, or most of it lighter."""
_BLURRED = 0.06
"""The sharpness of a photo that is sharp is more."""
_SOFTER = 0.6
"""A frame is as sharp as the empty photo, but for such a share. Of the 110 frames of thirteen sessions the
least has 0.72; blurred by 3 pixels (a normal distribution's spread) the most has 0.56."""
_FINE = 2
"""Levels of an edge's picture for each grey level that it is steep: flatter than 128 all are."""
Unseen = Literal["mirrored", "dark", "bright", "blurred", "small"]

SAID: dict[Unseen, str] = {
    "mirrored": "the picture is mirrored; switch that off at the camera",
    "dark": "it is too dark; switch on a lamp",
    "bright": "there is too much light; dim it, or expose less",
    "blurred": "the picture is blurred; focus the camera, and keep it still",
    "small": "the picture is small; take it as large as those of the calibration",
}
"""What is wrong with the picture, and what to do."""


class _Measured(NamedTuple):
    """The grey levels (0 to 255) that 2, 40 and 98 % of a photo do not exceed; and how steep, from one pixel
    to the next, its edges are where only half a percent of it is steeper."""

    dark: float
    middle: float
    light: float
    steep: float

    @property
    def sharpness(self) -> float:
        """The share of the contrast that these edges take; 1 where there is no contrast."""
        return self.steep / (self.light - self.dark) if self.light > self.dark else 1.0

    @property
    def ill(self) -> Unseen | None:
        """Whether hardly anything can be told apart, for want of light or for too much of it."""
        if self.light < VERY_DARK:
            return "dark"
        return "bright" if self.middle > BRIGHT else None


def why_unseen(photo: Image, layout: Layout, tags: Collection[int]) -> Unseen | None:
    """What is wrong with a photo, BGR uint8 (H, W, 3), in which only those `tags` of the layout were found.

    None: nothing is, they are covered or out of the picture.
    """
    if not tags and len(find_tags(np.ascontiguousarray(photo[:, ::-1]), layout)[0]) > 1:
        return "mirrored"
    seen = _measured(photo)
    return seen.ill or ("blurred" if not tags and seen.sharpness < _BLURRED else None)


def why_doubted(photo: Image, empty: Image) -> Unseen | None:
    """What is wrong with a photo in which the board was found, but not all that is on it; both BGR uint8."""
    seen = _measured(photo)
    return seen.ill or ("blurred" if seen.sharpness < _SOFTER * _kept_measured(empty).sharpness else None)


def _measured(photo: Image) -> _Measured:
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    # By histograms: to sort all pixels took half as long as a read, and looks in doubt are common.
    edges = cv2.convertScaleAbs(cv2.Sobel(grey, cv2.CV_16S, 1, 0), alpha=_FINE / 8)
    dark, middle, light = _levels(grey, 0.02, 0.4, 0.98)
    (steep,) = _levels(edges, 0.995)
    return _Measured(dark, middle, light, steep / _FINE)


def _levels(picture: Image, *shares: float) -> list[float]:
    """The level of a grey picture, uint8, that each of these shares of its pixels does not exceed."""
    counts = cv2.calcHist([picture], [0], None, [256], [0, 256]).ravel().cumsum()
    return [float(level) for level in np.searchsorted(counts, np.array(shares) * picture.size)]


_kept_measured = once(_measured)
