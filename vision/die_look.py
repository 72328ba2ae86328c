"""The second look at a face: a small network reads a well-cut picture of it, or says that it is none.

It sees each face in eight turns; a face's answer is the mean of what it says. The network:
tests/pictures/train_loose_dice.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.geometry import Floats, Image
from vision.nets import ask, shares

SIZE, SIDE = 64, 38.0
"""Pixels of the picture the network sees, and of a die's side in it."""
_TURNS = np.arange(8) * (np.pi / 4) + 0.1
_ZOOM = (1.0, 0.94, 1.06, 1.0, 0.94, 1.06, 1.0, 1.0)
_FIRST = (0, 5)
"""Views that everything gets; what is clearly no face gets no more."""
_NONE = 0.9
_BATCH = 64
Face = tuple[Floats, float]
"""The middle (2,) x, y of a face and how long its side is, in pixels."""


def look(frame: Image, faces: Sequence[Face]) -> list[Floats]:
    """What the faces of a BGR picture (H, W, 3) show: of each the chances (7,) of no face and of 1..6."""
    levels = [frame]
    while min(levels[-1].shape[:2]) > SIZE:
        levels.append(
            cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8)
        )
    answers = _ask([_view(levels, face, k) for face in faces for k in _FIRST]).reshape(-1, len(_FIRST), 7)
    asked = np.flatnonzero(answers[:, :, 0].mean(axis=1) < _NONE).tolist()
    others = [k for k in range(len(_TURNS)) if k not in _FIRST]
    more = _ask([_view(levels, faces[i], k) for i in asked for k in others]).reshape(-1, len(others), 7)
    every = list(answers)
    for i, views in zip(asked, more, strict=True):
        every[i] = np.concatenate([every[i], views])
    return [views.mean(axis=0) for views in every]


def _ask(views: list[Image]) -> Floats:
    """(N, 7): what the network says to each view, as chances."""
    said = [np.zeros((0, 7))]
    for start in range(0, len(views), _BATCH):
        blob = cv2.dnn.blobFromImages(views[start : start + _BATCH], 1 / 255)
        said.append(ask("loose_dice_look", blob).astype(np.float64))
    return shares(np.concatenate(said))


def _view(levels: list[Image], face: Face, which: int) -> Image:
    """The face in one of its turns, cut from the level that is just finer than needed."""
    at, side = face
    depth = int(np.clip(np.floor(np.log2(max(side / SIDE, 1) * 1.1)), 0, len(levels) - 1))
    level = levels[depth]
    shrink = np.array(level.shape[1::-1]) / levels[0].shape[1::-1]
    middle = (at + 0.5) * shrink - 0.5
    scale, turn = SIDE / (side * shrink[0]) * _ZOOM[which], _TURNS[which]
    c, s = scale * np.cos(turn), scale * np.sin(turn)
    matrix = np.array([[c, -s, 0], [s, c, 0]])
    matrix[:, 2] = (SIZE - 1) / 2 - matrix[:, :2] @ middle
    rim = cv2.BORDER_REPLICATE
    view = cv2.warpAffine(level, matrix, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=rim)
    return view.astype(np.uint8, copy=False)
