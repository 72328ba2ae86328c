"""What keeps a board, or what is on it, from being seen in a photo: mirrored, too dark or light, blurred."""

from __future__ import annotations

from collections.abc import Container
from typing import Literal

import cv2
import numpy as np

from vision.geometry import Image, Layout
from vision.once import once
from vision.tags import find_tags

VERY_DARK, BRIGHT = 55.0, 252.0
"""Grey levels (of 255): nothing is read where the lightest of a photo is darker, or most of it lighter."""
_BLURRED = 0.06
"""The `sharpness` of a photo that is sharp is more."""
_SOFTER = 0.6
"""A frame is as sharp as the empty photo, but for such a share. Of 39 frames of thirteen sessions the least
has 0.72; blurred by 3 pixels (a normal distribution's spread) the most has 0.54."""
Unseen = Literal["mirrored", "dark", "bright", "blurred"]

SAID: dict[Unseen, str] = {
    "mirrored": "the picture is mirrored; switch that off at the camera",
    "dark": "it is too dark; switch on a lamp",
    "bright": "there is too much light; dim it, or expose less",
    "blurred": "the picture is blurred; focus the camera, and keep it still",
}
"""What is wrong with the picture, and what to do."""


def why_unseen(photo: Image, layout: Layout, tags: Container[int] = ()) -> Unseen | None:
    """What is wrong with a photo, BGR uint8 (H, W, 3), in which only those `tags` of the layout were found.

    None: nothing is, they are covered or out of the picture.
    """
    some = any(tag in tags for tag in layout.tags)
    if not some and len(find_tags(np.ascontiguousarray(photo[:, ::-1]), layout)[0]) > 1:
        return "mirrored"
    return ill_lit(photo) or ("blurred" if not some and sharpness(photo) < _BLURRED else None)


def why_doubted(photo: Image, empty: Image) -> Unseen | None:
    """What is wrong with a photo in which the board was found, but not all that is on it; both BGR uint8."""
    return ill_lit(photo) or ("blurred" if sharpness(photo) < _SOFTER * _kept_sharpness(empty) else None)


def ill_lit(photo: Image) -> Unseen | None:
    """Whether hardly anything of a photo can be told apart, for want of light or for too much of it."""
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    middle, light = np.percentile(grey, [40, 98])
    if light < VERY_DARK:
        return "dark"
    return "bright" if middle > BRIGHT else None


def sharpness(photo: Image) -> float:
    """What share of a photo's contrast its steepest edges take, from one pixel to the next; 1 where there is
    no contrast."""
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    dark, light = np.percentile(grey, [2, 98])
    steep = np.percentile(np.abs(cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8)), 99.5)
    return float(steep / (light - dark)) if light > dark else 1.0


_kept_sharpness = once(sharpness)
