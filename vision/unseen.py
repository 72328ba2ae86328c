"""What keeps the tags of a board from being found in a photo: it is mirrored, too dark or light, blurred."""

from __future__ import annotations

from collections.abc import Container
from typing import Literal

import cv2
import numpy as np

from vision.geometry import Image, Layout
from vision.tags import find_tags

VERY_DARK, BRIGHT = 55.0, 252.0
"""Grey levels (of 255): nothing is read where the lightest of a photo is darker, or most of it lighter."""
_BLURRED = 0.06
"""The steepest edges of a sharp photo take more of its contrast from one pixel to the next."""
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
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    dark, light = np.percentile(grey, [2, 98])
    if light < VERY_DARK:
        return "dark"
    if np.percentile(grey, 40) > BRIGHT:
        return "bright"
    steep = np.percentile(np.abs(cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8)), 99.5)
    return "blurred" if not some and steep < _BLURRED * (light - dark) else None
