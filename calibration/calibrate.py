"""A profile from a layout and two photographs: the board empty, and the six dice on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from calibration.colours import check_colours, in_plain_light, most_alike, name_colours, plain_colours
from calibration.dice import TooFewDice, find_six, looks_of, say_missing
from calibration.die_size import find_sized, flattest, refuse_other_size
from calibration.dots import dots_of
from calibration.faults import CannotCalibrate, NotEmpty
from calibration.leftover import refuse_another_board, refuse_leftovers, refuse_shadow
from calibration.lens import likelier_focal, views_of
from calibration.light import in_light_of
from calibration.photos import Sighting, check_blur, sight, too_few
from calibration.pieces import check_size, measure_pieces
from vision.board import where_board_lies
from vision.change import carry, compare, half
from vision.dice import looks_at, sides_of
from vision.faces import Dots, Face
from vision.geometry import Floats, Image, Layout, View
from vision.looks import darkest, deepest
from vision.profile import USUAL_PIECE_MM, DieColour, Lab, Profile
from vision.tops import Table
from vision.unseen import BRIGHT

USUAL_DIE_MM = 16.0
FEW_DIE_PX = 18.0
"""Pips of dice that are less wide cannot be counted."""
WORST_BLUR, SOFTER = 0.1, 1.5
"""In die sides: pips are twice as large. And where dice are missing: as often that of the empty photo. Of the
13 photo sessions' two photos it is the same within 3 %, blurred by 2 pixels 1.8 times at the least."""
OFF = 2 / 1536
"""A tag's corner that is farther from where the others have it, in longer sides of the photo, is hidden: so
was one in three of 65 sets."""


def calibrate(
    layout: dict[str, Any] | Layout,
    empty: Image,
    dice: Image,
    colours: Sequence[str],
    die_mm: float | None = None,
    piece_mm: tuple[float | None, float] | None = None,
    pieces: Image | None = None,
    looks: Sequence[Sequence[float]] = (),
) -> Profile:
    """Learn lens, view and colours; without `die_mm` also how large the dice are.

    Without the width in `piece_mm` the first frames that are read tell it. `looks`, of each die in
    the order of `colours` its rim and sides in CIE Lab, tell which is which where somebody named them.

    `empty`, `dice`: BGR uint8 (H, W, 3), taken by one camera, which may be moved between the two; so
    may be `pieces`, a photo of the six, in which their diameter is measured.
    Raises `BadLayout` for a layout, and `CannotCalibrate` for photographs, or sizes, that cannot be used.
    """
    board = layout if isinstance(layout, Layout) else Layout.from_json(layout)
    names = check_colours(colours)
    if piece_mm and piece_mm[0]:
        check_size((piece_mm[0], piece_mm[1]), board.field_mm)
    six = see_dice(board, empty, dice, die_mm, names)
    order = six.as_they_looked(looks) if looks else six.named(names)
    profile = six.profile(list(zip(order, names, strict=True)), piece_mm)
    if pieces is None:
        return profile
    size = measure_pieces(pieces, profile), profile.piece_mm[1]
    return replace(profile, piece_mm=size, pieces_told=True)


@dataclass(frozen=True)
class SixDice:
    """What the two photographs show, before the dice have names.

    `view` is that of the empty photo, `dice_view` that of the dice's; `faces`, their `looks`, those of their
    `rims`, of their `sides` and of what is `darkest` of them are in one order, in the light of the empty
    photo, in which white paper is `white` ((3,) BGR); `side` is that of a die in mm, as told or measured,
    `seen` as large as the dice look, and `dots` how their pips do.
    """

    board: Layout
    empty: Image
    view: View
    dice_view: View
    side: float
    seen: float
    dots: Dots
    faces: list[Face]
    looks: list[Lab]
    rims: list[Lab]
    sides: list[Lab]
    darkest: list[Lab]
    white: Floats

    @property
    def in_plain_light(self) -> list[Lab]:
        """The looks of the tops, by which people would name the dice."""
        return in_plain_light(self.looks, self.white)

    def ordered(self, order: Sequence[int]) -> SixDice:
        """The same dice in another order: the number here of each one there."""
        return replace(
            self,
            faces=[self.faces[k] for k in order],
            looks=[self.looks[k] for k in order],
            rims=[self.rims[k] for k in order],
            sides=[self.sides[k] for k in order],
            darkest=[self.darkest[k] for k in order],
        )

    def ordered_as(self, before: SixDice) -> SixDice:
        """The same dice in the order in which they were found before, in the same photo."""

        def nearest(one: Face) -> int:
            return min(range(6), key=lambda k: np.hypot(self.faces[k].x - one.x, self.faces[k].y - one.y))

        return self.ordered([nearest(one) for one in before.faces])

    def named(self, names: list[str]) -> list[int]:
        """For each of six names the number of its face; faults as in `name_colours`."""
        return name_colours(self.in_plain_light, names, in_plain_light(self.sides, self.white))

    def as_they_looked(self, looks: Sequence[Sequence[float]]) -> list[int]:
        """For each of six `looks`, rim and sides in CIE Lab, the number of the face that looks so now."""
        return most_alike(np.hstack([self.rims, self.sides]), np.array(looks, dtype=np.float64))

    def profile(
        self, named: Sequence[tuple[int, str]], piece_mm: tuple[float | None, float] | None = None
    ) -> Profile:
        """The profile of dice `named` in the set's order: the number of each one's face, and its colour.

        Without `piece_mm`, diameter and height, or without the diameter, they are what is usual.
        """
        six, names = self.ordered([die for die, _ in named]), [name for _, name in named]
        plain = plain_colours(names, six.looks, six.sides, six.darkest, self.white)
        looks = zip(names, plain, [face.bright for face in six.faces], six.rims, six.sides, strict=True)
        colours = tuple(DieColour(*look) for look in looks)
        wide, high = piece_mm or (None, USUAL_PIECE_MM[1])
        size, told = (wide or USUAL_PIECE_MM[0], high), wide is not None
        return Profile(self.board, self.view, self.empty, colours, self.seen, size, told, self.dots)


def see_dice(
    board: Layout,
    empty: Image,
    dice: Image,
    die_mm: float | None = None,
    names: Sequence[str] = (),
    focal: float | None = None,
) -> SixDice:
    """The six dice that lie in `dice` and not in `empty`; photos and faults as in `calibrate`.

    `names` are those of the six, where they are known: to say which one is missing; `focal` is the lens's
    focal length in pixels, where that is.
    """
    if empty.shape[:2] == dice.shape[1::-1] != dice.shape[:2]:
        raise CannotCalibrate("one of the two photos is turned by a quarter; hold the camera alike for both")
    if empty.shape != dice.shape:
        raise CannotCalibrate("the two photos differ in size; take both with the same camera settings")
    # A die or a glint may lie on a tag: three say where the board lies, and two beside the empty photo.
    first = sight("empty board", empty, board, least=3)
    second = sight("dice", dice, board, least=2)
    tags = [first.corners, _whole(second.corners, first.corners, max(dice.shape[:2]))]
    view, dice_view = _both_views(tags, board, empty, dice, focal)
    empty_then = carry(empty, view, dice_view)
    lit = in_light_of(empty_then, dice)
    change = compare(half(lit), half(empty_then))
    refuse_another_board(change, dice_view, board, second.light > BRIGHT)
    refuse_shadow(change, dice_view, board)
    try:
        table, faces, as_told = find_sized(lit, empty_then, dice_view, change, die_mm)
    except CannotCalibrate as fault:
        _say_more(fault, empty_then, lit, dice_view, die_mm)
        if isinstance(fault, TooFewDice):
            looks = looks_of(lit, dice_view, fault.faces, die_mm or USUAL_DIE_MM)
            _say_why(fault, looks, names, first, second)
            _say_small((die_mm or USUAL_DIE_MM) * dice_view.pixels_per_mm())
        raise
    side, seen = table.die_mm, flattest(table, faces, as_told)
    if focal is None and (likelier := likelier_focal(tags, board, empty, table, faces, seen)):
        return see_dice(board, empty, dice, die_mm, names, likelier)
    for what, one in (("empty board", first), ("dice", second)):
        check_blur(what, one, WORST_BLUR * side * view.pixels_per_mm())
    refuse_leftovers(empty_then, lit, change, dice_view, board, faces, side)
    looks = looks_of(lit, dice_view, faces, side)
    rims = [looks_at(table, face).rim for face in faces]
    sides, dark = ([sides_of(table, face, plainest) for face in faces] for plainest in (deepest, darkest))
    dots = dots_of(replace(table, die_mm=seen), faces)
    return SixDice(
        board, empty, view, dice_view, side, seen, dots, faces, looks, rims, sides, dark, first.white
    )


def _both_views(
    tags: list[dict[int, Floats]], board: Layout, empty: Image, dice: Image, focal: float | None
) -> tuple[View, View]:
    """The views of both photos; by the print, too, where that of the dice shows fewer than three tags."""
    if len(tags[1]) > 2:
        view, dice_view = views_of(tags, board, empty, focal)
        return view, dice_view
    (view,) = views_of(tags[:1], board, empty, focal)
    lies = where_board_lies(dice, Profile(board, view, empty, (), USUAL_DIE_MM, USUAL_PIECE_MM))
    if lies.view is None or lies.doubt:
        raise too_few("dice", dice, tags[1], board)
    return view, lies.view


def _say_why(
    fault: TooFewDice, looks: list[Lab], names: Sequence[str], empty: Sighting, dice: Sighting
) -> None:
    """Raises, where that can be told, why not all dice were found: of the photos of both what was sighted."""
    check_blur("dice", dice, SOFTER * empty.blur)
    say_missing(fault, looks, empty.white, list(names), dice.light > BRIGHT)


def _say_small(die_px: float) -> None:
    """Raises where dice are so many pixels wide that they cannot be read."""
    if die_px < FEW_DIE_PX:
        raise CannotCalibrate(
            f"a die is only {die_px:.0f} pixels wide in the photo of the dice, too small to be found; "
            "set the camera to larger pictures, or bring it nearer"
        )


def _whole(tags: dict[int, Floats], before: dict[int, Floats], long: int) -> dict[int, Floats]:
    """Those of the dice photo's tags whose corners lie to each other as `before`, on the empty board;
    `long` is the photo's longer side.

    A tag is found though a die lies over its corner, and that corner is told to be where the die ends: once
    13 pixels off.
    """
    both = sorted(tags.keys() & before.keys())
    if len(both) < 3:
        return tags
    then, now = (np.concatenate([photo[tag] for tag in both]) for photo in (before, tags))
    _, lies = cv2.findHomography(then, now, cv2.RANSAC, OFF * long)
    hidden = {tag for tag, corners in zip(both, lies.reshape(-1, 4), strict=True) if not corners.all()}
    whole = {tag: quad for tag, quad in tags.items() if tag not in hidden}
    return whole if len(whole) > 1 else tags


def _say_more(fault: CannotCalibrate, empty: Image, lit: Image, view: View, die_mm: float | None) -> None:
    """Raises what is truly wrong where too few dice are found: the photos are exchanged, and dice lie where
    there should be none, or they are of another size than told."""
    if not isinstance(fault, TooFewDice):
        return
    if len(fault.faces) < 3 and _shows_six(empty, lit, view, die_mm or USUAL_DIE_MM):
        raise NotEmpty(
            "the dice lie in the photo of the empty board and not in the photo of the dice; exchange the two"
        ) from fault
    if die_mm:
        refuse_other_size(lit, view, die_mm)


def _shows_six(photo: Image, other: Image, view: View, die_mm: float) -> bool:
    """Whether about six dice lie in a photo that do not in the other."""
    try:
        find_six(Table(photo, other, view, compare(half(photo), half(other)), die_mm))
    except CannotCalibrate as fault:  # more than six are dice, too
        return not isinstance(fault, TooFewDice) or len(fault.faces) > 3
    return True
