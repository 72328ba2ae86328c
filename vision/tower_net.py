"""What the networks of the towers are shown and what they answer: how many pieces stand under a lid.

A lid that stands on other pieces looks much like one that stands on the board; what tells is how much of its
side is seen below it, how long its shadow is, and that the others of the frame look different. So each lid
is cut from the frame at the photo's whole size and laid straight, away from the camera's own foot upwards,
and beside it is drawn what a tower of each height must cover. The second network is told what the first made
of a lid, and of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats, Image, View
from vision.hues import in_hues
from vision.light import Light
from vision.maps import Peak
from vision.nets import ask_beside
from vision.ring_net import LEVELS
from vision.spots import Place
from vision.squares import Square, now_and_then


@dataclass(frozen=True, slots=True)
class Cut:
    """How a lid is cut out: pixels of the picture, and of a piece's diameter in it."""

    size: int
    lid_px: float


COARSE, FINE = Cut(72, 28.0), Cut(88, 40.0)
"""A piece is some 50 pixels wide in a photo of 1536 x 864, and how high it stands shows by few of them; but
the finer pairs are fooled sooner by what a set they do not know mirrors."""
CHANNELS = 6 + 1 + LEVELS + 3
SIDES = (0.2, 0.3)


@dataclass(frozen=True, slots=True)
class Panel:
    """Pairs of networks that are asked together, what they are shown, and how far their mean is believed.

    `tempers`: what its scores are divided by where so much of a single piece's side is seen as in SIDES, in
    diameters, and by something between in between: how high a lid is shows by what is seen below it.
    `commoner`: what is added to the scores then. All fitted on sessions that none of them learned from.
    """

    pairs: tuple[str, ...]
    cut: Cut
    in_mirror: bool
    tempers: tuple[float, float]
    commoner: tuple[float, ...]


QUICK = Panel(("towers",), COARSE, False, (1.25, 0.5), (2.0, 0.0, -2.0, -2.0))
COARSELY = Panel(("towers", "towers-again"), COARSE, True, (0.8, 0.65), (2.0, 0.0, -2.0, -2.0))
FINELY = Panel(("towers-fine", "towers-fine-again"), FINE, True, (0.8, 0.6), (2.0, 0.0, -0.5, -0.5))
"""Pairs that learned from other sets are surer together than one. The finer ones learned from frames, too, in
which no piece stands alone that others could be told from."""
BELIEVED = 0.25
"""What the log odds that the network of the pieces gives for a lid are multiplied by beside them."""


def laid(view: View, seen: Place) -> tuple[float, float]:
    """How a square is turned to lie straight, radians; how far from the camera's foot, in its height."""
    away = np.array(seen) - view.eye[:2]
    return float(np.arctan2(away[0], -away[1])), float(np.hypot(*away) / view.eye[2])


def as_blob(
    cut: Cut,
    frames: Sequence[Image],
    empties: Sequence[Image],
    turns: Sequence[float],
    sides: Sequence[float],
) -> Floats:
    """What the first network of a pair takes, float32 (N, CHANNELS, size, size), N at least 1.

    `turns`: by how many radians each was turned; `sides`: how much of a single piece's side is seen, in
    diameters.
    """
    n = len(frames)
    told = np.empty((n, 3, cut.size, cut.size), dtype=np.float32)
    told[:] = np.array([np.cos(turns), np.sin(turns), sides]).T[:, :, None, None]
    return np.concatenate([in_hues(frames), in_hues(empties), covers(cut, np.array(sides)), told], axis=1)


def covers(cut: Cut, sides: Floats) -> Floats:
    """(N, 1 + LEVELS, size, size): what a lid covers, and a tower of each height with its lid there."""
    across = np.arange(cut.size, dtype=np.float32) - (cut.size - 1) / 2
    below = cut.lid_px * sides[:, None] * np.arange(1 + LEVELS)
    # The nearest point of the line from the lid's middle to the foot's.
    down = across - np.clip(across, 0, below[..., None])
    away = np.sqrt((across**2 + down[..., None] ** 2).astype(np.float32))
    return np.asarray(np.clip(cut.lid_px / 2 - away + 0.5, 0, 1), dtype=np.float32)


def show(
    cut: Cut,
    frame: Image,
    empty: Image,
    lights: Light,
    view: View,
    lids: Sequence[Place],
    piece_mm: tuple[float, float],
) -> Floats:
    """What the first network of a pair takes of the lids seen there, at least one, mm on the plane of the
    lowest ones.

    `frame`, `empty`: BGR uint8 (H, W, 3), the empty photo carried into `view`.
    """
    diameter, height = piece_mm
    scale = diameter / cut.lid_px
    frames, empties, turns, sides = [], [], [], []
    for lid in lids:
        turn, away = laid(view, lid)
        now, then = now_and_then(frame, empty, lights, view, Square(lid, height, scale, cut.size, turn))
        frames.append(now)
        empties.append(then)
        turns.append(turn)
        sides.append(away * height / diameter)
    return as_blob(cut, frames, empties, turns, sides)


def mirrored(blob: Floats) -> Floats:
    """The same lids as a mirror shows them, left for right; they stand as high."""
    other = blob[..., ::-1].copy()
    other[:, -2] *= -1  # the sine of what they were turned by
    return other


def look_closely(
    panel: Panel,
    lids: Sequence[Peak],
    frame: Image,
    empty: Image,
    lights: Light,
    view: View,
    piece_mm: tuple[float, float],
) -> Floats:
    """(N, 1 + LEVELS) scores of at least one lid: that it is none, and each height, as a panel sees it."""
    blob = show(panel.cut, frame, empty, lights, view, [(x, y) for x, y, _ in lids], piece_mm)
    views = (blob, mirrored(blob)) if panel.in_mirror else (blob,)
    said = np.mean([ask_beside(pair, seen) for pair in panel.pairs for seen in views], axis=0)
    temper = np.interp(blob[:, -1, 0, 0], SIDES, panel.tempers)[:, None]
    return np.asarray(said / temper + np.array(panel.commoner))


def told(lids: Sequence[Peak], scores: Sequence[Floats]) -> list[Peak]:
    """The same lids, with how likely each is none, or how high, by the mean of what panels said of them."""
    means = np.mean(scores, axis=0)
    heights = np.exp(means - means.max(axis=1, keepdims=True))
    closer = []
    for (x, y, (nothing, *_)), how in zip(lids, heights, strict=True):
        odds = np.array([nothing, *[1 - nothing] * LEVELS]) ** BELIEVED * how
        closer.append((x, y, tuple((odds / odds.sum()).tolist())))
    return closer
