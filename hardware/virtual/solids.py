"""The things on the drawn table as distance functions: dice and pieces, with what they are painted with."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np

from hardware.virtual.lens import Floats, squares

PAINT: dict[str, tuple[float, float, float]] = {
    "red": (0.62, 0.025, 0.03),
    "blue": (0.02, 0.085, 0.5),
    "green": (0.015, 0.27, 0.075),
    "yellow": (0.85, 0.52, 0.02),
    "white": (0.78, 0.77, 0.73),
    "black": (0.014, 0.014, 0.016),
    "orange": (0.85, 0.19, 0.015),
    "purple": (0.17, 0.035, 0.36),
    "brown": (0.13, 0.05, 0.02),
    "pink": (0.84, 0.2, 0.35),
}
"""Linear RGB of what dice and markers are made of."""

LIGHT_PIPS, DARK_PIPS = (0.8, 0.79, 0.75), (0.012, 0.012, 0.014)
BRASS = (0.78, 0.52, 0.2)

# A western die: opposite faces make 7, and 1, 2, 3 run anticlockwise round their corner.
FACES = {1: (0, 0, 1), 2: (0, 1, 0), 3: (1, 0, 0), 4: (-1, 0, 0), 5: (0, -1, 0), 6: (0, 0, -1)}
_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@dataclass(frozen=True, slots=True)
class Surface:
    """What rays met: linear RGB (n, 3), how much it mirrors and whether as metal does, both (n, 1)."""

    colour: Floats
    mirror: Floats
    metal: Floats


@dataclass(frozen=True)
class Die:
    """A die of `size` mm lying at (x, y) mm with `value` on top, turned by `yaw` degrees."""

    colour: str
    x: float
    y: float
    yaw: float
    value: int
    size: float = 16.0

    @property
    def reach(self) -> float:
        """Half the width of the box around it, in mm."""
        return self.size * 0.71

    @property
    def top(self) -> float:
        return self.size

    def distance(self, points: Floats) -> Floats:
        """How far points (n, 3) in mm are from its skin; below 0 inside."""
        return self._from_faces(np.abs(points @ self._turn() - self._middle()))

    def _from_faces(self, apart: Floats) -> Floats:
        round_off = self.size * 0.11
        beyond = apart - np.float32(self.size / 2 - round_off)
        outside = np.sqrt(squares(np.maximum(beyond, 0))[:, 0])
        deepest = np.maximum(np.maximum(beyond[:, 0], beyond[:, 1]), beyond[:, 2])
        return np.asarray(outside + np.minimum(deepest, 0) - round_off, np.float32)

    def surface(self, points: Floats) -> Surface:
        """The paint and the pips at points (n, 3) on its skin."""
        inner = points @ self._turn() - self._middle()
        paint = np.array(PAINT[self.colour], np.float32)
        colour = np.broadcast_to(paint, inner.shape).copy()
        pip = np.array(DARK_PIPS if paint @ [0.3, 0.6, 0.1] > 0.4 else LIGHT_PIPS, np.float32)
        far, radius = self.size * 0.262, self.size * 0.098
        for value, normal in FACES.items():
            axis = int(np.flatnonzero(normal)[0])
            on_face = inner[:, axis] * normal[axis] > self.size * 0.42
            across = np.delete(inner[on_face], axis, axis=1)
            centres = np.array(_PIPS[value], np.float32) * far
            near = squares(across[:, None, :] - centres)[..., 0].min(1) < radius**2
            colour[np.flatnonzero(on_face)[near]] = pip
        shine = np.full((len(inner), 1), 0.04, np.float32)
        return Surface(colour, shine, np.zeros_like(shine))

    def _middle(self) -> Floats:
        return np.asarray(np.array([self.x, self.y, self.size / 2], np.float32) @ self._turn(), np.float32)

    def _turn(self) -> Floats:
        """Columns: the die's own axes in space, so that `points @ turn` is in the die's own frame."""
        flat: Floats = np.array(
            [
                [cos(radians(self.yaw)), -sin(radians(self.yaw)), 0],
                [sin(radians(self.yaw)), cos(radians(self.yaw)), 0],
                [0, 0, 1],
            ]
        )
        return np.asarray(flat @ _UPRIGHT[self.value], np.float32)


def _upright(value: int) -> Floats:
    """The rotation that brings the face `value` to the top."""
    face, up = np.array(FACES[value], float), np.array([0.0, 0.0, 1.0])
    if abs(face[2]) == 1:
        return np.asarray(np.diag([1.0, face[2], face[2]]), np.float32)
    third = np.cross(face, up)
    return np.asarray(np.outer(up, face) - np.outer(face, up) + np.outer(third, third), np.float32)


_UPRIGHT = {value: _upright(value) for value in FACES}


@dataclass(frozen=True)
class Piece:
    """A brass cup standing at (x, y) mm, with a coloured marker plugged in or none."""

    x: float
    y: float
    diameter: float = 19.0
    height: float = 12.5
    marker: str | None = None

    @property
    def reach(self) -> float:
        return self.diameter / 2

    @property
    def top(self) -> float:
        return self.height + (3.5 if self.marker else 0.0)

    def distance(self, points: Floats) -> Floats:
        """How far points (n, 3) in mm are from its skin; below 0 inside."""
        out, up = self._profile(points)
        cup = np.maximum(
            _bar(out, up, self.diameter / 2, 0, self.height, 0.9),
            -_bar(out, up, self.diameter * 0.33, 3.5, self.height + 9, 0.8),
        )
        # A groove below the rim catches the light and tells the rim from the side.
        groove = np.hypot(out - self.diameter / 2, up - self.height * 0.68) - 0.8
        cup = np.maximum(cup, -groove)
        return np.asarray(np.minimum(cup, self._plug(out, up)) if self.marker else cup, np.float32)

    def surface(self, points: Floats) -> Surface:
        """Brass, or the marker's colour, at points (n, 3) on its skin."""
        out, up = self._profile(points)
        colour = np.broadcast_to(np.array(BRASS, np.float32), points.shape).copy()
        metal = np.ones((len(points), 1), np.float32)
        mirror = np.ones_like(metal)
        if self.marker:
            plug = self._plug(out, up) < 0.15
            colour[plug], metal[plug], mirror[plug] = PAINT[self.marker], 0, 0.05
        else:
            floor = (out < self.diameter * 0.33) & (up < self.height - 1.0)
            colour[floor] *= np.clip(up[floor] / self.height, 0.3, 1)[:, None]
        return Surface(colour, mirror, metal)

    def _profile(self, points: Floats) -> tuple[Floats, Floats]:
        out: Floats = np.hypot(points[:, 0] - np.float32(self.x), points[:, 1] - np.float32(self.y))
        return out, points[:, 2]

    def _plug(self, out: Floats, up: Floats) -> Floats:
        return _bar(out, up, self.diameter * 0.32, 3.0, self.top, 1.6)


def _bar(out: Floats, up: Floats, radius: float, low: float, high: float, round_off: float) -> Floats:
    """Distance from an upright cylinder with rounded edges."""
    beside = out - np.float32(radius - round_off)
    above = np.abs(up - np.float32((low + high) / 2)) - np.float32((high - low) / 2 - round_off)
    outside = np.hypot(np.maximum(beside, 0), np.maximum(above, 0))
    return np.asarray(outside + np.minimum(np.maximum(beside, above), 0) - round_off, np.float32)
