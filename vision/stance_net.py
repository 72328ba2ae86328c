"""Whether dice lie flat: each top laid straight, as it must look if its die does, and shown to a network.

The middle and the turn of the top are known by now. So the square is cut along the die's own sides, and
of its four turns (and their mirror pictures) the one is taken in which the camera looks aside towards the
lower right: whatever then is not the picture of a flat die belongs to one that leans.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.geometry import Floats, Image, View
from vision.light import Light
from vision.nets import ask, likely
from vision.squares import as_blob, lean, lit_square, square

SIDE_PX = 28.0
"""Pixels of a die's side in the picture."""
SIZE = 56
"""Pixels of the picture: two dice wide."""
Top = tuple[float, float, float]
"""Middle (x, y) mm and turn in radians of a top face."""


def straight(
    frame: Image, empty: Image, view: View, lights: Light, top: Top, die_mm: float, size: int = SIZE
) -> tuple[Image, Image, tuple[float, float]]:
    """The top in the frame and its place in the empty photo, BGR uint8 (size, size, 3), in one light, laid
    straight; and how far aside the camera looks then (x, y), both 0 or more and x the larger."""
    x, y, turn = top
    aside = lean(view, (x, y), die_mm)
    towards = np.arctan2(aside[1], aside[0])
    turn += float(np.floor((towards - turn) / (np.pi / 2)) * np.pi / 2)
    far = np.hypot(*aside)
    across, down = float(far * np.cos(towards - turn)), float(far * np.sin(towards - turn))
    scale = die_mm / SIDE_PX
    now = lit_square(frame, lights, view, (x, y), die_mm, scale, size, turn)
    then = square(empty, view, (x, y), die_mm, scale, size, turn=turn)
    if down > across:
        now, then = now.transpose(1, 0, 2), then.transpose(1, 0, 2)
    return now, then, (max(across, down), min(across, down))


def stances(
    frame: Image, empty: Image, view: View, lights: Light, tops: Sequence[Top], die_mm: float
) -> tuple[Floats, Floats]:
    """(N,) how likely each top's die lies flat, and (N, 6) how likely each value is.

    `frame`, `empty`: BGR uint8 (H, W, 3), the empty photo carried into `view`.
    """
    if not tops:
        return np.zeros(0), np.zeros((0, 6))
    cut = [straight(frame, empty, view, lights, top, die_mm) for top in tops]
    said = ask(
        "stances", as_blob([now for now, _, _ in cut], [then for _, then, _ in cut], [a for _, _, a in cut])
    )
    pips = np.exp(said[:, 1:7] - said[:, 1:7].max(axis=1, keepdims=True))
    return likely(said[:, 0]), pips / pips.sum(axis=1, keepdims=True)
