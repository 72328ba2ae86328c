"""What dice show, where that is in doubt: a lamp or a crumb may be a pip, or hide one, so other networks are
heard; a four that slides looks like a six. Last, what their sides leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.die_look import Face, look
from vision.die_sides import CLEAR, Pixel, told_by_sides
from vision.face_net import Answer
from vision.faces import USUAL_DOTS, Top
from vision.geometry import Floats, Image, View
from vision.lit_tops import lit_values
from vision.nets import shares
from vision.outline import SIDE_PX, evenly_sharp, flatten

AGREED = 0.998
"""How likely a value must be to the network of lit tops, by one look or by eight, to be left as it is: by one
look 2 of 558 unpainted tops of the photo sessions are not, by eight none."""
_WORDS = 0.2, 0.6, 0.6
"""How much each counts of a value in doubt: the table's networks, that of loose dice, that of lit tops.
Chosen of eight such threes on tops with painted lamps and crumbs (docs/benchmarks.md, What deceives it)."""
LIGHTER = 1.12
"""A middle pip so many times as light as the lightest of the others may be a lamp that is mirrored there: of
456 threes and fives with light pips on 58 tables a four was seen so, and one true three."""
OUTER = 1.0, 1.1
"""The outer pips are looked for so many times as far from the middle: of 1823 threes and fives of 100 thrown
sets 10 are doubted so (24 by the usual place alone), and as many of the wrong ones."""
SLID = (0.33, 0.39), (0.5, 0.0)
"""How evenly sharp a six's outline is, and how likely it is a four that slides along its side: of 792 fours
slid by 0.33 to 0.42 of it 79 were surely sixes, and two are. No six of 29 tables is less even than 0.37."""
SLID_MATCHES = 0.86, 0.9
"""No six that slid whose pips match as well as the second: of 508 fours slid by 0.34 and 0.40 none matches a
six by more than 0.88; five of seven sixes whose outline is as uneven, for other dice touch them, by 0.92."""
_CORNERS = np.array([[-1, -1], [1, 1], [1, -1], [-1, 1]])
_PIPS = np.concatenate([[[0, 0]], *(away * _CORNERS for away in OUTER)])
"""Where pips may be, in their usual distances: the middle, and the four corners of each of `OUTER`."""
_NINE = np.mgrid[-1:2, -1:2].reshape(2, 9)


def reread(
    frame: Image, view: View, tops: list[Answer], die_mm: float, others: Sequence[Pixel] = ()
) -> list[Answer]:
    """The same tops of a BGR picture (H, W, 3), laid straight; what they show, where it is in doubt, anew,
    and all by their sides. `others`: the pixels where something else stands, that may hide sides."""
    read = _read_again(frame, view, tops, die_mm)
    read = [_six_or_four(frame, view, _lamp_or_pip(frame, view, top, die_mm), die_mm) for top in read]
    return told_by_sides(frame, view, read, die_mm, others)


def _read_again(frame: Image, view: View, tops: list[Answer], die_mm: float) -> list[Answer]:
    """The same tops; values that are not clear, or may be otherwise under a lamp or a crumb, as three kinds
    of networks see them together, two of which learned from other dice.

    That is the logarithmic opinion pool (Genest and Zidek 1986), weighted by `_WORDS`.
    """
    vague = _vague(frame, view, tops, die_mm)
    if not vague:
        return tops
    looks = look(frame, [as_face(view, tops[i], die_mm) for i in vague])
    read = list(tops)
    for (i, lit), looked in zip(vague.items(), looks, strict=True):
        heard = np.log(np.maximum([tops[i].pips, looked[1:], lit], 1e-9))
        doubted = bool(lit[tops[i].pips.argmax()] < AGREED)
        read[i] = replace(tops[i], pips=shares(np.array(_WORDS) @ heard), lit=doubted)
    return read


def _vague(frame: Image, view: View, tops: Sequence[Answer], die_mm: float) -> dict[int, Floats]:
    """Which tops' values are not clear, or not what lit tops show; and the chances (6,) that these give."""
    vague = dict(enumerate(tops))
    lit = dict[int, Floats]()
    for every_way in (False, True):
        if vague:
            seen = lit_values(frame, view, list(vague.values()), die_mm, every_way)
            lit = dict(zip(vague, seen, strict=True))
        vague = {i: top for i, top in vague.items() if not _is_clear(top, lit[i])}
    return {i: lit[i] for i in vague}


def _is_clear(top: Answer, lit: Floats) -> bool:
    return bool(top.pips.max() >= CLEAR and lit[top.pips.argmax()] >= AGREED)


def as_face(view: View, top: Top, die_mm: float) -> Face:
    """The middle of a top, and its side, in pixels of the frame."""
    place = (top.x, top.y, die_mm)
    return np.array(view.pixel(*place)), die_mm * view.pixels_per_mm(*place)


def _lamp_or_pip(frame: Image, view: View, top: Answer, die_mm: float) -> Answer:
    """The same top; where a lamp may be its middle pip, one fewer is as likely."""
    pips = int(top.pips.argmax()) + 1
    if not may_be_lamp(frame, view, top, pips, die_mm):
        return top
    seen, both = top.pips.copy(), [pips - 1, pips - 2]
    seen[both] = seen[both].sum() / 2
    return replace(top, pips=seen, lit=True)


def may_be_lamp(frame: Image, view: View, top: Answer, pips: int, die_mm: float) -> bool:
    """Whether the middle pip of 3 or 5 light ones is so much lighter than the others that it may be none, but
    a lamp that is mirrored there."""
    if pips not in (3, 5) or top.light <= 0:
        return False
    face = flatten(frame, view, (top.x, top.y), top.turn, die_mm).min(axis=2)
    at = np.round((len(face) - 1) / 2 + USUAL_DOTS.offset * SIDE_PX * _PIPS).astype(int)
    # Of the nine pixels of each place the four lightest.
    pixels = np.sort(face[at[:, 1, None] + _NINE[1], at[:, 0, None] + _NINE[0]], axis=1)
    middle, *lights = pixels[:, -4:].mean(axis=1).tolist()
    corners = [lights[i : i + 4] for i in range(0, len(lights), 4)]
    # At that distance, and of a three on that line, where the darkest of them is lightest.
    outer = max((max(four[:2], four[2:], key=min) if pips == 3 else four for four in corners), key=min)
    return bool(middle > LIGHTER * max(outer))


def _six_or_four(frame: Image, view: View, top: Answer, die_mm: float) -> Answer:
    """The same top; a six that is blurred along one way only may be a four."""
    if top.pips.argmax() != 5:
        return top
    uneven = np.interp(evenly_sharp(frame, view, (top.x, top.y), die_mm), *SLID)
    share = float(uneven * np.interp(abs(top.light), SLID_MATCHES, (1, 0)))
    seen = top.pips.copy()
    seen[[3, 5]] += share * seen[5] * np.array([1, -1])
    return replace(top, pips=seen)
