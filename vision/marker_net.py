"""What the network of the markers is shown and what it answers: bare, or what colour stands in a piece.

It sees a piece's top in the frame, the same place in the empty photo, and how the other bare pieces look.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.geometry import Floats

SIZE = 28
"""Pixels of the picture."""
LID_PX = 20.0
"""Pixels of a piece's diameter in it: what a photograph of half size gives."""
TEMPER, MOSTLY_BARE = 0.6, 1.0
"""What the network's scores are divided by, and the log odds by which bare pieces are commoner at a table
than among those it learned from: so its likelihoods hold on sessions that were left out."""


def with_others(blob: Floats, bare: Sequence[bool]) -> Floats:
    """The same with three channels more: for each piece the middle look of the others that are `bare`,
    or of all others where none is."""
    looks = []
    for i in range(len(blob)):
        others = [k for k in range(len(blob)) if k != i and bare[k]] or [
            k for k in range(len(blob)) if k != i
        ]
        looks.append(np.median(blob[others or [i], :3], axis=0))
    return np.concatenate([blob, np.stack(looks)], axis=1, dtype=np.float32)


def likelihoods(said: Floats, colours: Floats) -> Floats:
    """(N, 1 + C): how likely each piece is bare or carries each of the set's C colours.

    The network tells how likely it is bare, what Lab colour it sees there, and how exactly; `colours`
    are the set's, (C, 3) as OpenCV's 8-bit Lab.
    """
    seen = said[:, None, 1:4]
    wanted = as_features(colours)[None]
    spread = np.exp(said[:, None, 4:7])
    scores = np.concatenate([said[:, :1], -(((seen - wanted) * spread) ** 2).sum(axis=2)], axis=1) / TEMPER
    scores[:, 0] += MOSTLY_BARE
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(scores / scores.sum(axis=1, keepdims=True))


def as_features(lab: Floats) -> Floats:
    """(C, 3) 8-bit Lab -> lightness, and a and b by lightness (which light and shade leave alone)."""
    light = np.asarray(lab, dtype=np.float32)[:, 0] * (100 / 255) + 16
    hue = (np.asarray(lab, dtype=np.float32)[:, 1:] - 128) / light[:, None]
    return np.concatenate([np.log(light / 66)[:, None], hue], axis=1)
