"""Whether what stands on the board has a side: what lies flat where a piece is missing has none.

Between a piece's lid and its foot a camera that looks aslant sees its side; where a coin lies, or a stain is,
it sees the board there as the empty photo shows it.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.change import Change, new_within
from vision.geometry import Floats, Grey, Image, View
from vision.median import median
from vision.towers import FoundPiece

BODY, LID, OTHERS = 0.97, 1.05, 1.1
"""How wide a piece is taken to be, as shares of its width: its body, whose side is looked at; its lid, and
all of any other piece, which are left out of that."""
LEAST, FEWEST, SHOWN = 6, 2, 0.3
"""Pixels of half size a side takes at the least; pieces with one that are compared with; and how much of
theirs is new at least, or nothing is told."""
FLAT = (0.15, 0.4), (9.0, 0.0)
"""How much of a side is new, as a share of what is of the others' (the middle one), and by how much smaller
the log odds are that it is a piece. Of 478 pieces of the photo sessions none shows less than 0.48 of it; of
987 of 17 games, as rendered and pressed, nine less than 0.4, which all stay pieces, for they look like the
others. What passed for a piece by that was like them by 7 to 15, nearly all with less than 0.3 of a side."""
_AROUND = np.linspace(0, 2 * np.pi, 32, endpoint=False)
_RING = np.stack([np.cos(_AROUND), np.sin(_AROUND)], axis=1)
_FLOOR = np.zeros(len(_RING))


def flatness(
    towers: tuple[FoundPiece, ...], change: Change, view: View, piece_mm: tuple[float, float]
) -> Floats:
    """(N,) by how much smaller the log odds are that each tower is one of pieces, for it shows no side."""
    outlines = _outlines(towers, view, piece_mm)
    shares = np.array([_new_of_side(one, outlines, change.much) for one in range(len(towers))])
    flat = np.zeros(len(towers))
    for one in np.flatnonzero(~np.isnan(shares)):
        others = np.delete(shares, one)
        others = others[~np.isnan(others)]
        if len(others) >= FEWEST and (usual := float(median(others))) > SHOWN:
            flat[one] = np.interp(shares[one] / usual, *FLAT)
    return flat


def _outlines(
    towers: tuple[FoundPiece, ...], view: View, piece_mm: tuple[float, float]
) -> list[tuple[Grey, Grey, Grey]]:
    """Of each tower, in pixels of half size (K, 2): its body, its lid, and all that it may hide."""
    if not towers:
        return []
    diameter, height = piece_mm
    rims = [(BODY, 0), (BODY, 1), (LID, 1), (OTHERS, 0), (OTHERS, 1)]
    corners = [
        np.column_stack([wide * diameter / 2 * _RING + (one.x, one.y), up * one.level * height + _FLOOR])
        for one in towers
        for wide, up in rims
    ]
    pixels = (view.project(np.concatenate(corners)) / 2 - 0.25).astype(np.float32)
    seen = pixels.reshape(len(towers), len(rims), len(_RING), 2)
    return [(_hull(one[:2]), one[2], _hull(one[3:])) for one in seen]


def _hull(rims: Grey) -> Grey:
    return np.asarray(cv2.convexHull(rims.reshape(-1, 2)))[:, 0]


def _new_of_side(one: int, outlines: list[tuple[Grey, Grey, Grey]], much: Image) -> float:
    """How much of what is seen of a tower's side is new; NaN where that is too little to tell."""
    body, lid, _ = outlines[one]
    others = [hidden for k, (_, _, hidden) in enumerate(outlines) if k != one]
    new = new_within(much, body, [lid, *others])
    return float(new.mean()) if len(new) >= LEAST else np.nan
