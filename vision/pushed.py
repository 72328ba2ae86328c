"""A board that was pushed on its table: whether it was, and the empty photo with it where it lies now."""

from __future__ import annotations

import cv2
import numpy as np

from vision.change import half, most
from vision.geometry import Floats, Image, View, square_seen
from vision.light import light_of
from vision.once import once
from vision.profile import Profile

RIM = 1.12
"""The paper and the shadow of a board end within so many of its halves: a layout does not tell where."""
FEW, MUCH = 8, 30.0
"""Whether the table stayed is seen on pictures so many times smaller; what is off by more is a thing."""
COARSE = 8
"""What lay under a board is made up on a picture so many times smaller."""


def was_pushed(frame: Image, profile: Profile, view: View) -> bool:
    """Whether the table around the board stayed, so that it was the board that moved and not the camera.

    The table is more like the empty photo as it was, then, than as carried into the `view` of the `frame`. Of
    59 rendered frames with a pushed board 57 are, and none of 45 by a camera that was bumped.
    """
    small = frame.shape[1] // FEW, frame.shape[0] // FEW
    now, as_it_was, carried = (
        cv2.resize(one, small, interpolation=cv2.INTER_AREA).astype(np.float32)
        for one in (frame, profile.empty_half, profile.empty_from(view)[1])
    )
    reach = RIM * profile.layout.half_mm
    table = (square_seen(now.shape, profile.view, reach, FEW) | square_seen(now.shape, view, reach, FEW)) == 0
    if not table.any():
        return False
    stayed, moved = (_unlike(now[table], then[table]) for then in (as_it_was, carried))
    return stayed < moved


def empty_as_seen(frame: Image, view: View, profile: Profile, pushed: bool = False) -> tuple[Image, Image]:
    """The empty photo as the camera that took `frame` would have taken it, and the same at half size.

    Where a board was `pushed` nobody knows what lay under it: what is around it goes on there.
    """
    carried, carried_half = profile.empty_from(view)
    if not pushed:
        return carried, carried_half
    reach, (height, width) = profile.layout.half_mm, frame.shape[:2]
    bare, bare_half = _bare_table(profile.empty, profile.view, reach)
    small = half(frame)
    lit = light_of(small, bare_half, (width, height)).removed(small)
    off_board, off_table = (most(cv2.absdiff(lit, one)) for one in (carried_half, bare_half))
    rim: Image = square_seen(small.shape, view, RIM * reach, 2) * (off_board < off_table)
    empty = bare.copy()
    cv2.copyTo(carried, cv2.resize(rim, (width, height), interpolation=cv2.INTER_NEAREST), empty)
    cv2.copyTo(carried, square_seen(frame.shape, view, reach), empty)
    return empty, half(empty)


@once
def _bare_table(empty: Image, view: View, reach: float) -> tuple[Image, Image]:
    """The empty photo without its board, of which `reach` mm are half, and the same at half size: what is
    around the board goes on where it lay."""
    height, width = empty.shape[:2]
    small = cv2.resize(empty, (width // COARSE, height // COARSE), interpolation=cv2.INTER_AREA)
    covered = cv2.dilate(square_seen(small.shape, view, RIM * reach, COARSE), np.ones((5, 5), np.uint8))
    filled = cv2.inpaint(small, covered, 3, cv2.INPAINT_TELEA)
    bare = empty.copy()
    smooth = cv2.resize(filled, (width, height), interpolation=cv2.INTER_LINEAR)
    cv2.copyTo(smooth, square_seen(empty.shape, view, RIM * reach), bare)
    return bare, half(bare)


def _unlike(now: Floats, then: Floats) -> float:
    """How far, at the mean, pixels (N, 3) of two pictures are apart, in one light."""
    light = np.median(then, axis=0) / np.maximum(np.median(now, axis=0), 1)
    return float(np.minimum(np.abs(now * light - then).max(axis=1), MUCH).mean())
