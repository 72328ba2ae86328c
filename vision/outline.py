"""The outline of a die's top face, laid flat: how it is turned, and whether it is blurred along one way."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Floats, Image, View
from vision.squares import Square, cut_out

SIDE_PX = 24
"""Pixels a die's side has in the flattened picture: near what photographs of a table give."""
NEAR = 1.34
"""How much is flattened around a guess, in die sides: the middle is found within 0.23 of a side."""
_AROUND, _STEEP = 1.5, 60.0
_ACROSS = (np.arange(round(SIDE_PX * _AROUND)) - (round(SIDE_PX * _AROUND) - 1) / 2) / SIDE_PX
_AWAY = np.hypot(*np.meshgrid(_ACROSS, _ACROSS))
_RIM = np.flatnonzero((_AWAY > 0.38) & (_AWAY < 0.6))
"""The pixels of the ring in which the outline of a square of one side runs, whatever its turn."""


def flatten(
    frame: Image, view: View, at: tuple[float, float], turn: float, die_mm: float, span: float = NEAR
) -> Image:
    """The square, `span` die sides wide, around `at` (mm) on the top faces' plane, turned back by `turn`."""
    return cut_out(frame, view, Square(at, die_mm, die_mm / SIDE_PX, round(SIDE_PX * span), turn))


def turn_of(frame: Image, view: View, at: tuple[float, float], die_mm: float) -> float:
    """How the square around `at` (mm) is turned, 0 to pi/2 radians: where most of its outline runs.

    The angles of the gradients are taken four times, so that all four sides say the same. On 650 rendered
    faces within 0.7 degrees at the middle; the pips' pattern gives 1.2, and nothing where it is one pip.
    """
    slopes = _slopes(frame, view, at, die_mm)
    steep = np.maximum(abs(slopes), 1e-9)
    fourth = ((slopes / steep) ** 2) ** 2  # any other power of complex numbers takes ten times as long
    sides = (np.minimum(steep, _STEEP) * fourth).sum()
    return float(np.angle(sides) / 4 % (np.pi / 2))


def evenly_sharp(frame: Image, view: View, at: tuple[float, float], die_mm: float) -> float:
    """How steep the outline of the square around `at` (mm) is where it is least, as a share of where it is
    most, 0 to 1: what slides while the photo is taken is blurred along its way, and only there.

    Both are eigenvalues of the structure tensor: the angles of the gradients are taken twice (Bigun and
    Granlund 1987).
    """
    slopes = _slopes(frame, view, at, die_mm)
    one_way, every_way = abs((slopes**2).sum()), (abs(slopes) ** 2).sum()
    return float((every_way - one_way) / max(every_way + one_way, 1e-9))


def _slopes(frame: Image, view: View, at: tuple[float, float], die_mm: float) -> Floats:
    """(N,) complex: how steep the picture is across, and down, where the outline of the square around `at`
    may run; of the channel that is steepest there."""
    patch = cv2.GaussianBlur(flatten(frame, view, at, 0.0, die_mm, _AROUND), (0, 0), 0.8)
    across, down = (
        cv2.Sobel(patch, cv2.CV_32F, *way).reshape(-1, 3).take(_RIM, axis=0) for way in ((1, 0), (0, 1))
    )
    steepest = np.arange(len(_RIM)), (across**2 + down**2).argmax(axis=1)
    return np.asarray(across[steepest] + 1j * down[steepest])
