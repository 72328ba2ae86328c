"""The six pieces on the ring, as the networks see them.

One network says for every place how likely a lid is seen there; where that leaves a doubt, others look at
each lid closely: whether it is one, and how high.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np

from vision.change import NOISE, Change, Mask, most
from vision.geometry import Floats, Grey, Image, Layout, View
from vision.maps import STRIDE, Peak, peaks
from vision.nets import ask
from vision.parts import NOTHING, Shown, joined, parts_with
from vision.ring_net import AROUND, LEVELS, LID_PX, as_blob, flat_ring, foot_of, ring_reach
from vision.shadows import by_shadows
from vision.squares import turned, turned_ways
from vision.tower_net import COARSELY, FINELY, QUICK, Panel, look_closely, told
from vision.towers import PIECES, SUREST, Candidate, FoundPieces, fit

TEMPER, COMMONER = 0.25, (0.0, 5.0, 1.0, 1.0)
"""What the network's scores of nothing, 1, 2, 3 pieces are divided by, and what is added to them: fitted
on sessions that it did not learn from."""
ENOUGH = 0.9998
"""All pieces as likely, and the ring is not looked at in its three other turns; the mean of all is surer."""
DOUBTFUL, SHADOW = 0.999, 1.5
"""All pieces less likely, and each lid is looked at closely: whether it is one, and how high; else those that
are seen as near to each other (in diameters)."""
APART = 0.85
"""Of a diameter: no two pieces stand nearer (0.15 for what a place is off)."""
LEAST, MOST = 0.003, 24
"""Places at least so likely, and so many at most, are weighed."""
BESIDE = 0.3
"""Of a diameter: so far inside or outside the fields a piece still counts as standing on the ring."""
LEAST_NEW = 0.12
"""No piece leaves more of what lies under its lid as it was in the empty photo than all but this share."""


def lids(said: Floats, cell: float, reach: float) -> list[Peak]:
    """Wherever a lid may be seen, (x, y) mm on the plane of the lowest lids, and how likely nothing, or how
    high it is, from the scores of all cells; a cell is `cell` mm wide, the ring twice `reach`."""
    return [
        ((column + 0.5) * cell - reach, (row + 0.5) * cell - reach, odds)
        for column, row, odds in peaks(said, 0.4 * LID_PX / STRIDE, LEAST, MOST)
    ]


def _asked(blob: Floats, quarter: int) -> Floats:
    """What the network says to the ring after so many quarter turns, turned back."""
    said: Floats = np.rot90(ask("pieces", turned(blob, quarter))[0], -quarter, axes=(1, 2)).copy()
    u, v = said[LEVELS + 1 :].copy()
    said[LEVELS + 1], said[LEVELS + 2] = turned_ways(u, v, -quarter)
    return said


def standing(found: Sequence[Peak], view: View, height: float) -> list[Candidate]:
    """Where the towers stand whose lids may be seen there: one candidate for each height there may be."""
    towers = []
    for lid, (x, y, (nothing, *levels)) in enumerate(found):
        for level, likely in enumerate(levels, 1):
            if likely > LEAST or likely == max(levels):
                # Against nothing: so the ways of one lid, each with its own foot, can be weighed apart.
                odds = [0.0] * len(levels)
                odds[level - 1] = likely / max(nothing, SUREST)
                towers.append(Candidate(*foot_of(view, (x, y), level, height), (1.0, *odds), lid))
    return towers


def _scores(said: Floats, nothing: Floats) -> Floats:
    """What the network says as log odds; `nothing` is added to each cell's score of that."""
    scores = said.copy()
    scores[: LEVELS + 1] = said[: LEVELS + 1] / TEMPER + np.array(COMMONER)[:, None, None]
    scores[0] += nothing
    return scores


def _nothing(flat: Image, flat_empty: Image, layout: Layout, cell: float, reach: float) -> Floats:
    """For every cell what is added to its score of nothing: where nothing is new, or no piece can stand."""
    beside = _beside_ring(layout.ring_mm, layout.field_mm, cell, reach)
    return np.asarray(NOTHING * (1 - _changed(flat, flat_empty, beside.shape) + beside))


@lru_cache(maxsize=2)
def _beside_ring(ring_mm: float, field_mm: float, cell: float, reach: float) -> Mask:
    """Which cells are not where pieces stand, on the ring or between its fields: in its middle there may be
    print that looks like one."""
    middles = (np.arange(round(2 * reach / cell)) + 0.5) * cell - reach
    away = abs(np.hypot(middles[:, None], middles) - ring_mm)
    return np.asarray(away > field_mm / 2 + BESIDE * cell * LID_PX / STRIDE)


def _changed(flat: Image, flat_empty: Image, cells: tuple[int, ...]) -> Grey:
    """For every cell 1 where what could be a lid there is new, 0 where all is as in the empty photo."""
    new = (most(cv2.absdiff(flat, flat_empty)) > NOISE).astype(np.float32)
    size = round(LID_PX * 0.8 / STRIDE) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
    share = cv2.resize(new, cells[::-1], interpolation=cv2.INTER_AREA)
    share = cv2.filter2D(share, -1, disc / disc.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(share > LEAST_NEW, dtype=np.float32)


@dataclass(frozen=True)
class Ring:
    """The ring in a frame, and what of it the network is shown: what is around all that is new.

    `pictures`: of the parts that are `shown`, float32 (1, 8, height, width) each. `nothing` (n, n): see
    `_nothing`; a cell is `cell` mm wide, all of it twice `reach`.
    """

    change: Change
    view: View
    layout: Layout
    piece_mm: tuple[float, float]
    shown: list[Shown]
    pictures: list[Floats]
    nothing: Floats
    cell: float
    reach: float

    @cached_property
    def lids(self) -> list[Peak]:
        """Wherever a lid may be seen, by one look."""
        return self._lids(self._said)

    def lids_in_all_turns(self) -> list[Peak]:
        """The same by the mean of four, the ring turned by a quarter each."""
        turns = [[_asked(picture, quarter) for picture in self.pictures] for quarter in (1, 2, 3)]
        return self._lids([sum(looks) / 4 for looks in zip(self._said, *turns, strict=True)])

    @cached_property
    def _said(self) -> list[Floats]:
        return [_asked(picture, 0) for picture in self.pictures]

    def _lids(self, said: Sequence[Floats]) -> list[Peak]:
        whole = joined(self.shown, said, LEVELS, self.nothing.shape)
        return lids(_scores(whole, self.nothing), self.cell, self.reach)


def look_at_ring(change: Change, view: View, layout: Layout, piece_mm: tuple[float, float]) -> Ring:
    """The ring in a frame, as the network of the pieces sees it."""
    cell, reach = STRIDE * piece_mm[0] / LID_PX, ring_reach(layout, piece_mm[0])
    flat, flat_empty, leans = flat_ring(change.frame, change.empty, view, reach, piece_mm)
    nothing = _nothing(flat, flat_empty, layout, cell, reach)
    shown = parts_with(nothing < NOTHING, AROUND)
    pictures = [as_blob(flat, flat_empty, leans, one.pixels) for one in shown]
    return Ring(change, view, layout, piece_mm, shown, pictures, nothing, cell, reach)


def find_pieces(
    ring: Ring, frame: Image, empty: Image, dice: list[tuple[float, float]], die_mm: float
) -> FoundPieces:
    """The pieces on and between the fields; none stands where a die lies (`dice`, mm), but towers hide some.

    `frame`, `empty`: BGR uint8 (H, W, 3), at whole size; the empty photo as the frame's view shows it.
    """
    diameter, height = ring.piece_mm
    nearest = (diameter + die_mm) / 2 - 0.25 * diameter

    def free(x: float, y: float) -> bool:
        return all(math.dist((x, y), die) > nearest for die in dice)

    def may_stand(lid: Peak) -> bool:
        return any(free(*foot_of(ring.view, lid[:2], level, height)) for level in range(1, LEVELS + 1))

    def fitted(seen: list[Peak]) -> FoundPieces:
        places = [one for one in standing(seen, ring.view, height) if free(one.x, one.y)]
        fields = [ring.layout.nearest_field(one.x, one.y) for one in places]
        return fit(places, APART * diameter, fields)

    def closely(panel: Panel, seen: list[Peak]) -> Floats:
        return look_closely(panel, seen, frame, empty, ring.change.lights, ring.view, ring.piece_mm)

    seen = [lid for lid in ring.lids if may_stand(lid)]
    found = fitted(seen)
    if found.total != PIECES or found.likely < ENOUGH:
        seen = [lid for lid in ring.lids_in_all_turns() if may_stand(lid)]
        found = fitted(seen)
    doubtful = found.total != PIECES or found.likely < DOUBTFUL
    asked = seen if doubtful else _beside_others(seen, SHADOW * diameter)
    if asked:
        if not doubtful:
            looked = told(asked, [closely(QUICK, asked)]) + [lid for lid in seen if lid not in asked]
            closer = fitted(looked)
        if doubtful or not _alike(found, closer, diameter):
            fine = closely(FINELY, seen)
            looked = told(seen, [closely(COARSELY, seen), fine])
            closer = fitted(looked)
            if closer.total != PIECES:
                looked = told(seen, [fine])
                closer = fitted(looked)
        if max(found.likely, closer.likely) < ENOUGH or not _alike(found, closer, diameter):
            half_mm = ring.layout.half_mm
            closer = fitted(by_shadows(looked, ring.change, ring.view, half_mm, ring.piece_mm, dice, die_mm))
        # What both see alike is as likely as the surer of them holds it.
        if closer.likely > found.likely or not _alike(found, closer, diameter):
            found = closer
    return found


def _beside_others(seen: list[Peak], reach: float) -> list[Peak]:
    """The lids that are seen side by side: the shadow of a tower lies so, and looks much like a lid."""
    likely = [lid for lid in seen if lid[2][0] < 0.5]
    return [
        lid
        for lid in likely
        if any(
            other is not lid and np.hypot(lid[0] - other[0], lid[1] - other[1]) < reach for other in likely
        )
    ]


def _alike(found: FoundPieces, other: FoundPieces, diameter: float) -> bool:
    """Whether both hold that the same towers stand there."""
    return len(found.pieces) == len(other.pieces) and all(
        any(a.level == b.level and np.hypot(a.x - b.x, a.y - b.y) < 0.3 * diameter for b in other.pieces)
        for a in found.pieces
    )
