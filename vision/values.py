"""What dice show, where that is in doubt: another network is heard, and a lamp may be a pip, or hide one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.die_look import Face, look
from vision.face_net import Answer
from vision.faces import lamp_in_middle
from vision.geometry import Image, View

CLEAR = 0.9995
"""A value less likely than this is read once more, by the network that reads dice in any photograph."""
_ITS_WORD, _TOO_SURE = 2.0, 0.6
"""Its word counts for two, beside two others; and all are surer than they are right. Of 2459 flat dice of 24
thrown sets that none had learned from, 30 values are wrong so, none of them at 0.99 (49, and 2, without it),
and 2379 are 0.9995 likely (2342)."""


def reread(frame: Image, view: View, tops: list[Answer], die_mm: float) -> list[Answer]:
    """The same tops of a BGR picture (H, W, 3), laid straight; what they show, where it is in doubt, anew."""
    return [_lamp_or_pip(frame, view, top, die_mm) for top in _read_again(frame, view, tops, die_mm)]


def _read_again(frame: Image, view: View, tops: list[Answer], die_mm: float) -> list[Answer]:
    """The same tops; doubtful values as the network of loose dice sees them, too: it knows other dice.

    The chances of all three are multiplied, each as often as its word counts.
    """
    doubtful = [i for i, top in enumerate(tops) if top.pips.max() < CLEAR]
    if not doubtful:
        return tops
    read = list(tops)
    looks = look(frame, [_as_face(view, tops[i], die_mm) for i in doubtful])
    for i, looked in zip(doubtful, looks, strict=True):
        pips = (np.maximum(tops[i].pips, 1e-9) * np.maximum(looked[1:], 1e-9) ** _ITS_WORD) ** _TOO_SURE
        read[i] = replace(tops[i], pips=pips / pips.sum())
    return read


def _as_face(view: View, top: Answer, die_mm: float) -> Face:
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
