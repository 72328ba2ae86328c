"""Every die in any photograph: no board, no profile, sizes and colours unknown."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import cv2
import numpy as np

from vision.die_faces import Face, has_others, ones, patterns
from vision.face_judge import judge, judge_one
from vision.geometry import Floats, Image
from vision.looks import LOOKS, from_names
from vision.pips import find_pips
from vision.reading import Point

_LARGEST = 2000
"""Longer pictures are reduced to this many pixels first."""
_LEAST_SIDE = 24.0
"""Pixels a die's side has at least where its value is sure."""
_MOST_FACES = 1600
"""Patterns that are judged: what is over in a picture full of spots is left alone."""
_LEAST = 0.3
"""Worth of a face that is looked at at all."""
_CLEAR = 0.5
"""Worth of a face whose place no single pip may claim."""


@dataclass(frozen=True, slots=True)
class LooseDie:
    """A die: `centre` of the top face (x, y) in pixels of the frame, `pips` 1..6 or None, a colour's name."""

    centre: Point
    pips: int | None
    colour: str
    sure: bool


def find_dice(frame: Image) -> list[LooseDie]:
    """The dice of a BGR picture (H, W, 3), by their top faces, from top to bottom."""
    scale = min(1.0, _LARGEST / max(frame.shape[:2]))
    if scale < 1:
        smaller = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        frame = smaller.astype(np.uint8, copy=False)
    dice = []
    for face in filter(is_likely, find_faces(frame)):
        x, y = (float(v) / scale for v in face.middle)
        dice.append(LooseDie((x, y), face.pips, colour_name(face.colour), is_sure(face)))
    return sorted(dice, key=lambda die: (die.centre[1], die.centre[0]))


def find_faces(frame: Image) -> list[Face]:
    """The top faces, each once."""
    pips = find_pips(frame)
    faces = [judge(frame, pips, face) for face in islice(patterns(pips), _MOST_FACES)]
    clear = _best(faces)
    free = np.ones(len(pips), dtype=bool)
    for face in clear:
        if worth(face) > _CLEAR:
            free &= (_away(face, pips.at) > 2.2) | (pips.size < 0.3 * np.sqrt(face.area))
    singles = [judge_one(frame, pips, face) for face in islice(ones(pips, free), _MOST_FACES // 4)]
    return _best([*faces, *(face for face in singles if face.pips == 1 and not has_others(pips, face))])


def worth(face: Face) -> float:
    """How much a pattern looks like a die, 0 to about 1."""
    fit = np.exp(-(((face.half - 2.0) / 0.45) ** 2))
    return (
        float(fit)
        * face.match
        * (0.4 + 0.6 * face.sides)
        * (0.4 + 0.6 * face.even)
        * (0.7 + 0.3 * face.square)
    )


def is_sure(face: Face) -> bool:
    """Whether it is a die and the value right: nothing about it may be out of the usual."""
    if np.sqrt(face.area) * 2 * face.half < _LEAST_SIDE or face.sides < 0.58 or face.square < 0.75:
        return False
    if face.pips == 1:
        return face.match > 0.9 and face.lead > 0.3 and face.even > 0.96 and 1.7 <= face.half <= 2.35
    match, lead = (0.92, 0.16) if face.pips < 4 else (0.9, 0.1)
    return face.match > match and face.lead > lead and face.even > 0.92 and 1.65 <= face.half <= 2.4


def is_likely(face: Face) -> bool:
    """Whether it is worth showing at all."""
    if is_sure(face) or (face.pips > 3 and face.match > 0.94 and face.sides > 0.6):
        return True
    return worth(face) > 0.55 and face.sides > 0.45 and face.square > 0.2


def _away(face: Face, at: Floats) -> Floats:
    """(N,): how far the points lie from the face's middle, in pitches along its rows and columns."""
    grid = np.linalg.solve(np.stack([face.across, face.down], axis=1), (at - face.middle).T).T
    return np.asarray(np.abs(grid).max(axis=1))


def _best(faces: list[Face]) -> list[Face]:
    """Of faces that overlap the best; of two that touch as a top and a side do, the larger; none whose
    pips are themselves dice.
    """
    chosen: list[Face] = []
    for face in sorted(faces, key=lambda face: worth(face) + 0.03 * face.pips, reverse=True):
        if worth(face) < _LEAST:
            continue
        if all(max(_away(face, c.middle[None])[0], _away(c, face.middle[None])[0]) > 2.2 for c in chosen):
            chosen.append(face)
    return [face for face in chosen if not any(_is_side(face, c) or _holds(face, c) for c in chosen)]


def _holds(face: Face, small: Face) -> bool:
    """Whether a face is made of other dice."""
    inside = _away(face, small.middle[None])[0] < 2
    return small.area < 0.1 * face.area and worth(small) > 0.8 * worth(face) and bool(inside)


def _is_side(face: Face, top: Face) -> bool:
    """Whether a face is the side of the die whose top is the other one."""
    return 0.25 * top.area < face.area < 0.85 * top.area and bool(_away(top, face.middle[None])[0] < 3.7)


def colour_name(colour: Floats) -> str:
    """The name people give to a colour (blue, green, red, 0 to 255)."""
    lab = cv2.cvtColor(np.array([[colour]], dtype=np.uint8), cv2.COLOR_BGR2LAB)[0]
    apart = from_names(lab, list(LOOKS))[0]
    return list(LOOKS)[int(apart.argmin())]
