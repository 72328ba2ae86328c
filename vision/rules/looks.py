"""How much pixels look like a die or a marker, whatever the light: wide limits, for rules that look twice."""

from __future__ import annotations

import cv2
import numpy as np

from vision.change import NOISE, Change
from vision.geometry import Floats, Grey, Image
from vision.median import median
from vision.profile import DieColour


def hues(lab: Image) -> Floats:
    """(2,) the middle colour of (N, 3) Lab pixels, whatever the light: a and b by L + 16."""
    light, *hues = median(lab)
    hue: Floats = (np.array(hues) - 128) / (light * (100 / 255) + 16)
    return hue


def likeness(lab: Floats | Image, colour: DieColour) -> Grey:
    """How much (N, 3) Lab pixels look like a face of this die, 0 to 1, in light or in shade.

    Brightness scales L + 16, a and b alike (all follow the cube root of the light), so a / (L + 16)
    and b / (L + 16) stay.
    """
    values = lab.astype(np.float32)
    light = values[:, 0] * (100 / 255) + 16
    own = colour.lab[0] * (100 / 255) + 16
    hue = (values[:, 1:] - 128) / light[:, None] - (np.array(colour.lab[1:], dtype=np.float32) - 128) / own
    spread = 0.10 + 3.0 / light
    shade = np.log(light / own) + 0.08
    alike: Grey = np.exp(-0.5 * (hue**2).sum(axis=1) / spread**2 - 0.5 * (shade / 0.3) ** 2)
    return alike


def alike_maps(change: Change, colours: tuple[DieColour, ...]) -> list[Grey]:
    """One map (half size) a colour: likeness where something changed, 0 elsewhere."""
    rows, columns = np.nonzero(change.much > NOISE)
    if not len(rows):
        return [np.zeros(change.much.shape, dtype=np.float32) for _ in colours]
    lab = cv2.cvtColor(change.frame[rows, columns][None], cv2.COLOR_BGR2LAB)[0]
    maps = []
    for colour in colours:
        alike = np.zeros(change.much.shape, dtype=np.float32)
        alike[rows, columns] = likeness(lab, colour)
        maps.append(alike)
    return maps
