"""What the networks of the towers are shown and what they answer: how many pieces stand under a lid.

A lid that stands on other pieces looks much like one that stands on the board; what tells is how much of its
side is seen below it, how long its shadow is, and that the others of the frame look different. So each lid
is cut from the frame at the photo's whole size and laid straight, away from the camera's own foot upwards,
and beside it is drawn what a tower of each height must cover. The second network is told what the first made
of a lid, and of the others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.geometry import Floats, Image, View
from vision.hues import in_hues
from vision.light import Light
from vision.maps import Peak
from vision.nets import ask_beside
from vision.ring_net import LEVELS
from vision.spots import Place
from vision.squares import Square, now_and_then

SIZE = 72
"""Pixels of the picture."""
LID_PX = 28.0
"""Pixels of a piece's diameter in it: two and a half are to be seen."""
CHANNELS = 6 + 1 + LEVELS + 3
SIDES, TEMPERS, MEAN_TEMPERS = (0.2, 0.3), (1.25, 0.5), (0.8, 0.65)
"""Where so much of a single piece's side is seen (in diameters), the scores are divided by so much, and by
something between in between: how high a lid is shows by what is seen below it. The mean of two pairs of
networks, which learned from different sets, is surer than one."""
COMMONER, BELIEVED = (2.0, 0.0, -2.0, -2.0), 0.25
"""What is added to the scores then, and by what the log odds that the network of the pieces gives for a lid
are multiplied beside them. All fitted on sessions that neither learned from."""


def laid(view: View, seen: Place) -> tuple[float, float]:
    """How a square is turned to lie straight, radians; how far from the camera's foot, in its height."""
    away = np.array(seen) - view.eye[:2]
    return float(np.arctan2(away[0], -away[1])), float(np.hypot(*away) / view.eye[2])


def as_blob(
    frames: Sequence[Image], empties: Sequence[Image], turns: Sequence[float], sides: Sequence[float]
) -> Floats:
    """What the first network takes, float32 (N, CHANNELS, SIZE, SIZE), N at least 1.

    `turns`: by how many radians each was turned; `sides`: how much of a single piece's side is seen, in
    diameters.
    """
    n = len(frames)
    told = np.empty((n, 3, SIZE, SIZE), dtype=np.float32)
    told[:] = np.array([np.cos(turns), np.sin(turns), sides]).T[:, :, None, None]
    return np.concatenate([in_hues(frames), in_hues(empties), covers(np.array(sides)), told], axis=1)


def covers(sides: Floats) -> Floats:
    """(N, 1 + LEVELS, SIZE, SIZE): what a lid covers, and a tower of each height with its lid there."""
    across = np.arange(SIZE, dtype=np.float32) - (SIZE - 1) / 2
    below = LID_PX * sides[:, None] * np.arange(1 + LEVELS)
    # The nearest point of the line from the lid's middle to the foot's.
    down = across - np.clip(across, 0, below[..., None])
    away = np.sqrt((across**2 + down[..., None] ** 2).astype(np.float32))
    return np.asarray(np.clip(LID_PX / 2 - away + 0.5, 0, 1), dtype=np.float32)


def show(
    frame: Image,
    empty: Image,
    lights: Light,
    view: View,
    lids: Sequence[Place],
    piece_mm: tuple[float, float],
) -> Floats:
    """What the first network takes of the lids seen there, mm on the plane of the lowest ones, at least one.

    `frame`, `empty`: BGR uint8 (H, W, 3), the empty photo carried into `view`.
    """
    diameter, height = piece_mm
    scale = diameter / LID_PX
    frames, empties, turns, sides = [], [], [], []
    for lid in lids:
        turn, away = laid(view, lid)
        now, then = now_and_then(frame, empty, lights, view, Square(lid, height, scale, SIZE, turn))
        frames.append(now)
        empties.append(then)
        turns.append(turn)
        sides.append(away * height / diameter)
    return as_blob(frames, empties, turns, sides)


def mirrored(blob: Floats) -> Floats:
    """The same lids as a mirror shows them, left for right; they stand as high."""
    other = blob[..., ::-1].copy()
    other[:, -2] *= -1  # the sine of what they were turned by
    return other


def look_closely(
    lids: Sequence[Peak],
    frame: Image,
    empty: Image,
    lights: Light,
    view: View,
    piece_mm: tuple[float, float],
    thoroughly: bool = True,
) -> list[Peak]:
    """The same lids, with how likely each is none, or how high, now that the networks have seen it so.

    `thoroughly`: by a second pair of networks as well, and by both in a mirror, which takes four times as
    long.
    """
    if not lids:
        return []
    blob = show(frame, empty, lights, view, [(x, y) for x, y, _ in lids], piece_mm)
    if thoroughly:
        views = (blob, mirrored(blob))
        said = sum(ask_beside(pair, view) for pair in ("towers", "towers-again") for view in views) / 4
    else:
        said = ask_beside("towers", blob)
    temper = np.interp(blob[:, -1, 0, 0], SIDES, MEAN_TEMPERS if thoroughly else TEMPERS)[:, None]
    told = said / temper + np.array(COMMONER)
    told = np.exp(told - told.max(axis=1, keepdims=True))
    closer = []
    for (x, y, (nothing, *_)), how in zip(lids, told, strict=True):
        odds = np.array([nothing, *[1 - nothing] * LEVELS]) ** BELIEVED * how
        closer.append((x, y, tuple((odds / odds.sum()).tolist())))
    return closer
