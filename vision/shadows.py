"""How high towers stand, by their shadows: under one lamp two pieces on each other throw one twice as long.

The board is looked at from straight above: by what share is each place darker than in the empty photo.
Where the lamp stands is what explains most of that, for dice are as high as they are wide, and how high most
towers are is plain. Then what is dark beside a tower is compared with the shadow that each height throws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.change import Change
from vision.geometry import Floats, View, on_board
from vision.maps import Peak
from vision.ring_net import LEVELS, as_seen, foot_of

SURELY, MOST = 10.0, 100.0
"""What the likeness of a shadow is multiplied by to be the log of how likely it is, and how much likelier one
height can be made than another. Of 1247 towers of 180 photos the two heights likest differed by 0.2 and more
in 665: one of these was told wrongly, of the others 52."""
AROUND, COVERED = 7.0, 1.12
"""So many mm around a shadow it should be light; within so much of a thing's radius around what it covers,
nothing of the board is seen."""
LEAST = 4
"""By so many places each height's shadow must differ from the others'."""
BESIDE = 40.0
"""So many mm beside the board shadows are looked for."""
FAINT = 0.03
"""A share by which places differ in light without any shadow."""
STEP, COARSELY, FINER = 3.0, 5, 2
"""Millimetres between the places looked at; and every so manieth of them will do to find where the lamp is
roughly, and then more exactly."""
_TURNS = np.deg2rad(np.arange(0, 360, 15))
_SLOPES = np.arange(0.15, 1.7, 0.15)
"""How long a shadow may be, in the height of what throws it."""
_GROWTH = (0.0, 8e-4, 1.6e-3)
"""By how much a slope grows with each mm away from the lamp: one over the lamp's height, 0 for the sun."""
_NEAR = np.arange(-2, 3) * 0.07
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Thrower:
    """A round thing of `radius` mm: for each height (mm) it may have where its foot stands, and how likely
    that is by its look."""

    radius: float
    heights: tuple[float, ...]
    feet: tuple[Spot, ...]
    likely: tuple[float, ...] = (1.0,)


@dataclass(frozen=True, slots=True)
class Places:
    """Some places of the board: (N,) x and y in mm, and by what share each is darker than it was; float32."""

    x: Floats
    y: Floats
    dark: Floats

    def only(self, which: Floats | slice) -> Places:
        """Some of them."""
        return Places(self.x[which], self.y[which], self.dark[which])

    def away(self, start: Spot, end: Floats | Spot) -> Floats:
        """How far each is from the line between two points; (M, N) for `end` (2, M, 1)."""
        across, down = end[0] - start[0], end[1] - start[1]
        x, y = self.x - start[0], self.y - start[1]
        along = np.maximum(across**2 + down**2, 1e-9)
        share = np.clip(x * (across / along) + y * (down / along), 0, 1)
        away: Floats = np.sqrt((x - share * across) ** 2 + (y - share * down) ** 2)
        return away


def by_shadows(
    lids: Sequence[Peak],
    change: Change,
    view: View,
    half_mm: float,
    piece_mm: tuple[float, float],
    dice: Sequence[Spot],
    die_mm: float,
) -> list[Peak]:
    """The same lids, with how likely each is how high now that its shadow was looked at.

    `half_mm`: half the board's width; `dice`: where some lie, mm.
    """
    told = list(lids)
    towers = [number for number, (_, _, (nothing, *_)) in enumerate(lids) if nothing < 0.5]
    if not towers:
        return told
    throwers = [tower_at(lids[number], view, piece_mm) for number in towers]
    throwers += dice_at(dice, half_mm, die_mm)
    _, alike = likeness(change, view, half_mm, throwers)
    for number, match in zip(towers, alike, strict=False):
        x, y, (nothing, *levels) = lids[number]
        worth = np.maximum(np.exp(SURELY * (match - match.max())), 1 / MOST) * levels
        worth *= (1 - nothing) / worth.sum()
        told[number] = (x, y, (nothing, *worth.tolist()))
    return told


def tower_at(lid: Peak, view: View, piece_mm: tuple[float, float]) -> Thrower:
    """What throws a shadow under a lid, however high it is."""
    x, y, (_, *levels) = lid
    diameter, height = piece_mm
    heights = tuple(height * level for level in range(1, LEVELS + 1))
    feet = tuple(foot_of(view, (x, y), level, height) for level in range(1, LEVELS + 1))
    return Thrower(diameter / 2, heights, feet, tuple(level / sum(levels) for level in levels))


def dice_at(spots: Sequence[Spot], half_mm: float, die_mm: float) -> list[Thrower]:
    """Those dice that lie on the board, each as round as its shadow is on the mean of all its turns."""
    return [Thrower(0.6 * die_mm, (die_mm,), (spot,)) for spot in spots if max(map(abs, spot)) < half_mm]


def likeness(
    change: Change, view: View, half_mm: float, throwers: Sequence[Thrower]
) -> tuple[Floats, list[Floats]]:
    """The lamp (3,), see `tips`, and for each thrower how much what is dark beside it is like the shadow of
    each of its heights, -1 to 1, or 0 throughout where that does not tell."""
    reach = half_mm + BESIDE
    board = _board(change, view, reach)
    free = np.ones(board.x.shape, dtype=bool)
    for one in throwers:
        for foot, height in zip(one.feet, one.heights, strict=True):
            free &= board.away(foot, as_seen(view, foot, height, 0)) > COVERED * one.radius
    board = board.only(free)
    around = []
    for one in throwers:
        wide = one.radius + AROUND + _SLOPES[-1] * one.heights[-1]
        around.append(board.only(np.hypot(board.x - one.feet[-1][0], board.y - one.feet[-1][1]) < wide))

    def best(lamps: Floats, every: int) -> tuple[Floats, list[Floats]]:
        each = [
            _correlations(one, near.only(np.s_[::every]), lamps)
            for one, near in zip(throwers, around, strict=True)
        ]
        worth = [np.array(one.likely) @ np.exp(SURELY * a) for one, a in zip(throwers, each, strict=True)]
        found = int(np.log(worth).sum(axis=0).argmax())
        return lamps[found], [alike[:, found] for alike in each]

    slope, turn, growth = (a.ravel() for a in np.meshgrid(_SLOPES, _TURNS, _GROWTH[1]))
    lamp, _ = best(np.array([slope * np.cos(turn), slope * np.sin(turn), growth]).T, COARSELY)
    across, down, growth = (a.ravel() for a in np.meshgrid(lamp[0] + _NEAR, lamp[1] + _NEAR, _GROWTH))
    lamp, each = best(np.array([across, down, growth]).T, FINER)
    # Once more, without what lies in the shadows of the others.
    shadows = []
    for one, alike in zip(throwers, each, strict=True):
        k = int((np.array(one.likely) * np.exp(SURELY * alike)).argmax())
        shadows.append((one.feet[k], tips(one.feet[k], one.heights[k], lamp[None])[:, 0, 0], one.radius))
    clear = []
    for k, near in enumerate(around):
        light = np.ones(near.x.shape, dtype=bool)
        for start, end, radius in shadows[:k] + shadows[k + 1 :]:
            light &= near.away(start, end) > COVERED * radius
        clear.append(near.only(light))
    return lamp, [
        _correlations(one, near, lamp[None])[:, 0] * _tells(one, near, lamp)
        for one, near in zip(throwers, clear, strict=True)
    ]


def _board(change: Change, view: View, reach: float) -> Places:
    """All places within reach that the picture shows."""
    at = np.arange(STEP / 2 - reach, reach, STEP)
    x, y = np.meshgrid(at, at)
    pixels = view.project(on_board(np.column_stack([x.ravel(), y.ravel()])))
    across, down = ((pixels - 0.5) / 2).astype(np.float32).T.reshape(2, *x.shape)
    height, width = change.frame.shape[:2]
    inside = (across > 0) & (down > 0) & (across < width - 1) & (down < height - 1)
    now, then = (
        cv2.remap(cv2.blur(photo, (3, 3)), across, down, cv2.INTER_LINEAR)[inside].sum(
            axis=1, dtype=np.float64
        )
        for photo in (change.frame, change.empty)
    )
    dark = np.clip(1 - (now + 6) / (then + 6), -0.3, 1)
    return Places(x[inside].astype(np.float32), y[inside].astype(np.float32), dark.astype(np.float32))


def tips(foot: Spot, height: float, lamps: Floats) -> Floats:
    """(2, M, 1) mm: where the shadow of what is so high over `foot` ends, under each of M lamps.

    A lamp (M, 3): the slope of its light over the board's middle, x and y, and how fast that grows.
    """
    start = np.array(foot)
    return np.asarray((start + height * (lamps[:, :2] + lamps[:, 2:] * start)).T[..., None], np.float32)


def _correlations(one: Thrower, near: Places, lamps: Floats) -> Floats:
    """(heights, M): how much the shadow of each height under each of M lamps is like what is dark there."""
    looked, *shadows = _shadows(one, near, lamps)
    count = np.maximum(looked.sum(axis=1), 1)
    dark = near.dark
    mean = looked @ dark / count
    spread = looked @ dark**2 / count - mean**2
    alike = []
    for shadow in shadows:
        share = shadow.sum(axis=1) / count
        together = shadow @ dark / count - share * mean
        alike.append(together / np.sqrt(np.maximum(share - share**2, 1e-6) * (spread + FAINT**2)))
    return np.array(alike)


def _tells(one: Thrower, near: Places, lamp: Floats) -> bool:
    """Whether enough places are seen that one height would make dark and the next would not."""
    looked, *shadows = _shadows(one, near, lamp[None])
    return all(abs(b - a).sum() >= LEAST for a, b in pairwise([*shadows, looked]))


def _shadows(one: Thrower, near: Places, lamps: Floats) -> list[Floats]:
    """(M, N) each, under each of M lamps: 1 for places looked at; and for those in each height's shadow."""
    reach = near.away(one.feet[0], tips(one.feet[-1], one.heights[-1], lamps))
    looked = (reach < one.radius + AROUND).astype(np.float32)
    each = [
        looked * (near.away(foot, tips(foot, height, lamps)) < one.radius)
        for foot, height in zip(one.feet, one.heights, strict=True)
    ]
    return [looked, *each]
