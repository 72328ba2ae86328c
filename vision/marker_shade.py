"""In what light pieces stand where a large shadow lies, of an arm or a head: no smooth light follows that.

The board around a piece tells it. In a shadow an orange marker looks like gold, and a white one like steel.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.change import Change
from vision.geometry import Floats, View

AROUND = (0.8, 1.0, 1.25, 1.5, 1.8)
"""Circles around a foot, in diameters, on which the board is looked at."""
PLACES, LEAST = 24, 25
"""Places on each; and so many in all have to show the board, or nothing is told."""
DIM, LIGHT = 30, 70
"""Percent of the places: so many are darker than the dimmest, and than the lightest, in which a piece may
stand. Its own shadow, and those of its neighbours, cover less."""
SHADED = 0.88, 0.8
"""A piece stands in a shadow where even the lightest is less than the first, and may where the dimmest is
less than the second. Of 1635 pieces of frames as taken one does, and 24 may."""
DARK, ALIKE = 20, 0.9
"""A board this dark in all channels tells nothing; and of two lights so much alike one is enough."""
AS_DARK, MOSTLY, COARSER = 0.15, 80, 4
"""How much darker most is that is as dark as the board there, within such a share, is the camera's tones: so
many percent of it (of every so many pixels) have no more left. In photos with a shadow those have 0.95 and
more left, in those with other tones, which make dark boards darker, 0.82 to 0.87."""
_TURNS = np.linspace(0, 2 * np.pi, PLACES, endpoint=False)
_CIRCLES = np.concatenate(
    [
        reach * np.stack([np.cos(_TURNS + 0.13 * i), np.sin(_TURNS + 0.13 * i), 0 * _TURNS], axis=1)
        for i, reach in enumerate(AROUND)
    ]
)


def shares_of_light(
    change: Change, view: View, places: Sequence[tuple[float, float, float]], diameter: float
) -> list[Floats]:
    """(N,) what share of the light is left where each of N lids is (x, y and height, mm), 1 where all; and
    once more, if some may as well stand in less: at the edge of a shadow."""
    feet = np.array([[x, y, 0.0] for x, y, _ in places])
    around = feet[:, None] + diameter * _CIRCLES
    pixels = np.round(view.project(around.reshape(-1, 3)) / 2 - 0.25).astype(np.intp)
    height, width = change.thing.shape
    inside = np.all((pixels >= 0) & (pixels < (width, height)), axis=1)
    across, down = np.where(inside[:, None], pixels, 0).T
    now, then = (photo[down, across].astype(np.float64) for photo in (change.frame, change.empty))
    share = np.einsum("ij,ij->i", now, then) / np.maximum(np.einsum("ij,ij->i", then, then), 1)
    told = inside & ~change.thing[down, across] & (then > DARK).any(axis=1)
    ordered = np.sort(np.where(told, share, np.inf).reshape(len(feet), -1), axis=1)
    many = told.reshape(len(feet), -1).sum(axis=1)
    rank = np.maximum(many - 1, 0) * np.array([[DIM], [LIGHT]]) // 100
    dim, light = np.where(many < LEAST, 1.0, np.take_along_axis(ordered, rank.T, axis=1).T)
    if light.min() < SHADED[0] or dim.min() < SHADED[1]:
        tones = _tones(change, np.median(np.linalg.norm(then, axis=-1).reshape(len(feet), -1), axis=1))
        dim, light = dim / tones, light / tones
    light = np.where(light < SHADED[0], light, 1.0)
    dim = np.where((dim < SHADED[1]) & (dim < ALIKE * light), dim, light)
    return [light] if (dim == light).all() else [light, dim]


def _tones(change: Change, darkness: Floats) -> Floats:
    """(N,) what share is left of most of the table that is as dark as each of `darkness`, (N,), 1 at most."""
    now, then = (photo[::COARSER, ::COARSER].astype(np.float64) for photo in (change.frame, change.empty))
    dark = np.linalg.norm(then, axis=2)
    known = ~change.thing[::COARSER, ::COARSER] & (then > DARK).any(axis=2)
    share = np.einsum("ijk,ijk->ij", now, then) / np.maximum(dark**2, 1)
    left = [share[known & (abs(dark - own) < AS_DARK * own)] for own in darkness]
    return np.array([min(np.percentile(one, MOSTLY), 1.0) if one.size >= LEAST else 1.0 for one in left])
