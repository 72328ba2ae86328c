"""Pictures as lightness and hues, the form in which shade is plain to see for a network.

A shadow takes the same share of all light, so it moves the lightness and leaves the hues; so does a board
that is seen, in the shade, through a ring.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.geometry import Floats, Image

_LIGHT = np.arange(256, dtype=np.float32) * (100 / 255) + 16
"""L + 16 of an 8-bit L: by it, a and b stay as they are in more or less light (all follow its cube root)."""
_LOG, _SHARE = np.log(_LIGHT / 66), 1 / _LIGHT
_SIGNED = np.arange(256, dtype=np.float32) - 128
"""An 8-bit a or b with its sign."""


def in_hues(pictures: Sequence[Image]) -> Floats:
    """BGR uint8 pictures of one size -> float32 (N, 3, H, W): the log of L + 16, and a and b by L + 16."""
    # All at once, one under the other: most are so small that each call costs more than its pixels.
    light, *hues = cv2.split(cv2.cvtColor(np.concatenate(pictures), cv2.COLOR_BGR2LAB))
    shape = (len(pictures), *pictures[0].shape[:2])
    done = np.empty((shape[0], 3, *shape[1:]), dtype=np.float32)
    done[:, 0] = cv2.LUT(light, _LOG).reshape(shape)
    share = cv2.LUT(light, _SHARE).reshape(shape)
    for channel, hue in enumerate(hues, 1):
        np.multiply(cv2.LUT(hue, _SIGNED).reshape(shape), share, out=done[:, channel])
    return done


def as_features(lab: Floats) -> Floats:
    """(C, 3) 8-bit Lab colours in the same form, (C, 3)."""
    values = np.asarray(lab, dtype=np.float32)
    light = values[:, :1] * (100 / 255) + 16
    return np.concatenate([np.log(light / 66), (values[:, 1:] - 128) / light], axis=1)


def as_cielab(features: Floats) -> Floats:
    """Colours in that form, (..., 3), as CIE Lab: L 0 to 100, a, b."""
    light = 66 * np.exp(features[..., :1])
    return np.concatenate([light - 16, features[..., 1:] * light], axis=-1)
