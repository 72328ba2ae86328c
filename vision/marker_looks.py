"""What the plain colours of a piece's top tell of a marker, beside the networks.

Where it looks like none of the set's colours, or as the board there does, the piece is rather bare.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.change import Mask
from vision.geometry import Floats
from vision.hues import as_cielab
from vision.looks import veiled
from vision.marker_net import LEAST, greyness
from vision.marker_others import rather_bare
from vision.median import median
from vision.nets import shares

MIDDLE, RIM = (0.0, 0.2), (0.36, 0.46)
"""Where these are, in diameters from the middle of a top."""

NEAR, PLAINLY = (3.5, 16.0), (-1.0, 3.0)
"""Where a top's middle is so near to one of the colours under some gloss, or so far from all (CIE Lab), it
has such a score for being bare."""

GLOSS = 0.06
"""By so much more or less gloss than in the photo of the dice, as a share of white, a marker may differ from
its die: a black one in which a lamp shone there is lighter. What it brings is in docs/reading-notes.md."""

ALIKE, COLOURFUL, THROUGH = 3.0, 8.0, 2.0
"""A top's middle so alike (CIE Lab), but for the shade, to a field whose colour is no weaker there: the board
shows through a ring, which is such a score for being bare. Of 250 markers over such fields none looks so, of
1084 bare pieces 174 do."""

OPEN = 0.45
"""Where the hue of those others that are rather bare is off the board's by less than such a share of its
strength, at the middle one of them, the set's pieces are open: the board shows through each. So it does in
five of the thirteen photo sessions."""
STOPPED_UP = (2.0, 5.0, 8.0), (0.0, 2.5, 4.0)
"""How far the hue of an open set's piece is off what the board shows through the others (CIE Lab, by 1 + 0.3
times what these differ by), and the log odds that it is marked for that. Of 1573 such pieces in draws from
149 marked sets three were surely wrong and 1530 sure, with it two and 1533; the loss is 0.0140 (0.0173)."""

FAINT = 30.0
"""Added to L before a and b are divided by it, which gives the hue of a middle in more or less light: what is
dark has little."""
SEEN_THROUGH, OTHER_METAL = ((0.2, 0.35), (5.0, 0.0)), 0.1
"""By how much the hue of an open set's piece is off the board's, as a share, and the log odds that it is bare
for that; but only if its rim's is off by more than the second. Of pieces with such rims 2900 of 4156 bare
ones are below the first share, 3395 below 0.3, 29 of which were in doubt and eight held for marked; of 379
marked ones none and one. Two cameras of fourteen had a bare ring over green surely green. Under a tint all
grey has a grey board's hue."""
OWN_HUE, OF_A_COLOUR = ((0.15, 0.25, 0.4), (0.0, 9.0, 14.0)), (0.2, 0.6, 0.05)
"""A middle's hue so far from that of each other piece that is rather bare, and from the board's there, speaks
for a marker with such log odds; but only for a plain colour farther than the first from what is bare, of
whose way there it has gone more than the second, and if it is farther than the third from its own rim. In
photos of 38 sets as other cameras would give them one of 12,610 bare pieces does so, at log odds of -25, and
1113 of 1160 such markers, ten of which all else held for bare, by up to 14; none but markers has 0.4."""
SAME_HUE, HALF_WAY, AGAINST = 0.05, 0.5, 5.0
"""One that has the hue of another that is rather bare speaks with such log odds against each colour of whose
way it has not gone so much. Of those pieces 5740 bare ones do so, 15 of them in doubt, and no marked one."""

DYED_RINGS, DYED, OFF_MIDDLE, PLAIN = slice(1, 4), 0.1, 0.14, 0.3
"""Those rings of a top whose hue, by the second, is off each ring of the other bare pieces and, by the third,
off its own middle, of a colour farther than the last from what is bare. Of 459 bare pieces of the photo
sessions none has one, and six more tables are in doubt through a warm camera without the last two; of 163
coloured markers in whose middle a lamp was painted, and that were held for bare, 82 have."""

ITS_SHARE, PER_LAB, FAR = 0.85, 0.4, 40.0
"""Which colour a marked piece carries: the pairs' likelihoods to this power, and less by so much of the log
for each unit (CIE Lab, no more than the third) that its middle is off a colour under some veil. Of the 6597
markers in those draws nine are named wrongly (17 by the pairs alone), 6509 are 0.999 likely (6404), three of
these wrongly (five); the loss is 0.0119 (0.0170)."""

STRANGE, NEXT, EITHER = 12.0, 6.0, 0.3
"""Where a middle is farther than the first off all colours, and another is no farther than the second behind
the nearest, this share of it is dealt out evenly among those: of 13 such markers of 6151 in photos of some
forty sets, in many forms, four were named wrongly, one surely, a dark orange one for red. Of all others three
were."""


class TopColours(NamedTuple):
    """The middle colours (CIE Lab), (N, 3) each, of N tops' middles and rims, and of the same places as the
    middles on the empty board."""

    middle: Floats
    rim: Floats
    ground: Floats


def colours_of(tops: Floats, grounds: Floats, lid_px: float) -> TopColours:
    """Of tops and of their places on the empty board, (N, 3, H, W) in hues, a piece `lid_px` wide."""
    seen = ((tops, MIDDLE), (tops, RIM), (grounds, MIDDLE))
    return TopColours(*(median(_ring_of(shown, lid_px, ring), axis=1) for shown, ring in seen))


def rings_of(tops: Floats, lid_px: float) -> Floats:
    """(N, 5, 6): the middle CIE Lab colour of five rings, from the middle of a top to its rim, and how much
    that differs; of tops as `colours_of` takes them."""
    seen = [_ring_of(tops, lid_px, (inner / 10, inner / 10 + 0.1)) for inner in range(5)]
    return np.stack([np.hstack([median(lab, axis=1), lab.std(axis=1)]) for lab in seen], axis=1)


def unevenness(tops: Floats, lid_px: float) -> Floats:
    """(N,) how much the quarters of the middles of such tops differ (CIE Lab)."""
    half, side = tops.shape[2] // 2, round(0.14 * lid_px)
    core = tops[:, :, half - side : half + side, half - side : half + side]
    quarters = core.reshape(len(tops), 3, 2, side, 2, side).mean(axis=(3, 5)).reshape(len(tops), 3, 4)
    return np.asarray(np.linalg.norm(as_cielab(quarters.transpose(0, 2, 1)).std(axis=1), axis=1))


def plainly_bare(tops: TopColours, away: Floats) -> Floats:
    """(N,) a score for being bare: how far `away` the middle of each top is from all colours, and whether it
    is the board.

    What a network makes of metal that it has not seen may be a colour; but a marker has one of the six.
    """
    return np.asarray(np.interp(away, NEAR, PLAINLY) + THROUGH * shows_through(tops))


def off_nearest(tops: TopColours, colours: Floats) -> Floats:
    """(N,) how far (CIE Lab) the middle of each top is off the nearest colour with a little more or less
    gloss; `colours` (C, 3) as OpenCV's 8-bit Lab."""
    return np.asarray(off_colours(tops, colours, GLOSS).min(axis=1))


def shows_through(tops: TopColours) -> Mask:
    """Which middles have the colour of the board there, in more or less light."""
    off, strength = off_board(tops)
    return np.asarray((np.linalg.norm(off, axis=1) < ALIKE) & (strength > COLOURFUL))


def off_board(tops: TopColours) -> tuple[Floats, Floats]:
    """How far a and b of each middle, (N, 2), are off what the board has there in as much light, and how
    strong that is, (N,). In more light a and b are more by as much as L + 16 is."""
    shade = (tops.middle[:, :1] + 16) / (tops.ground[:, :1] + 16)
    expected = tops.ground[:, 1:] * shade
    return tops.middle[:, 1:] - expected, np.linalg.norm(expected, axis=1)


def which_colour(tops: TopColours, colours: Floats, told: Floats) -> Floats:
    """(N, C) how likely each piece carries each of `colours` ((C, 3) as OpenCV's 8-bit Lab) if it is marked,
    by what was `told` of that, and by its plain colour."""
    off = off_colours(tops, colours)
    logs = ITS_SHARE * np.log(np.maximum(told, LEAST)) - PER_LAB * np.minimum(off, FAR)
    each = shares(logs)
    nearest = off.min(axis=1, keepdims=True)
    near = off < nearest + NEXT
    strange = (nearest > STRANGE) & (near.sum(axis=1, keepdims=True) > 1)
    either = EITHER * near / near.sum(axis=1, keepdims=True)
    return np.asarray(np.where(strange, (1 - EITHER) * each + either, each))


def off_colours(tops: TopColours, colours: Floats, gloss: float = 1.0) -> Floats:
    """(N, C): how far (CIE Lab) the middle of each top is off each colour under veils of no more `gloss`."""
    away = [np.linalg.norm(tops.middle[:, None] - seen_as(lab, gloss), axis=2).min(axis=1) for lab in colours]
    return np.stack(away, axis=1)


def seen_through(tops: TopColours, odds: Floats) -> Floats:
    """(N,) log odds that each piece of an open set is marked, by whether the board shows through it; 0 of
    others. `odds` (N,): those by which the others are rather bare."""
    seen_off, strength = off_board(tops)
    share = np.linalg.norm(seen_off, axis=1) / np.maximum(strength, 1e-6)
    light = tops.middle[:, 0] + 16
    off = seen_off / light[:, None]
    other_metal = np.linalg.norm(_hues(tops.rim) - _hues(tops.ground), axis=1) > OTHER_METAL
    shown = other_metal * (strength > COLOURFUL) * np.interp(share, *SEEN_THROUGH)
    told = np.zeros(len(odds))
    for one in range(len(odds)):
        others = rather_bare(odds, one)
        others = others[strength[others] > COLOURFUL]
        if len(others) < 2 or np.median(share[others]) > OPEN:
            continue
        if shown[one]:
            told[one] = -shown[one]
            continue
        usual = np.median(off[others], axis=0)
        differ = (np.linalg.norm(off[others] - usual, axis=1) * light[others]).max()
        away = np.linalg.norm(off[one] - usual) * light[one]
        told[one] = np.interp(away / (1 + 0.3 * differ), *STOPPED_UP)
    return told


def of_its_own_hue(tops: TopColours, colours: Floats, shares: Floats, odds: Floats) -> Floats:
    """(N,) log odds that each piece is marked, by whether its middle has the hue of the others that are, by
    their log `odds` (N,), rather bare. `shares` (N, C): how likely each carries each of `colours`, (C, 3) as
    OpenCV's 8-bit Lab, if it is marked."""
    hues, rims, grounds = map(_hues, tops)
    dyed, coloured = _hues_of_dice(colours), greyness(colours) == 0
    told = np.zeros(len(odds))
    for one, hue in enumerate(hues):
        others = rather_bare(odds, one)
        if len(others) < 2:
            continue
        usual = median(hues[others])
        ways = dyed - usual
        far = np.linalg.norm(ways, axis=1)
        gone = ways @ (hue - usual) / np.maximum(far, LEAST) ** 2
        off_bare = np.linalg.norm(hues[others] - hue, axis=1).min()
        off_board, off_rim = (np.linalg.norm(hue - known[one]) for known in (grounds, rims))
        best = shares[one].argmax()
        if off_bare < SAME_HUE:
            hardly = shares[one, (far > OF_A_COLOUR[0]) & (gone < HALF_WAY)].sum()
            told[one] = np.log1p((np.exp(-AGAINST) - 1) * hardly)
        elif coloured[best] and (np.array([far[best], gone[best], off_rim]) > OF_A_COLOUR).all():
            told[one] = np.interp(min(off_bare, off_board), *OWN_HUE)
    return told


def has_dyed_ring(rings: Floats, colours: Floats, odds: Floats) -> Mask:
    """(N,) which tops have a ring of the hue of a set's colour, unlike every ring of the others that are, by
    their log `odds` (N,), rather bare: in the middle of a marker that shines may be a lamp.

    `rings` (N, 5, 6) as of `rings_of`; `colours` (C, 3) as OpenCV's 8-bit Lab.
    """
    seen, middles = _hues(rings[:, DYED_RINGS, :3]), _hues(rings[:, :1, :3])
    dyed = _hues_of_dice(colours)[greyness(colours) == 0]
    told = np.zeros(len(odds), dtype=np.bool_)
    for one, hues in enumerate(seen):
        others = rather_bare(odds, one)
        if len(others) < 2 or not len(dyed):
            continue
        usual = np.median(seen[others], axis=0)
        ways = dyed - usual[:, None]
        far = np.linalg.norm(ways, axis=2)
        gone = (ways * (hues - usual)[:, None]).sum(axis=2) / np.maximum(far, LEAST) ** 2
        its_way = ((far > PLAIN) & (gone > OF_A_COLOUR[1])).any(axis=1)
        bare = np.concatenate([seen[others], middles[others]], axis=1).reshape(-1, 2)
        off_bare = np.linalg.norm(hues[:, None] - bare, axis=2).min(axis=1)
        off_middle = np.linalg.norm(hues - middles[one], axis=1)
        told[one] = bool((its_way & (off_bare > DYED) & (off_middle > OFF_MIDDLE)).any())
    return told


def _hues(lab: Floats) -> Floats:
    """(..., 2) hues of (..., 3) CIE Lab."""
    return np.asarray(lab[..., 1:] / (lab[..., :1] + FAINT))


def _hues_of_dice(colours: Floats) -> Floats:
    """(C, 2) hues of `colours`, (C, 3) as OpenCV's 8-bit Lab."""
    return _hues((colours - (0, 128, 128)) / (2.55, 1, 1))


def seen_as(colour: Floats, gloss: float = 1.0) -> Floats:
    """(V, 3) CIE Lab: how a colour, (3,) as OpenCV's 8-bit Lab, looks under veils of no more `gloss`."""
    light, hue, veils = veiled(tuple(colour.tolist()))
    kept = abs(veils) <= gloss
    return np.concatenate([light[kept, None] - 16, hue[kept] * light[kept, None]], axis=1)


def _ring_of(tops: Floats, lid_px: float, ring: tuple[float, float]) -> Floats:
    """(N, pixels, 3) CIE Lab: what of each top lies between so many diameters from its middle."""
    rows, columns = _between(tops.shape[2], lid_px, ring)
    return as_cielab(tops[:, :, rows, columns].transpose(0, 2, 1))


@cache
def _between(size: int, lid_px: float, ring: tuple[float, float]) -> tuple[NDArray[np.intp], ...]:
    """Rows and columns of these pixels of a picture so large."""
    across = np.arange(size) - (size - 1) / 2
    away = np.hypot(across[:, None], across) / lid_px
    return np.nonzero((away >= ring[0]) & (away < ring[1]))
