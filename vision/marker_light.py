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
MOST_LIGHT, SAME = 1.6, 0.1
"""In up to so many times the light of the photo of the dice markers are seen, and by how far, in the log, the
channels of one colour may then be off another's: at twice the exposure an orange one in metal was as yellow
as the yellow die, by 0.07 and 0.09."""
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
    ended = (light > LIGHTER) & _ended(middle)
    if ended.all() or not ended.any():
        return np.full(len(colours), ended.any())
    more = np.log((_bgr(colours) + DIM) / (middle.mean(axis=(0, 1)) / light + DIM))
    off = more - more[:, ~ended].mean(axis=1, keepdims=True)
    return np.asarray((np.abs(off[:, ~ended]) < ALIKE).all(axis=1) & (off[:, ended] > -ALIKE).all(axis=1))


def alike_where_ended(middle: Image, colours: Floats) -> Mask:
    """(C,) which of `colours`, as `may_have` takes them, a top may have of which some channels end."""
    ended = _ended(middle)
    if ended.all() or not ended.any():
        return np.zeros(len(colours), dtype=np.bool_)
    seen, learned = np.log(middle.mean(axis=(0, 1)) + DIM), _bgr(colours) + DIM
    times = np.exp((seen - np.log(learned))[:, ~ended].mean(axis=1, keepdims=True)).clip(1, MOST_LIGHT)
    more = np.log(np.minimum(times * learned, 255 + DIM)) - seen
    return np.asarray((np.abs(more) < SAME).all(axis=1))


def _ended(middle: Image) -> Mask:
    """(3,) which channels end in most of it."""
    return np.asarray((middle >= ENDS).mean(axis=(0, 1)) >= BURNT)


def _bgr(colours: Floats) -> Floats:
    """(C, 3) of 8-bit Lab."""
    lab = np.round(colours)[None].astype(np.uint8)
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR)[0], dtype=np.float64)


def cut_short(each: Floats, may: Mask, either: Mask) -> Mask:
    """(N,) which pieces `may` have colours, (N, C), that they do not look to have, and are held, by the
    (N, 1 + C) likelihoods of `each`, for none of these; or for one of several that `either` of, (N, C), they
    may have."""
    held = np.eye(each.shape[1], dtype=np.bool_)[each.argmax(axis=1), 1:]
    lost = may.any(axis=1) & ~(held & may).any(axis=1)
    mixed = (held & either).any(axis=1) & (either.sum(axis=1) > 1)
    return np.asarray(lost | mixed)
