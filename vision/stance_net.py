"""Whether dice lie flat: each top laid straight, as it must look if its die does, and shown to a network.

The middle and the turn of the top are known by now. So the square is cut along the die's own sides, and
of its four turns (and their mirror pictures) the one is taken in which the camera looks aside towards the
lower right. Beside it is drawn where a die that lies flat must be seen: whatever differs from that belongs
to one that leans, or to something else.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.geometry import Floats, Image, View
from vision.light import Light
from vision.nets import ask, likely, planes, shares
from vision.squares import Square, lean, now_and_then

SIDE_PX = 28.0
"""Pixels of a die's side in the picture."""
SIZE = 56
"""Pixels of the picture: two dice wide."""
SELDOM = 6.0
"""Log odds: of the dice the networks learned from half leaned, at a table about one in 120 does (4.8). More
than that, by what they make of 820 flat and 579 leaning dice of thrown sets left out."""
CLEAR = 0.9995
"""As likely flat, and one value, and no second network is asked."""
Top = tuple[float, float, float]
"""Middle (x, y) mm and turn in radians of a top face."""


def straight(
    frame: Image, empty: Image, view: View, lights: Light, top: Top, die_mm: float, size: int = SIZE
) -> tuple[Image, Image, Image]:
    """The top in the frame and its place in the empty photo, BGR uint8 (size, size, 3), in one light, laid
    straight; and where a die that lies flat must be seen, uint8 (size, size, 2): all of it, and its top.
    """
    x, y, turn = top
    aside = lean(view, (x, y), die_mm)
    towards = np.arctan2(aside[1], aside[0])
    turn += float(np.floor((towards - turn) / (np.pi / 2)) * np.pi / 2)
    square = Square((x, y), die_mm, die_mm / SIDE_PX, size, turn)
    now, then = now_and_then(frame, empty, lights, view, square)
    plan = _plan(view, (x, y, turn), die_mm, size)
    if np.sin(towards - turn) > np.cos(towards - turn):
        now, then, plan = (picture.transpose(1, 0, 2) for picture in (now, then, plan))
    return now, then, plan


def _plan(view: View, top: Top, die_mm: float, size: int) -> Image:
    """Where a flat die with this top is seen in its straight picture: the whole outline, and the top."""
    x, y, turn = top
    eye = view.eye
    half = die_mm / 2
    square_mm = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    # The foot's corners as the eye sees them on the plane of the top.
    foot = eye[:2] + (square_mm @ axes + (x, y) - eye[:2]) * (eye[2] - die_mm) / eye[2]
    seen = np.vstack([square_mm, (foot - (x, y)) @ axes.T]) * (SIDE_PX / die_mm) + (size - 1) / 2
    plan: Image = np.zeros((size, size, 2), dtype=np.uint8)
    for channel, points in enumerate((cv2.convexHull(seen.astype(np.float32))[:, 0], seen[:4])):
        layer = np.zeros((size, size), dtype=np.uint8)
        cv2.fillConvexPoly(layer, np.round(points * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        plan[..., channel] = layer
    return plan


def as_blob(nows: Sequence[Image], thens: Sequence[Image], plans: Sequence[Image]) -> Floats:
    """What the network takes: float32 (N, 8, SIZE, SIZE), N at least 1."""
    drawn = np.stack(plans).transpose(0, 3, 1, 2).astype(np.float32) / 128 - 1
    return np.concatenate([planes(nows), planes(thens), drawn], axis=1)


def stances(
    frame: Image, empty: Image, view: View, lights: Light, tops: Sequence[Top], die_mm: float
) -> tuple[Floats, Floats]:
    """(N,) how likely each top's die lies flat, and (N, 6) how likely each value is.

    `frame`, `empty`: BGR uint8 (H, W, 3), the empty photo carried into `view`.
    """
    if not tops:
        return np.zeros(0), np.zeros((0, 6))
    blob = _shown(frame, empty, view, lights, tops, die_mm)
    said = ask("stances", blob)
    flat, pips = _told(said)
    vague = np.minimum(flat, pips.max(axis=1)) < CLEAR
    if vague.any():
        # One that learned from sides told wrongly, too: flat dice that lean to one seldom do to the other.
        said[vague] = (said[vague] + ask("stances-again", blob[vague])) / 2
        flat, pips = _told(said)
    return flat, pips


def flatness(
    frame: Image, empty: Image, view: View, lights: Light, tops: Sequence[Top], die_mm: float
) -> Floats:
    """(N,) the score, by both networks, of each of some tops, at least one, for lying flat; as `stances`."""
    blob = _shown(frame, empty, view, lights, tops, die_mm)
    return np.asarray((ask("stances", blob)[:, 0] + ask("stances-again", blob)[:, 0]) / 2)


def _shown(
    frame: Image, empty: Image, view: View, lights: Light, tops: Sequence[Top], die_mm: float
) -> Floats:
    nows, thens, plans = zip(
        *(straight(frame, empty, view, lights, top, die_mm) for top in tops), strict=True
    )
    return as_blob(nows, thens, plans)


def _told(said: Floats) -> tuple[Floats, Floats]:
    """(N,) how likely each die lies flat, and (N, 6) how likely each value is, from scores (N, 7)."""
    return likely(said[:, 0] + SELDOM), shares(said[:, 1:])
