"""Which parts of a map of the table a network is shown: nothing is new in the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import cv2
import numpy as np

from vision.change import Mask
from vision.geometry import Floats
from vision.maps import STRIDE

EVEN = 2
"""A network that looks around in cells so many times as wide takes pictures a multiple of so many cells wide
and high, which begin at such a cell of the map."""
A_CALL = 200
"""To ask a network once more takes about as long as to show it so many cells more."""
NOTHING = 20.0
"""The score of nothing where a network is not shown the map, for nothing is there."""
Part = tuple[slice, slice]
"""Some rows and columns of a map, or of a picture."""


@dataclass(frozen=True)
class Shown:
    """A part of a map that a network is shown, and that of it which the answer counts for."""

    part: Part
    own: Part

    @property
    def pixels(self) -> Part:
        """Those of the picture that it is shown."""
        rows, columns = (slice(STRIDE * cells.start, STRIDE * cells.stop) for cells in self.part)
        return rows, columns


def parts_with(asked: Mask, beside: int) -> list[Shown]:
    """What of a map, an EVEN number of cells wide and high, a network has to be shown: all that is `asked`,
    each cell with at least so many `beside` it. Where nothing is asked it is cut in two, if that shows less.
    """

    def around(boxes: Sequence[Part]) -> Part:
        rows, columns = (
            slice(
                max(min(box[axis].start for box in boxes) - beside, 0) // EVEN * EVEN,
                min(-(-(max(box[axis].stop for box in boxes) + beside) // EVEN) * EVEN, asked.shape[axis]),
            )
            for axis in (0, 1)
        )
        return rows, columns

    def cut(boxes: Sequence[Part], part: Part, own: Part) -> list[Shown]:
        least, best = _cells(part), None
        for axis in (0, 1):
            for halves in _at_the_widest_gap(boxes, axis):
                one, other = map(around, halves)
                if A_CALL + _cells(one) + _cells(other) < least:
                    least, best = A_CALL + _cells(one) + _cells(other), (axis, halves, (one, other))
        if best is None:
            return [Shown(part, _both(part, own))]
        axis, halves, parts = best
        here = (max(box[axis].stop for box in halves[0]) + min(box[axis].start for box in halves[1])) // 2
        before, after = list(own), list(own)
        before[axis], after[axis] = slice(own[axis].start, here), slice(here, own[axis].stop)
        return [
            shown
            for half, part, its in zip(halves, parts, (before, after), strict=True)
            for shown in cut(half, part, (its[0], its[1]))
        ]

    things = cv2.connectedComponentsWithStats(asked.astype(np.uint8))[2][1:].tolist()
    boxes = [(slice(y, y + high), slice(x, x + wide)) for x, y, wide, high, _ in things]
    rows, columns = asked.shape
    return cut(boxes, around(boxes), (slice(0, rows), slice(0, columns))) if boxes else []


def _at_the_widest_gap(boxes: Sequence[Part], axis: int) -> list[tuple[Sequence[Part], Sequence[Part]]]:
    """The boxes before and after the widest gap between their rows (0) or columns (1), where there is one."""
    boxes = sorted(boxes, key=lambda box: box[axis].start)
    ends = accumulate((box[axis].stop for box in boxes[:-1]), max)
    gaps = [(box[axis].start - end, at) for at, (end, box) in enumerate(zip(ends, boxes[1:], strict=True), 1)]
    return [(boxes[:at], boxes[at:]) for gap, at in [max(gaps, default=(0, 0))] if gap > 0]


def _cells(part: Part) -> int:
    rows, columns = part
    return int(rows.stop - rows.start) * int(columns.stop - columns.start)


def _both(one: Part, other: Part) -> Part:
    rows, columns = (
        slice(max(a.start, b.start), min(a.stop, b.stop)) for a, b in zip(one, other, strict=True)
    )
    return rows, columns


def joined(shown: Sequence[Shown], said: Sequence[Floats], kinds: int, size: tuple[int, int]) -> Floats:
    """What a network said to those parts, as a map (1 + kinds + 2, rows, columns) of that size; elsewhere is
    nothing."""
    whole = np.zeros((1 + kinds + 2, *size), dtype=np.float32)
    whole[0] = NOTHING
    for one, answer in zip(shown, said, strict=True):
        inside = (
            slice(own.start - cells.start, own.stop - cells.start)
            for own, cells in zip(one.own, one.part, strict=True)
        )
        whole[:, *one.own] = answer[:, *inside]
    return whole
