"""Bands of light and dark across a frame: mains make lamps flicker, while its rows are exposed in turn.

A camera whose exposure is no multiple of the flicker's period (10 ms at 50 Hz) shows them, and in each
frame elsewhere. All of a row has much the same share of the flickering light. The rows of a sensor lie
along its longer side: in a photograph on its side they are columns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats

_CYCLES = np.arange(0.8, 9.01, 0.1)
"""So many bands may lie in a frame: most sensors take 8 to 35 ms to read one, and lamps flicker 100 or 120
times a second; dimmed ones more often."""
_LEAST = 0.02
"""The lightest row must be lighter than the darkest by this, as a log."""
_FEW = 0.25
"""A row of whose samples no more are usable tells nothing."""
_PLAINLY = 0.75
"""So much of what the rows differ the bands must explain."""
_BENDS = 5
"""Powers of the place, beside which bands are looked for: lamps bend the light, too."""


def bands_in(rows: Floats) -> float | None:
    """How many bands lie in a frame whose rows are so much lighter (a log), (N,); NaN: unknown.

    None where there are none to be seen.
    """
    told = np.isfinite(rows)
    line = rows[told]
    if len(line) < len(rows) / 2 or np.ptp(line) < _LEAST:
        return None
    place = middles(len(rows))[told]
    bends = place[:, None] ** np.arange(_BENDS)
    left, cycles = min((_left(np.hstack([bends, _waves(some, place)]), line), some) for some in _CYCLES)
    return float(cycles) if left < (1 - _PLAINLY) * _left(bends, line) else None


def lighter_rows(
    off: Floats, weight: Floats, usable: NDArray[np.bool_], size: tuple[int, int], on_its_side: bool
) -> Floats:
    """How much lighter each row of a frame is, by those of its usable samples that fit; NaN: too few are.

    `off`, `weight` (N,): how much lighter these are (a log), and what say they have; `usable` (columns *
    rows,), N of them: row by row in a picture of that `size`, (columns, rows); on its side, columns count.
    """
    sums = []
    for one in (weight * off, weight, np.ones(len(off))):
        every = np.zeros(len(usable))
        every[usable] = one
        sums.append(every.reshape(size[::-1]).sum(axis=0 if on_its_side else 1))
    known = sums[2] > _FEW * (size[1] if on_its_side else size[0])
    return np.asarray(np.divide(sums[0], sums[1], out=np.full(len(known), np.nan), where=known))


def band_terms(cycles: float, size: tuple[int, int], on_its_side: bool) -> Floats:
    """(columns * rows, 4): sine and cosine of bands, and of some half as wide, in the cells of a picture.

    Row by row; `size` is (columns, rows).
    """
    columns, rows = size
    if on_its_side:
        return np.tile(_waves(cycles, middles(columns)), (rows, 1))
    return np.repeat(_waves(cycles, middles(rows)), columns, axis=0)


def _left(terms: Floats, line: Floats) -> float:
    """What of a line the terms do not explain, squared."""
    left = line - terms @ np.linalg.lstsq(terms, line, rcond=None)[0]
    return float(left @ left)


def middles(count: int) -> Floats:
    """(count,) of so many cells in a row, from -1 to 1."""
    return np.asarray((np.arange(count) * 2.0 + 1 - count) / count)


def _waves(cycles: float, place: Floats) -> Floats:
    turn = np.pi * cycles * place
    return np.stack([np.sin(turn), np.cos(turn), np.sin(2 * turn), np.cos(2 * turn)], axis=1)
