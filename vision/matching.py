"""Who gets what, where each thing can be given once: dice their colours' names, pieces their markers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats

_FORGET, _KEEP = 1e-8, 200


@dataclass(frozen=True, slots=True)
class Given:
    """The best way: for every row its column (0: nothing); how likely all of it is; and of all ways
    together how likely each cell is, (N, 1 + K), each row adding up to 1."""

    columns: tuple[int, ...]
    likely: float
    shares: Floats


def give(worth: Floats) -> Given:
    """Every row gets nothing (column 0) or a column of its own.

    `worth` (N, 1 + K): how likely each cell is by itself; a way is worth the product of its cells. The
    hopeless ways are left out.
    """
    ways: list[tuple[float, tuple[int, ...]]] = [(1.0, ())]
    for row in worth.tolist():
        grown = [
            (value * own, (*way, column))
            for value, way in ways
            for column, own in enumerate(row)
            if column == 0 or column not in way
        ]
        least = _FORGET * max(value for value, _ in grown)
        ways = sorted((way for way in grown if way[0] >= least), reverse=True)[:_KEEP]
    shares = np.zeros(worth.shape)
    rows = np.arange(len(worth))
    for value, way in ways:
        shares[rows, way] += value
    total = sum(value for value, _ in ways)
    return Given(ways[0][1], ways[0][0] / total, shares / total)
