"""What the plain colours of a piece's top tell of a marker, beside the networks.

Where it looks like none of the set's colours the piece is rather bare; where a lamp is in it that metal would
have tinted, nobody can tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.change import Mask
from vision.geometry import Floats
from vision.hues import as_cielab, as_features
from vision.looks import veiled

MIDDLE, RIM = (0.0, 0.2), (0.36, 0.46)
"""Where these are, in diameters from the middle of a top."""

NEAR, PLAINLY = (3.5, 16.0), (-1.0, 3.0)
"""Where a top's middle is so near to one of the colours under some gloss, or so far from all (CIE Lab), it
has such a score for being bare."""

GLOSS = 0.06
"""By so much more or less gloss than in the photo of the dice, as a share of white, a marker may differ from
its die: a black one in which a lamp shone there is lighter. What it brings is in docs/reading-notes.md."""

STRANGE = 18.0
"""So far from a colour, under any veil (CIE Lab), a top is a stranger to it, and one that is held for it may
as well be bare: of 227 markers of 30 sets none was farther than 14.2, of 130 of 19 tables none than 11.1; of
two bare pieces that were taken for marked one was, by 22.6."""

UNLIKE, TINT = 20.0, 18.0
"""A top whose middle is so far (CIE Lab) from all that are bare, and so far in its tint from its own rim, is
odd: the others' metal would look like it, and give what it mirrors its tint."""

EVEN, LIKE = 3.0, 10.0
"""An odd top that is so even (the standard deviation of its quarters, CIE Lab) mirrors a lamp: of 10 such
among 1854 taken for bare 5 were markers, two of them surely bare before. One that is so near to a colour of
the set may as well carry that: of 1820 bare ones the nearest is 11.5 away, of 4 markers taken for bare one
is 8, and surely bare in three of its nine forms before."""

EVENER, APART, ALMOST = 0.4, (16.0, 12.0, 4.0), 5.0
"""So does one that is so much evener than the least even one taken for bare, so far (CIE Lab) from all those,
so far from its own rim, and in its tint, and not even almost as alike to its field as what shows through a
ring: eight of 12 markers taken for bare, three of them surely, and none of 2326 bare pieces. A bare one that
mirrors a lamp has its rim's tint: five such are at most 3.2 away."""

ALIKE, COLOURFUL, THROUGH = 3.0, 8.0, 2.0
"""A top's middle so alike (CIE Lab), but for the shade, to a field whose colour is no weaker there: the board
shows through a ring, which is such a score for being bare. Of 250 markers over such fields none looks so, of
1084 bare pieces 174 do."""


class TopColours(NamedTuple):
    """The middle colours (CIE Lab), (N, 3) each, of N tops' middles and rims, and of the same places as the
    middles on the empty board."""

    middle: Floats
    rim: Floats
    ground: Floats


def colours_of(tops: Floats, grounds: Floats, lid_px: float) -> TopColours:
    """Of tops and of their places on the empty board, (N, 3, H, W) in hues, a piece `lid_px` wide."""
    seen = ((tops, MIDDLE), (tops, RIM), (grounds, MIDDLE))
    return TopColours(*(np.median(_ring_of(shown, lid_px, ring), axis=1) for shown, ring in seen))


def plainly_bare(tops: TopColours, colours: Floats) -> Floats:
    """(N,) a score for being bare: how far the middle of each top is from all colours, and whether it is the
    board.

    What a network makes of metal that it has not seen may be a colour; but a marker has one of the six.
    `colours` (C, 3) as OpenCV's 8-bit Lab.
    """
    seen = [_seen(colour, GLOSS) for colour in colours]
    away = np.min([np.linalg.norm(tops.middle[:, None] - some, axis=2).min(axis=1) for some in seen], axis=0)
    return np.asarray(np.interp(away, NEAR, PLAINLY) + THROUGH * _shows_through(tops))


def _shows_through(tops: TopColours, alike: float = ALIKE) -> Mask:
    """Which middles have the colour of the board there, so far `alike`, in more or less light."""
    middle, ground = tops.middle, tops.ground
    expected = ground[:, 1:] * ((middle[:, :1] + 16) / (ground[:, :1] + 16))
    near = np.linalg.norm(middle[:, 1:] - expected, axis=1) < alike
    return np.asarray(near & (np.linalg.norm(expected, axis=1) > COLOURFUL))


def unlike_their_colours(tops: TopColours, colours: Floats, kinds: Sequence[int]) -> list[int]:
    """Which tops are strangers to the colour that they are held for: 1 to C of `colours`, 0 is bare."""
    held = [(i, colours[kind - 1]) for i, kind in enumerate(kinds) if kind]
    return [i for i, colour in held if _strange(tops.middle[i], colour)]


def _strange(middle: Floats, colour: Floats) -> bool:
    """Whether a top's middle (3,) is unlike a colour (3,), whatever the gloss.

    Where a lamp shone in a die when its colour was learned, its marker is plainer.
    """
    return bool(np.linalg.norm(middle - _seen(colour), axis=1).min() > STRANGE)


def _seen(colour: Floats, gloss: float = 1.0) -> Floats:
    """(V, 3) CIE Lab: how a colour, (3,) as OpenCV's 8-bit Lab, looks under veils of no more `gloss`."""
    light, hue, veils = veiled(tuple(colour.tolist()))
    kept = abs(veils) <= gloss
    return np.concatenate([light[kept, None] - 16, hue[kept] * light[kept, None]], axis=1)


def mirroring(
    tops: TopColours, shown: Floats, lid_px: float, bare: Sequence[bool], colours: Floats
) -> list[bool]:
    """Which of the pieces that are taken for bare may carry a marker, flat and glossy, that mirrors a lamp.

    `shown`: the tops themselves, (N, 3, H, W) in hues, a piece `lid_px` wide. What is seen through a ring is
    no mirror, but the board in the shade; and what looks like none of `colours`, a lamp in it, is metal.
    """
    half, side = shown.shape[2] // 2, round(0.14 * lid_px)
    core = shown[:, :, half - side : half + side, half - side : half + side]
    quarters = core.reshape(len(shown), 3, 2, side, 2, side).mean(axis=(3, 5)).reshape(len(shown), 3, 4)
    uneven = np.linalg.norm(as_cielab(np.moveaxis(quarters, 1, 2)).std(axis=1), axis=1)
    held = np.array(bare)
    odd = _odd(tops, held) & ~_shows_through(tops)
    evener = _evener(tops, held, uneven) & ~_shows_through(tops, ALMOST)
    mirrors = ((uneven < EVEN) & (odd | evener)).tolist()
    return [
        one and not all(_strange(middle, colour) for colour in colours)
        for one, middle in zip(mirrors, tops.middle, strict=True)
    ]


def like_a_colour(tops: TopColours, colours: Floats, bare: Sequence[bool]) -> list[int]:
    """Of each top the number, 1 to C, of the one of `colours` that it may as well carry although it is taken
    for bare; 0 for none."""
    away = _from_colours(tops, colours)
    alike = _odd(tops, np.array(bare)) & (away.min(axis=1) < LIKE)
    return [int(colour) for colour in alike * (away.argmin(axis=1) + 1)]


def _odd(tops: TopColours, bare: Mask) -> Mask:
    """Which of those that are taken for bare are unlike all the others, and tinted unlike their own rims."""
    tinted = np.linalg.norm((tops.middle - tops.rim)[:, 1:], axis=1) > TINT
    return np.asarray(bare & tinted & (_apart(tops, bare) > UNLIKE))


def _evener(tops: TopColours, bare: Mask, uneven: Floats) -> Mask:
    """Which of those that are taken for bare are far less `uneven` (N,) than another and like none."""
    least = uneven[bare].max(initial=0)
    others, rim, tint = APART
    off = tops.middle - tops.rim
    off_rim = (np.linalg.norm(off, axis=1) > rim) & (np.linalg.norm(off[:, 1:], axis=1) > tint)
    return np.asarray(bare & off_rim & (uneven < EVENER * least) & (_apart(tops, bare) > others))


def _apart(tops: TopColours, bare: Mask) -> Floats:
    """(N,) how far the middle of each top is from the nearest of the others that are taken for bare."""
    apart = np.linalg.norm(tops.middle[:, None] - tops.middle, axis=2)
    apart[np.diag_indices(len(apart))] = np.inf
    apart[:, ~bare] = np.inf
    return np.asarray(apart.min(axis=1))


def _from_colours(tops: TopColours, colours: Floats) -> Floats:
    """(N, C): how far the middle of each top is from each of the set's colours (CIE Lab)."""
    return np.asarray(np.linalg.norm(tops.middle[:, None] - as_cielab(as_features(colours)), axis=2))


def _ring_of(tops: Floats, lid_px: float, ring: tuple[float, float]) -> Floats:
    """(N, pixels, 3) CIE Lab: what of each top lies between so many diameters from its middle."""
    rows, columns = _between(tops.shape[2], lid_px, ring)
    return as_cielab(np.moveaxis(tops[:, :, rows, columns], 1, 2))


@cache
def _between(size: int, lid_px: float, ring: tuple[float, float]) -> tuple[NDArray[np.intp], ...]:
    """Rows and columns of these pixels of a picture so large."""
    across = np.arange(size) - (size - 1) / 2
    away = np.hypot(across[:, None], across) / lid_px
    return np.nonzero((away >= ring[0]) & (away < ring[1]))
