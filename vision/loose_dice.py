"""Every die in any photograph: no board, no profile, sizes and colours unknown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.die_finder import FINE, LEAST_SIDE, USUAL, Found, find_faces
from vision.die_look import look
from vision.geometry import Floats, Image
from vision.nets import logit
from vision.reading import Point

_FINDERS_SHARE = 0.3
"""How much the finder's word counts for a value; the second look's is the rest."""
_VALUE = 0.4
"""Chance of its value from which a face is shown at all."""
_DIE_WEIGHT, _ALONE, _BESIDE, _COMPANION = 0.4, 0.25, -0.45, 0.85
"""A face's score is the log odds of its heat and, at this weight, of being a die: from which it is shown on
its own account, or beside a companion about as large, and from which it is such a companion."""
_AS_LARGE, _STRANGE, _STRANGER = 1.4, 2.0, 2.35
"""Dice of a set are of one size: no side is longer than another by more than the first. Where two companions
lie and none is within the second, a face needs this score: a whole board looks like a large one."""
_LARGE, _LARGE_ONE = 0.25, 1.0
"""A one without companion, larger than the first in longer sides of the picture, needs this score: a whole
board with a crown in its middle looks like one."""
_SMALLER, _SPECKS = 0.6, 8
"""A face smaller than the first, in sides of the smallest die that is plain, needs that score, too; and more
faces than the second, none of them plain, are none: granite and terrazzo have dozens of specks like pips."""
_SURE_HEAT, _SURE_DIE, _SURE_VALUE = 0.76, 0.9, 0.98
"""Chances from which a face is sure; docs/benchmarks.md has the table they come from."""
_SURE_ONE = 0.82
"""The finder's for a one, which only its outline tells from a button or a chip with a dot."""
_SMALL = 32.0
"""Pixels of a face's side at the usual finest level, below which a closer search is worth its time."""


@dataclass(frozen=True, slots=True)
class LooseDie:
    """A die: `centre` of the top face (x, y) in pixels of the frame, `pips` 1..6 or None, a colour's name."""

    centre: Point
    pips: int | None
    colour: str
    sure: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A face, and what finder and look make of it: `pips` 1..6, the chance of a `die`, of its `value`."""

    face: Found
    pips: int
    die: float
    value: float

    @property
    def score(self) -> float:
        """How much speaks for a die."""
        return _log_odds(self.face.heat) + _DIE_WEIGHT * _log_odds(self.die)


def find_dice(frame: Image) -> list[LooseDie]:
    """The dice of a BGR picture (H, W, 3), by their top faces, from top to bottom."""
    dice = []
    for judged in shown(judge(frame), max(frame.shape[:2])):
        x, y = (float(v) for v in judged.face.middle)
        colour = colour_name(_face_colour(frame, judged.face))
        dice.append(LooseDie((x, y), judged.pips, colour, is_sure(judged)))
    return sorted(dice, key=lambda die: (die.centre[1], die.centre[0]))


def shown(every: list[Judged], long: int) -> list[Judged]:
    """Those of a picture's faces that are told: what stands on its own, and what has such a companion.

    `long`: pixels of the picture's longer side.
    """
    clear = [one for one in every if one.value > _VALUE and one.face.side >= LEAST_SIDE]
    companions = [one for one in clear if one.score > _COMPANION]
    told = [one for one in clear if one.score > _least(one, companions, long)]
    plain = [one for one in told if is_sure(one)] or [one for one in told if one.score > _STRANGER]
    if not plain:
        return told if len(told) <= _SPECKS else []
    least = _SMALLER * min(one.face.side for one in plain)
    return [one for one in told if one.face.side > least or one.score > _STRANGER or is_sure(one)]


def _least(one: Judged, companions: list[Judged], long: int) -> float:
    """The score from which a face is told, beside such companions."""
    sides = [other.face.side for other in companions if other is not one]
    apart = [max(one.face.side, side) / min(one.face.side, side) for side in sides]
    if min(apart, default=0) > _STRANGE and len(apart) > 1:
        return _STRANGER
    if min(apart, default=_STRANGE) < _AS_LARGE:
        return _BESIDE
    return _LARGE_ONE if one.pips == 1 and one.face.side > _LARGE * long else _ALONE


def _log_odds(chance: float) -> float:
    return float(logit(chance, 1e-4))


def is_sure(judged: Judged) -> bool:
    """Whether it is a die and the value right."""
    heat = _SURE_ONE if judged.pips == 1 else _SURE_HEAT
    return judged.value > _SURE_VALUE and judged.face.heat > heat and judged.die > _SURE_DIE


def judge(frame: Image) -> list[Judged]:
    """What the finder found in a BGR picture, looked at a second time.

    A large picture is searched more closely where no die stands out in it, or only small ones do.
    """
    every = _judged(frame, USUAL)
    shrunk = max(frame.shape[:2]) / USUAL
    plain = [one.face.side for one in every if one.value > _VALUE and one.score > _COMPANION]
    if shrunk > 1 and (not plain or np.median(plain) < _SMALL * shrunk):
        return _judged(frame, FINE)
    return every


def _judged(frame: Image, finest: int) -> list[Judged]:
    faces = find_faces(frame, finest)
    looks = look(frame, [(face.middle, face.side) for face in faces])
    return [_both(face, looked) for face, looked in zip(faces, looks, strict=True)]


def _both(face: Found, looked: Floats) -> Judged:
    """The value finder and look like best: their chances multiplied, each as often as its word counts.

    That is the logarithmic opinion pool (Genest and Zidek 1986): one network's doubt is no veto.
    """
    finder, second = (np.log(np.maximum(chances, 1e-6)) for chances in (face.values, looked[1:]))
    together = np.exp(_FINDERS_SHARE * finder + (1 - _FINDERS_SHARE) * second)
    best = int(together.argmax())
    return Judged(face, best + 1, 1 - float(looked[0]), float(together[best] / together.sum()))


def _face_colour(frame: Image, face: Found) -> Floats:
    """(3,) the middle blue, green, red of a face: pips cover less than half of it."""
    reach = max(2, round(0.4 * face.side))
    x, y = (round(float(v)) for v in face.middle)
    part = frame[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    rows, columns = np.mgrid[: part.shape[0], : part.shape[1]]
    disc = np.hypot(rows - min(y, reach), columns - min(x, reach)) <= reach
    return np.asarray(np.median(part[disc], axis=0), dtype=np.float64)


def colour_name(colour: Floats) -> str:
    """The name people give to a die's colour (blue, green, red, 0 to 255)."""
    lab = cv2.cvtColor(np.clip([[colour]], 0, 255).astype(np.uint8), cv2.COLOR_BGR2LAB)[0, 0].astype(float)
    light, strength = lab[0] / 2.55, float(np.hypot(*(lab[1:] - 128)))
    hue = float(np.degrees(np.arctan2(lab[2] - 128, lab[1] - 128))) % 360
    ivory = light > 60 and 60 < hue < 120 and strength < 26
    if strength < 10 or ivory or strength < 0.16 * light:
        return "white" if light > 50 else "black"
    return next(name(light, strength) for end, name in _HUES if hue < end)


_HUES: tuple[tuple[float, Callable[[float, float], str]], ...] = (
    (20, lambda light, strength: "pink" if light > 55 else "red"),
    (45, lambda light, strength: _reddish(light, strength)),
    (72, lambda light, strength: "orange" if light > 43 and strength > 30 else "brown"),
    (120, lambda light, strength: "yellow" if light > 45 else "brown"),
    (205, lambda light, strength: "green"),
    (301, lambda light, strength: "blue"),
    (335, lambda light, strength: "purple" if light < 55 else "pink"),
    (360, lambda light, strength: "pink" if light > 48 else "red"),
)
"""Names up to an angle in Lab (0 is pinkish red, 90 yellow), by lightness 0..100 and strength of colour."""


def _reddish(light: float, strength: float) -> str:
    if light > 55 and strength < 52:
        return "pink"
    return "brown" if strength < 0.7 * light else "red"
