"""Whether fields lie where they lay, each looked for as a whole: a ring's line has no corners to hold on to.

Template matching by normalised correlation, its peak to a fraction of a pixel by a parabola each way.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Floats, Image, Layout, View, on_board

REACH_PX = 4
"""A field is looked for so far from where it lay."""
ALIKE = 0.8
"""Less alike (correlation) than this, and something stands on it, or it is no such field."""
AROUND = 0.65
"""How much of a field's width is seen each way from its middle."""
LEAST_CONTRAST = 3.0
"""Grey levels (one standard deviation) that are more than grain; a frame has a third to thrice as many."""


def field_shifts(frame: Image, empty: Image, view: View, layout: Layout) -> tuple[Floats, Floats]:
    """Middles (N, 2) px of the fields that are seen again in `frame`, and how far each has moved (N, 2) px.

    `empty` is the board as it looks from `view`; both pictures are BGR uint8 of one size.
    """
    was, now = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (empty, frame))
    turn = np.linspace(0, 2 * np.pi, 17)[:-1]
    rim = AROUND * layout.field_mm * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    at, shifts = [], []
    for centre in layout.field_centres:
        seen = view.project(on_board(rim + centre))
        left, top = np.floor(seen.min(axis=0)).astype(int)
        right, low = np.ceil(seen.max(axis=0)).astype(int)
        if min(left, top) < REACH_PX or right + REACH_PX >= was.shape[1] or low + REACH_PX >= was.shape[0]:
            continue
        field = was[top : low + 1, left : right + 1]
        around = now[top - REACH_PX : low + 1 + REACH_PX, left - REACH_PX : right + 1 + REACH_PX]
        if field.std() < LEAST_CONTRAST or not field.std() / 3 < around.std() < 3 * field.std():
            continue
        alike = cv2.matchTemplate(around, field, cv2.TM_CCOEFF_NORMED)
        _, most, _, (x, y) = cv2.minMaxLoc(alike)
        if most > ALIKE and 0 < x < 2 * REACH_PX and 0 < y < 2 * REACH_PX:
            at.append((left + right, top + low))
            shifts.append((_peak(alike[y, x - 1 : x + 2]) + x, _peak(alike[y - 1 : y + 2, x]) + y))
    return np.reshape(at, (-1, 2)) / 2, np.reshape(shifts, (-1, 2)) - REACH_PX


def _peak(three: Floats) -> float:
    """Where a parabola through three values is highest, from the middle one."""
    before, middle, after = map(float, three)
    bend = before - 2 * middle + after
    return 0.0 if bend >= 0 else 0.5 * (before - after) / bend
