"""The light of a frame against that of the empty photo: smooth over the picture, as lamps and shadows are.

A lamp that was moved, or a person between it and the table, makes one side of the picture darker. So
the ratio of both photos is fitted with a low polynomial of the place in the picture, and with bands
where a lamp flickers. These can follow no piece, die or hand; what does not fit has no say (weights of
Geman and McClure, narrowed in steps).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.bands import band_terms, bands_in, lighter_rows, middles
from vision.geometry import Floats, Image
from vision.median import median
from vision.once import once

DEGREE = 4
_COARSE = (48, 27)
"""Samples across and down: each the mean of a square of pixels."""
_GRID = (25, 15)
"""Places across and down at which the light is worked out; between them it is interpolated."""
_FINE = (100, 100)
"""The same where there are bands: nine of them take eleven places each."""
_BETTER = 1.02
"""By so much more of the samples must fit with bands. Of 110 frames into which some of 3 % of the light were
drawn 99 are told by that (1.021 and more), of those in ten other forms and in an arm's shadow two."""
_WIDTHS = (0.4, 0.25, 0.15, 0.1), (0.15, 0.1, 0.07, 0.05)
"""How far, as a share, a sample may be off and still have a fourth of its say, wide first: of a plane, then
of all the polynomial. That alone would bend to where a large shadow lies, and what is beside it look lit."""
_ENDS = (6, 16, 40)
"""One in so many of the samples are the lightest, and the darkest: much of a board is often of one tone."""
_STIFF = 1e-4
"""What bends cost, as a share of the samples, more for higher powers: plain where nothing is seen."""
_EACH = np.full(3, 1 / 3)
"""Times this, the mean of three channels: a mean along so short an axis takes long."""
_OWN_WIDTH, _OWN_STIFF = 0.15, 2e-4
"""Width and stiffness for what follows from a sample's own colour: wide, as it may be off by that."""


@dataclass(frozen=True, slots=True)
class Light:
    """How many times brighter a frame is than the empty photo.

    `grid` (15, 25, 3) float64, BGR: over the whole picture, row by row; (100, 100, 3) where there are bands;
    `size` (width, height) of the frame as it was taken; `bent`: by how much more (a log) the lightest
    of the table is lighter than the darkest is: where that is not 0, the tones may be bent. `recoloured`: by
    how much (a log, root mean square) colours differ as their own hue and strength tell, beside a tint.
    """

    grid: Floats
    size: tuple[int, int]
    bent: float = 0.0
    recoloured: float = 0.0

    @property
    def middle(self) -> Floats:
        """(3,) the middle value of the whole picture."""
        middle: Floats = np.median(self.grid, axis=(0, 1))
        return middle

    def removed(self, frame: Image) -> Image:
        """The frame, BGR uint8 at any size, in the light of the empty photo."""
        size = (frame.shape[1], frame.shape[0])
        over = cv2.resize((1 / self.grid).astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
        return cv2.multiply(frame, over, dtype=cv2.CV_8U)

    def at(self, x: float, y: float) -> Floats:
        """(3,) at a pixel of the frame as it was taken."""
        (rows, columns), (width, height) = self.grid.shape[:2], self.size
        column = min(max(int(x / width * columns), 0), columns - 1)
        row = min(max(int(y / height * rows), 0), rows - 1)
        there: Floats = self.grid[row, column]
        return there


def light_of(frame: Image, empty: Image, size: tuple[int, int]) -> Light:
    """The light of `frame` against `empty`, BGR uint8 of one shape; `size` is that of the frame as taken."""
    now, then = _samples(frame), _kept_samples(empty)
    usable = np.asarray(((now > 2) & (now < 245) & (then > 12) & (then < 245)).all(axis=1))
    if usable.sum() < 50:
        return Light(np.ones((_GRID[1], _GRID[0], 3)), size)
    ratio = np.log(now[usable] / then[usable].astype(np.float64))
    terms, spread, grid_size = powers(*_COARSE)[usable], powers(*_GRID), _GRID
    shape, weight = _fitted(terms, ratio)
    on_its_side = size[1] > size[0]
    rows = lighter_rows((ratio - terms @ shape) @ _EACH, weight, usable, _COARSE, on_its_side)
    if cycles := bands_in(rows):
        more = np.hstack([terms, band_terms(cycles, _COARSE, on_its_side)[usable]])
        banded = _fitted(more, ratio)
        if banded[1].sum() > _BETTER * weight.sum():
            (shape, weight), terms, grid_size = banded, more, _FINE
            spread = np.hstack([powers(*_FINE), band_terms(cycles, _FINE, on_its_side)])
    seen = (terms @ shape)[weight > 0.5]
    grid = spread @ shape
    if len(seen):  # a polynomial runs away where nothing was seen
        grid = np.clip(grid, seen.min(axis=0), seen.max(axis=0))
    light = np.exp(grid).reshape(grid_size[1], grid_size[0], 3)
    if grid_size == _FINE:  # what bands leave would be taken for bent tones
        return Light(light, size)
    off, tones = ratio - terms @ shape, then[usable].astype(np.float64)
    bent, recoloured = _bent(off @ _EACH, tones @ _EACH), _recoloured(off, np.log(tones))
    return Light(light, size, bent, recoloured)


def _fitted(terms: Floats, ratio: Floats) -> tuple[Floats, Floats]:
    """What `terms` (N, K) count for in the `ratio` (N, 3) of N samples, (K, 3), and what say each had, (N,).

    The terms are the powers, and bands where there are any.
    """
    count = terms.shape[1]
    steep = [sum(power) for power in exponents(DEGREE)]
    first = [*(i for i, power in enumerate(steep) if power < 2), *range(len(steep), count)]
    stiff = [_STIFF * len(ratio) * power**2 + 1e-9 for power in steep]
    stiff += [1e-9] * (count - len(stiff))
    shape: Floats = np.zeros((count, 3))
    shape[0] = median(ratio)
    weight: Floats = np.ones(len(ratio))
    for some, widths in zip((first, range(count)), _WIDTHS, strict=True):
        told, stiffness = np.ascontiguousarray(terms[:, some].T), np.diag([stiff[k] for k in some])
        both = np.vstack([told, ratio.T])
        for width in widths:
            off = shape[some].T @ told - both[len(some) :]
            weight = 1 / (1 + (off**2).sum(axis=0) / (3 * width**2)) ** 2
            normal = both @ (told * weight).T
            shape[some] = np.linalg.solve(normal[: len(some)] + stiffness, normal[len(some) :].T)
    return shape, weight


def _bent(off: Floats, light: Floats) -> float:
    """By how much the lightest of N samples are `off` more than the darkest are: the most of three shares."""
    order = light.argsort()
    dark, bright = off[order], off[order[::-1]]
    counts = [max(len(order) // part, 8) for part in _ENDS]
    return max((float(median(bright[:count]) - median(dark[:count])) for count in counts), key=abs)


def _recoloured(off: Floats, tones: Floats) -> float:
    """How much of what N samples are `off` (N, 3) follows from their colours, of logs of `tones` (N, 3)."""
    weight = 1 / (1 + np.einsum("ij,ij->i", off, off) / (3 * _OWN_WIDTH**2)) ** 2
    share = weight / weight.sum()
    colours, change = (one - (one @ _EACH)[:, None] for one in (tones, off))
    colours, change = colours - share @ colours, change - share @ change
    weighed = (colours * share[:, None]).T
    follows = colours @ np.linalg.solve(weighed @ colours + _OWN_STIFF * np.eye(3), weighed @ change)
    return float(np.sqrt(np.mean(np.abs(follows).max(axis=1) ** 2)))


def _samples(photo: Image) -> Image:
    """(1296, 3): the mean of each square of a photo."""
    return cv2.resize(photo, _COARSE, interpolation=cv2.INTER_AREA).reshape(-1, 3)


_kept_samples = once(_samples)


@cache
def exponents(degree: int) -> tuple[tuple[int, int], ...]:
    """Those of x and y in each term of a polynomial of that degree, as `powers` has them."""
    return tuple((i, j) for i in range(degree + 1) for j in range(degree + 1 - i))


@cache
def powers(across: int, down: int, degree: int = DEGREE) -> Floats:
    """(across * down, terms) for the middles of the cells of a picture, row by row; x and y in -1..1."""
    x, y = np.meshgrid(middles(across), middles(down))
    return np.stack([(x**i * y**j).ravel() for i, j in exponents(degree)], axis=1)
