"""The photo of the empty board by itself: whether it can be learned from, and what dice were left in it."""

from __future__ import annotations

from dataclasses import replace

import cv2

from calibration.calibrate import USUAL_DIE_MM, WORST_BLUR
from calibration.faults import NotEmpty
from calibration.lens import views_of
from calibration.photos import check_blur, sight
from vision.die_finder import glance
from vision.geometry import Image, Layout
from vision.loose_dice import LooseDie, find_dice

NO_DIE = 0.6
"""Where a glance finds nothing as hot, no die was left: the coolest of 186 sure dice had 0.68, and of 55
empty boards 17 have something hotter."""
SEARCHED = 1600
"""Pixels of the longer side, at most, of a photo in which dice are looked for that should not be there."""
MOST_PRINT = 2
"""More things than these that look like dice are no print."""


def check_empty(board: Layout, empty: Image) -> None:
    """Raises `CannotCalibrate` where the photo of the empty board cannot be used.

    That something lies on it shows only beside the photo of the dice, but for dice.
    """
    seen = sight("empty board", empty, board, least=3)
    (view,) = views_of([seen.corners], board, empty)
    check_blur("empty board", seen, WORST_BLUR * USUAL_DIE_MM * view.pixels_per_mm())
    if left := dice_left(empty):
        raise not_empty(left)


def not_empty(left: list[LooseDie]) -> NotEmpty:
    """What is said of dice that were left in the photo: one or two may be print that looks like them."""
    if len(left) > MOST_PRINT:
        return NotEmpty("the photo of the empty board shows dice; take them away and take the photo again")
    return NotEmpty(
        "the photo of the empty board shows a die; take it away and take the photo again, "
        "or, if it is print, just take it again",
        may_be_print=True,
    )


def dice_left(empty: Image) -> list[LooseDie]:
    """The dice that the photo of the empty board shows: the sure ones, or two and more that seem to be."""
    large = max(1.0, max(empty.shape[:2]) / SEARCHED)
    if large > 1:  # what is printed on a board looks the more like dice the larger it is, and takes long
        empty = cv2.resize(empty, None, fx=1 / large, fy=1 / large, interpolation=cv2.INTER_AREA)
    dice = find_dice(empty) if glance(empty) > NO_DIE else []
    sure = [die for die in dice if die.sure]
    seem = [die for die in dice if die.pips != 1]  # a dot that is printed on the board looks like a one
    found = seem if len(seem) > max(1, len(sure)) else sure
    return [replace(die, centre=(large * die.centre[0], large * die.centre[1])) for die in found]
