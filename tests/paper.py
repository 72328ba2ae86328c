"""A photo of a board whose paper does not lie flat: it rises along a fold, or at a corner."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.geometry import Floats, Image, square
from vision.profile import Profile

Height = Callable[[Floats, Floats], Floats]
"""How many mm up the paper lies at x and y, mm from the board's middle."""
EDGE = 1.005
"""The paper ends so many halves of the board from its middle."""


def fold(up: float, wide: float = 70.0) -> Height:
    """Along a line from top to bottom, where two halves meet; it slopes so many mm to both sides."""
    return lambda x, _: up * np.clip(1 - abs(x) / wide, 0, 1)


def corner(up: float, half_mm: float, reach: float = 130.0) -> Height:
    """At the corner below on the right, curled."""
    return lambda x, y: up * np.clip(1 - np.hypot(x - half_mm, y - half_mm) / reach, 0, 1) ** 2


def bumps(up: float, half_mm: float, seed: int) -> Height:
    """Here and there, as of paper that was rolled."""
    rng = np.random.default_rng(seed)
    made = [(*rng.uniform(-half_mm, half_mm, 2), rng.uniform(45, 100)) for _ in range(4)]
    return lambda x, y: sum(
        (up * np.exp(-((x - a) ** 2 + (y - b) ** 2) / (2 * wide**2)) for a, b, wide in made),
        start=np.zeros_like(x),
    )


def on_paper(photo: Image, known: Profile, height: Height) -> Image:
    """The photo, BGR uint8 (H, W, 3), with all that lies on its board seen as if the paper lay so high.

    A lamp at 45 degrees makes slopes lighter and darker; the table around the paper stays.
    """
    view, (high, wide) = known.view, photo.shape[:2]
    pixels = np.stack(np.meshgrid(np.linspace(0, wide - 1, 97), np.linspace(0, high - 1, 55)), axis=-1)
    mm = view.unproject(pixels.reshape(-1, 2))
    up = height(mm[:, 0], mm[:, 1])
    off = view.project(np.column_stack([mm, up])) - pixels.reshape(-1, 2)
    rows = np.column_stack([off, up]).reshape(55, 97, 3).astype(np.float32)
    told = cv2.resize(rows, (wide, high))
    across, down = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
    from_x, from_y = across, down
    for _ in range(5):  # where what is seen here lay: there is as far from here as it is shifted there
        there = cv2.remap(told, from_x, from_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        from_x, from_y = across - there[..., 0], down - there[..., 1]
    paper = np.zeros((high, wide), np.float32)
    cv2.fillConvexPoly(paper, view.project(square(EDGE * known.layout.half_mm)).round().astype(np.int32), 1)
    on = cv2.remap(paper, from_x, from_y, cv2.INTER_LINEAR)[..., None]
    slope_y, slope_x = np.gradient(cv2.GaussianBlur(there[..., 2], (0, 0), 3))
    light = 1 + (0.8 * slope_x + 0.6 * slope_y) * view.pixels_per_mm()
    bent = cv2.remap(photo, from_x, from_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    lit = np.clip(bent * np.clip(light, 0.3, 2)[..., None] ** (1 / 2.2), 0, 255)
    return np.asarray(lit * on + photo * (1 - on), dtype=np.uint8)
