"""What a lamp, or too long an exposure, hides of the marker in a piece."""

from __future__ import annotations

import cv2
import numpy as np

from vision.change import Mask
from vision.geometry import Floats, Image

BURNT, WHITE = 0.9, 245
"""Where so much of a top's middle is so light in all colours, a lamp hides what stands there: of 58 such that
would have been sure in draws from 280 crowded sets three were told wrongly."""
ENDS, LIGHTER = 250, 1.1
"""A channel that is so light in so much of it ends there. In a frame lighter by such a factor than the photos
learned from, the colour is then another: an orange marker without all its red passed for bare gold."""
DIM, ALIKE = 10.0, 0.15
"""What is added to each channel, of 255, before the logs are compared; and how far these may be off."""


def is_burnt(middle: Image) -> bool:
    """Whether the middle of a top, BGR uint8 (H, W, 3), shows nothing but white."""
    return bool((middle.min(axis=2) >= WHITE).mean() >= BURNT)


def may_have(middle: Image, light: Floats, colours: Floats) -> Mask:
    """(C,) which of `colours`, (C, 3) as OpenCV's 8-bit Lab, a top may have, in more or less light, that does
    not look so, for some of its channels end: they may have had any more.

    `middle`: of the top, BGR uint8 (H, W, 3); `light` (3,): how many times lighter the frame is there than
    the photos that the colours were learned from.
    """
    lighter = light > LIGHTER
    ended = lighter & ((middle >= ENDS).mean(axis=(0, 1)) >= BURNT) if lighter.any() else lighter
    if ended.all() or not ended.any():
        return np.full(len(colours), ended.any())
    lab = np.round(colours)[None].astype(np.uint8)
    learned = cv2.cvtColor(lab, cv2.COLOR_LAB2BGR)[0].astype(np.float64)
    more = np.log((learned + DIM) / (middle.mean(axis=(0, 1)) / light + DIM))
    off = more - more[:, ~ended].mean(axis=1, keepdims=True)
    return np.asarray((np.abs(off[:, ~ended]) < ALIKE).all(axis=1) & (off[:, ended] > -ALIKE).all(axis=1))


def cut_short(each: Floats, may: Mask) -> Mask:
    """(N,) which pieces `may` have colours, (N, C), that they do not look to have, and are held, by the
    (N, 1 + C) likelihoods of `each`, for none of these."""
    held = np.eye(each.shape[1], dtype=np.bool_)[each.argmax(axis=1), 1:]
    return np.asarray(may.any(axis=1) & ~(held & may).any(axis=1))
