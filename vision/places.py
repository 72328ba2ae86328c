"""Textured places of the empty photo, and where each one is in a frame to a fraction of a pixel.

A place is a small patch of the board. Where a frame shows it is asked with one least-squares step (Lucas
and Kanade 1981, the "inverse compositional" form of Baker and Matthews 2004): brightness and contrast are
free, so a lamp does not count as a move. A place under a hand, a piece or a die does not fit and has no
vote.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Floats, Grey, Image, Layout, View, on_board, square_seen
from vision.once import once

SIDE = 25
"""Samples across a patch."""
CELLS = 8
"""The board is cut into so many cells each way; each gives its best place."""
CLEAR = 2500.0
"""Squared gradient a place needs in its weakest direction: a grain of 4 levels then moves it 0.08 px."""
FITS = 0.8
"""How much of a patch (share of its variance) must be explained for it to have a vote."""
_AT = np.arange(SIDE) - (SIDE - 1) / 2
_WINDOW = np.exp(-0.5 * (_AT[:, None] ** 2 + _AT[None, :] ** 2) / (SIDE / 4) ** 2).ravel()


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Places:
    """`K` patches of one empty photo, of n = `SIDE` x `SIDE` samples, and what turns samples into a shift.

    `corners_mm` (K, 4, 2): the outer samples on the board's plane, from the top left, row by row.
    `centres_mm` (K, 2). `solve` (K, 4, n) float32: samples -> level, contrast, and minus the shift in
    steps times the contrast. `basis` (K, n, 4). `step` (K,): pixels between samples. `tag` (K,): the
    tag's id, -1 where it is none.
    """

    corners_mm: Floats
    centres_mm: Floats
    solve: Grey
    basis: Grey
    step: Floats
    tag: Floats


def board_places(empty: Image, view: View, layout: Layout) -> Places:
    """Every tag as a whole and each of its corners, and the best place of each cell of the board."""
    reach = layout.half_mm
    mask = square_seen(empty.shape, view, reach)
    across = np.linspace(-reach, reach, CELLS + 1)
    cells = [
        view.project([[x, y, 0], [x + d, y, 0], [x + d, y + d, 0], [x, y + d, 0]])
        for d in (across[1] - across[0],)
        for x in across[:-1]
        for y in across[:-1]
    ]
    centres, steps, tags = [], [], []
    for tag, (x, y) in layout.tags.items():
        centres.append(view.pixel(x, y, 0))
        steps.append(layout.tag_mm * 1.1 * view.pixels_per_mm(x, y) / (SIDE - 1))
        tags.append(tag)
    for tag in layout.tags:
        corners = view.project(on_board(layout.tag_corners(tag)))
        centres += list(corners)
        steps += [1.0] * 4
        tags += [-1] * 4
        cv2.fillConvexPoly(mask, corners.round().astype(np.int32), 0)
    found = _best_of(empty, mask, [(c.min(axis=0), c.max(axis=0)) for c in cells])
    return _places(
        empty, view, np.array(centres + found), steps + [1.0] * len(found), tags + [-1] * len(found)
    )


def _best_of(empty: Image, mask: Image, cells: list[tuple[Floats, Floats]]) -> list[Floats]:
    """In each cell (low, high corner in pixels) the pixel (x, y) whose patch has most structure both ways."""
    # OpenCV gives 4 / box^2 of the summed squares; a box of SIDE / 2 holds about what the window weighs.
    box = SIDE // 2
    margin = SIDE // 2 + 2
    inside = np.zeros_like(mask)
    inside[margin:-margin, margin:-margin] = mask[margin:-margin, margin:-margin]
    best = []
    height, width = mask.shape
    for low, high in cells:
        x0, y0 = (max(int(v), 0) for v in low)
        x1, y1 = min(int(high[0]) + 1, width), min(int(high[1]) + 1, height)
        if x1 <= x0 or y1 <= y0:
            continue
        # Cell by cell, with what lies around it: for a whole photo it would take 25 MB.
        left, top = max(x0 - margin, 0), max(y0 - margin, 0)
        part = cv2.cvtColor(empty[top : y1 + margin, left : x1 + margin], cv2.COLOR_BGR2GRAY)
        grey = cv2.GaussianBlur(part.astype(np.float32), (0, 0), 1.0)
        least = cv2.cornerMinEigenVal(grey, box, ksize=3) * np.float32(box**2 / 4)
        window = least[y0 - top : y1 - top, x0 - left : x1 - left]
        window[inside[y0:y1, x0:x1] == 0] = 0
        _, most, _, at = cv2.minMaxLoc(window)
        if most > CLEAR:
            best.append(np.array([x0 + at[0], y0 + at[1]], dtype=np.float64))
    return best


def _places(empty: Image, view: View, centres: Floats, steps: list[float], tags: list[int]) -> Places:
    step = np.array(steps, dtype=np.float64)
    centres = centres.reshape(-1, 2)
    half = (SIDE - 1) / 2
    outer = np.array([[-half, -half], [half, -half], [-half, half], [half, half]])
    corners = centres[:, None] + step[:, None, None] * outer
    mm = _ground(view, corners.reshape(-1, 2)).reshape(-1, 4, 2)
    samples = _sample(empty, _between(corners)) if len(corners) else np.zeros((0, SIDE * SIDE), np.float32)
    patches = samples.reshape(-1, SIDE, SIDE)
    down, across = np.gradient(patches, axis=1), np.gradient(patches, axis=2)
    basis = np.stack([np.ones_like(patches), patches, across, down], axis=-1).reshape(-1, SIDE * SIDE, 4)
    weighed = basis * _WINDOW[None, :, None]
    normal = weighed.transpose(0, 2, 1) @ basis + 1e-3 * np.eye(4)
    solve = np.linalg.solve(normal, weighed.transpose(0, 2, 1))
    return Places(
        mm, _ground(view, centres), solve.astype(np.float32), basis.astype(np.float32), step, np.array(tags)
    )


def _ground(view: View, pixels: Floats) -> Floats:
    return view.unproject(pixels) if len(pixels) else pixels


_ALONG = np.arange(SIDE) / (SIDE - 1)
_RIGHT, _DOWN = (part.ravel() for part in np.meshgrid(_ALONG, _ALONG))
_BLEND = np.stack([(1 - _DOWN) * (1 - _RIGHT), (1 - _DOWN) * _RIGHT, _DOWN * (1 - _RIGHT), _DOWN * _RIGHT], 1)
"""(n, 4) how much each sample has of the four outer ones."""


def _between(corners: Floats) -> Grey:
    """(K SIDE, SIDE, 2) px: all samples of patches whose outer ones are at `corners` (K, 4, 2) px."""
    return (_BLEND @ corners).reshape(-1, SIDE, 2).astype(np.float32)


@once
def _expected(places: Places, view: View) -> tuple[Floats, Grey]:
    """Where the outer samples of places are in a view, (K, 4, 2) px, and all of them, as `_between`."""
    flat = places.corners_mm.reshape(-1, 2)
    corners = view.project(on_board(flat)).reshape(-1, 4, 2)
    return corners, _between(corners)


def _sample(frame: Image, at: Grey) -> Grey:
    """(K, n) grey levels, slightly smoothed, of K patches whose samples are there, as `_between`."""
    taken = cv2.remap(frame, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    grey = cv2.cvtColor(taken, cv2.COLOR_BGR2GRAY).reshape(-1, SIDE * SIDE)
    # Each patch is a channel, or the end of one would run into the next, which lies elsewhere. They are 84 at
    # most; OpenCV 5.0 smooths pictures of up to 128.
    smooth = cv2.GaussianBlur(grey.T.reshape(SIDE, SIDE, -1).astype(np.float32), (0, 0), 1.0)
    return np.ascontiguousarray(smooth.reshape(SIDE * SIDE, -1).T)


@dataclass(frozen=True, slots=True)
class Votes:
    """Where places are: `shift` (K, 2) pixels from where they were expected, `fit` (K,) 0 to 1."""

    shift: Floats
    fit: Floats


def ask(frame: Image, places: Places, view: View) -> Votes:
    """Where every place is in `frame` (BGR uint8), compared with where `view` has it."""
    if not len(places.step):
        return Votes(np.zeros((0, 2)), np.zeros(0))
    corners, at = _expected(places, view)
    samples = _sample(frame, at)
    level, contrast, across, down = (places.solve @ samples[..., None])[..., 0].T
    model = (places.basis @ np.stack([level, contrast, across, down], axis=1)[..., None])[..., 0]
    window = _WINDOW.astype(np.float32)
    middle = (samples @ window) / window.sum()
    spread = ((samples - middle[:, None]) ** 2) @ window
    left = ((samples - model) ** 2) @ window
    fit = 1 - left / np.maximum(spread, 1.0)
    fit = np.where((contrast > 0.3) & (contrast < 3), fit, 0)
    steps = -np.stack([across, down], axis=1) / np.maximum(contrast, 0.3)[:, None]
    # Samples run along the patch, which the view may have turned and scaled.
    right = (corners[:, 1] - corners[:, 0]) / (SIDE - 1)
    below = (corners[:, 2] - corners[:, 0]) / (SIDE - 1)
    shift = steps[:, :1] * right + steps[:, 1:] * below
    return Votes(shift.astype(np.float64), fit.astype(np.float64))
