"""How likely each piece of a frame is marked, from all that was seen of it: a network weighs the witnesses.

Three pairs of networks have looked at each piece from all sides, the rules have spoken, and its plain colours
are known. How far each is to be trusted hangs on the others, on the metal and on the colour in question: what
they are worth together was learned from rendered sets that none of them had seen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.change import Mask
from vision.geometry import Floats
from vision.marker_looks import FAR, GLOSS, TopColours, off_board, off_colours, off_nearest, shows_through
from vision.marker_net import greyness, log_odds
from vision.median import median
from vision.nets import ask

SUREST = 10.0
"""Its own log odds are no farther from even: what it makes of pieces far from all that it learned from may be
anything."""
MOST = 12.0
"""Log odds farther from even say nothing more."""


ITS_WORTH, ELSE = 1.1, 0.4
"""So much of the log odds that a piece is marked counts, of the judge's and of those by all else, added up.
Both heard the same pairs: these were weighed together. What it brings is in docs/reading-notes.md."""
UNLIKE, EVEN, BARE = 12.0, 5.0, -5.0
"""Where the middle of a top is farther than the first off each colour of the set (CIE Lab), and all else has
log odds that are nearer to even than the second, the judge alone makes it no barer than the third: a camera
that gives a marker in another colour than its die deceives it. In draws from 154 marked sets, half of them as
other cameras would have taken them, 54 pieces of 63,495 were surely bare so, seven of them marked."""


LIGHT, TWIN, ALONE = 60.0, 10.0, 3.0
"""A grey marker lighter (CIE Lab) than the first, whose middle is nearer than the second to that of a piece
that is rather bare: then it may be a lamp in both, and where all else has log odds below the third, the judge
alone makes them no more than `EVEN`. Two lit gold cups of session-05/001, of which it held one for white
through a cold camera, are 9 apart; by a sketch of it 17 of 2415 sure light ones in draws from marked sets
are doubted."""


DARK, UNEVEN = 30.0, 5.0
"""A middle darker (CIE Lab) than the first whose quarters differ by more than the second is no plain marker:
through a tower of open rings the board is seen in a part of it. Where all else has log odds below `ALONE`,
the judge alone makes it no more than `EVEN`: it had two such surely black; of 107 tops near
even, through fourteen cameras, six are so, all of bare towers. Nor is such a hole stopped up."""


class Witnesses(NamedTuple):
    """What is told of N pieces of one frame, whose set has C colours.

    `sizes` (3, pairs, N, 1 + C): each pair's scores for bare and for each colour, the pieces cut in three
    sizes, the first their own; `sides` (L, pairs, N, 1 + C): the same from L sides, at the plainest size;
    `rules`: 0 is bare, 1 to C a colour, None nothing; `tops` their plain colours, `rings` (N, 5, 6) those of
    five rings around the middle, `uneven` (N,) how much (CIE Lab) the quarters of that differ; `burnt`: which
    show only white there.
    """

    sizes: Floats
    sides: Floats
    rules: list[int | None]
    tops: TopColours
    rings: Floats
    uneven: Floats
    burnt: Mask


def marked_odds(told: Witnesses, colours: Floats) -> Floats:
    """(N,) the log odds that each piece is marked; `colours` (C, 3) as OpenCV's 8-bit Lab."""
    blob = features(told, colours)[..., None, None]
    return np.clip(ask("markers-judge", blob)[:, 0, 0, 0].astype(np.float64), -SUREST, SUREST)


def with_judge(odds: Floats, told: Witnesses, colours: Floats) -> Floats:
    """(N,) the log odds that each piece is marked, by the judge and by all else together; `odds` (N,) the
    latter."""
    both = ELSE * odds + ITS_WORTH * marked_odds(told, colours)
    alone = (_shines_as_bare_ones(told, colours, both) | are_holes(told)) & (odds < ALONE)
    both = np.where(alone, np.minimum(both, EVEN), both)
    unlike = off_nearest(told.tops, colours) > UNLIKE
    return np.where(unlike & (np.abs(odds) < EVEN), np.maximum(both, np.minimum(BARE, ELSE * odds)), both)


def are_holes(told: Witnesses) -> Mask:
    """(N,) which are dark in the middle and uneven, as holes are in which some of the board is seen."""
    return np.asarray((told.tops.middle[:, 0] < DARK) & (told.uneven > UNEVEN))


def _shines_as_bare_ones(told: Witnesses, colours: Floats, odds: Floats) -> Mask:
    """(N,) which of them, held for white, look like another that is rather bare, by `odds`, (N,)."""
    middle = told.tops.middle
    apart = np.linalg.norm(middle[:, None] - middle, axis=2) + np.diag(np.full(len(odds), np.inf))
    twins = ((apart < TWIN) & (odds < 0)).any(axis=1)
    return np.asarray(twins & (middle[:, 0] > LIGHT) & (greyness(colours)[_best(told)] > 0.5))


def mean_odds(told: Witnesses) -> Floats:
    """(N,) the log odds that each piece is marked by all pairs from all sides, on the mean."""
    return np.asarray(np.clip(log_odds(told.sides), -MOST, MOST).mean(axis=(0, 1)))


def features(told: Witnesses, colours: Floats) -> Floats:
    """(N, F) float32: what the network is shown of each piece, most numbers between -4 and 4."""
    odds = np.clip(log_odds(told.sides), -MOST, MOST)
    mean = odds.mean(axis=(0, 1))
    every = [
        *_of_looks(told, odds, mean),
        *_of_rules(told),
        *_of_colours(told, colours),
        *_of_others(told, mean),
    ]
    return np.stack([np.asarray(one, dtype=np.float32) for one in every], axis=1)


def _best(told: Witnesses) -> NDArray[np.intp]:
    """(N,) the colour, 0 to C - 1, that each piece most likely carries if it is marked."""
    return np.asarray(told.sides.mean(axis=0).sum(axis=0)[:, 1:].argmax(axis=1))


def _of_looks(told: Witnesses, odds: Floats, mean: Floats) -> list[Floats]:
    """What the pairs hold, and how far their looks differ."""
    first, *others = np.clip(log_odds(told.sizes), -MOST, MOST) / 4
    sides = odds / 4
    scores = told.sides.mean(axis=0)
    summed = np.sort(scores.sum(axis=0)[:, 1:], axis=1)
    best = np.take_along_axis(scores[..., 1:], _best(told)[None, :, None], axis=2)[..., 0]
    return [
        *first,
        *np.minimum(first, np.min(others, axis=0)),
        *np.maximum(first, np.max(others, axis=0)),
        *sides.mean(axis=0),
        *sides.std(axis=0),
        *sides.min(axis=0),
        *sides.max(axis=0),
        mean / 4,
        np.minimum(summed[:, -1] - summed[:, -2], 10) / 4,
        *np.clip(best, -MOST, 4) / 4,
        *np.clip(scores[..., 0], -MOST, MOST) / 4,
    ]


def _of_rules(told: Witnesses) -> list[list[bool]]:
    """What the rules say: nothing, bare, the same colour as the pairs, another, one that others have too."""
    rules, best = told.rules, (_best(told) + 1).tolist()
    return [
        [rule is None for rule in rules],
        [rule == 0 for rule in rules],
        [rule == own for rule, own in zip(rules, best, strict=True)],
        [bool(rule) and rule != own for rule, own in zip(rules, best, strict=True)],
        [bool(rule) and rules.count(rule) > 1 for rule in rules],
    ]


def _of_colours(told: Witnesses, colours: Floats) -> list[Floats]:
    """The colour in question, and how far the top is from that, from the others, and from its own rim."""
    tops, best = told.tops, _best(told)
    own = colours[best] - (0, 128, 128)
    plain, veiled = off_colours(tops, colours, GLOSS), off_colours(tops, colours)
    each = np.arange(len(best))
    seen = (tops.middle, tops.rim, tops.ground)
    off_rim, through = tops.middle - tops.rim, np.linalg.norm(off_board(tops)[0], axis=1)
    return [
        greyness(colours)[best],
        *(own / (100, 50, 50)).T,
        np.minimum(plain.min(axis=1), FAR) / 10,
        np.minimum(plain[each, best], FAR) / 10,
        np.minimum(veiled[each, best], FAR) / 10,
        *(lab[:, 0] / 50 for lab in seen),
        *(np.hypot(*lab[:, 1:].T) / 30 for lab in seen),
        np.linalg.norm(off_rim, axis=1) / 20,
        np.linalg.norm(off_rim[:, 1:], axis=1) / 20,
        np.linalg.norm(tops.middle - tops.ground, axis=1) / 20,
        np.minimum(through, FAR) / 10,
        shows_through(tops),
        told.uneven / 10,
        *told.rings[:, :3, 3].T / 10,
        told.burnt,
    ]


def _of_others(told: Witnesses, mean: Floats) -> list[Floats]:
    """How each top differs from the others, and from those that are rather bare, ring by ring."""
    tops, count = told.tops, len(mean)
    apart = np.linalg.norm(tops.middle[:, None] - tops.middle, axis=2)
    rows = []
    for one in range(count):
        others = [other for other in range(count) if other != one]
        bare = [other for other in others if mean[other] < 0]
        nearest = np.sort(apart[one, bare]) if bare else np.array([3 * FAR])
        rings = np.abs(told.rings[one] - told.rings[bare]) if bare else np.full((1, 5, 6), 30.0)
        middle = median(rings)
        rows.append(
            [
                min(apart[one, others].min(initial=3 * FAR), FAR) / 20,
                min(nearest[0], FAR) / 20,
                min(nearest[len(nearest) // 2], FAR) / 20,
                len(bare) / 5,
                len(others) / 5,
                sum(mean[other] > 0 for other in others) / 5,
                rings.mean(axis=(1, 2)).min() / 10,
                *middle[:, :3].mean(axis=1) / 10,
                *middle[:, 3:].mean(axis=1) / 10,
                told.uneven[one] / (told.uneven[bare].max(initial=0) + 1),
            ]
        )
    return list(np.array(rows).T)
