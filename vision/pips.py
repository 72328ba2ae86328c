"""Pips anywhere in a picture: small round spots of one colour on ground of another, at every size.

At one level of a picture pyramid a pip is about 5 to 10 pixels wide: a top hat (light ones) or black
hat (dark ones) leaves it and takes its face away. It ends where the hat is half as high as its peak.
Spots that overlap compete.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Floats, Image

Indices = npt.NDArray[Any]
Picture = npt.NDArray[Any]
"""An image on its way through OpenCV, whose own types know no element types."""

_STEP = 0.7
"""How much smaller each level of the pyramid is than the one before."""
_LEAST, _MOST = 4.0, 12.0
"""Diameters asked for, in pixels of a level."""
_WIDER = np.ones((15, 15), np.uint8)
"""What no pip of a level is as large as: a top hat of this size leaves pips and takes the face away."""
_BESIDE = np.ones((9, 9), np.uint8)
_RIM = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
_LEAST_STEP = 10
"""Grey levels by which a pip differs from its face."""
_CONTRAST = 24.0
"""Colour distance between pip and ground that is looked at further."""
_MAX_PIPS = 1200
"""A picture with more round spots than this is texture: the best are kept."""
_ANGLES = np.arange(12) * (np.pi / 6)
_CIRCLE = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)


@dataclass(frozen=True, slots=True)
class Pips:
    """Spots, best first. `at` (N, 2) x, y in pixels; `size` (N,) diameters; `round` (N,) width over length
    of their boxes; `colour` and `ground` (N, 3) blue, green, red; `even` (N,) how far the ground varies
    near the spot and `wide` twice as far away, as parts of the contrast.
    """

    at: Floats
    size: Floats
    colour: Floats
    ground: Floats
    even: Floats
    wide: Floats

    def __len__(self) -> int:
        return len(self.at)

    def take(self, which: npt.NDArray[np.intp]) -> Pips:
        """Only these."""
        columns = (self.at, self.size, self.colour, self.ground, self.even, self.wide)
        return Pips(*(column[which] for column in columns))

    @property
    def contrast(self) -> Floats:
        """(N,) colour distances between pip and ground."""
        return np.asarray(np.linalg.norm(self.colour - self.ground, axis=1))


def find_pips(frame: Image) -> Pips:
    """All spots of a BGR picture (H, W, 3) that could be pips."""
    found = []
    level: Picture = frame
    scale = 1.0
    while min(level.shape[:2]) > 2 * _MOST:
        for pips in _spots(level):
            found.append(Pips(pips.at / scale, pips.size / scale, *_columns(pips)))
        scale *= _STEP
        size = (round(frame.shape[1] * scale), round(frame.shape[0] * scale))
        level = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
    if not found:
        none = np.zeros((0, 3))
        return Pips(none[:, :2], none[:, 0], none, none, none[:, 0], none[:, 0])
    together = Pips(
        np.concatenate([p.at for p in found]),
        np.concatenate([p.size for p in found]),
        np.concatenate([p.colour for p in found]),
        np.concatenate([p.ground for p in found]),
        np.concatenate([p.even for p in found]),
        np.concatenate([p.wide for p in found]),
    )
    return _best_of_overlapping(together)


def _columns(pips: Pips) -> tuple[Floats, Floats, Floats, Floats]:
    return pips.colour, pips.ground, pips.even, pips.wide


def _spots(level: Picture) -> list[Pips]:
    """Spots of one level: dark and light ones in grey, light ones in the least of the three channels
    (white on a strong colour), dark ones in the greatest.
    """
    smooth = cv2.GaussianBlur(level, (0, 0), 0.8)
    blue, green, red = cv2.split(smooth)
    grey = cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY)
    least, most = cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red)
    spots = []
    for channel, kinds in (
        (grey, (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT)),
        (least, (cv2.MORPH_TOPHAT,)),
        (most, (cv2.MORPH_BLACKHAT,)),
    ):
        for kind in kinds:
            hat = cv2.morphologyEx(channel, kind, _WIDER)
            peak = cv2.dilate(hat, _BESIDE)
            mask = ((hat > peak // 2) & (hat > _LEAST_STEP)).astype(np.uint8)
            # Pips of a six may touch: less a rim they come apart.
            for parts, rim in ((mask, 0.0), (cv2.erode(mask, _RIM), 4.0)):
                at, size = _round_parts(parts, rim)
                if len(at):
                    spots.append(_look(smooth, at, size))
    return spots


def _round_parts(mask: Picture, rim: float) -> tuple[Floats, Floats]:
    """Middles (N, 2) and diameters (N,) of the connected parts that fill their box as an ellipse does,
    when `rim` pixels are added to their width.
    """
    _, _, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=4)
    width, height, area = (stats[1:, i].astype(np.float64) for i in (2, 3, 4))
    size = np.sqrt(area * 4 / np.pi) + rim
    fill = area / (width * height)
    slack = 1 / np.maximum(size, 1)
    good = (size >= _LEAST) & (np.maximum(width, height) <= _MOST * 1.4) & (size <= _MOST)
    good &= np.minimum(width, height) / np.maximum(width, height) > 0.5 - 0.3 * slack
    good &= (fill > 0.60 - 0.2 * slack) & (fill < 0.88 + 0.8 * slack)
    return np.asarray(centres[1:][good], dtype=np.float64), size[good]


def _look(level: Picture, at: Floats, size: Floats) -> Pips:
    """Spots with their colours, those without contrast to an even ground left out."""
    colour = np.median(_around(level, at, size * 0.2), axis=1)
    near = np.concatenate([_around(level, at, size * 0.72), _around(level, at, size * 0.85)], axis=1)
    ground = np.median(near, axis=1)
    contrast = np.maximum(np.linalg.norm(colour - ground, axis=1), 1)
    even = np.percentile(np.linalg.norm(near - ground[:, None], axis=2), 66, axis=1) / contrast
    far = _around(level, at, size * 1.3)
    wide = np.percentile(np.linalg.norm(far - ground[:, None], axis=2), 90, axis=1) / contrast
    good = np.flatnonzero((contrast >= _CONTRAST) & (even < 0.45))
    return Pips(at, size, colour, ground, even, wide).take(good)


def _around(level: Picture, at: Floats, radius: Floats) -> Floats:
    """(N, 12, 3): the colours on a circle around each point."""
    places = np.rint(at[:, None] + radius[:, None, None] * _CIRCLE).astype(np.intp)
    height, width = level.shape[:2]
    x, y = places[..., 0].clip(0, width - 1), places[..., 1].clip(0, height - 1)
    return np.asarray(level[y, x], dtype=np.float64)


def _best_of_overlapping(pips: Pips) -> Pips:
    """The better of two spots of about one size at one place, best first."""
    worth = pips.contrast / (1 + 3 * pips.even)
    pips = pips.take(np.argsort(-worth, kind="stable")[: 3 * _MAX_PIPS])
    free = np.ones(len(pips), dtype=bool)
    kept = []
    for i in range(len(pips)):
        if not free[i]:
            continue
        kept.append(i)
        if len(kept) >= _MAX_PIPS:
            break
        near = np.abs(pips.at - pips.at[i]).max(axis=1) < 0.4 * pips.size[i]
        free &= ~(near & (np.abs(np.log(pips.size / pips.size[i])) < 0.55))
    return pips.take(np.array(kept, dtype=np.intp))
