"""The median of few numbers: some forty are asked for in each frame."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats


def median(values: NDArray[Any], axis: int = 0) -> Floats:
    """As `np.median`, for few numbers in a sixth of its time; `axis` is counted from the first."""
    ordered, before = np.sort(values, axis=axis), (slice(None),) * axis
    half = ordered.shape[axis] // 2
    return np.asarray(0.5 * ordered[(*before, half)] + 0.5 * ordered[(*before, ~half)])
