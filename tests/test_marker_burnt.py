"""What the shade beside a piece tells of a burnt board that shows through it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.sessions import photo, profile
from vision.board import where_board_lies
from vision.geometry import Floats, Image, View
from vision.marker_burnt import seen_in_shade
from vision.marker_looks import TopColours

WHITE, PURPLE, PALE_PURPLE, RED, DARK = (
    (249, 236, 252),
    (214, 167, 222),
    (236, 205, 238),
    (90, 80, 230),
    (40, 38, 36),
)
Colour = tuple[int, int, int]


def view_of_a_board() -> tuple[View, tuple[float, float]]:
    """A photograph's view of it; how wide and how high the pieces of that set are, mm."""
    known = profile("session-01")
    view = where_board_lies(photo("session-01", "frames/001.jpg"), known).view
    assert view is not None
    return view, known.piece_mm


def ring_on(
    board: Image,
    view: View,
    lid: tuple[float, float, float],
    diameter: float,
    inside: Colour,
    shade: Colour | None,
) -> None:
    """Draw a dark ring, `inside` of which something is seen, and its shadow."""
    x, y, high = lid
    wide = diameter * view.pixels_per_mm(x, y)
    foot, top = (tuple(map(round, view.pixel(x, y, height))) for height in (0.0, high))
    if shade is not None:
        beside = (round(foot[0] + 0.5 * wide), round(foot[1] + 0.4 * wide))
        cv2.circle(board, beside, round(0.5 * wide), shade, -1)
    for place in (foot, top):
        cv2.circle(board, place, round(0.5 * wide), DARK, -1)
    cv2.circle(board, top, round(0.33 * wide), inside, -1)


def lab(*colours: Colour) -> Floats:
    seen = np.array([colours], dtype=np.float32) / 255
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2LAB)[0], dtype=np.float64)


@pytest.mark.parametrize("board", [WHITE, (190, 180, 192)], ids=["burnt", "not burnt"])
def test_a_burnt_board_in_the_shade_of_a_ring_is_no_marker(board: Colour) -> None:
    """A purple field, seen as white in the empty photo: so are a ring's inside, and the shadow beside it. A
    red marker in another is not as purple as that; beside the third there is no shadow."""
    view, (wide, high) = view_of_a_board()
    empty = np.full((864, 1536, 3), board, np.uint8)
    frame, lids = empty.copy(), [(x, 0.0, high) for x in (-60.0, 0.0, 60.0)]
    inside = (PURPLE, RED, PURPLE)
    for lid, seen, shade in zip(lids, inside, (PALE_PURPLE, PALE_PURPLE, None), strict=True):
        ring_on(frame, view, lid, wide, seen, shade)
    tops = TopColours(lab(*inside), lab(*[DARK] * 3), lab(*[board] * 3))
    told = seen_in_shade(frame, empty, view, lids, wide, tops)
    assert told[1] == told[2] == 0
    assert told[0] < -4 if board == WHITE else told[0] == 0
