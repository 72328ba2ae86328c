"""Numbers that explain what was measured best: damped least squares."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.geometry import Floats

ROUNDS = 40
"""What takes longer has gone astray."""


def least_squares(misses: Callable[[Floats], Floats], start: Floats, steps: Floats) -> Floats:
    """The numbers (N,) near `start` whose `misses` (M,), in units of their noise, are least.

    `steps` (N,): by how much each number is moved to see what follows; what changes less is exact enough.
    Gauss-Newton, damped where a step would make it worse (Levenberg 1944, Marquardt 1963).
    """
    numbers, now, damping = start, misses(start), 1e-6
    slope = None
    for _ in range(ROUNDS):
        if slope is None:
            slope = np.stack([(misses(numbers + step) - now) / step.sum() for step in np.diag(steps)], axis=1)
        held = np.diag(np.sqrt(damping) * np.linalg.norm(slope, axis=0))
        rows, wanted = np.vstack([slope, held]), np.append(-now, np.zeros(len(held)))
        change, *_ = np.linalg.lstsq(rows, wanted, rcond=None)
        then = misses(numbers + change)
        if not then @ then < now @ now:
            damping = max(damping, 1e-6) * 10
            continue
        numbers, now, slope, damping = numbers + change, then, None, damping / 10
        if np.abs(change / steps).max() < 1:
            break
    return numbers
