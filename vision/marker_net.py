"""What the network of the markers is shown and what it answers: bare, or what colour stands in a piece.

It sees a piece's top in the frame, the same place in the empty photo, and the middle look of all six.
"""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats

SIZE = 28
"""Pixels of the picture."""
LID_PX = 20.0
"""Pixels of a piece's diameter in it: what a photograph of half size gives."""


def with_others(blob: Floats) -> Floats:
    """The same with three channels more: the middle look of all the pieces, most of which are bare."""
    middle = np.median(blob[:, :3], axis=0, keepdims=True)
    return np.concatenate([blob, np.repeat(middle, len(blob), axis=0)], axis=1, dtype=np.float32)


def likelihoods(said: Floats, colours: Floats) -> Floats:
    """(N, 1 + C): how likely each piece is bare or carries each of the set's C colours.

    The network tells how likely it is bare, what Lab colour it sees there, and how exactly; `colours`
    are the set's, (C, 3) as OpenCV's 8-bit Lab.
    """
    seen = said[:, None, 1:4]
    wanted = as_features(colours)[None]
    spread = np.exp(said[:, None, 4:7])
    scores = np.concatenate([said[:, :1], -(((seen - wanted) * spread) ** 2).sum(axis=2)], axis=1)
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(scores / scores.sum(axis=1, keepdims=True))


def as_features(lab: Floats) -> Floats:
    """(C, 3) 8-bit Lab -> lightness, and a and b by lightness (which light and shade leave alone)."""
    light = np.asarray(lab, dtype=np.float32)[:, 0] * (100 / 255) + 16
    hue = (np.asarray(lab, dtype=np.float32)[:, 1:] - 128) / light[:, None]
    return np.concatenate([np.log(light / 66)[:, None], hue], axis=1)
