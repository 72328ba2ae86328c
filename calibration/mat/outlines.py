"""Outlines in millimetres: straight, round, and around the cells of a tag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

Spot = tuple[float, float]
"""x to the right, y down, in mm."""
Outline = list[tuple[str, Sequence[Spot]]]
"""Steps of an outline: moveTo and lineTo with one spot, curveTo with three (cubic Bezier), close."""


def polygon(spots: Sequence[Spot]) -> Outline:
    """A closed outline of straight lines."""
    first, *others = spots
    return [("moveTo", [first]), *(("lineTo", [spot]) for spot in others), ("close", [])]


def rectangle(centre: Spot, wide: float, high: float | None = None) -> Outline:
    """A square, or a rectangle."""
    x, y, half, tall = *centre, wide / 2, (wide if high is None else high) / 2
    return polygon([(x - half, y - tall), (x + half, y - tall), (x + half, y + tall), (x - half, y + tall)])


def arc(centre: Spot, radius: float, start: float, end: float) -> Outline:
    """From `start` to `end` degrees (0 to the right, clockwise), at most a quarter turn, as one curve.

    The usual cubic: handles of 4/3 tan(angle / 4) radii, off by less than 0.03 % of the radius.
    """
    a, b = np.deg2rad([start, end])
    handle = 4 / 3 * np.tan((b - a) / 4)
    one, other = (np.array([np.cos(t), np.sin(t)]) for t in (a, b))
    bend = [
        one + handle * np.array([-one[1], one[0]]),
        other - handle * np.array([-other[1], other[0]]),
        other,
    ]
    return [("curveTo", [tuple(np.array(centre) + radius * point) for point in bend])]


def tag_cells(dictionary: str, tag: int) -> Any:
    """(N, N) bool: which cells of a tag are black, its black rim included."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    side = known.markerSize + 2
    return np.asarray(cv2.aruco.generateImageMarker(known, tag, side)) < 128


def around(cells: Any) -> list[list[tuple[int, int]]]:
    """The outlines of the set cells of a (N, N) grid, as loops of (column, row) corners.

    One outline for all cells that touch: drawn one by one, a hairline of paper shows between them.
    """
    edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for row, column in zip(*np.nonzero(cells), strict=True):
        x, y = int(column), int(row)
        corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        for one, other in zip(corners, corners[1:] + corners[:1], strict=True):
            if one in edges.get(other, []):
                edges[other].remove(one)
            else:
                edges.setdefault(one, []).append(other)
    loops = []
    while start := next((spot for spot, ends in edges.items() if ends), None):
        loop, here = [start], edges[start].pop()
        while here != start:
            loop.append(here)
            here = edges[here].pop()
        loops.append(loop)
    return loops
