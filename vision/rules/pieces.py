"""The six pieces on the ring: round rims of a known size at a known height.

The frame is flattened onto the plane of the pieces' tops, where every rim is a circle of one size,
wherever the camera is. What the empty photo shows there is taken away, so that printed rings go.
Then every place is asked how much of a circle around it is an edge that runs along that circle, and
how much is going on inside (a shadow has the same outline, but nothing inside).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.geometry import Grey, Image, Layout, View
from vision.light import light_of
from vision.squares import pixels_of_plane

SCALE = 2.0
"""Pixels a millimetre of the flattened picture: near what the camera gives."""
_RAYS = 24
_EDGE = 8.0
"""A gradient (levels a pixel) that counts as half an edge."""


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """A piece at (x, y) mm; `score` (0 to 1) is how much of its rim is seen."""

    x: float
    y: float
    score: float


@dataclass(frozen=True, slots=True)
class FoundPieces:
    """The six that fit best together (fewer when there are not six), and the best score left over."""

    pieces: tuple[FoundPiece, ...]
    left_over: float


@lru_cache(maxsize=2)
def lid_map(view: View, reach: float, height: float) -> tuple[Grey, Grey]:
    """x and y, (n, n): the pixel of the frame for every place of the ring, `height` mm above the board."""
    columns, rows = cv2.split(pixels_of_plane(view, reach, height, SCALE))
    return columns, rows


def flatten_ring(
    frame: Image, empty: Image, view: View, layout: Layout, height: float
) -> tuple[Image, Image]:
    """Frame and empty photo seen straight from above, on the plane of the pieces' tops; BGR (n, n, 3)."""
    x, y = lid_map(view, ring_reach(layout), height)
    flat = cv2.remap(frame, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return flat, cv2.remap(empty, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def ring_reach(layout: Layout) -> float:
    """Half the width in mm of the square in which pieces can stand."""
    return layout.ring_mm + layout.field_mm / 2 + 10


def rim_scores(flat: Image, flat_empty: Image, radius: float) -> Grey:
    """For every pixel how well a rim of `radius` pixels around it is seen, 0 to 1; both BGR (n, n, 3)."""
    size = (flat.shape[1], flat.shape[0])
    lit = light_of(flat, flat_empty, size).removed(flat)
    apart: Grey = lit.astype(np.float32) - flat_empty
    apart = cv2.GaussianBlur(apart, (0, 0), 1.0)
    across = cv2.Sobel(apart, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(apart, cv2.CV_32F, 0, 1, scale=1 / 8)
    strongest = (across**2 + down**2).argmax(axis=2)[..., None]
    across = np.take_along_axis(across, strongest, axis=2)[..., 0]
    down = np.take_along_axis(down, strongest, axis=2)[..., 0]
    strength = np.sqrt(across**2 + down**2)
    across, down = across / (strength + _EDGE), down / (strength + _EDGE)

    margin = int(radius) + 2
    size = flat.shape[0]
    rim = np.zeros((size - 2 * margin,) * 2, dtype=np.float32)
    for angle in np.arange(_RAYS) * (2 * np.pi / _RAYS):
        cos, sin = np.cos(angle), np.sin(angle)
        x, y = margin + round(radius * cos), margin + round(radius * sin)
        there = np.s_[y : y + rim.shape[0], x : x + rim.shape[1]]
        rim += np.abs(across[there] * np.float32(cos) + down[there] * np.float32(sin))
    framed = cv2.copyMakeBorder(rim / _RAYS, margin, margin, margin, margin, cv2.BORDER_CONSTANT)
    busy = cv2.filter2D(np.minimum(strength / _EDGE, 1), -1, _disc(radius * 0.9))
    scores: Grey = framed * np.sqrt(np.maximum(busy, 0))
    return scores


def _disc(radius: float) -> Grey:
    reach = int(np.ceil(radius))
    at = np.arange(-reach, reach + 1)
    inside = (np.hypot(*np.meshgrid(at, at)) <= radius).astype(np.float32)
    disc: Grey = inside / inside.sum()
    return disc


def find_pieces(
    frame: Image,
    empty: Image,
    view: View,
    layout: Layout,
    piece_mm: tuple[float, float],
    dice: list[tuple[float, float]],
    die_mm: float,
) -> FoundPieces:
    """The pieces on and between the fields. `empty` is already carried into `view`.

    `dice` are the places (mm) of the dice: no piece can stand where a die lies.
    """
    diameter, height = piece_mm
    flat, flat_empty = flatten_ring(frame, empty, view, layout, height)
    scores = rim_scores(flat, flat_empty, diameter / 2 * SCALE)
    reach = ring_reach(layout)
    for dx, dy in dice:
        middle = (round((dx + reach) * SCALE), round((dy + reach) * SCALE))
        cv2.circle(scores, middle, round(((diameter + die_mm) / 2 - 2.5) * SCALE), 0.0, -1)
    candidates = _peaks(scores, reach)
    chosen = best_six(candidates, 0.88 * diameter)
    others = [
        piece.score
        for piece in candidates
        if all(np.hypot(piece.x - p.x, piece.y - p.y) > 0.8 * diameter for p in chosen)
    ]
    return FoundPieces(tuple(chosen), max(others, default=0.0))


def _peaks(scores: Grey, reach: float) -> list[FoundPiece]:
    """The 26 best local maxima that are any, best first."""
    around = cv2.dilate(scores, np.ones((7, 7), np.uint8))
    rows, columns = np.nonzero((scores >= around) & (scores > 0.15))
    order = np.argsort(-scores[rows, columns])[:26]
    return [
        FoundPiece(
            (columns[i] + 0.5) / SCALE - reach,
            (rows[i] + 0.5) / SCALE - reach,
            float(scores[rows[i], columns[i]]),
        )
        for i in order
    ]


def best_six(candidates: list[FoundPiece], apart: float) -> list[FoundPiece]:
    """The six candidates (or as many as there are) with the highest total, none nearer than `apart` mm.

    Taking the best first would fall for the gap between three touching pieces. Exact, depth first:
    candidates come best first, so what is left can be bounded.
    """
    clash = [[np.hypot(a.x - b.x, a.y - b.y) < apart for b in candidates] for a in candidates]
    best: tuple[int, float, list[int]] = (0, 0.0, [])

    def grow(start: int, chosen: list[int], total: float) -> None:
        nonlocal best
        if (len(chosen), total) > best[:2]:
            best = (len(chosen), total, chosen)
        missing = 6 - len(chosen)
        for i in range(start, len(candidates)):
            if missing == 0:
                return
            hope = total + sum(piece.score for piece in candidates[i : i + missing])
            if best[0] == 6 and hope <= best[1]:
                return
            if not any(clash[i][j] for j in chosen):
                grow(i + 1, [*chosen, i], total + candidates[i].score)

    grow(0, [], 0.0)
    return [candidates[i] for i in best[2]]
