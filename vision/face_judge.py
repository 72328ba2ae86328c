"""How much a pattern of pips looks like the face of a die: its value, its ground, its four sides."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from vision.die_faces import HALF, PITCH, Face, flatten, turned
from vision.geometry import Floats, Image
from vision.pips import Picture, Pips

_DIAGONAL, _CORNERS = [(-1, -1), (1, 1)], [(-1, -1), (1, 1), (1, -1), (-1, 1)]
LAYOUTS = (
    (1, [(0, 0)]),
    (2, _DIAGONAL),
    (2, [(1, -1), (-1, 1)]),
    (3, [*_DIAGONAL, (0, 0)]),
    (3, [(1, -1), (-1, 1), (0, 0)]),
    (4, _CORNERS),
    (5, [*_CORNERS, (0, 0)]),
    (6, [*_CORNERS, (-1, 0), (1, 0)]),
    (6, [*_CORNERS, (0, -1), (0, 1)]),
)
_TURNS = np.deg2rad(np.arange(0, 90, 10))
_RADIUS = (0.25, 0.3, 0.36, 0.42, 0.5, 0.6)
"""Radii of pips that are compared, in pitches."""
_STEP = 12.0
"""Colour distance across a side at which it counts half."""
_AT = (np.arange(2 * HALF + 1) - HALF) / PITCH
_X, _Y = np.meshgrid(_AT, _AT)
_INSIDE = np.maximum(np.abs(_X), np.abs(_Y)) < 1.5


@cache
def _masks(radius: float) -> tuple[Floats, Floats]:
    """(9, pixels inside): the layouts with soft pips, less their mean and of length 1; and where pips are."""
    soft, away = [], []
    for _, spots in LAYOUTS:
        distance = np.min([np.hypot(_X - x, _Y - y) for x, y in spots], axis=0)
        pattern = (1 / (1 + np.exp((distance - radius) / 0.08)))[_INSIDE]
        pattern = pattern - pattern.mean()
        soft.append(pattern / np.linalg.norm(pattern))
        away.append(distance[_INSIDE])
    return np.array(soft), np.array(away)


def judge(frame: Image, pips: Pips, face: Face) -> Face:
    """The face with its value and its marks."""
    members = list(face.members)
    size = float(np.median(pips.size[members])) / 2 / np.sqrt(face.area)
    radius = min(_RADIUS, key=lambda r: abs(r - size))
    patch = flatten(frame, face)
    ground, pip = face.colour, np.median(pips.colour[members], axis=0)
    toward = pip - ground
    contrast = max(float(np.linalg.norm(toward)), 1.0)
    inside = patch[_INSIDE]
    part = ((inside - ground) @ toward / contrast**2).clip(-0.5, 1.3)
    part = part - part.mean()
    soft, away = _masks(radius)
    fits = soft @ part / max(float(np.linalg.norm(part)), 1e-6)
    best = int(fits.argmax())
    value = LAYOUTS[best][0]
    rival = max(fit for fit, (other, _) in zip(fits, LAYOUTS, strict=True) if other != value)
    bare = away[best] > radius + 0.25
    ground = np.median(inside[bare], axis=0)
    even = float((np.linalg.norm(inside[bare] - ground, axis=1) < max(0.35 * contrast, 18)).mean())
    face = replace(face, pips=value, colour=ground, match=float(fits[best]), lead=float(fits[best] - rival))
    return _measure(replace(face, even=even), patch, contrast, 1.7)


def judge_one(frame: Image, pips: Pips, face: Face) -> Face:
    """A single pip: turned and scaled so that the four sides are seen best, then judged."""
    patch = flatten(frame, face)
    contrast = float(pips.contrast[face.members[0]])
    best = 0.0
    chosen = face
    for turn in _TURNS:
        cos, sin = np.cos(turn), np.sin(turn)
        matrix = np.array([[cos, -sin, HALF * (1 - cos + sin)], [sin, cos, HALF * (1 - sin - cos)]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        tilted = cv2.warpAffine(patch, matrix, patch.shape[:2], flags=flags, borderMode=cv2.BORDER_REPLICATE)
        seen = _measure(face, tilted, contrast, 1.3)
        if seen.sides + 0.2 * seen.square > best:
            best = seen.sides + 0.2 * seen.square
            chosen = turned(face, turn, seen.half / 2)
    return judge(frame, pips, chosen)


def _measure(face: Face, patch: Picture, contrast: float, nearest: float) -> Face:
    """Where the four sides lie, how well they are seen, and whether the corners belong to the die."""
    strength = _side_steps(patch)
    first = round(nearest * PITCH)
    score = strength[:, first:].min(axis=0) + 0.25 * strength[:, first:].mean(axis=0)
    top = int(score.argmax())
    # The best place is a plateau as wide as the jump: the side is in its middle.
    end = top + int(np.argmax(np.append(score[top:], 0) < 0.96 * score[top]))
    half = first + (top + end - 1) // 2
    sides = float(strength[:, first + top].min())
    corner = round(half * 0.75)
    colours = np.array([patch[HALF + sy * corner, HALF + sx * corner] for sx, sy in _CORNERS])
    alike = np.linalg.norm(colours - face.colour, axis=1) < max(0.3 * contrast, 30)
    return replace(face, sides=sides, square=float(alike.mean()), half=half / PITCH)


def _side_steps(patch: Picture) -> Floats:
    """(4, HALF + 1): the colour step across each of four sides, 0 to 1, by pixels from the middle.

    The best within 2 pixels, so that the four need not lie at one distance to the pixel.
    """
    reach = round(1.15 * PITCH)
    along = slice(HALF - reach, HALF + reach + 1)
    steps = []
    for run in (patch[along].transpose(1, 0, 2), patch[:, along]):
        jump = np.zeros(len(run))
        # A side is an edge all along (the low percentile) and the same one (the mean of the jumps).
        across = run[4:] - run[:-4]
        point = cv2.dilate(np.linalg.norm(across, axis=2), np.ones((5, 1)))
        least = np.percentile(point, 15, axis=1)
        mean = np.linalg.norm(across.mean(axis=1), axis=1)
        jump[2:-2] = np.minimum(mean / (mean + _STEP), least / (least + 0.6 * _STEP))
        steps += [jump[HALF:], jump[HALF::-1]]
    wide = cv2.dilate(np.array(steps), np.ones((1, 5)))
    wide[:, -2:] = 0
    return np.asarray(wide, dtype=np.float64)
