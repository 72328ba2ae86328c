"""Two photos of one table in one light: lamps, exposure and white balance drift between photographs."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from vision.geometry import Floats, Image

SMALL = 8
"""The light is compared on pictures this many times smaller: it changes slowly over a table."""
USUAL_CURVE, MOST_CURVE = 0.15, 2.0
"""How much the tone curve of two photos may differ (the exponent; cameras choose it by themselves); and how
many times at most, whatever seems to fit: of a cloth over the board none does."""


def in_light_of(empty: Image, photo: Image) -> Image:
    """`photo` as it would look in the light of `empty`; both BGR uint8 (H, W, 3), of one view.

    For each channel a gain that bends slowly over the table (a polynomial of second order: a lamp
    moved, a shadow of somebody who leans over) and an exponent (another tone curve). Fitted by least
    squares on logarithms, weighed anew (Geman and McClure), so that what lies on the table has no say.
    """
    height, width = empty.shape[:2]
    size = (max(width // SMALL, 8), max(height // SMALL, 8))
    now, then = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (photo, empty))
    terms = _terms(*size)
    lit = np.empty_like(photo)
    for channel in range(3):
        numbers = _fit(now[..., channel].ravel(), then[..., channel].ravel(), terms)
        gain = np.exp(-(terms @ numbers[1:]).reshape(size[::-1]) / numbers[0]).astype(np.float32)
        gain = cast(Floats, cv2.resize(gain, (width, height), interpolation=cv2.INTER_LINEAR))
        curve = np.arange(256, dtype=np.float32) ** np.float32(1 / numbers[0])
        lit[..., channel] = np.clip(curve[photo[..., channel]] * gain + 0.5, 0, 255)
    return lit


def _terms(width: int, height: int) -> Floats:
    """(pixels, 6): the second order polynomial in x and y, each from -1 to 1."""
    y, x = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).reshape(-1, 6)


def _fit(now: Floats, then: Floats, terms: Floats) -> Floats:
    """(7,): log now = exponent * log then + polynomial; the same light where nothing is to be seen."""
    usable = (now > 8) & (now < 245) & (then > 8) & (then < 245)
    numbers = np.array([1.0, *np.zeros(terms.shape[1])])
    if usable.sum() < 200:
        return numbers
    rows = np.hstack([np.log(then[usable])[:, None], terms[usable]])
    wanted = np.log(now[usable].astype(np.float64))
    numbers[1] = np.median(wanted - rows[:, 0])
    usual = np.zeros((7, 7))
    # What is usual weighs like a few hundred pixels: a table of one tone says nothing about a curve.
    usual[0, 0] = 1.0 / USUAL_CURVE**2
    usual[2:, 2:] = np.eye(5) / 0.5**2
    for scale in (0.4, 0.25, 0.15, 0.1, 0.06, 0.06, 0.06):
        left = wanted - rows @ numbers
        weight = 1 / (1 + (left / scale) ** 2) ** 2 / scale**2
        weighed = rows * weight[:, None]
        numbers = np.linalg.solve(rows.T @ weighed + usual, weighed.T @ wanted + usual[0] * 1.0)
        numbers[0] = np.clip(numbers[0], 1 / MOST_CURVE, MOST_CURVE)
    return numbers
