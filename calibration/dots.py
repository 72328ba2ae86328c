"""How the pips of a set's dice look, from the photo of the six: how far out they lie, how large they are.

A die whose pips match badly seems to be where it is not, and one that is taken to be elsewhere seems to lean.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.faces import USUAL_DOTS, Dots, Face, settle
from vision.tops import Table

OFFSETS, RADII = [v / 100 for v in range(18, 32)], [v / 100 for v in range(7, 13)]
"""Where pips are looked for and how large, in die sides."""
LEAST_TOLD, BETTER = 3, 0.01
"""So many faces tell it, if they match better by so much at the mean than with what is usual."""


def dots_of(table: Table, faces: list[Face]) -> Dots:
    """How the pips of the six look: as they match best, in the photo of the dice that `table` holds.

    First how far out, then how large. A one tells nothing: it may be larger than the others.
    """
    told = [face for face in faces if face.pips > 1]
    if len(told) < LEAST_TOLD:
        return USUAL_DOTS

    def match(dots: Dots) -> float:
        at = ((face, (face.x, face.y)) for face in told)
        seen = (settle(table.frame, table.view, xy, face.pips, table.die_mm, dots) for face, xy in at)
        return float(np.mean([abs(light) for *_, light in seen]))

    away = max((Dots(offset, USUAL_DOTS.radius) for offset in OFFSETS), key=match)
    best = max((replace(away, radius=radius) for radius in RADII), key=match)
    return best if match(best) > match(USUAL_DOTS) + BETTER else USUAL_DOTS
