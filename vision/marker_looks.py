"""What the plain colours of a piece's top tell of a marker, beside the networks.

Where it looks like none of the set's colours the piece is rather bare; where a lamp is in it that metal would
have tinted, nobody can tell.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.geometry import Floats
from vision.hues import as_cielab, as_features

MIDDLE, RIM = (0.0, 0.2), (0.36, 0.46)
"""Where these are, in diameters from the middle of a top."""

NEAR, PLAINLY = (3.5, 16.0), (-1.0, 3.0)
"""Where a top's middle is so near to one of the colours, or so far from all (CIE Lab), it has such a score
for being bare."""

STRANGE = 20.0
"""So far from the colour it is held for (CIE Lab) a top may as well be bare: of 143 markers of 21 sets two
were, in one frame full of glare, and one of two bare pieces that were taken for marked."""

EVEN, UNLIKE, TINT = 3.0, 20.0, 18.0
"""A top whose middle is so even (the standard deviation of its quarters, CIE Lab), so far from all that are
bare, and so far in its tint from its own rim mirrors a lamp: metal would give the light its tint. Of 10 such
tops among 1854 taken for bare 5 were markers, two of them surely bare before."""


def from_the_colours(tops: Floats, lid_px: float, colours: Floats) -> Floats:
    """(N, C) how far (CIE Lab) the middle of each top is from each of the set's colours.

    `tops` (N, 3, H, W) in hues, a piece `lid_px` wide; `colours` (C, 3) as OpenCV's 8-bit Lab.
    """
    middle = np.median(_ring_of(tops, lid_px, MIDDLE), axis=1)
    return np.asarray(np.linalg.norm(middle[:, None] - as_cielab(as_features(colours)), axis=2))


def plainly_bare(away: Floats) -> Floats:
    """(N,) a score for being bare: how far the middle of each top is `from_the_colours` of the set, (N, C).

    What a network makes of metal that it has not seen may be a colour; but a marker has one of the six.
    """
    return np.asarray(np.interp(away.min(axis=1), NEAR, PLAINLY))


def unlike_their_colours(away: Floats, kinds: Sequence[int]) -> list[int]:
    """Which tops, (N, C) `from_the_colours`, are strangers to that they are held for: 1 to C, 0 is bare."""
    return [i for i, kind in enumerate(kinds) if kind and away[i, kind - 1] > STRANGE]


def mirroring(tops: Floats, lid_px: float, bare: Sequence[bool]) -> list[bool]:
    """Which of the pieces that are taken for bare may carry a marker, flat and glossy, that mirrors a lamp.

    `tops` (N, 3, H, W) in hues, a piece `lid_px` wide.
    """
    middle, rim = (np.median(_ring_of(tops, lid_px, ring), axis=1) for ring in (MIDDLE, RIM))
    half, side = tops.shape[2] // 2, round(0.14 * lid_px)
    core = tops[:, :, half - side : half + side, half - side : half + side]
    quarters = core.reshape(len(tops), 3, 2, side, 2, side).mean(axis=(3, 5)).reshape(len(tops), 3, 4)
    even = np.linalg.norm(as_cielab(np.moveaxis(quarters, 1, 2)).std(axis=1), axis=1) < EVEN
    tinted = np.linalg.norm((middle - rim)[:, 1:], axis=1) > TINT
    apart = np.linalg.norm(middle[:, None] - middle, axis=2)
    alone = [
        all(apart[i, j] > UNLIKE for j, other in enumerate(bare) if other and j != i)
        for i in range(len(bare))
    ]
    return [bool(all(signs)) for signs in zip(bare, even, tinted, alone, strict=True)]


def _ring_of(tops: Floats, lid_px: float, ring: tuple[float, float]) -> Floats:
    """(N, pixels, 3) CIE Lab: what of each top lies between so many diameters from its middle."""
    rows, columns = np.indices(tops.shape[2:])
    away = np.hypot(rows - (tops.shape[2] - 1) / 2, columns - (tops.shape[3] - 1) / 2) / lid_px
    return as_cielab(np.moveaxis(tops[:, :, (away >= ring[0]) & (away < ring[1])], 1, 2))
