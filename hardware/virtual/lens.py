"""The pinhole camera above the drawn table: millimetres to pixels and back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import cos, radians, sin, tan
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Lens:
    """A camera `height_mm` above the table, tilted off the vertical towards `azimuth_deg`.

    Space is in millimetres: x right and y down as seen from above, z up from the table.
    Pixels are (x, y) from the top left of a `width` x `height` frame. `k1` bends the picture
    (below 0: barrel).
    """

    height_mm: float = 556.0
    tilt_deg: float = 3.2
    azimuth_deg: float = 118.0
    turn_deg: float = -4.0
    look_mm: tuple[float, float] = (14.0, -1.0)
    field_of_view_deg: float = 63.0
    k1: float = -0.045
    width: int = 1536
    height: int = 864

    @cached_property
    def focal_px(self) -> float:
        return self.width / 2 / tan(radians(self.field_of_view_deg) / 2)

    @cached_property
    def eye(self) -> Floats:
        """Where the camera is, in mm."""
        away = self.height_mm * tan(radians(self.tilt_deg))
        along = radians(self.azimuth_deg)
        x, y = self.look_mm
        return np.array([x + away * cos(along), y + away * sin(along), self.height_mm], np.float32)

    @cached_property
    def axes(self) -> Floats:
        """Unit vectors in rows: right in the picture, down in the picture, away from the camera."""
        ahead = np.array([*self.look_mm, 0.0]) - self.eye
        ahead /= np.linalg.norm(ahead)
        right = np.array([cos(radians(self.turn_deg)), sin(radians(self.turn_deg)), 0.0])
        right -= ahead * (right @ ahead)
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(right, ahead), ahead]).astype(np.float32)

    def pixels(self, points: npt.ArrayLike) -> Floats:
        """Where points (..., 3) in mm appear, (..., 2) in pixels."""
        away = (np.asarray(points, np.float32) - self.eye) @ self.axes.T
        flat = away[..., :2] / away[..., 2:]
        bent = flat * (1 + self.k1 * squares(flat))
        return np.asarray(bent * np.float32(self.focal_px) + self._middle, np.float32)

    def rays(self, pixels: npt.ArrayLike) -> Floats:
        """Directions (..., 3) from the eye through pixels (..., 2), of length 1."""
        away = self._away(pixels)
        return np.asarray(away / np.sqrt(squares(away)), np.float32)

    def on_table(self, pixels: npt.ArrayLike) -> Floats:
        """Where the rays through pixels (..., 2) meet the table: x, y in mm."""
        away = self._away(pixels)
        far = -self.eye[2] / away[..., 2:]
        return np.asarray(self.eye[:2] + far * away[..., :2], np.float32)

    @property
    def _middle(self) -> Floats:
        return np.array([self.width / 2, self.height / 2], np.float32)

    def _away(self, pixels: npt.ArrayLike) -> Floats:
        bent = (np.asarray(pixels, np.float32) - self._middle) / np.float32(self.focal_px)
        flat = bent
        for _ in range(4):
            flat = bent / (1 + self.k1 * squares(flat))
        return np.asarray(flat @ self.axes[:2] + self.axes[2], np.float32)

    def grid(self, left: int, top: int, width: int, height: int, fine: int = 1) -> Floats:
        """Pixel positions (height * fine, width * fine, 2) of a patch, `fine` samples per pixel each way."""
        xs = left - 0.5 + (np.arange(width * fine) + 0.5) / fine
        ys = top - 0.5 + (np.arange(height * fine) + 0.5) / fine
        return np.stack(np.meshgrid(xs, ys), axis=-1).astype(np.float32)


def squares(vectors: Floats) -> Floats:
    """The squared lengths (..., 1) of vectors (..., n); many times faster than summing the last axis."""
    sums: Floats = np.einsum("...i,...i->...", vectors, vectors)
    return sums[..., None]
