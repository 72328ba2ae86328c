"""The board's ArUco tags in a frame, and the camera's lens and pose from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np

from vision.change import half
from vision.geometry import Floats, Image, Layout, Lens, View, on_board
from vision.least_squares import least_squares

TAG_NOISE_PX = 0.3
"""How far a refined corner is off, as seen in photographs."""
LEAST = 16
"""No photo that is less wide or high shows a tag."""
LARGE = 3000
"""Photos this long are searched at half their size. That takes a third of the time, and tells corners better
whose edges are several pixels wide: in one enlarged to 4032 pixels 3.0 off on the mean, before 6.6."""
USUAL_FOCAL = 0.86
"""Focal length / longer side, of the camera modules this is built for (60 degrees along it) ..."""
FOCAL_SPREAD = 0.12
"""... and how much that may vary; a board seen from straight above says little about it."""
KNOWN = 1e-3
"""How exactly a focal length is known (a log), where it is."""
USUAL_BEND = 0.06
"""How strong the radial distortion k1 of such a lens may be."""


@cache
def _detector(dictionary: str) -> Any:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 3
    return cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary)), settings
    )


def find_tags(frame: Image, layout: Layout) -> tuple[dict[int, Floats], set[int]]:
    """The layout's tags: id -> (4, 2) corner pixels, and the ids that were seen more than once.

    Other ids are no tags of this board (a printed page or a die can look like one) and left out.
    """
    if min(frame.shape[:2]) < LEAST:
        return {}, set()
    if max(frame.shape[:2]) >= LARGE:
        found, twice = find_tags(half(frame), layout)
        return {tag: 2 * quad + 0.5 for tag, quad in found.items()}, twice
    corners, ids, _ = _detector(layout.dictionary).detectMarkers(frame)
    found, twice = {}, set()
    for tag, quad in zip(np.asarray(ids).flatten() if ids is not None else (), corners, strict=True):
        if int(tag) in found:
            twice.add(int(tag))
        elif int(tag) in layout.tags:
            found[int(tag)] = np.asarray(quad, dtype=np.float64).reshape(4, 2)
    return found, twice


def locate(tags: dict[int, Floats], layout: Layout, lens: Lens) -> tuple[View, float] | None:
    """The view from the tags of one frame, its root mean square error in pixels; None without two tags."""
    if len(tags) < 2:
        return None
    board, pixels = _pairs(tags, layout)
    flat, solid = lens.undistorted(pixels), on_board(board)
    # Of corners that fit exactly, which no photo has, the first may make no numbers.
    for method in (cv2.SOLVEPNP_IPPE, cv2.SOLVEPNP_ITERATIVE):
        done, turn, shift = cv2.solvePnP(solid, flat, lens.matrix, np.zeros(4), flags=method)
        if done and np.isfinite([turn, shift]).all():
            view = View(lens, _three(turn), _three(shift))
            away = view.project(solid) - pixels
            return view, float(np.sqrt((away**2).sum(axis=1).mean()))
    return None


def usual_lens(size: tuple[int, int]) -> Lens:
    """The lens that most likely took a picture of `size` (width, height)."""
    return Lens(USUAL_FOCAL * max(size), 0.0, size)


def unusual(lens: Floats) -> Floats:
    """(2,) how far a lens, (2,) as in `view_of`, is from what is usual, as misses of a fit.

    Most are about as long, some far from it: Student's distribution with four degrees of freedom.
    """
    away = lens[0] / FOCAL_SPREAD
    return np.array([np.copysign(np.sqrt(5 * np.log1p(away**2 / 4)), away), lens[1] / USUAL_BEND])


def locate_roughly(
    tags: dict[int, Floats], layout: Layout, size: tuple[int, int]
) -> tuple[View, float] | None:
    """As `locate`, in a picture of `size` (width, height) whose lens nobody knows."""
    if locate(tags, layout, usual_lens(size)) is None:
        return None
    return locate(tags, layout, fit_lens([tags], layout, size)[0])


def fit_lens(
    sightings: Sequence[dict[int, Floats]], layout: Layout, size: tuple[int, int]
) -> tuple[Lens, list[View]]:
    """The lens and the views that `fit_views` finds."""
    views, _ = fit_views(sightings, layout, size)
    return views[0].lens, views


def fit_views(
    sightings: Sequence[dict[int, Floats]],
    layout: Layout,
    size: tuple[int, int],
    focal: float | None = None,
) -> tuple[list[View], float]:
    """Views through one lens that explain tags of several frames best, and how unlikely they are (a log).

    `focal`: its focal length in pixels, where that is known.

    Least squares over the corners, with what is usual for focal length and distortion as one
    observation each: a single plane seen from above fixes the poses well and the lens badly. Blur
    pulls every corner into its tag, which k1 would take for distortion: one number takes that up.
    3 + 6 numbers a frame.
    """
    usual = usual_lens(size)
    start = [locate(tags, layout, usual) for tags in sightings]
    views = [found[0] for found in start if found]
    if len(views) != len(sightings):
        raise ValueError("every frame must show two tags or more")
    pairs = [_pairs(tags, layout) for tags in sightings]
    solid = [on_board(board) for board, _ in pairs]
    inward = [points - points.reshape(-1, 4, 3).mean(axis=1).repeat(4, axis=0) for points in solid]
    numbers = np.concatenate([[0.0, 0.0, 0.0], *[np.concatenate([v.rotation, v.shift]) for v in views]])
    steps = np.concatenate([[1e-4, 1e-5, 1e-5], *[[1e-5] * 3 + [1e-3] * 3 for _ in views]])

    def unpack(values: Floats) -> list[View]:
        return [view_of(usual, values[:2], pose) for pose in values[3:].reshape(-1, 6)]

    def misses(values: Floats) -> Floats:
        rows = [
            (view.project(points + values[2] * offset) - pixels).ravel() / TAG_NOISE_PX
            for view, points, offset, (_, pixels) in zip(unpack(values), solid, inward, pairs, strict=True)
        ]
        told = (values[0] - math.log(focal / usual.focal)) / KNOWN if focal else 0.0
        return np.concatenate([*rows, [*unusual(values[:2]), values[2] / 0.05, told]])

    best = least_squares(misses, numbers, steps)
    return unpack(best), float((misses(best) ** 2).sum()) / 2


def view_of(usual: Lens, lens: Floats, pose: Floats) -> View:
    """The view that a fit's numbers mean: of the lens how much longer it is than the `usual` one (a log) and
    its k1, and six of the pose.

    The last is how far away the board would be through the usual lens: it is as much farther away as the
    lens is longer, and a search for both apart takes long.
    """
    # A search may try what no lens is.
    longer, k1 = math.exp(min(max(lens[0], -5), 5)), float(lens[1])
    a, b, c, x, y, z = (float(number) for number in pose)
    return View(Lens(usual.focal * longer, k1, usual.size), (a, b, c), (x, y, z * longer))


def _pairs(tags: dict[int, Floats], layout: Layout) -> tuple[Floats, Floats]:
    order = sorted(tags)
    board = np.concatenate([layout.tag_corners(tag) for tag in order])
    return board, np.concatenate([tags[tag] for tag in order])


def _three(values: Any) -> tuple[float, float, float]:
    a, b, c = np.asarray(values, dtype=np.float64).ravel()
    return float(a), float(b), float(c)
