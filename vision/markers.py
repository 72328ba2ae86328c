"""Which pieces carry a coloured marker: the middle of the rim looks like a die of that colour."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Floats, Image, View
from vision.light import Light
from vision.looks import hues, likeness
from vision.pieces import FoundPiece
from vision.profile import DieColour

CHROMATIC = 22.0
"""Lab distance from grey beyond which no bare metal, shine or shadow looks like the colour."""
METAL_HUE = 0.45
"""No bare metal is more colourful (in `hues`), gold included."""


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
    lights: Light,
) -> list[FoundMarker]:
    """One answer a piece. `empty` is carried into `view`; `lights`: the frame's against it."""
    gains = [1 / lights.at(*view.project([[piece.x, piece.y, piece_mm[1]]])[0]) for piece in pieces]
    middles = [
        _ring(frame, view, p, piece_mm, gain, 0.0, 0.22) for p, gain in zip(pieces, gains, strict=True)
    ]
    rims = [_ring(frame, view, p, piece_mm, g, 0.40, 0.47) for p, g in zip(pieces, gains, strict=True)]
    boards = [_ring(empty, view, piece, piece_mm, np.ones(3), 0.0, 0.22) for piece in pieces]
    alike = [[float(np.median(likeness(middle, colour))) for colour in colours] for middle in middles]
    found = []
    for i, likes in enumerate(alike):
        best = int(np.argmax(likes))
        colour, like = colours[best], likes[best]
        rivals = sum(other[best] > 0.8 * like for other in alike)
        if np.hypot(*(np.array(colour.lab[1:]) - 128)) > CHROMATIC and like > 0.3:
            found.append(FoundMarker(colour.name, None))
        elif _colourful(middles[i], rims[i], boards[i]):
            found.append(FoundMarker(None, colour.name))
        else:
            rim_like = float(np.median(likeness(rims[i], colour)))
            found.append(_grey_marker(colour, like, float(middles[i][:, 0].std()), rivals, rim_like))
    return found


def _colourful(middle: Image, rim: Image, board: Image) -> bool:
    """Whether the middle of a piece has a colour that neither its metal nor the board under it has."""
    own, metal, under = (hues(lab) for lab in (middle, rim, board))
    return bool(
        np.hypot(*own) > METAL_HUE and np.hypot(*(own - metal)) > 0.15 and np.hypot(*(own - under)) > 0.2
    )


def _grey_marker(colour: DieColour, like: float, uneven: float, rivals: int, rim_like: float) -> FoundMarker:
    """White, black, brown: bare metal, its hollow or its shine can look like that too.

    A marker is smooth, only one piece has it, and around it the metal rim looks otherwise.
    """
    pale = colour.lab[0] > 150
    rough = uneven > 45 or (pale and uneven > 25 and like < 0.72)
    if like < (0.6 if pale else 0.48) or rough or rivals > 2:
        return FoundMarker(None, None)
    if like > 0.75 and uneven < 15 and rivals == 1 and rim_like < (0.4 if pale else 0.6):
        return FoundMarker(colour.name, None)
    return FoundMarker(None, colour.name)


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
    if window.size == 0:
        return np.zeros((1, 3), dtype=np.uint8)
    window = cv2.GaussianBlur(window, (0, 0), 0.8)
    rows, columns = np.mgrid[top : top + window.shape[0], left : left + window.shape[1]]
    away = np.hypot(columns - x, rows - y)
    lit = np.clip(window[(away >= inner * scale) & (away <= radius)] * light, 0, 255).astype(np.uint8)
    if lit.size == 0:
        return np.zeros((1, 3), dtype=np.uint8)
    lab: Image = cv2.cvtColor(lit[None], cv2.COLOR_BGR2LAB)[0]
    return lab
