"""What the network of the markers is shown and what it answers: bare, or what colour stands in a piece.

The first network sees each piece's top in the frame and the same place in the empty photo, in hues, the words
of the answer too. The second is told what the first made of a piece, and of the others: six pieces are
alike, and bare ones look alike in one light.
"""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats
from vision.hues import as_features

SIZE = 28
"""Pixels of the picture."""
LID_PX = 20.0
"""Pixels of a piece's diameter in it: what a photograph of half size gives."""
TEMPER, MOSTLY_BARE = 0.4, 2.0
"""What the network's scores are divided by, and the log odds by which bare pieces are commoner at a table
than among those it learned from: fitted on sessions that it did not learn from."""


def beside(codes: Floats) -> Floats:
    """What the second network takes, (N, 2 C, 1, 1): each piece's code, and the others' mean.

    `codes` (N, C + 1, 1, 1), of the first: the last number says how much a piece counts among the others.
    """
    code, weight = codes[:, :-1], codes[:, -1:]
    counted = code * weight
    others = (counted.sum(axis=0) - counted) / (weight.sum(axis=0) - weight + 1e-3)
    return np.concatenate([code, others], axis=1, dtype=np.float32)


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
