"""Which pieces carry a coloured marker: the middle of the rim looks like a die of that colour."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.change import gains, half
from vision.dice import likeness
from vision.geometry import Floats, Image, View
from vision.pieces import FoundPiece
from vision.profile import DieColour

CHROMATIC = 22.0
"""Lab distance from grey beyond which no bare metal, shine or shadow looks like the colour."""


@dataclass(frozen=True, slots=True)
class FoundMarker:
    """The marker in a piece (None: bare), or what it might be (`maybe`) where it cannot be told."""

    colour: str | None
    maybe: str | None


def find_markers(
    frame: Image,
    empty: Image,
    view: View,
    pieces: tuple[FoundPiece, ...],
    piece_mm: tuple[float, float],
    colours: tuple[DieColour, ...],
) -> list[FoundMarker]:
    """One answer a piece. `empty` is carried into `view`; only its light is used."""
    light = 1 / gains(half(frame), half(empty))
    looks = []
    for piece in pieces:
        middle = _ring(frame, view, piece, piece_mm, light, 0.0, 0.22)
        rim = _ring(frame, view, piece, piece_mm, light, 0.40, 0.47)
        alike = [float(np.median(likeness(middle, colour))) for colour in colours]
        rim_alike = [float(np.median(likeness(rim, colour))) for colour in colours]
        looks.append((alike, rim_alike, float(middle[:, 0].std())))

    found: list[FoundMarker] = []
    for alike, rim_alike, uneven in looks:
        best = int(np.argmax(alike))
        name, like = colours[best].name, alike[best]
        vivid = np.hypot(*(np.array(colours[best].lab[1:]) - 128)) > CHROMATIC
        rivals = sum(other[best] > 0.8 * like for other, _, _ in looks)
        if vivid:
            verdict = FoundMarker(name, None) if like > 0.3 else FoundMarker(None, None)
            if 0.15 < like <= 0.3:
                verdict = FoundMarker(None, name)
        else:
            verdict = _grey_marker(name, colours[best].lab[0], like, uneven, rivals, rim_alike[best])
        found.append(verdict)
    return found


def _grey_marker(
    name: str, own_light: float, like: float, uneven: float, rivals: int, rim_like: float
) -> FoundMarker:
    """White, black, brown: bare metal, its hollow or its shine can look like that too.

    A marker is smooth, only one piece has it, and around it the metal rim looks otherwise.
    """
    pale = own_light > 150
    if like < (0.85 if pale else 0.5) or rivals > 2:
        return FoundMarker(None, None)
    if like > 0.75 and uneven < 15 and rivals == 1 and rim_like < 0.6:
        return FoundMarker(name, None)
    return FoundMarker(None, name)


def _ring(
    frame: Image,
    view: View,
    piece: FoundPiece,
    piece_mm: tuple[float, float],
    light: Floats,
    inner: float,
    outer: float,
) -> Image:
    """(N, 3) Lab pixels of a piece's top between two radii (in diameters), in the empty photo's light."""
    diameter, height = piece_mm
    x, y = view.project([[piece.x, piece.y, height]])[0]
    scale = diameter * view.pixels_per_mm(piece.x, piece.y, height)
    radius = outer * scale
    left, top = max(int(x - radius), 0), max(int(y - radius), 0)
    window = frame[top : int(y + radius) + 2, left : int(x + radius) + 2]
    rows, columns = np.mgrid[top : top + window.shape[0], left : left + window.shape[1]]
    away = np.hypot(columns - x, rows - y)
    lit = np.clip(window[(away >= inner * scale) & (away <= radius)] * light, 0, 255).astype(np.uint8)
    if lit.size == 0:
        return np.zeros((1, 3), dtype=np.uint8)
    return np.asarray(cv2.cvtColor(lit[None], cv2.COLOR_BGR2LAB)[0], dtype=np.uint8)
