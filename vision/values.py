"""What dice show, where that is in doubt: another network is heard; a lamp may be a pip, or hide one; a crumb
may hide one; a four that slides looks like a six. Last, what their sides leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.die_look import Face, look
from vision.die_sides import CLEAR, Pixel, told_by_sides
from vision.face_net import Answer
from vision.faces import USUAL_DOTS, Dots, Top
from vision.geometry import Floats, Image, View
from vision.median import median
from vision.outline import SIDE_PX, evenly_sharp, flatten

_ITS_WORD, _TOO_SURE = 2.0, 0.6
"""Its word counts for two, beside two others; and all are surer than they are right. Of 2459 flat dice of 24
thrown sets that none had learned from, 30 values are wrong so, none of them at 0.99 (49, and 2, without it),
and 2379 are 0.9995 likely (2342)."""

LIGHTER = 1.12
"""A middle pip so many times as light as the lightest of the others may be a lamp that is mirrored there: of
456 threes and fives with light pips on 58 tables a four was seen so, and one true three."""
OUTER = 1.0, 1.1
"""The outer pips are looked for so many times as far from the middle: of 1823 threes and fives of 100 thrown
sets 10 are doubted so (24 by the usual place alone), and as many of the wrong ones."""
AS_LIGHT, PLAINLY = 0.9, 30.0
"""Where 2 or 4 light pips are so much lighter than the top (grey levels), and its middle by such a share of
that, a lamp may hide a pip: so were 33 of 1810 on those sets, 6 of the 11 that were a three or a five."""
SLID = (0.33, 0.39), (0.5, 0.0)
"""How evenly sharp a six's outline is, and how likely it is a four that slides along its side: of 792 fours
slid by 0.33 to 0.42 of it 79 were surely sixes, and two are. No six of 29 tables is less even than 0.37."""
SLID_MATCHES = 0.86, 0.9
"""No six that slid whose pips match as well as the second: of 508 fours slid by 0.34 and 0.40 none matches a
six by more than 0.88; five of seven sixes whose outline is as uneven, for other dice touch them, by 0.92."""
NOT_PLAIN = 0.26, 0.3
"""How far (BGR) the middle of 2 or 4 is from the top beside it, as a share of how far its pips are from the
top: from here on a crumb may hide a pip there."""
ALIKE, PLAIN = 0.6, 60.0
"""Pips say how they look where the least stands out from the top by such a share of the most, and by so
much (BGR)."""
_CORNERS = np.array([[-1, -1], [1, 1], [1, -1], [-1, 1]])
_PIPS = np.concatenate([[[0, 0]], *(away * _CORNERS for away in OUTER)])
"""Where pips may be, in their usual distances: the middle, and the four corners of each of `OUTER`."""
_NINE = np.mgrid[-1:2, -1:2].reshape(2, 9)
_REACH = 4
"""Half a cut-out's side, in pixels of a flattened top."""
_AWAY = np.hypot(*np.mgrid[-_REACH : _REACH + 1, -_REACH : _REACH + 1])
_PIP, _CORE = _AWAY <= 3.2, _AWAY <= 1.6
"""Of a cut-out what a pip takes, and its middle."""


def reread(
    frame: Image,
    view: View,
    tops: list[Answer],
    die_mm: float,
    dots: Dots = USUAL_DOTS,
    others: Sequence[Pixel] = (),
) -> list[Answer]:
    """The same tops of a BGR picture (H, W, 3), laid straight; what they show, where it is in doubt, anew,
    and all by their sides. `others`: the pixels where something else stands, that may hide sides."""
    read = _read_again(frame, view, tops, die_mm)
    read = [_six_or_four(frame, view, _lamp_or_pip(frame, view, top, die_mm), die_mm) for top in read]
    read = [_crumb_or_pip(frame, view, top, die_mm, dots) for top in read]
    return told_by_sides(frame, view, read, die_mm, others)


def _read_again(frame: Image, view: View, tops: list[Answer], die_mm: float) -> list[Answer]:
    """The same tops; values less likely than `CLEAR` as the network of loose dice sees them, too: it knows
    other dice.

    The chances of all three are multiplied, each as often as its word counts.
    """
    doubtful = [i for i, top in enumerate(tops) if top.pips.max() < CLEAR]
    if not doubtful:
        return tops
    read = list(tops)
    looks = look(frame, [as_face(view, tops[i], die_mm) for i in doubtful])
    for i, looked in zip(doubtful, looks, strict=True):
        pips = (np.maximum(tops[i].pips, 1e-9) * np.maximum(looked[1:], 1e-9) ** _ITS_WORD) ** _TOO_SURE
        read[i] = replace(tops[i], pips=pips / pips.sum())
    return read


def as_face(view: View, top: Top, die_mm: float) -> Face:
    """The middle of a top, and its side, in pixels of the frame."""
    place = (top.x, top.y, die_mm)
    return np.array(view.pixel(*place)), die_mm * view.pixels_per_mm(*place)


def _lamp_or_pip(frame: Image, view: View, top: Answer, die_mm: float) -> Answer:
    """The same top; where a lamp may be its middle pip, or hide it, one fewer or one more is as likely."""
    pips = int(top.pips.argmax()) + 1
    lamp = lamp_in_middle(frame, view, top, pips, die_mm) if top.light > 0 else 0
    if not lamp:
        return top
    seen, both = top.pips.copy(), [pips - 1, pips - 1 + lamp]
    seen[both] = seen[both].sum() / 2
    return replace(top, pips=seen)


def lamp_in_middle(frame: Image, view: View, top: Top, pips: int, die_mm: float) -> int:
    """How many light pips more, or fewer, a top may have because of a lamp that is mirrored in its middle.

    -1: the middle one of 3 or 5 is so much lighter than the others that it may be none. 1: in the middle of
    2 or 4 it is as light as pips are, and there may be one. 0: neither.
    """
    if pips not in (2, 3, 4, 5):
        return 0
    face = flatten(frame, view, (top.x, top.y), top.turn, die_mm).min(axis=2)
    at = np.round((len(face) - 1) / 2 + USUAL_DOTS.offset * SIDE_PX * _PIPS).astype(int)
    # Of the nine pixels of each place the four lightest.
    pixels = np.sort(face[at[:, 1, None] + _NINE[1], at[:, 0, None] + _NINE[0]], axis=1)
    middle, *lights = pixels[:, -4:].mean(axis=1).tolist()
    # Four corners for each distance, those of one line after the other.
    corners = [lights[i : i + 4] for i in range(0, len(lights), 4)]
    others = max(
        (max(four[:2], four[2:], key=min) if pips < 4 else four for four in corners),
        key=min,
    )
    if pips % 2:
        return -1 if middle > LIGHTER * max(others) else 0
    top_itself = float(median(face.ravel()))
    lighter = float(np.mean(others)) - top_itself
    return 1 if lighter > PLAINLY and middle - top_itself > AS_LIGHT * lighter else 0


def _six_or_four(frame: Image, view: View, top: Answer, die_mm: float) -> Answer:
    """The same top; a six that is blurred along one way only may be a four."""
    if top.pips.argmax() != 5:
        return top
    uneven = np.interp(evenly_sharp(frame, view, (top.x, top.y), die_mm), *SLID)
    share = float(uneven * np.interp(abs(top.light), SLID_MATCHES, (1, 0)))
    seen = top.pips.copy()
    seen[[3, 5]] += share * seen[5] * np.array([1, -1])
    return replace(top, pips=seen)


def _crumb_or_pip(frame: Image, view: View, top: Answer, die_mm: float, dots: Dots) -> Answer:
    """The same top; where the middle of 2 or 4 is not as the top beside it, one more is as likely."""
    pips = int(top.pips.argmax()) + 1
    if pips not in (2, 4):
        return top
    face = flatten(frame, view, (top.x, top.y), top.turn, die_mm)
    share = np.interp(strange_middle(face, pips, dots), NOT_PLAIN, (0, 1))
    seen, both = top.pips.copy(), [pips - 1, pips]
    seen[both] += share * (seen[both].mean() - seen[both])
    return replace(top, pips=seen)


def strange_middle(face: Image, pips: int, dots: Dots = USUAL_DOTS) -> float:
    """How far the middle of a flattened top (BGR) of 2 or 4 pips is from the top beside it.

    A share of how far its pips are from the top; 0 where they are unlike each other, or much like it.
    """
    soft = cv2.GaussianBlur(np.asarray(face, np.float32), (0, 0), 0.7)
    off = dots.offset * SIDE_PX

    def at(x: float, y: float) -> Floats:
        middle = (len(face) - 1) / 2
        return np.asarray(cv2.getRectSubPix(soft, (2 * _REACH + 1,) * 2, (middle + x, middle + y)))

    sides = [at(*side)[_CORE] for side in ((off, 0), (-off, 0), (0, off), (0, -off))]
    plain = np.median(np.concatenate(sides), axis=0)
    out = [float(np.linalg.norm(at(*corner)[_CORE].mean(axis=0) - plain)) for corner in off * _CORNERS]
    if pips == 2:
        out = max(out[:2], out[2:], key=min)
    if min(out) < max(PLAIN, ALIKE * max(out)):
        return 0.0
    unlike = np.sort(np.linalg.norm(at(0, 0) - plain, axis=2)[_PIP])[-6:]
    return float(unlike.mean() / np.mean(out))
