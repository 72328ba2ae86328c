"""Whether a burnt board shows through a piece: its colour is that of the shade beside the piece.

In too much light the fields of the empty photo are as white as paper. What colour they have is seen only
where some of the light is missing: inside an open piece, and in the shadows that pieces throw.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.change import Mask
from vision.geometry import Floats, Image, View
from vision.marker_looks import TopColours
from vision.median import median
from vision.rules.markers import Lid

BURNT, COLOURED = 92.0, 0.12
"""A board so light (CIE Lab) hides what colour it has; and by so much the hue of a piece's middle, a and b by
L + 16, is off that white, or nothing is told."""
CIRCLES, PLACES = np.arange(0.5, 1.5, 0.04), 72
"""Circles around a foot, in diameters, and places on each, in which shade is looked for."""
CLEAR = 0.55
"""So far (diameters) from the axes of all pieces the board is seen, and not a piece."""
SHADE, LEAST, MOST_COLOURED = 3.0, 20, 0.1
"""Shade is darker than the empty board by so much of L; so many places have to show it, of which this share
counts, that has most colour: all others are in the light half-way."""
AS_STRONG = 0.4
"""Its hue has gone such a share of the way from white to the middle's."""
ITS_HUE = (0.35, 0.5), (5.0, 0.0)
"""By what share the middle's hue is aside of the shade's, and the log odds that it is bare for that."""
_TURNS = np.linspace(0, 2 * np.pi, PLACES, endpoint=False)
_AROUND = np.concatenate(
    [r * np.stack([np.cos(_TURNS), np.sin(_TURNS), 0 * _TURNS], axis=1) for r in CIRCLES.tolist()]
)


def seen_in_shade(
    frame: Image, empty: Image, view: View, places: list[Lid], diameter: float, tops: TopColours
) -> Floats:
    """(N,) log odds that each piece is marked, by whether its middle has the hue of the shade beside it; 0
    where the board is not burnt, and where no shade is seen.

    `frame`, `empty`: BGR uint8 (H, W, 3); `places`: x, y and height of each top, mm; `diameter` mm.
    """
    told = np.zeros(len(places))
    for one in np.flatnonzero((tops.ground[:, 0] > BURNT) & (tops.middle[:, 0] < BURNT)).tolist():
        white = _hues(tops.ground[one])
        beside = _beside(frame, empty, view, places, one, diameter)
        told[one] = _marked_by(_hues(tops.middle[one]) - white, _hues(beside) - white)
    return told


def _marked_by(middle: Floats, beside: Floats) -> float:
    """Log odds that a piece is marked, by how far the hues of its middle, (2,), and of the shade beside it,
    (K, 2), are off those of the burnt board."""
    strong = np.linalg.norm(beside, axis=1)
    far = np.hypot(*middle)
    if len(beside) < LEAST or far < COLOURED:
        return 0.0
    shade = median(beside[strong >= np.quantile(strong, 1 - MOST_COLOURED)])
    along, across = shade @ middle, middle[0] * shade[1] - middle[1] * shade[0]
    if along < AS_STRONG * far**2:
        return 0.0
    return -float(np.interp(abs(across) / (far * np.hypot(*shade)), *ITS_HUE))


def _beside(frame: Image, empty: Image, view: View, places: list[Lid], one: int, diameter: float) -> Floats:
    """(K, 3) CIE Lab of the shade on the burnt board around a piece."""
    x, y, _ = places[one]
    points = view.project(np.array([x, y, 0.0]) + diameter * _AROUND)
    seen = _inside(points, frame.shape) & _clear(points, view, places, diameter)
    across, down = points[seen].round().astype(np.intp).T
    now, then = (_lab(photo[down, across]) for photo in (frame, empty))
    return now[(then[:, 0] > BURNT) & (now[:, 0] < then[:, 0] - SHADE)]


def _inside(points: Floats, shape: tuple[int, ...]) -> Mask:
    return np.asarray(((points > 0) & (points < np.array(shape[1::-1]) - 1)).all(axis=1))


def _clear(points: Floats, view: View, places: list[Lid], diameter: float) -> Mask:
    """(K,) which pixels show no piece."""
    clear = np.ones(len(points), dtype=np.bool_)
    for x, y, top in places:
        for height in (0.0, top / 2, top):
            near = CLEAR * diameter * view.pixels_per_mm(x, y, height)
            clear &= np.linalg.norm(points - np.array(view.pixel(x, y, height)), axis=1) > near
    return clear


def _hues(lab: Floats) -> Floats:
    return np.asarray(lab[..., 1:] / (lab[..., :1] + 16))


def _lab(bgr: Image) -> Floats:
    """(K, 3) CIE Lab of (K, 3) BGR uint8."""
    if not len(bgr):
        return np.empty((0, 3))
    lab = cv2.cvtColor(bgr[None].astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[0]
    return np.asarray(lab, dtype=np.float64)
