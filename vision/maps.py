"""What networks that answer with a map say: of every cell how likely what is in it, and where in the cell."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.change import Mask
from vision.geometry import Floats

STRIDE = 4
"""Pixels of the picture a cell is wide."""
EVEN = 2
"""A network that looks around in cells so many times as wide takes pictures a multiple of so many cells wide
and high, which begin at such a cell of the map."""
Part = tuple[slice, slice]
"""Some rows and columns of a map, or of a picture."""
Peak = tuple[float, float, tuple[float, ...]]
"""Place (x, y) in cells, and how likely nothing is there, or each kind."""


def peaks(said: Floats, apart: float, least: float, most: int) -> list[Peak]:
    """A network's answer (1 + kinds + 2, rows, columns) -> at most `most` places, likeliest first.

    Several cells may call a thing theirs: the strongest within `apart` cells counts, if it is at least
    as likely as `least` that anything is there.
    """
    kinds = said.shape[0] - 3
    scores = said[: kinds + 1]
    for_it = scores[1] - scores[0]
    if kinds > 1:
        top = scores[1:].max(axis=0)
        for_it = top + np.log(np.exp(scores[1:] - top).sum(axis=0)) - scores[0]
    highest = for_it >= cv2.dilate(for_it, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero(highest & (for_it > np.log(least)))
    found: list[Peak] = []
    for i in np.argsort(-for_it[rows, columns]):
        row, column = rows[i], columns[i]
        x, y = column + float(said[kinds + 1, row, column]), row + float(said[kinds + 2, row, column])
        if all(math.dist((x, y), other[:2]) > apart for other in found):
            odds = np.exp(scores[:, row, column] - scores[:, row, column].max())
            found.append((x, y, tuple(float(p) for p in odds / odds.sum())))
        if len(found) == most:
            break
    return found


def part_with(asked: Mask, beside: int) -> Part:
    """Rows and columns of the cells that are `asked`, a map an EVEN number of cells wide and high, and at
    least so many cells `beside` them; the first where none is."""
    rows, columns = (
        slice(
            max(int(at.min()) - beside, 0) // EVEN * EVEN,
            min(-(-(int(at.max()) + 1 + beside) // EVEN) * EVEN, cells),
        )
        if len(at)
        else slice(0, EVEN)
        for at, cells in zip(np.nonzero(asked), asked.shape, strict=True)
    )
    return rows, columns


def in_pixels(part: Part) -> Part:
    """Those of the picture that are so many cells of the map."""
    rows, columns = (slice(STRIDE * cells.start, STRIDE * cells.stop) for cells in part)
    return rows, columns
