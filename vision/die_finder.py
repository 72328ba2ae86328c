"""Where dice lie in any picture: a small network looks at every size for top faces.

The network (tests/pictures/train_dice.py) sees faces of 20 to 52 pixels; every size from 20 pixels up is seen
so at two or three levels of the pyramid, of which the one that is surest counts. Its answers are
read as in CenterNet (Zhou, Wang, Kraehenbuehl 2019): a peak in a map of middles is a face.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.geometry import Floats, Image
from vision.nets import ask, likely

_LONGEST = 1600
"""Pixels of the longer side at the finest level."""
_SMALLER = 2**0.5
"""Each level of the pyramid is so much smaller. (With 2, 57 of 756 dice were missed, and not 41.)"""
_STRIDE = 4
_RIM = 16
"""Pixels by which a level's edges go on as they end: of a die that fills the photograph no more is seen."""
_LEAST_HEAT = 0.2
_MOST = 300
"""Faces of one level that are looked at further, best first."""
_APART = 0.55
"""Two faces are no nearer than this, in sides of the larger one."""


@dataclass(frozen=True, slots=True)
class Found:
    """A face: `middle` (2,) x, y and `side` in pixels of the picture; `heat` 0..1; chances of 1..6, (6,)."""

    middle: Floats
    side: float
    heat: float
    values: Floats


def find_faces(frame: Image) -> list[Found]:
    """The top faces in a BGR picture (H, W, 3), each once, best first.

    It is looked at in a mirror, too: of 652 dice (real, slanted ones, and drawn ones) 36 were lost without
    that, and 27 with it, by the weights of that day, and of those found more are sure.
    """
    wide = frame.shape[1]
    mirrored = _everywhere(np.ascontiguousarray(frame[:, ::-1]))
    back = [replace(face, middle=np.array([wide - 1, 0]) + face.middle * (-1, 1)) for face in mirrored]
    return _each_once(_everywhere(frame) + back)


def _everywhere(frame: Image) -> list[Found]:
    """The faces of all sizes; one that is seen at several is told so often."""
    scale = min(1.0, _LONGEST / max(frame.shape[:2]))
    faces: list[Found] = []
    while max(frame.shape[:2]) * scale >= 40:
        size = tuple(max(8, round(v * scale)) for v in frame.shape[1::-1])
        level = frame if scale == 1 else cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
        faces += _look(level.astype(np.uint8, copy=False), size[0] / frame.shape[1])
        scale /= _SMALLER
    return faces


def _look(level: Image, scale: float) -> list[Found]:
    """The faces of one level, in pixels of the whole picture."""
    high, wide = level.shape[:2]
    rims = (_RIM, _RIM + -high % 8, _RIM, _RIM + -wide % 8)
    padded = cv2.copyMakeBorder(level, *rims, cv2.BORDER_REPLICATE)
    said = ask("loose_dice_finder", cv2.dnn.blobFromImage(padded, 1 / 255))[0].astype(np.float32)
    heat = likely(said[0])
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > _LEAST_HEAT)
    rows, columns = np.nonzero(peaks)
    best = np.argsort(-heat[rows, columns], kind="stable")[:_MOST]
    faces = []
    for row, column in zip(rows[best], columns[best], strict=True):
        answer = said[:, row, column].astype(np.float64)
        at = np.array([column + answer[8], row + answer[9]]) * _STRIDE + _STRIDE / 2 - _RIM
        if (at < 0).any() or (at >= (wide, high)).any():
            continue
        values = np.exp(answer[1:7] - answer[1:7].max())
        side = float(np.exp(np.clip(answer[7], 0, 6)))
        faces.append(Found(at / scale - 0.5, side / scale, float(heat[row, column]), values / values.sum()))
    return faces


def _each_once(faces: list[Found]) -> list[Found]:
    """Of faces that overlap the best."""
    chosen: list[Found] = []
    for face in sorted(faces, key=lambda face: -face.heat):
        if all(np.hypot(*(face.middle - c.middle)) > _APART * max(face.side, c.side) for c in chosen):
            chosen.append(face)
    return chosen
