"""A profile from a layout and two photographs: the board empty, and the six dice on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calibration.colours import CannotCalibrate, learn_colours, measure_die
from vision.change import carry, compare, half
from vision.geometry import Image, Layout
from vision.looks import LOOKS
from vision.profile import Profile
from vision.tags import find_tags, fit_lens

USUAL_PIECE_MM = (19.0, 12.5)
"""Diameter and height where nobody measured: readings bear two millimetres of error."""


def calibrate(
    layout: dict[str, Any] | Layout,
    empty: Image,
    dice: Image,
    colours: Sequence[str],
    die_mm: float | None = None,
    piece_mm: tuple[float, float] = USUAL_PIECE_MM,
) -> Profile:
    """Learn lens, view and colours; without `die_mm` also how large the dice are.

    `empty`, `dice`: BGR uint8 (H, W, 3), taken by one camera.
    Raises `BadLayout` for a layout, and `CannotCalibrate` for photographs that cannot be used.
    """
    board = layout if isinstance(layout, Layout) else Layout.from_json(layout)
    names = _check_colours(colours)
    if empty.shape != dice.shape:
        raise CannotCalibrate("the two photos differ in size; take both with the same camera settings")
    sightings = []
    for what, photo in (("empty board", empty), ("dice", dice)):
        tags, twice = find_tags(photo, board)
        if twice:
            raise CannotCalibrate(f"the photo of the {what} shows more than one board; take one away")
        if len(tags) < 4:
            raise CannotCalibrate(
                f"the photo of the {what} shows {len(tags)} of the 4 tags of layout {board.name!r}; "
                "bring all corners of the board into view, sharp and evenly lit"
            )
        sightings.append(tags)
    height, width = empty.shape[:2]
    _, (view, dice_view) = fit_lens(sightings, board, (width, height))
    empty_then = carry(empty, view, dice_view)
    change = compare(half(dice), half(empty_then))
    if die_mm is None:
        die_mm = measure_die(dice, dice_view, change)
    looks = learn_colours(dice, dice_view, change, die_mm, names)
    return Profile(board, view, empty, looks, die_mm, piece_mm)


def _check_colours(colours: Sequence[str]) -> list[str]:
    names = [name.strip().lower() for name in colours]
    unknown = [name for name in names if name not in LOOKS]
    if unknown:
        raise CannotCalibrate(
            f"unknown colour {' and '.join(map(repr, unknown))}; known are {', '.join(LOOKS)}"
        )
    if len(names) != 6 or len(set(names)) != 6:
        raise CannotCalibrate(f"{len(set(names))} different colours instead of 6")
    return names
