"""What is on the table now that was not in the photograph of the empty board.

All of it at half the frame's size: a die is 15 to 30 pixels there, and speed counts. The empty
photograph is carried into the frame's view first (a bumped camera), then its light is matched, one
gain a channel: exposure and white balance drift between photographs.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Image, View

Mask = NDArray[np.bool_]

NOISE = 9.0
"""A difference (of 255) in any channel that no camera noise of a fixed scene reaches at half size."""


@dataclass(frozen=True, slots=True)
class Change:
    """At half size: `frame` BGR uint8 in the light of `empty`, and what differs.

    `light`: (3,) what `empty` must be multiplied with to get the light of the frame as it was taken.

    `much` is the largest difference of the three channels; `thing` marks pixels that changed and
    are no mere shadow on what was there.
    """

    frame: Image
    empty: Image
    light: Floats
    much: Image
    thing: Mask


def half(frame: Image) -> Image:
    """The frame at half its size, averaged."""
    return np.asarray(cv2.resize(frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def carry(empty: Image, then: View, now: View, size: tuple[int, int] | None = None) -> Image:
    """The empty photograph as the camera would take it now: every point of the table's plane moved."""
    if then == now:
        return empty
    width, height = size or (empty.shape[1], empty.shape[0])
    # The map bends slowly: it is exact on a coarse grid and interpolated between.
    xs, ys = np.linspace(0, width - 1, 49), np.linspace(0, height - 1, 28)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    mm = now.unproject(grid)
    coarse = then.project(np.hstack([mm, np.zeros((len(mm), 1))])).reshape(28, 49, 2).astype(np.float32)
    across = (np.arange(width, dtype=np.float32) * (48 / (width - 1)))[None, :].repeat(height, axis=0)
    down = (np.arange(height, dtype=np.float32) * (27 / (height - 1)))[:, None].repeat(width, axis=1)
    source = cv2.remap(coarse, across, down, cv2.INTER_LINEAR)
    x, y = cv2.split(source)
    return cv2.remap(empty, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def gains(frame: Image, empty: Image) -> Floats:
    """(3,) factors that give `empty` the light of `frame`: the middle ratio over a sparse grid."""
    now, then = frame[4::8, 4::8].reshape(-1, 3).astype(np.float32), empty[4::8, 4::8].reshape(-1, 3)
    usable = (then.min(axis=1) > 12) & (then.max(axis=1) < 245) & (now.max(axis=1) < 245)
    if usable.sum() < 50:
        return np.ones(3)
    ratio: Floats = np.median(now[usable] / then[usable], axis=0).astype(np.float32)
    return ratio


def compare(frame: Image, empty: Image) -> Change:
    """Both BGR uint8 at half size, the empty one already carried into the frame's view."""
    light = gains(frame, empty)
    lit = cv2.multiply(frame, np.array([*(1 / light), 0.0]))
    apart = cv2.absdiff(lit, empty)
    much = cv2.max(cv2.max(apart[..., 0], apart[..., 1]), apart[..., 2])
    thing = much > NOISE
    rows, columns = np.nonzero(thing)
    now, then = lit[rows, columns].astype(np.float32), empty[rows, columns].astype(np.float32)
    # A shadow takes the same share of every channel; what is left over is something else.
    share = (now * then).sum(axis=1) / np.maximum((then * then).sum(axis=1), 1)
    rest = np.abs(now - share[:, None] * then).max(axis=1)
    shadow = (share > 0.25) & (share < 1) & (rest < 6 + 0.07 * now.max(axis=1))
    thing[rows[shadow], columns[shadow]] = False
    return Change(lit, empty, light, much, thing)
