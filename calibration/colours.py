"""Which of the six dice has which name: what people call the colours, and whether two can be told apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import permutations

import cv2
import numpy as np

from calibration.faults import CannotCalibrate
from vision.geometry import Floats
from vision.profile import Lab

SHADES: dict[str, tuple[tuple[int, int, int], ...]] = {
    "red": ((190, 30, 40), (140, 20, 30), (225, 60, 60)),
    "blue": ((35, 70, 190), (20, 40, 110), (70, 140, 220)),
    "green": ((30, 120, 60), (20, 80, 40), (90, 180, 80)),
    "yellow": ((235, 195, 30), (245, 225, 110), (200, 160, 30)),
    "white": ((232, 230, 224), (200, 195, 185)),
    "black": ((32, 32, 34), (60, 58, 58)),
    "orange": ((245, 125, 20), (215, 95, 25)),
    "purple": ((95, 40, 150), (60, 25, 95), (150, 95, 190)),
    "brown": ((95, 55, 35), (140, 90, 60)),
    "pink": ((240, 130, 180), (245, 175, 205), (220, 70, 140)),
}
"""What people call by these names, as red, green, blue: a middle one, darker, lighter."""
IN_GLOSS = {"black": (100, 100, 100)}
"""How one looks in which a lamp is mirrored, besides: of 81 rendered sets one had such a black die, top and
sides, and it passed for the brown one, by 3.5."""
LIGHTNESS = 0.2
"""Lightness says less than hue: a lamp changes it."""
LEAST_LEAD = 4.0
"""In Lab distance, over the next best naming: of 6,000 sets drawn at random 2 were named wrongly, by 0.5. By
tops and sides all of 81 rendered ones are named rightly, by 11 and more."""
PLAINLY_MISSING, NEVER = 10.0, 1000.0
"""In Lab distance, of the naming that lacks one name, over the best that lacks another: of 438 dice of 73
sets, each left out in turn, 353 are named rightly and 5 wrongly; with no such bound 401 and 37. And what no
die is."""
WASHED_OUT, NEARER = 30.0, 16.0
"""A top so far (Lab) from what people call by its name, and its sides so much nearer, mirrors a lamp: of 510
dice of 85 sets 15 do so, none of them of the photo sessions."""
ANOTHERS = 18.0
"""A die that is nearer by so much (Lab) to what people call by a name that none of the six has looks wrongly
named: of 40 sets with their own names one had such a die, whose orange top is yellow; of 878 namings with one
wrong name 776 have one."""
PALER, GREY = 0.5, ("black", "white")
"""So does a top that is so much paler than its sides, unless it has a grey name: that mirrors colours. Nine
of those 510 do, two of them not washed out."""
DARK, LIT, FARTHER = 0.11, 0.03, 6.0
"""So does a top that shows so much more of white paper's light than the six tops usually do, if its sides are
so dark beside that paper: hardly anything of that is its own. But not where the sides are farther by so much
(Lab) than the top from what people call so: of 14 such dice of 65 sets one is, a brown one whose sides are
bluish by 12.6; the others by 2.5 at most. Of 45 sets five have such a die that is not
told by the rules above, and all five look in the frames more as they are learned by their sides. Of lighter
dice, whose sides mirror the table, most look less so."""
AS_LIGHT = 0.01
"""How much speaks for a top being in as much light as its sides, beside light of 0 to 1: of a grey die
nothing else does."""
GREEN_MOST = np.array([0.0722, 0.7152, 0.2126])
"""What blue, green and red are to how bright something looks (Rec. 709)."""
PAPER = 225
"""How light white paper is in plain light, 8 bit."""
_ORDERS = np.array(list(permutations(range(6))))


def unlike(looks: Floats, names: list[str], gloss: bool = False) -> Floats:
    """(N, names): how far (N, 3) colours (OpenCV's 8-bit L, a, b) are from what people call so; `gloss`: or
    from how it looks in gloss."""
    away = [
        np.sqrt(((looks[:, None] - _shades(name, gloss)) ** 2 * (LIGHTNESS, 1, 1)).sum(axis=2)).min(axis=1)
        for name in names
    ]
    return np.stack(away, axis=1)


@cache
def _shades(name: str, gloss: bool = False) -> Floats:
    shades = [*SHADES[name], IN_GLOSS[name]] if gloss and name in IN_GLOSS else SHADES[name]
    samples = np.array([[shade[::-1] for shade in shades]], dtype=np.uint8)
    return np.asarray(cv2.cvtColor(samples, cv2.COLOR_BGR2LAB)[0], dtype=np.float64)


def in_plain_light(looks: list[Lab], paper: Floats) -> list[Lab]:
    """The same colours as they would look where white paper, now (3,) BGR 0 to 255, is plain white.

    A blue lamp makes an orange die yellow, and in dim light brown is black. Of 49 sets the two likeliest
    namings were less than 6 apart in 6, and are now in 3; all are named alike.
    """
    lab = np.clip(np.round(looks), 0, 255).astype(np.uint8).reshape(1, -1, 3)
    if not lab.size:
        return []
    plain = cv2.cvtColor(lab, cv2.COLOR_LAB2BGR) * (PAPER / np.maximum(paper, 1.0))
    lit = cv2.cvtColor(np.clip(plain, 0, 255).round().astype(np.uint8), cv2.COLOR_BGR2LAB)[0]
    return [(float(light), float(a), float(b)) for light, a, b in lit]


def check_colours(colours: Sequence[str]) -> list[str]:
    """Six different names of known colours, or `CannotCalibrate`."""
    names = [name.strip().lower() for name in colours]
    unknown = [name for name in names if name not in SHADES]
    if unknown:
        raise CannotCalibrate(
            f"unknown colour {' and '.join(map(repr, unknown))}; known are {', '.join(SHADES)}"
        )
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise CannotCalibrate(
            f"{' and '.join(twice)} is named twice: {len(set(names))} different colours instead of 6"
        )
    if len(names) != 6:
        raise CannotCalibrate(f"{len(names)} different colours instead of 6")
    return names


def name_colours(looks: list[Lab], names: list[str], sides: list[Lab] | None = None) -> list[int]:
    """For each of six names the index of its die: the naming with the smallest total distance.

    `sides`: the looks of those in the order of the tops' `looks`, which count as much: a black die under a
    lamp is as grey as a brown one, and its sides are black.
    Raises `CannotCalibrate` with the names that could as well be exchanged.
    """
    away = unlike(np.array(looks, dtype=np.float64), names, gloss=True)
    if sides is not None:
        away = (away + unlike(np.array(sides, dtype=np.float64), names, gloss=True)) / 2
    totals = away[_ORDERS, np.arange(6)].sum(axis=1)
    best, second = (int(i) for i in np.argsort(totals)[:2])
    if totals[second] - totals[best] < LEAST_LEAD:
        mixed = [name for name, a, b in zip(names, _ORDERS[best], _ORDERS[second], strict=True) if a != b]
        raise CannotCalibrate(
            f"the {' and the '.join(mixed)} die cannot be told apart by their names; "
            "take the photo of the dice in whiter light, out of any glare, "
            "or name one of them by another colour"
        )
    return [int(die) for die in _ORDERS[best]]


def most_alike(now: Floats, then: Floats) -> list[int]:
    """For each of six dice as they looked, `then` (6, N), the index of the one that looks so `now` (6, N):
    the naming with the smallest total distance."""
    away = np.linalg.norm(now[:, None] - then, axis=2)
    return [int(die) for die in _ORDERS[int(away[_ORDERS, np.arange(6)].sum(axis=1).argmin())]]


def misnamed(looks: list[Lab], names: list[str]) -> list[tuple[str, str, str]]:
    """Of dice that look far more like another colour which none of `names` is: the die's name, that colour,
    and the name that it should stand in place of, which may be another die's: somebody who wrote orange for
    blue has an orange die that is red, and a red one that is blue.

    `looks`: those of the dice with `names`, in plain light. The plainest comes first, and no colour twice.
    """
    others = [name for name in SHADES if name not in names]
    if not names or not others:
        return []
    seen = np.array(looks, dtype=np.float64)
    own, away = np.diag(unlike(seen, names)), unlike(seen, others)
    nearer = own - away.min(axis=1)
    wrong: list[tuple[str, str, str]] = []
    right = list(names)
    for die in np.argsort(-nearer).tolist():
        looked = others[int(away[die].argmin())]
        if nearer[die] > ANOTHERS and looked not in right:
            instead = [[looked if name == given else name for name in right] for given in names]
            off = [_least_total(seen, each) if looked in each else np.inf for each in instead]
            best = int(np.argmin(off))
            wrong.append((names[die], looked, names[best]))
            right = instead[best]
    return wrong


def _least_total(looks: Floats, names: list[str]) -> float:
    """How far six dice are from what people call so, in the naming in which that is least."""
    return float(unlike(looks, names)[_ORDERS, np.arange(6)].sum(axis=1).min())


def plain_colours(
    names: Sequence[str], tops: Sequence[Lab], sides: Sequence[Lab], darkest: Sequence[Lab], paper: Floats
) -> list[Lab]:
    """The colours of the six, each as `plainer` tells it."""
    gloss = usual_gloss(names, tops, sides, paper)
    return [plainer(*die, paper, gloss) for die in zip(names, tops, sides, darkest, strict=True)]


def plainer(name: str, top: Lab, sides: Lab, darkest: Lab, paper: Floats, gloss: float) -> Lab:
    """The colour of a die by its top, or by its sides where a lamp that is mirrored in the top hides it.

    Of a black one that is by what is darkest of it: the most colourful part mirrors the table. `gloss`: that
    of the six, see `usual_gloss`.
    """
    sides = darkest if name == "black" else sides
    of_top, of_sides = unlike(np.array(in_plain_light([top, sides], paper)), [name])[:, 0]
    washed_out = of_top > WASHED_OUT and of_top - of_sides > NEARER
    paler = name not in GREY and _strength(sides) - _strength(top) > PALER
    light, its_own = _light_and_gloss(top, sides, paper)
    lit = name not in GREY and its_own - gloss > LIT and _bright(sides, paper) < DARK
    lit &= of_sides < of_top + FARTHER
    if not (washed_out or (paler and of_sides < of_top) or lit):
        return top
    return _as_lab(max(light, 1.0) * _linear(sides) + min(its_own, gloss) * _in_light(paper))


def usual_gloss(names: Sequence[str], tops: Sequence[Lab], sides: Sequence[Lab], paper: Floats) -> float:
    """How much of white `paper`'s light the tops of dice show beside their own colour, the middle one: little
    where a lamp is mirrored in one of them, much where a window is in all, in the frames as well. Grey dice
    tell nothing."""
    told = zip(names, tops, sides, strict=True)
    return float(
        np.median([_light_and_gloss(top, side, paper)[1] for name, top, side in told if name not in GREY])
    )


def _strength(seen: Lab) -> float:
    """How colourful in its light: in the shade a and b are less by as much as L + 16 is."""
    return math.hypot(seen[1] - 128, seen[2] - 128) / (seen[0] * (100 / 255) + 16)


def share_of_colour(name: str, seen: Lab) -> float:
    """How colourful a die is, in whatever light, against what people call so: about 1, and 0 is grey.

    1 for grey names, which have no colour to lose.
    """
    called = tuple(_shades(name)[0].tolist())
    return 1.0 if name in GREY else _strength(seen) / _strength(called)


def _light_and_gloss(top: Lab, sides: Lab, paper: Floats) -> tuple[float, float]:
    """How many times the light of its sides a top shows, and how much of that of white `paper`, (3,) BGR.

    Least squares in linear light. Where lamps of 0.15 to 0.6 of white are drawn into tops of the photo
    sessions, what is learned is off by 3.3 (CIE Lab), by 12 where tops were held to get 1.4 times the light.
    """
    parts = np.array([[*_linear(sides), AS_LIGHT], [*_in_light(paper), 0]]).T
    light, gloss = np.linalg.lstsq(parts, np.append(_linear(top), AS_LIGHT))[0].tolist()
    return light, gloss


def _bright(seen: Lab, paper: Floats) -> float:
    """How much of the light of white `paper`, (3,) BGR, a colour has."""
    return float(GREEN_MOST @ _linear(seen) / (GREEN_MOST @ _in_light(paper)))


def _in_light(paper: Floats) -> Floats:
    """(3,) BGR, linear, 0 to 1."""
    return np.asarray((paper / 255) ** 2.2)


def _linear(lab: Lab) -> Floats:
    """(3,) blue, green and red of a colour, linear, 0 to 1."""
    lightness, a, b = lab
    pixel = np.array([[[lightness / 2.55, a - 128, b - 128]]], dtype=np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_LAB2LBGR)[0, 0], dtype=np.float64)


def _as_lab(linear: Floats) -> Lab:
    pixel = np.clip(linear, 0, 1).astype(np.float32)[None, None]
    lightness, a, b = cv2.cvtColor(pixel, cv2.COLOR_LBGR2LAB)[0, 0].tolist()
    return lightness * 2.55, a + 128, b + 128


def likely_names(looks: list[Lab]) -> tuple[list[str], set[int]]:
    """What people would call six dice, each by another name, and the numbers of those it is doubtful of."""
    names = list(SHADES)
    away = unlike(np.array(looks, dtype=np.float64), names, gloss=True)
    orders = np.array(list(permutations(range(len(names)), 6)))
    totals = away[np.arange(6), orders].sum(axis=1)
    best = orders[int(totals.argmin())]
    close = orders[totals < totals.min() + LEAST_LEAD]
    return [names[name] for name in best], set(np.flatnonzero((close != best).any(axis=0)).tolist())


def missing_name(looks: list[Lab], bright: list[bool], names: list[str]) -> str | None:
    """With one die fewer than names: the name that is plainly missing, if one is.

    `bright`: which of the dice have light pips; no white one has.
    """
    if len(looks) != len(names) - 1:
        return None
    away = unlike(np.array(looks, dtype=np.float64), names)
    if "white" in names:
        away[np.array(bright), names.index("white")] += NEVER
    totals = np.full(len(names), np.inf)
    for order in permutations(range(len(names)), len(looks)):
        missing = (set(range(len(names))) - set(order)).pop()
        totals[missing] = min(totals[missing], away[np.arange(len(looks)), order].sum())
    best, second = np.argsort(totals)[:2]
    return names[best] if totals[second] - totals[best] > PLAINLY_MISSING else None
