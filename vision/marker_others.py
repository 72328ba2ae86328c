"""How far each piece's top looks otherwise than bare ones, beside it and in frames before.

Bare pieces of a set are alike but for light and what they mirror; a marker of the metal's own hue, a yellow
one in gold, differs from them in lightness and shape alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.change import Mask
from vision.geometry import Floats
from vision.median import median

INNER = 4
"""Of the five rings of a top, those that are compared; in the last its edge and the board are seen."""
HUE, SPREAD, LIGHT = 50.0, 0.5, 5.0
"""What a difference of a and b by L + 16 counts beside one of L, that of how much L differs within a ring,
and the log of how many times lighter a top is."""
RATHER_BARE, ENOUGH = -1.0, 3
"""Log odds of a piece that the others are compared with, and how many of these it takes: two may stand on
fields of another colour, which is seen through them."""
UNLIKE, AMONG_THEM, MORE = 6.0, 3.0, 1.2
"""A top is by itself that is so unlike each other that is rather bare, and so many times what these are
unlike each other, the second added to that."""
HARDLY, THAN_OTHERS, DOUBTED = -2.0, 1.5, -4.0
"""The log odds that a piece is marked, by one pair from all sides on the mean, that are no plain word for
bare metal, if they are by the second above those of the bare ones, at the middle of these; and to which those
by all else are raised then. In draws from 154 marked sets, as rendered and as three other cameras each would
give them, 397 pieces that all else holds rather for bare (log odds below -4) are by themselves and hardly
held so by one pair, 52 of these marked; of 348 of them that pair holds the bare ones plainer so, and all 52
marked ones are among these."""
NEAR, EVEN, FAR_MORE_EVEN, NO_LIGHTER = 8.0, 0.7, 0.45, 60.0
"""A middle no farther than the first off a colour of the set (CIE Lab), whose quarters differ by less than
the second, and by less than such a share of what any other's do that is rather bare, is as plain as a marker;
but not a light one, which a lamp may make as even. Black discs drawn into dark metal of 46 draws from ten
marked sets were surely bare six times, and all six are so; of 581 tops that were surely bare as rendered,
and are, three."""
AS_BARE_BEFORE, TOO_DARK = ((3.5, 4.5), (2.2, 1.0)), 30.0
"""How far a top is unlike one that was surely bare in another frame, and so many times its log odds for being
bare count then; but not those of tops whose middle is darker than the second (CIE Lab): a black marker and a
dark hole are as dark. What it brings, and what it was measured on, is in docs/reading-notes.md."""


def unlike(rings: Floats, others: Floats | None = None) -> Floats:
    """(N, M) how far N tops are unlike M others, or each other, of their `rings_of`, (N, 5, 6): the mean of
    four rings, in units of CIE Lab."""
    others = rings if others is None else others
    return np.asarray((_off(rings, others) + _off(others, rings).T) / 2)


def _off(rings: Floats, others: Floats) -> Floats:
    """(N, M) the same, with the M others put in the light of the N."""
    (light, hue, spread), (their_light, their_hue, their_spread) = map(_parts, (rings, others))
    times = median((light[:, None] / their_light).transpose(2, 0, 1))
    lighter = np.abs(light[:, None, :INNER] - times[..., None] * their_light[:, :INNER]).mean(axis=2)
    redder = np.linalg.norm(hue[:, None] - their_hue, axis=3).mean(axis=2)
    rougher = np.abs(spread[:, None] - times[..., None] * their_spread).mean(axis=2)
    return np.asarray(lighter + HUE * redder + SPREAD * rougher + LIGHT * np.abs(np.log(times)))


def _parts(rings: Floats) -> tuple[Floats, Floats, Floats]:
    """Lightness of all rings, (N, 5), and hue and roughness of the inner ones, (N, 4, 2) and (N, 4)."""
    seen = rings[:, :INNER]
    return rings[..., 0] + 16, seen[..., 1:3] / (seen[..., :1] + 16), seen[..., 3]


def as_bare_before(odds: Floats, rings: Floats, known: Floats) -> Floats:
    """(N,) the same log `odds` that each piece is marked, farther from even where it is rather bare, and its
    top, of `rings` (N, 5, 6), looks like one of those `known` to be bare, (M, 5, 6)."""
    if not len(known):
        return odds
    nearest = unlike(rings, known).min(axis=1)
    told = (odds < 0) & (rings[:, 0, 0] > TOO_DARK)
    return np.where(told, odds * np.interp(nearest, *AS_BARE_BEFORE), odds)


def by_themselves(rings: Floats, odds: Floats) -> Mask:
    """(N,) which tops are unlike all others that are, by their log `odds` (N,), rather bare."""
    off = unlike(rings) + np.diag(np.full(len(rings), np.inf))
    alone = np.zeros(len(rings), dtype=np.bool_)
    for one in range(len(rings)):
        bare = rather_bare(odds, one)
        if len(bare) < ENOUGH:
            continue
        usual = np.median(off[np.ix_(bare, bare)].min(axis=1)) + AMONG_THEM
        nearest = off[one, bare].min()
        alone[one] = nearest > UNLIKE and nearest > MORE * usual
    return alone


def less_surely_bare_alone(odds: Floats, rings: Floats, pairs: Floats, through: Floats) -> Floats:
    """(N,) the same log `odds` that each piece is marked, nearer to even where its top is by itself, and one
    of the `pairs`, (pairs, N) log odds, hardly holds it for bare, and less than others. `through` (N,): log
    odds by whether the board shows through it; a bare ring may be by itself because its field is."""
    doubted = odds.copy()
    seen = pairs + through
    for one in np.flatnonzero(by_themselves(rings, odds) & (odds < DOUBTED)).tolist():
        usual = np.median(seen[:, rather_bare(odds, one)], axis=1)
        if ((seen[:, one] > HARDLY) & (seen[:, one] > usual + THAN_OTHERS)).any():
            doubted[one] = DOUBTED
    return doubted


def as_plain_as_markers(odds: Floats, light: Floats, uneven: Floats, away: Floats) -> Mask:
    """(N,) which tops are no `light` ones (L of CIE Lab), near to a colour, `away` from it, and far more even
    than all others that are, by their log `odds`, rather bare; `uneven`: how much the quarters of their
    middles differ. All (N,)."""
    plain = (light < NO_LIGHTER) & (away < NEAR) & (uneven < EVEN)
    for one in np.flatnonzero(plain).tolist():
        others = uneven[rather_bare(odds, one)]
        plain[one] = len(others) > 0 and uneven[one] < FAR_MORE_EVEN * others.min()
    return plain


def rather_bare(odds: Floats, one: int) -> NDArray[np.intp]:
    """Which pieces but this one are rather bare by their log `odds`."""
    return np.flatnonzero((odds < RATHER_BARE) & (np.arange(len(odds)) != one))
