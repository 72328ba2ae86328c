"""Whether both photos show one board, and the first shows it empty: every reading is compared with that."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.faults import CannotCalibrate, NotEmpty
from vision.change import NOISE, Change, Mask, as_shadow, half
from vision.faces import Face, silhouette
from vision.geometry import LETTERS, Floats, Grey, Image, Layout, View, square_seen

LEAST = 0.5
"""What is smaller than this share of a die's top is grain, or the edge of a shadow."""
ANOTHER = 0.45
"""Where so much of the board within its ring differs, it is another board: of 23 tables at most 0.17 did, of
boards of other tables 0.53 and more, though their tags lay alike."""
SHADED, WIDE_MM, LARGE = 0.89, 12.0, 0.004
"""In a large shadow there is no more of the light than the first; it is wider than twice the second, as none
is that dice throw; and covers such a share of the board. No photo of the empty board of 73 rendered sets has
one; of 25 with an arm's shadow drawn in 22 have, and it lies beside the board in the others."""
CLEARER = 1.6
"""The outline of a thing is so many times clearer in the photo in which it lies, at least."""


def refuse_another_board(change: Change, view: View, board: Layout, overexposed: bool) -> None:
    """Raises `CannotCalibrate` where half of the board looks otherwise in the second photo, and no shadow in
    the first makes it so; `overexposed`: the second has too much light.

    Six dice and their shadows take far less.
    """
    within = _on_board(change, view, board) > 0
    differs = (change.much > NOISE) & within

    def shaded(dark: Image, light: Image) -> bool:
        return bool(_shadow(dark, light, change, view, board)[within].sum() > differs.sum() / 2)

    if is_another_board(change, view, board) and not shaded(change.empty, change.frame):
        if overexposed:
            raise CannotCalibrate(
                "the two photos show different boards, or one is overexposed; "
                "take both of the same board in the same light"
            )
        if shaded(change.frame, change.empty):
            raise CannotCalibrate("a shadow lies over the photo of the dice; step aside and take it again")
        raise CannotCalibrate(
            "the two photos show different boards, or one is covered; "
            "take both of the same board in the same light"
        )


def is_another_board(change: Change, view: View, board: Layout) -> bool:
    """Whether so much looks otherwise that it is another board, or it lies in a shadow, or is overexposed."""
    within = _on_board(change, view, board) > 0
    return bool(within.any() and (change.much[within] > NOISE).mean() > ANOTHER)


def refuse_shadow(change: Change, view: View, board: Layout) -> None:
    """Raises `NotEmpty` where a large shadow lies over the board in the photo of it empty.

    Later the board would be lighter there than it ever was, as if something covered it.
    """
    shaded = _shadow(change.empty, change.frame, change, view, board)
    if shaded.any():
        near = _near(np.argwhere(shaded).mean(axis=0)[::-1], view, board)
        raise NotEmpty(
            f"a shadow lies over the photo of the empty board near field {near}; "
            "step aside and take both photos again"
        )


def _shadow(dark: Image, light: Image, change: Change, view: View, board: Layout) -> Mask:
    """Where a large shadow lies on the board in the `dark` one of two photos, BGR uint8 (H / 2, W / 2)."""
    at = np.flatnonzero(change.much > NOISE)
    share, left, brightest = as_shadow(dark, light, at)
    shaded: Image = np.zeros(change.much.shape, dtype=np.uint8)
    shaded.ravel()[at] = (share > 0.15) & (share < SHADED) & (left < 6 + 0.07 * brightest)
    whole = square_seen(shaded.shape, view, board.half_mm, 2)
    size = 2 * max(round(WIDE_MM * view.pixels_per_mm() / 2), 1) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    closed = cv2.morphologyEx(shaded, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    wide = cv2.morphologyEx(closed, cv2.MORPH_OPEN, disc) & whole
    return np.asarray((wide > 0) & (wide.sum() > LARGE * whole.sum()))


def _near(pixel: Floats, view: View, board: Layout) -> str:
    """The letter of the field nearest to a pixel (x, y) at half size."""
    mm = view.unproject((2 * pixel + 0.5)[None])[0]
    return LETTERS[board.nearest_field(*mm)]


def _on_board(change: Change, view: View, board: Layout) -> Grey:
    """uint8 (H / 2, W / 2): 1 within the ring and its fields."""
    ring = board.ring_mm + board.field_mm / 2
    turn = np.linspace(0, 2 * np.pi, 60)[:-1]
    reach = np.stack([ring * np.sin(turn), ring * np.cos(turn), 0 * turn], axis=1)
    on_board = np.zeros(change.much.shape, dtype=np.uint8)
    cv2.fillConvexPoly(on_board, np.round(view.project(reach) / 2).astype(np.int32), 1)
    return on_board


def refuse_leftovers(
    empty: Image, photo: Image, change: Change, view: View, board: Layout, faces: list[Face], die_mm: float
) -> None:
    """Raises `NotEmpty` where something lies on the board in `empty` that `photo` does not show.

    Both BGR uint8 in one light and view; `faces`: the dice of `photo`, of `die_mm`. Wherever the two
    differ, the photo that has an outline around the place is the one in which something lies.
    """
    side = die_mm * view.pixels_per_mm() / 2
    on_board = _on_board(change, view, board)
    for face in faces:
        hull = silhouette(face, die_mm, view) / 2
        grown = hull.mean(axis=0) + 1.4 * (hull - hull.mean(axis=0))
        cv2.fillConvexPoly(on_board, np.round(grown).astype(np.int32), 0)
    differs = cv2.morphologyEx(
        change.thing.astype(np.uint8) & on_board, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
    )
    count, labels, stats, middles = cv2.connectedComponentsWithStats(differs, connectivity=8)
    steep_then, steep_now = _steepness(half(empty)), _steepness(half(photo))
    for spot in range(1, count):
        if stats[spot, cv2.CC_STAT_AREA] < LEAST * side**2:
            continue
        area = (labels == spot).astype(np.uint8)
        outline = (
            cv2.dilate(area, np.ones((3, 3), np.uint8)) - cv2.erode(area, np.ones((3, 3), np.uint8))
        ) > 0
        if steep_then[outline].mean() > CLEARER * steep_now[outline].mean() + 1:
            near = _near(middles[spot], view, board)
            raise NotEmpty(
                f"the photo of the empty board shows something near field {near} (a hand, or a die?); "
                "clear the board and take it again"
            )


def _steepness(photo: Image) -> Image:
    """float32 (H, W): the change a pixel, of the channel in which it is largest."""
    across, down = (cv2.Sobel(photo, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down).max(axis=2))
