"""Which pieces carry a marker, and of what colour: each colour of the set is there once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.geometry import Image, View
from vision.hues import in_hues
from vision.marker_net import LID_PX, SIZE, beside, likelihoods
from vision.matching import give
from vision.nets import ask
from vision.pieces import FoundPiece
from vision.profile import DieColour
from vision.rules.markers import tell
from vision.squares import as_blob, lean, square

WITNESS, POSSIBLE, DISPUTED = 1000.0, 0.3, 0.01
"""How many times likelier what the rule tells makes it (of 4256 pieces it told 4037 rightly, 1 wrongly); how
likely the network itself must find it for that; and how likely it stays where the network does not."""


@dataclass(frozen=True, slots=True)
class FoundMarker:
    """What stands in a piece (None: it is bare), how likely, and what else it could be."""

    colour: str | None
    likely: float
    other: str | None


@dataclass(frozen=True, slots=True)
class FoundMarkers:
    """One for each tower of pieces, and how likely all of them are right."""

    markers: list[FoundMarker]
    likely: float


def find_markers(
    frame: Image,
    empty: Image,
    view: View,
    pieces: tuple[FoundPiece, ...],
    piece_mm: tuple[float, float],
    colours: tuple[DieColour, ...],
) -> FoundMarkers:
    """One answer a tower of pieces, for its topmost; `frame`, `empty` at half size, in one light."""
    if not pieces:
        return FoundMarkers([], 1.0)
    diameter, height = piece_mm
    scale = diameter / LID_PX
    tops = [height * piece.level for piece in pieces]
    places = [(piece.x, piece.y) for piece in pieces]
    blob = as_blob(
        [square(frame, view, at, top, scale, SIZE, half=True) for at, top in zip(places, tops, strict=True)],
        [square(empty, view, at, top, scale, SIZE, half=True) for at, top in zip(places, tops, strict=True)],
        [lean(view, at, top) for at, top in zip(places, tops, strict=True)],
        in_hues,
    )
    said = ask("beside", beside(ask("markers", blob)))
    each = likelihoods(said, np.array([colour.lab for colour in colours]))
    lids = [(x, y, top) for (x, y), top in zip(places, tops, strict=True)]
    for row, told in zip(each, tell(frame, empty, view, lids, diameter, colours), strict=True):
        if told is not None:
            row[told] = row[told] * WITNESS if row[told] > POSSIBLE else max(row[told], DISPUTED)
    given = give(each)
    names = [None, *(colour.name for colour in colours)]
    found = []
    for kind, share in zip(given.columns, given.shares, strict=True):
        rival = int(np.argsort(share)[-2]) if share.argmax() == kind else int(share.argmax())
        found.append(FoundMarker(names[kind], float(share[kind]), names[rival]))
    return FoundMarkers(found, given.likely)
