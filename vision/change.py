"""What is on the table now that was not in the photograph of the empty board.

All of it at half the frame's size: a die is 15 to 30 pixels there, and speed counts. The empty
photograph is carried into the frame's view first (a bumped camera), then the frame's light is matched
with it: exposure and white balance drift between photographs, and lamps and people move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Grey, Image, View, on_board
from vision.light import Light, light_of
from vision.once import once

Mask = NDArray[np.bool_]

NOISE = 9.0
"""A difference (of 255) in any channel that no camera noise of a fixed scene reaches at half size."""
TREMBLE = 0.25
"""How far, in pixels of half size, a frame may be off without being a change."""
DEEPEST, TINT = 0.08, 0.15
"""A tinted shadow leaves no less of the light; its tint differs by no more of what it takes."""
TINTED = 0.25
"""What may be a tinted shadow counts so much as a thing: on a red board a brown hand looks like one, too."""
STRIP = 64
"""Rows of a photo that are carried at a time."""
_SHIFT = 4
"""Bits of a fraction of a pixel in what is drawn."""


@dataclass(frozen=True, slots=True)
class Change:
    """At half size: `frame` BGR uint8 in the light of `empty`, and what differs.

    `lights`: what `empty` must be multiplied with to get the light of the frame as it was taken, place by
    place.

    `much` is the largest difference of the three channels; `thing` marks pixels that changed and
    are no mere shadow on what was there.
    """

    frame: Image
    empty: Image
    lights: Light
    much: Image
    thing: Mask


def half(frame: Image) -> Image:
    """The frame at half its size, averaged."""
    return np.asarray(cv2.resize(frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def carry(empty: Image, then: View, now: View) -> Image:
    """The empty photograph as the camera would take it now: every point of the table's plane moved."""
    if then == now:
        return empty
    height, width = empty.shape[:2]
    # The map bends slowly: it is exact on a coarse grid and interpolated between.
    xs, ys = np.linspace(0, width - 1, 49), np.linspace(0, height - 1, 28)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    mm = now.unproject(grid)
    coarse = then.project(on_board(mm)).reshape(28, 49, 2).astype(np.float32)
    across = np.tile(np.arange(width, dtype=np.float32) * (48 / (width - 1)), (STRIP, 1))
    down = np.arange(height, dtype=np.float32) * (27 / (height - 1))
    carried = np.empty((height, width, *empty.shape[2:]), dtype=np.uint8)
    for top in range(0, height, STRIP):  # the maps of a whole photo would be 30 MB
        rows = down[top : top + STRIP, None].repeat(width, axis=1)
        source = cv2.remap(coarse, across[: len(rows)], rows, cv2.INTER_LINEAR)
        strip = cv2.remap(empty, source, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
        carried[top : top + STRIP] = strip
    return carried


def compare(frame: Image, empty: Image) -> Change:
    """Both BGR uint8 at half size, the empty one already carried into the frame's view."""
    height, width = frame.shape[:2]
    light = light_of(frame, empty, (2 * width, 2 * height))
    lit = light.removed(frame)
    much = most(_beyond(lit, empty))
    return Change(lit, empty, light, much, _things(lit, empty, much))


def most(picture: Image) -> Grey:
    """The most that any channel has: grey uint8 of BGR."""
    blue, green, red = cv2.split(picture)
    return cv2.max(cv2.max(blue, green), red)


def _beyond(lit: Image, empty: Image) -> Image:
    """How far a pixel differs from all that the empty photo has within a tremble of it.

    A camera trembles by fractions of a pixel, and a photo that was carried is a little softer: an edge
    then changes, though nothing did. Up to `TREMBLE` of the way to the neighbours is no difference.
    """
    high, low = _within(empty)
    return cv2.max(cv2.subtract(lit, high), cv2.subtract(low, lit))


@once
def _within(empty: Image) -> tuple[Image, Image]:
    """The most and the least that each pixel may have without a difference."""
    around = np.ones((3, 3), np.uint8)
    high = cv2.addWeighted(empty, 1 - TREMBLE, cv2.dilate(empty, around), TREMBLE, 0)
    low = cv2.addWeighted(empty, 1 - TREMBLE, cv2.erode(empty, around), TREMBLE, 0)
    return high, low


def new_within(much: Image, inside: Grey, without: Sequence[Grey]) -> Mask:
    """(N,) of every pixel of half size inside one convex outline, (K, 2) such pixels, and outside of others:
    whether it is new; none where it lies beyond the photo."""
    low = np.maximum(np.floor(inside.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(inside.max(axis=0)).astype(int) + 1, much.shape[1::-1])
    if (high <= low).any():
        return np.zeros(0, dtype=np.bool_)
    there: Image = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    for value, outline in ((1, inside), *((0, other) for other in without)):
        corners = np.round((outline - low) * 2**_SHIFT).astype(np.int32)
        cv2.fillConvexPoly(there, corners, value, shift=_SHIFT)
    return np.asarray(much[low[1] : high[1], low[0] : high[0]][there > 0] > NOISE)


def _things(lit: Image, empty: Image, much: Image) -> Mask:
    """Where something is that is no shadow: a shadow takes the same share of every channel."""
    changed = much > NOISE
    at = np.flatnonzero(changed)
    share, left, brightest = as_shadow(lit, empty, at)
    shadow = (share > 0.25) & (share < 1) & (left < 6 + 0.07 * brightest)
    thing: Mask = changed.copy()
    thing.ravel()[at[shadow]] = False
    return thing


def tinted_shadows(change: Change, where: Image) -> Mask:
    """Which pixels of `where` (uint8, half size) may lie in the shadow of one lamp, in the light of another.

    What is left of the light then has another tint, the more the deeper the shadow is.
    """
    at = np.flatnonzero(where > 0)
    share, left, brightest = as_shadow(change.frame, change.empty, at)
    then = _kept_most(change.empty).take(at)
    shadow: Mask = np.zeros(where.shape, dtype=np.bool_)
    tint = TINT * (1 - share) * then
    shadow.ravel()[at] = (share > DEEPEST) & (share < 1) & (left < 6 + 0.07 * brightest + tint)
    return shadow


_channels, _kept_channels, _kept_most = once(cv2.split), once(cv2.split), once(most)
"""Of the frame, and what is kept of the empty photo."""


def as_shadow(lit: Image, empty: Image, at: NDArray[np.intp]) -> tuple[Grey, Grey, Grey]:
    """Of each pixel `at`: the share of the light that is left if it is a shadow; by how much its worst
    channel differs from that; its brightest one."""
    now, then = (
        [plane.take(at).astype(np.float32) for plane in planes]
        for planes in (_channels(lit), _kept_channels(empty))
    )
    across = now[0] * then[0] + now[1] * then[1] + now[2] * then[2]
    share = across / np.maximum(then[0] ** 2 + then[1] ** 2 + then[2] ** 2, 1)
    rest = [np.abs(one - share * other) for one, other in zip(now, then, strict=True)]
    brightest = np.maximum(np.maximum(now[0], now[1]), now[2])
    return share, np.maximum(np.maximum(rest[0], rest[1]), rest[2]), brightest
