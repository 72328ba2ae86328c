"""What the network of the stances is shown: a die's top laid straight, as it must look if the die lies flat.

The middle and the turn of the top are known by now. So the square is cut along the die's own sides, and
of its four turns (and their mirror pictures) the one is taken in which the camera looks aside towards the
lower right: whatever then is not the picture of a flat die belongs to one that leans.
"""

from __future__ import annotations

import numpy as np

from vision.face_net import Answer
from vision.geometry import Floats, Image, View
from vision.squares import lean

SIDE_PX = 28.0
"""Pixels of a die's side in the picture."""
SIZE = 56
"""Pixels of the picture: two dice wide."""


def straight_turn(view: View, top: Answer, die_mm: float) -> tuple[float, tuple[float, float], bool]:
    """The turn to cut at, the lean as seen then (both parts 0 or more), and whether to mirror x with y."""
    x, y = lean(view, (top.x, top.y), die_mm)
    towards = np.arctan2(y, x)
    turn = top.turn + np.floor((towards - top.turn) / (np.pi / 2)) * np.pi / 2
    far, left = np.hypot(x, y), towards - turn
    across, down = float(far * np.cos(left)), float(far * np.sin(left))
    return float(turn), (max(across, down), min(across, down)), down > across


def upright(picture: Image, mirrored: bool) -> Image:
    """The picture, x and y exchanged where it is mirrored."""
    return picture.transpose(1, 0, 2) if mirrored else picture


def told(said: Floats) -> tuple[Floats, Floats]:
    """The network's seven numbers a die: (N,) how likely it lies flat, (N, 6) how likely each value is."""
    flat = 1 / (1 + np.exp(-np.clip(said[:, 0], -40, 40)))
    pips = np.exp(said[:, 1:7] - said[:, 1:7].max(axis=1, keepdims=True))
    return flat, pips / pips.sum(axis=1, keepdims=True)
