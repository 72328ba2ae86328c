"""What networks that answer with a map say: of every cell how likely what is in it, and where in the cell."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.geometry import Floats

STRIDE = 4
"""Pixels of the picture a cell is wide."""
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
    order = np.argsort(-for_it[rows, columns])
    rows, columns = rows[order], columns[order]
    odds = np.exp(scores[:, rows, columns] - scores[:, rows, columns].max(axis=0, initial=-np.inf))
    shares = (odds / odds.sum(axis=0)).T.tolist()
    x, y = columns + said[kinds + 1, rows, columns], rows + said[kinds + 2, rows, columns]
    found: list[Peak] = []
    for at, share in zip(zip(x.tolist(), y.tolist(), strict=True), shares, strict=True):
        if all(math.dist(at, other[:2]) > apart for other in found):
            found.append((*at, tuple(share)))
        if len(found) == most:
            break
    return found
