"""Whether both photos show one board, and the first shows it empty: every reading is compared with that."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.faults import CannotCalibrate, NotEmpty
from vision.change import NOISE, Change, half
from vision.faces import Face, silhouette
from vision.geometry import LETTERS, Grey, Image, Layout, View

LEAST = 0.5
"""What is smaller than this share of a die's top is grain, or the edge of a shadow."""
ANOTHER = 0.45
"""Where so much of the board within its ring differs, it is another board: of 23 tables at most 0.17 did, of
boards of other tables 0.53 and more, though their tags lay alike."""
CLEARER = 1.6
"""The outline of a thing is so many times clearer in the photo in which it lies, at least."""


def refuse_another_board(change: Change, view: View, board: Layout) -> None:
    """Raises `CannotCalibrate` where half of the board looks otherwise in the second photo.

    Six dice and their shadows take far less.
    """
    within = _on_board(change, view, board) > 0
    if within.any() and (change.much[within] > NOISE).mean() > ANOTHER:
        raise CannotCalibrate(
            "the two photos show different boards, or one is covered; "
            "take both of the same board in the same light"
        )


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
            mm = view.unproject([2 * middles[spot] + 0.5])[0]
            near = LETTERS[int(np.hypot(*(board.field_centres - mm).T).argmin())]
            raise NotEmpty(
                f"the photo of the empty board shows something near field {near} (a hand, or a die?); "
                "clear the board and take it again"
            )


def _steepness(photo: Image) -> Image:
    """float32 (H, W): the change a pixel, of the channel in which it is largest."""
    across, down = (cv2.Sobel(photo, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down).max(axis=2))
