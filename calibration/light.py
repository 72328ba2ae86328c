"""Two photos of one table in one light: lamps, exposure and white balance drift between photographs."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bands import band_terms, bands_in, lighter_rows
from vision.geometry import Floats, Image

SMALL = 8
"""The light is compared on pictures this many times smaller: it changes slowly over a table."""
USUAL_CURVE, MOST_CURVE = 0.15, 2.0
"""How much the tone curve of two photos may differ (the exponent; cameras choose it by themselves); and how
many times at most, whatever seems to fit: of a cloth over the board none does."""
SCALES = (0.4, 0.25, 0.15, 0.1, 0.06, 0.06, 0.06)
"""How far, as a log, a pixel may be off and still have a quarter of its say, wide first."""


def in_light_of(empty: Image, photo: Image) -> Image:
    """`photo` as it would look in the light of `empty`; both BGR uint8 (H, W, 3), of one view.

    For each channel a gain that bends slowly over the table (a polynomial of second order: a lamp
    moved, a shadow of somebody who leans over), with bands where a lamp flickers, and an exponent
    (another tone curve). Fitted by least squares on logarithms, weighed anew (Geman and McClure), so
    that what lies on the table has no say.
    """
    height, width = empty.shape[:2]
    size = (max(width // SMALL, 8), max(height // SMALL, 8))
    now, then = (cv2.resize(one, size, interpolation=cv2.INTER_AREA).reshape(-1, 3) for one in (photo, empty))
    terms, on_its_side = _terms(*size), height > width
    fits = _fits(now, then, terms)
    rows = [lighter_rows(off, weight, usable, size, on_its_side) for _, off, weight, usable in fits]
    if cycles := bands_in(np.mean(rows, axis=0)):
        terms = np.hstack([terms, band_terms(cycles, size, on_its_side)])
        fits = _fits(now, then, terms)
    lit = np.empty_like(photo)
    for channel, (numbers, *_) in enumerate(fits):
        gain = np.exp(-(terms @ numbers[1:]).reshape(size[::-1]) / numbers[0]).astype(np.float32)
        gain = cast(Floats, cv2.resize(gain, (width, height), interpolation=cv2.INTER_LINEAR))
        curve = np.arange(256, dtype=np.float32) ** np.float32(1 / numbers[0])
        lit[..., channel] = np.clip(curve[photo[..., channel]] * gain + 0.5, 0, 255)
    return lit


def _terms(width: int, height: int) -> Floats:
    """(pixels, 6): the second order polynomial in x and y, each from -1 to 1."""
    y, x = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).reshape(-1, 6)


Fit = tuple[Floats, Floats, Floats, NDArray[np.bool_]]
"""Numbers, what is left of each usable pixel, what say it has, and which pixels are usable."""


def _fits(now: Image, then: Image, terms: Floats) -> list[Fit]:
    """That of each channel of two photos, (pixels, 3)."""
    return [_fit(now[:, channel], then[:, channel], terms) for channel in range(3)]


def _fit(now: Image, then: Image, terms: Floats) -> Fit:
    """Numbers (1 + terms,): log now = exponent * log then + terms; one light where nothing is to be seen."""
    usable = np.asarray((now > 8) & (now < 245) & (then > 8) & (then < 245))
    numbers = np.array([1.0, *np.zeros(terms.shape[1])])
    rows = np.hstack([np.log(then[usable].astype(np.float64))[:, None], terms[usable]])
    wanted = np.log(now[usable].astype(np.float64))
    left, weight = np.zeros(len(wanted)), np.ones(len(wanted))
    if usable.sum() < 200:
        return numbers, left, weight, usable
    numbers[1] = np.median(wanted - rows[:, 0])
    # What is usual weighs like a few hundred pixels: a table of one tone says nothing about a curve.
    usual = np.diag([1.0 / USUAL_CURVE**2, 0.0] + [1 / 0.5**2] * (terms.shape[1] - 1))
    for scale in SCALES:
        left = wanted - rows @ numbers
        weight = 1 / (1 + (left / scale) ** 2) ** 2 / scale**2
        weighed = rows * weight[:, None]
        numbers = np.linalg.solve(rows.T @ weighed + usual, weighed.T @ wanted + usual[0] * 1.0)
        numbers[0] = np.clip(numbers[0], 1 / MOST_CURVE, MOST_CURVE)
    return numbers, left, weight, usable
