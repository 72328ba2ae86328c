"""The top face of a die whose place is roughly known: its exact place, its turn and its pips.

The face is flattened (the plane one die height above the board, so that side faces fall out of the
pattern), then compared with the nine ways six faces can lie by normalised correlation, at every
turn. Correlation is taken on the colour channel in which the face has most contrast.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np

from vision.geometry import Floats, Grey, Image, View
from vision.outline import NEAR, SIDE_PX, flatten, turn_of

WIDE = 2.0
"""So many die sides are flattened around a vague guess: the middle is found within 0.56 of a side."""
PIP_SOFT = 0.025
"""How soft a pip's edge is, in die sides."""
_CROP = 0.88
_EDGE_WORTH, _NO_SQUARE = 0.4, 0.2
LEAST_EDGE = 0.5
"""Of 690 top faces 7 showed less of their outline."""
_TURNS, _FINE_TURNS = np.deg2rad(np.arange(0, 90, 7.5)), np.deg2rad(np.arange(0, 90, 2.5))
_AGREES = 0.6
_ASIDE = 2
"""So many pixels aside pips are told light or dark: of 330 dice of 55 sets the only one told wrongly, a green
one whose rim shone, is right so; three pixels aside another is wrong, between its pips."""


@dataclass(frozen=True, slots=True)
class Dots:
    """How far pips lie from the middle of a face, across and down, and how large they are, in die sides."""

    offset: float
    radius: float


USUAL_DOTS = Dots(0.24, 0.10)
"""Those of the dice one can buy; fitted to 690 faces."""


@dataclass(frozen=True, slots=True)
class Face:
    """A top face: middle (x, y) mm, turn in radians (0 to pi/2), pips 1..6.

    `match` is the correlation with the pips' pattern (0 to 1), `margin` its lead over the best other
    value (match and edge together), `bright` whether the pips are lighter than the face, `edge` how
    well the four sides of the square are seen (0 to 1).
    """

    x: float
    y: float
    turn: float
    pips: int
    match: float
    margin: float
    bright: bool
    edge: float


class Top(Protocol):
    """Where a die's top lies: its middle in mm and its turn in radians."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def turn(self) -> float: ...


@lru_cache(maxsize=4)
def _patterns(of: Dots) -> tuple[tuple[int, Grey], ...]:
    """The nine patterns as they lie: 1, 4 and 5 look the same after a quarter turn."""
    size = round(SIDE_PX * _CROP / 2) * 2
    at = (np.arange(size) - (size - 1) / 2) / SIDE_PX
    x, y = np.meshgrid(at, at)
    diagonal, corners = [(-1, -1), (1, 1)], [(-1, -1), (1, 1), (1, -1), (-1, 1)]
    layouts = {
        1: [(0, 0)],
        2: diagonal,
        3: [*diagonal, (0, 0)],
        4: corners,
        5: [*corners, (0, 0)],
        6: [*corners, (-1, 0), (1, 0)],
    }
    patterns = []
    for pips, layout in layouts.items():
        for quarter in (False, True) if pips in (2, 3, 6) else (False,):
            spots = [(b, -a) if quarter else (a, b) for a, b in layout]
            away = np.min([np.hypot(x - of.offset * a, y - of.offset * b) for a, b in spots], axis=0)
            patterns.append((pips, (1 / (1 + np.exp((away - of.radius) / PIP_SOFT))).astype(np.float32)))
    return tuple(patterns)


def read_face(
    frame: Image,
    view: View,
    at: tuple[float, float],
    die_mm: float,
    span: float = NEAR,
    dots: Dots = USUAL_DOTS,
) -> Face:
    """The face that fits best around `at` (mm); `span` says how far around, `dots` what its pips look like.

    Every fourth of the turns first, then the ones beside the best. Two values compete by match and
    edge together: one pip of a two, taken for a one, has no square around it.
    """
    fits: dict[int, _Fit] = {}
    _try_turns(fits, frame, view, at, die_mm, span, dots, _TURNS[::2])
    best = max(fits.values(), key=lambda fit: fit.match)
    beside = [(best.turn + step) % (np.pi / 2) for step in (-_TURNS[1], _TURNS[1])]
    _try_turns(fits, frame, view, at, die_mm, span, dots, beside)
    ranked = sorted(fits, key=lambda pips: -fits[pips].match)[:2]
    faces = [_face(frame, view, at, die_mm, pips, fits[pips]) for pips in ranked]
    worth = [
        face.match + _EDGE_WORTH * face.edge - (_NO_SQUARE if face.edge < LEAST_EDGE else 0) for face in faces
    ]
    first, second = (0, 1) if worth[0] >= worth[1] else (1, 0)
    return replace(faces[first], margin=worth[first] - worth[second])


def settle(
    frame: Image,
    view: View,
    at: tuple[float, float],
    pips: int,
    die_mm: float,
    dots: Dots = USUAL_DOTS,
) -> tuple[float, float, float, float]:
    """Middle (x, y) mm and turn of the face with so many pips around `at` (mm), and how well they match:
    0 to 1 for light pips on a darker die, 0 to -1 for dark ones."""
    x, y = at
    for _ in range(2):
        fit = _laid(frame, view, (x, y), pips, die_mm, dots)
        dx, dy = fit.shift
        if fit.match <= _AGREES or (dx, dy) == (0, 0):
            break
        x += float(np.cos(fit.turn) * dx - np.sin(fit.turn) * dy)
        y += float(np.sin(fit.turn) * dx + np.cos(fit.turn) * dy)
        if max(abs(dx), abs(dy)) <= die_mm / SIDE_PX:
            break  # so near, another look changes nothing that counts
    return x, y, fit.turn, fit.match if fit.bright else -fit.match


def _laid(frame: Image, view: View, at: tuple[float, float], pips: int, die_mm: float, dots: Dots) -> _Fit:
    """How so many pips fit around `at` (mm), turned as the outline is; where they do not, and it may be that
    of a die beside this one, turned as they fit best."""
    fits: dict[int, _Fit] = {}
    _try_turns(fits, frame, view, at, die_mm, NEAR, dots, [turn_of(frame, view, at, die_mm)], (pips,))
    fit = fits[pips]
    if fit.match <= _AGREES and pips > 1:
        _try_turns(fits, frame, view, at, die_mm, NEAR, dots, _FINE_TURNS, (pips,))
    return fits[pips] if fits[pips].match > _AGREES else fit


def has_light_pips(frame: Image, view: View, face: Face, die_mm: float) -> bool:
    """Whether the pips are lighter than what is right around them.

    Under a glare the whole pattern may match better with the wrong sign: a top is darker at its edges. Then
    the face is a little off, too, so its pips are told where they stand out most.
    """
    patch = flatten(frame, view, (face.x, face.y), face.turn, die_mm)
    detail = patch.astype(np.float32) - cv2.medianBlur(patch, round(SIDE_PX * 0.4) | 1)
    told = []
    for pips, pattern in _patterns(USUAL_DOTS):
        cut = (len(patch) - len(pattern)) // 2 - _ASIDE
        if pips == face.pips:
            near = cv2.split(np.ascontiguousarray(detail[cut:-cut, cut:-cut]))
            seen = np.stack([cv2.matchTemplate(channel, pattern, cv2.TM_CCORR) for channel in near], axis=-1)
            told += list(seen.reshape(-1, 3))
    clearest = max(told, key=lambda channels: float(np.abs(channels).sum()))
    return bool(max(clearest, key=abs) > 0)


@dataclass(frozen=True, slots=True)
class _Fit:
    match: float
    turn: float
    shift: tuple[float, float]
    bright: bool


def _try_turns(
    fits: dict[int, _Fit],
    frame: Image,
    view: View,
    at: tuple[float, float],
    die_mm: float,
    span: float,
    dots: Dots,
    turns: Iterable[float],
    values: Sequence[int] = range(1, 7),
) -> None:
    for turn in turns:
        grey = _contrast(flatten(frame, view, at, float(turn), die_mm, span))
        for pips, pattern in _patterns(dots):
            if pips not in values:
                continue
            fit = cv2.matchTemplate(grey, pattern, cv2.TM_CCOEFF_NORMED)
            low, high, low_at, high_at = cv2.minMaxLoc(fit)
            match, place = max((high, high_at), (-low, low_at))
            if pips not in fits or match > fits[pips].match:
                middle = (fit.shape[0] - 1) / 2
                shift = ((place[0] - middle) / SIDE_PX * die_mm, (place[1] - middle) / SIDE_PX * die_mm)
                fits[pips] = _Fit(match, float(turn), shift, high >= -low)


def _face(frame: Image, view: View, at: tuple[float, float], die_mm: float, pips: int, fit: _Fit) -> Face:
    dx, dy = fit.shift
    x = float(at[0] + np.cos(fit.turn) * dx - np.sin(fit.turn) * dy)
    y = float(at[1] + np.sin(fit.turn) * dx + np.cos(fit.turn) * dy)
    edge = _edge(flatten(frame, view, (x, y), fit.turn, die_mm))
    return Face(x, y, fit.turn, pips, fit.match, 0.0, fit.bright, edge)


def _contrast(patch: Image) -> Grey:
    """The channel in which the middle of the patch varies most, slightly smoothed."""
    cut = (patch.shape[0] - SIDE_PX * 2 // 3) // 2
    _, spread = cv2.meanStdDev(patch[cut:-cut, cut:-cut])
    return cv2.GaussianBlur(
        np.ascontiguousarray(patch[..., int(spread.argmax())], dtype=np.float32), (0, 0), 0.6
    )


def _edge(patch: Image) -> float:
    """How much of the square's outline is an edge that runs along it, the weakest side left out.

    A side towards the camera has the side face behind it, of the same colour: it may be faint.
    """
    across, down = _gradients(patch)
    middle, half, reach = (patch.shape[0] - 1) / 2, SIDE_PX / 2, round(SIDE_PX * 0.36)
    centre = round(middle)
    along = slice(centre - reach, centre + reach + 1)
    sides = []
    for sign in (-1, 1):
        line = round(middle + sign * half)
        band = slice(line - 2, line + 2)
        for run, other in (
            (across[along, band].T, down[along, band].T),
            (down[band, along], across[band, along]),
        ):
            strong, weak = run.max(axis=0), other.max(axis=0)
            sides.append(float((strong / (strong + weak / 2 + 6)).mean()))
    return float(np.mean(sorted(sides)[1:]))


def _gradients(patch: Image) -> tuple[Grey, Grey]:
    """The steepness across and down, of the channel where it is largest."""
    smooth = cv2.GaussianBlur(patch, (0, 0), 0.75).astype(np.float32)
    across = np.abs(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8)).max(axis=2)
    down = np.abs(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)).max(axis=2)
    return across, down


def corners(top: Top, die_mm: float, height: float) -> Floats:
    """(4, 3) mm: the square of the die's side at `height` over the board."""
    # In plain numbers: it is asked for some forty times a frame.
    half = die_mm / 2
    cos, sin = math.cos(top.turn) * half, math.sin(top.turn) * half
    away = ((sin - cos, -sin - cos), (sin + cos, sin - cos), (cos - sin, sin + cos), (-sin - cos, cos - sin))
    return np.array([(top.x + across, top.y + down, height) for across, down in away])


def silhouette(top: Top, die_mm: float, view: View) -> Floats:
    """(N, 2) pixels: the outline of the whole die in the frame."""
    around = [view.pixel(*corner) for z in (0.0, die_mm) for corner in corners(top, die_mm, z).tolist()]
    return np.asarray(cv2.convexHull(np.array(around, dtype=np.float32))[:, 0], dtype=np.float64)
