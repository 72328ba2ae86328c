"""Where four tags were stuck on a board nobody has measured, in millimetres, from one photo of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.faults import CannotCalibrate
from vision.geometry import Floats, Lens, View, on_board
from vision.least_squares import least_squares
from vision.tags import TAG_NOISE_PX, unusual, usual_lens, view_of

_SQUARE = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) / 2


@dataclass(frozen=True, slots=True)
class Stickers:
    """`centres`: id -> (x, y) mm, the origin in the middle of the four, turned so that they lie as straight
    as they can (0 top left, then clockwise); `view`: the camera over them."""

    centres: dict[int, tuple[float, float]]
    view: View


def measure_stickers(tags: dict[int, Floats], size: tuple[int, int], tag_mm: float) -> Stickers:
    """From the corners of the tags 0 to 3, id -> (4, 2) px, in a photo of `size` (width, height).

    Least squares over lens, pose, and the place and turn of each tag, with the usual lens as one
    observation (as in `vision.tags.fit_lens`): every tag is a square of `tag_mm`, wherever it was stuck.
    Raises `CannotCalibrate` where the four are not in their order.
    """
    order = sorted(tags)
    pixels = np.concatenate([tags[tag] for tag in order])
    steps = np.concatenate([[1e-4, 1e-5], [1e-5] * 3, [1e-3] * 3, [1e-3, 1e-3, 1e-5] * len(order)])
    usual = usual_lens(size)

    def misses(numbers: Floats) -> Floats:
        return _misses(*_unpack(numbers, usual), numbers, pixels, tag_mm)

    numbers = least_squares(misses, _start(tags, order, usual, tag_mm), steps)
    return _straightened(*_unpack(numbers, usual), order)


def _start(tags: dict[int, Floats], order: list[int], lens: Lens, tag_mm: float) -> Floats:
    """Pose and tags as the first tag alone has them, through such a lens."""
    flat = {tag: lens.undistorted(tags[tag]) for tag in order}
    # One tag says little about the plane: its square is fitted to the four centres once more.
    first = cv2.getPerspectiveTransform(
        flat[order[0]].astype(np.float32), (_SQUARE * tag_mm).astype(np.float32)
    )
    rough = {tag: cv2.perspectiveTransform(flat[tag][None], first)[0] for tag in order}
    centres = np.array([rough[tag].mean(axis=0) for tag in order])
    scale = (
        tag_mm * 4 / sum(np.hypot(*(rough[tag] - np.roll(rough[tag], 1, axis=0)).T).mean() for tag in order)
    )
    centres = (centres - centres.mean(axis=0)) * scale
    middles = np.array([flat[tag].mean(axis=0) for tag in order])
    board = on_board(centres)
    done, turn, shift = cv2.solvePnP(board, middles, lens.matrix, np.zeros(4), flags=cv2.SOLVEPNP_IPPE)
    if not done:
        raise CannotCalibrate("the four tags do not lie in a plane; stick them flat on the board")
    per_tag = [np.append(centre, 0.0) for centre in centres]
    return np.concatenate([[0.0, 0.0], np.ravel(turn), np.ravel(shift), *per_tag])


def _unpack(numbers: Floats, usual: Lens) -> tuple[View, Floats]:
    return view_of(usual, numbers[:2], numbers[2:8]), numbers[8:].reshape(-1, 3)


def _misses(view: View, placed: Floats, numbers: Floats, pixels: Floats, tag_mm: float) -> Floats:
    """Corners in units of their noise, then what is usual, then what ties the board to its origin."""
    corners = []
    for x, y, turn in placed:
        cos, sin = np.cos(turn), np.sin(turn)
        corners.append(_SQUARE * tag_mm @ np.array([[cos, sin], [-sin, cos]]) + (x, y))
    board = np.concatenate(corners)
    away = view.project(on_board(board)) - pixels
    tied = [*placed[:, :2].mean(axis=0), 1e3 * placed[:, 2].mean()]
    return np.concatenate([away.ravel() / TAG_NOISE_PX, unusual(numbers[:2]), tied])


def _straightened(view: View, placed: Floats, order: list[int]) -> Stickers:
    at = placed[:, :2]
    wanted = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])[order]
    if not _in_order(at):
        raise CannotCalibrate("the tags are not in their order; 0 belongs top left, then 1, 2, 3 clockwise")
    # The turn that brings the four closest to an upright square (the angle of Procrustes).
    dot, cross = float((at * wanted).sum()), float((at[:, 0] * wanted[:, 1] - at[:, 1] * wanted[:, 0]).sum())
    turn = np.arctan2(cross, dot)
    cos, sin = np.cos(turn), np.sin(turn)
    straight = at @ np.array([[cos, sin], [-sin, cos]])
    # The camera turns with the board: p' = R p, so its axes are multiplied with the inverse.
    about = cv2.Rodrigues(np.array([0.0, 0.0, -turn]))[0]
    a, b, c = np.ravel(cv2.Rodrigues(cv2.Rodrigues(np.array(view.rotation))[0] @ about)[0])
    moved = View(view.lens, (float(a), float(b), float(c)), view.shift)
    centres = {tag: (float(x), float(y)) for tag, (x, y) in zip(order, straight, strict=True)}
    return Stickers(centres, moved)


def _in_order(at: Floats) -> bool:
    """Whether four points run clockwise (y down) around their middle, none inside the others."""
    sides = np.roll(at, -1, axis=0) - at
    turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1] - sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
    return bool((turns > 0).all())
