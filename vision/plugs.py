"""Which pieces carry a marker, and of what colour: each colour of the set is there once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.geometry import Image, View
from vision.lids import FoundPiece
from vision.marker_net import LID_PX, SIZE, likelihoods, with_others
from vision.nets import ask
from vision.profile import DieColour
from vision.squares import as_blob, lean, square

_KEEP = 400


@dataclass(frozen=True, slots=True)
class FoundMarker:
    """What stands in a piece (None: it is bare), how likely, and what else it could be."""

    colour: str | None
    likely: float
    other: str | None


def find_markers(
    frame: Image,
    empty: Image,
    view: View,
    pieces: tuple[FoundPiece, ...],
    piece_mm: tuple[float, float],
    colours: tuple[DieColour, ...],
) -> list[FoundMarker]:
    """One answer a tower of pieces, for its topmost; `frame`, `empty` at half size, in one light."""
    if not pieces:
        return []
    diameter, height = piece_mm
    scale = diameter / LID_PX
    tops = [height * piece.level for piece in pieces]
    places = [(piece.x, piece.y) for piece in pieces]
    blob = as_blob(
        [square(frame, view, at, top, scale, SIZE, half=True) for at, top in zip(places, tops, strict=True)],
        [square(empty, view, at, top, scale, SIZE, half=True) for at, top in zip(places, tops, strict=True)],
        [lean(view, at, top) for at, top in zip(places, tops, strict=True)],
    )
    each = likelihoods(ask("markers", with_others(blob)), np.array([colour.lab for colour in colours]))
    ways: list[tuple[float, tuple[int, ...]]] = [(1.0, ())]
    for row in each:
        grown = [
            (worth * float(p), (*way, k))
            for worth, way in ways
            for k, p in enumerate(row)
            if k == 0 or k not in way
        ]
        ways = sorted(grown, reverse=True)[:_KEEP]
    total = sum(worth for worth, _ in ways) or 1.0
    best = ways[0][1]
    names = [None, *(colour.name for colour in colours)]
    found = []
    for i, kind in enumerate(best):
        shares = np.zeros(len(names))
        for worth, way in ways:
            shares[way[i]] += worth / total
        rival = int(np.argsort(shares)[-2]) if shares.argmax() == kind else int(shares.argmax())
        found.append(FoundMarker(names[kind], float(shares[kind]), names[rival]))
    return found
