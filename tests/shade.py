"""A photo in another light: a shadow lies in it that was not there, or a lamp flickers."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Image

ARM = [(700, 300), (1000, 380), (900, 900), (420, 900)]
"""Pixels of its corners: it comes in from below, and reaches the middle of the board."""


def in_shadow(photo: Image, left: float, outline: list[tuple[int, int]] = ARM) -> Image:
    """The photo, BGR uint8 (H, W, 3), with so much of the light `left` within an outline with soft edges."""
    shadow = np.zeros(photo.shape[:2], np.float32)
    cv2.fillPoly(shadow, [np.array(outline, dtype=np.int32)], 1.0)
    return (photo * (1 - (1 - left) * cv2.GaussianBlur(shadow, (0, 0), 8)[..., None])).astype(np.uint8)


def banded(photo: Image, share: float, cycles: float, turned: float = 0.0) -> Image:
    """The photo under a lamp that flickers: so many bands from its top down, lighter and darker by `share`.

    `turned`: where they lie, in radians; two photos of one camera differ in that.
    """
    turn = 2 * np.pi * cycles * (np.arange(len(photo)) + 0.5) / len(photo) + turned
    wave = (np.cos(turn) + 0.2 * np.cos(2 * turn + 1)) / 1.2
    return np.clip(photo * (1 + share * wave)[:, None, None], 0, 255).astype(np.uint8)
