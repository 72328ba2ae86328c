"""Where dice lie in any picture: a small network looks at every size for top faces.

The network (tests/pictures/train_loose_dice.py) sees faces of 20 to 52 pixels, so most sizes at two or three
levels of the pyramid, of which the surest counts. Its answers are read as in CenterNet (Zhou, Wang,
Kraehenbuehl 2019): a peak in a map of middles is a face.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.geometry import Floats, Image
from vision.nets import borrowed, likely, logit, shares

USUAL, FINE = 1600, 3200
"""Pixels of a picture's longer side at the finest level: a face of 20 there is seen. A level wider than the
first is looked at in parts of that size, for memory."""
LEAST_SIDE = 18.0
"""Smaller dice than this, in pixels of the photograph, are no matter."""
_OVERLAP = 96
"""Pixels that two parts have in common, or the whole of no face at their edges were in one of them."""
_SMALLER = 2**0.5
"""Each level of the pyramid is so much smaller. (With 2, 57 of 756 dice were missed, and not 41.)"""
_STRIDE = 4
_RIM = 16
"""Pixels by which a level's edges go on as they end: of a die that fills the photograph no more is seen."""
_LEAST_HEAT = 0.2
_MOST = 300
"""Faces of one level that are looked at further, best first."""
_APART, _ALIKE = 0.55, 0.4
"""Two faces are no nearer than the first, in sides of the larger one; they are one where the logarithms of
their sides differ by less than the second."""
_VIEWS = [(mirrored, on_its_side) for mirrored in (False, True) for on_its_side in (False, True)]
"""How a picture is looked at."""
_UNSEEN = 0.15
"""Heat of a face that one of the views does not show (0.05 to 0.19 make no difference)."""
Ask = Callable[[Floats], Floats]
"""Asks a network."""


@dataclass(frozen=True, slots=True)
class Found:
    """A face: `middle` (2,) x, y and `side` in pixels of the picture; `heat` 0..1; chances of 1..6, (6,)."""

    middle: Floats
    side: float
    heat: float
    values: Floats


def glance(frame: Image) -> float:
    """The heat of what looks most like a face in a BGR picture (H, W, 3) looked at once, as it is.

    In a quarter of the time of `find_faces`; 0 where nothing does. Faces below `LEAST_SIDE` are left out.
    """
    faces = _everywhere(frame, borrowed("loose_dice_finder"), USUAL)
    return max((face.heat for face in faces if face.side >= LEAST_SIDE), default=0.0)


def find_faces(frame: Image, finest: int = USUAL) -> list[Found]:
    """The top faces in a BGR picture (H, W, 3), each once, best first; `finest` as `USUAL` and `FINE`.

    It is looked at four times: as it is, in a mirror, and both lying on their side.
    What is seen of a face in one of these and not in another is chance, so its heat is the mean of all, in
    log odds: docs/reading-notes.md has what that is worth beside the surest of two views.
    """
    wide = frame.shape[1]
    views: list[list[Found]] = []
    ask = borrowed("loose_dice_finder")
    for mirrored, on_its_side in _VIEWS:
        turned = frame[:, ::-1] if mirrored else frame
        turned = turned.transpose(1, 0, 2) if on_its_side else turned
        views.append([])
        for face in _everywhere(np.ascontiguousarray(turned), ask, finest):
            x, y = face.middle[::-1] if on_its_side else face.middle
            views[-1].append(replace(face, middle=np.array([wide - 1 - x if mirrored else x, y])))
    together = [_together(faces, len(views)) for faces in _grouped(views)]
    return sorted(together, key=lambda face: -face.heat)


def _everywhere(frame: Image, ask: Ask, finest: int) -> list[Found]:
    """The faces of all sizes; one that is seen at several is told so often."""
    long, faces = min(finest, max(frame.shape[:2])), list[Found]()
    while long >= 40:
        size = tuple(max(8, round(v * long / max(frame.shape[:2]))) for v in frame.shape[1::-1])
        scale = size[0] / frame.shape[1]
        level = frame if scale == 1 else cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
        for left, top, part in _parts(level.astype(np.uint8, copy=False)):
            for face in _look(part, ask):
                middle = (face.middle + np.array([left, top]) + 0.5) / scale - 0.5
                faces.append(replace(face, middle=middle, side=face.side / scale))
        long /= _SMALLER
    return faces


def _parts(level: Image) -> Iterator[tuple[int, int, Image]]:
    """A level in parts that are no larger than usual, and as few: left, top, and what is seen there."""
    (tops, high), (lefts, wide) = (_cuts(long) for long in level.shape[:2])
    for top in tops:
        for left in lefts:
            yield left, top, level[top : top + high, left : left + wide]


def _cuts(long: int) -> tuple[list[int], int]:
    """Where parts of a side of so many pixels begin, and how long each is."""
    number = max(1, -(-(long - _OVERLAP) // (USUAL - _OVERLAP)))
    size = -(-(long + (number - 1) * _OVERLAP) // number)
    return [k * (size - _OVERLAP) for k in range(number)], size


def _look(level: Image, ask: Ask) -> list[Found]:
    """The faces of one level, or a part of it, in its pixels."""
    high, wide = level.shape[:2]
    rims = (_RIM, _RIM + -high % 8, _RIM, _RIM + -wide % 8)
    padded = cv2.copyMakeBorder(level, *rims, cv2.BORDER_REPLICATE)
    said = ask(cv2.dnn.blobFromImage(padded, 1 / 255))[0].astype(np.float32)
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
        side = float(np.exp(np.clip(answer[7], 0, 6)))
        faces.append(Found(at - 0.5, side, float(heat[row, column]), shares(answer[1:7])))
    return faces


def _grouped(views: list[list[Found]]) -> list[list[Found]]:
    """The faces of all views, as one list for each place: of every view the best."""
    seen = [(view, face) for view, faces in enumerate(views) for face in faces]
    groups: list[dict[int, Found]] = []
    for view, face in sorted(seen, key=lambda one: -one[1].heat):
        for group in groups:
            best = next(iter(group.values()))
            if np.hypot(*(face.middle - best.middle)) <= _APART * max(face.side, best.side):
                if abs(np.log(face.side / best.side)) < _ALIKE:
                    group.setdefault(view, face)
                break
        else:
            groups.append({view: face})
    return [list(group.values()) for group in groups]


def _together(faces: list[Found], views: int) -> Found:
    """One face by what those of so many views say that see it; the others say `_UNSEEN`."""
    heats = np.full(views, _UNSEEN)
    heats[: len(faces)] = [face.heat for face in faces]
    odds = float(logit(heats, 1e-4).mean())
    values = np.exp(np.mean([np.log(np.maximum(face.values, 1e-6)) for face in faces], axis=0))
    return Found(
        np.mean([face.middle for face in faces], axis=0),
        float(np.exp(np.mean([np.log(face.side) for face in faces]))),
        float(likely(odds)),
        values / values.sum(),
    )
