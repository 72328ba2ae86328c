"""One frame and a profile in, one reading out: where the board lies, what is on it, how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from vision.beyond import fields_beyond
from vision.board import MISPLACED, Board, in_place, many_boards, where_board_lies
from vision.dice import FoundDie
from vision.doubts import doubts_of, is_another
from vision.faces import corners
from vision.fields import counts_of, nearest
from vision.geometry import Floats, Image, Layout, View, square
from vision.judge import MOST, confidence, in_doubt, may_be
from vision.look import Seen, look, look_again, look_in_its_tones, look_past_the_sun, with_witness
from vision.once import once
from vision.profile import Profile
from vision.reading import SURE, Confidence, Doubt, Point, Reading, SeenDie, SeenPiece
from vision.unseen import SAID, Unseen, why_doubted

LIKELY = 0.5
"""What is less likely than this is not said at all."""
SMALL = 0.5
"""A frame that is less wide, in widths of the profile's photos, cannot be as sharp as they are."""
SHAPE = 0.01
"""Width by height may differ by so much from the profile's: what rounding does to a photo made smaller."""


def read(frame: Image, profile: Profile, last: View | None = None) -> Reading:
    """Read one frame (BGR uint8 (H, W, 3)). The same frame always gives the same reading.

    `last` is the view of the reading before, if there was one: it only saves a search where the camera
    has been moved since its calibration.
    """
    if other := other_shape(frame, profile):
        return _nothing(profile, other)
    wide, frame = frame.shape[1], fitted(frame, profile)
    board = where_board_lies(frame, profile, last)
    if board.view is None:
        return _nothing(profile, board.doubt or "not to be seen")
    seen, how_likely = looked(in_place(frame, board), board.view, profile, board.pushed)
    dice, pieces = in_doubt(seen, profile, how_likely)
    if dice or pieces:
        seen = with_witness(seen, profile, dice, pieces)
        how_likely = confidence(seen, profile)
    doubts = doubts_of(seen, profile, how_likely)
    if many_boards(frame, seen.change.thing, profile):
        doubts.insert(0, Doubt("board", "more than one board is in view"))
    if board.doubt:
        doubts.insert(0, Doubt("board", board.doubt))
    if doubts and (why := _unseen(frame, wide, profile, board, seen)):
        doubts.insert(0, Doubt("table", SAID[why], of_marker=all(doubt.of_marker for doubt in doubts)))
    return replace(
        _reading(seen, profile, how_likely, doubts),
        moved_px=board.moved_px,
        view=board.view,
        covered=seen.hidden,
        bare=_bare_tops(seen, how_likely),
    )


def _unseen(frame: Image, wide: int, profile: Profile, board: Board, seen: Seen) -> Unseen | None:
    """As `why_doubted`, of a frame that was so many pixels `wide`: a small one is soft, and how sharp one of
    another board should be nobody knows."""
    why = why_doubted(frame, profile.empty)
    if why != "blurred":
        return why
    if board.doubt == MISPLACED or is_another(seen, profile):
        return None
    return "small" if wide < SMALL * frame.shape[1] else why


def looked(frame: Image, view: View, profile: Profile, pushed: bool) -> tuple[Seen, Confidence]:
    """What is seen in a frame, as `look`, and how likely that is.

    Where that leaves a doubt, and the board's paper does not lie as it lay, the camera gives other tones, or
    a patch of light lies on the board, the likelier of two looks counts; not one that makes counts and dice
    doubtful, for markers may not matter.
    """
    seen = look(frame, view, profile, pushed)
    how_likely = confidence(seen, profile)
    for other in partial(look_again, frame), look_in_its_tones, look_past_the_sun:
        if how_likely.whole <= SURE and (again := other(seen, profile)):
            likelier = confidence(again, profile)
            loses = how_likely.laid > SURE >= likelier.laid
            if likelier.whole > how_likely.whole and not loses:
                seen, how_likely = again, likelier
    return seen, how_likely


def other_shape(frame: Image, profile: Profile) -> str | None:
    """What is to be said of a frame of another shape than the profile's: its pixels tell no places."""
    (high, wide), (width, height) = frame.shape[:2], profile.view.lens.size
    if abs(wide * height / (high * width) - 1) < SHAPE:
        return None
    shape, other = f"{wide} x {high}", f"{width} x {height}"
    if abs(wide * width / (high * height) - 1) < SHAPE:
        return f"this photo is {shape}, the profile was made with {other}: turn it"
    return f"this photo is {shape}, the profile was made with {other}: give it whole, as it was taken"


def fitted(frame: Image, profile: Profile) -> Image:
    """The frame at the size the profile was made at; points of a reading are pixels of this one.

    One of another shape stays as it is.
    """
    width, height = profile.view.lens.size
    if frame.shape[:2] == (height, width) or other_shape(frame, profile):
        return frame
    way = cv2.INTER_AREA if frame.shape[1] > width else cv2.INTER_CUBIC
    return cv2.resize(frame, (width, height), interpolation=way)


def _nothing(profile: Profile, why: str) -> Reading:
    return Reading(None, {colour.name: None for colour in profile.colours}, doubts=(Doubt("board", why),))


def _reading(seen: Seen, profile: Profile, how_likely: Confidence, doubts: list[Doubt]) -> Reading:
    beyond = fields_beyond(seen, profile)
    told = zip(counts_of(seen, profile), how_likely.counts, strict=True)
    counts = [count if p > LIKELY and field not in beyond else None for field, (count, p) in enumerate(told)]
    dice: dict[str, int | None] = {
        name: die.pips if die and how_likely.dice[name] > LIKELY else None for name, die in seen.dice.items()
    }
    pieces = tuple(_seen_piece(seen, profile, i) for i in range(len(seen.pieces.pieces)))
    marked = sorted(
        (piece.field, piece.marker, marker.likely)
        for piece, marker in zip(pieces, seen.markers, strict=True)
        if piece.field is not None and piece.marker
    )
    return Reading(
        counts=tuple(counts),
        dice=dice,
        markers=tuple((field, colour) for field, colour, _ in marked),
        sure=not doubts,
        doubts=tuple(doubts),
        confidence=replace(how_likely, markers=tuple(min(p, MOST) for *_, p in marked)),
        may_be=may_be(seen, profile),
        pieces=pieces,
        seen_dice=tuple(
            _seen_die(die, how_likely.dice[name], seen.view, profile)
            for name, die in seen.dice.items()
            if die
        ),
        board=_outline(seen.view, profile.layout),
        fields=_field_outlines(seen.view, profile.layout),
    )


def _bare_tops(seen: Seen, how_likely: Confidence) -> Floats:
    """(N, 5, 6): the tops of its bare pieces, if there is no doubt about any piece."""
    clear = not seen.hidden and seen.marked > SURE and min(how_likely.counts) > SURE
    return seen.tops[[clear and marker.colour is None for marker in seen.markers]]


def _seen_piece(seen: Seen, profile: Profile, i: int) -> SeenPiece:
    piece, marker = seen.pieces.pieces[i], seen.markers[i]
    diameter, height = profile.piece_mm
    top = height * piece.level
    near, share, _ = nearest((piece.x, piece.y), profile)
    (middle,) = _points(seen.view.pixel(piece.x, piece.y, top))
    radius = diameter / 2 * seen.view.pixels_per_mm(piece.x, piece.y, top)
    clear = min(piece.likely, marker.likely, seen.alike[i]) > SURE
    return SeenPiece(near if share <= 1 else None, middle, radius, marker.colour, clear)


def _seen_die(die: FoundDie, likely: float, view: View, profile: Profile) -> SeenDie:
    top = [view.pixel(*corner) for corner in corners(die, profile.die_mm, profile.die_mm).tolist()]
    (middle,) = _points(np.mean(top, axis=0))
    pips = die.pips if die.flat * die.there > 0.5 else None
    return SeenDie(die.colour.name, pips, middle, _points(top), likely > SURE)


def _outline(view: View, layout: Layout) -> tuple[Point, ...]:
    return _points(view.project(square(layout.half_mm)))


@once
def _field_outlines(view: View, layout: Layout) -> tuple[tuple[Point, ...], ...]:
    angle = np.linspace(0, 2 * np.pi, 25)[:-1]
    ring = layout.field_mm / 2 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    centres = np.pad(layout.field_centres, ((0, 0), (0, 1)))
    outlines = view.project(centres[:, None] + ring).reshape(len(centres), -1, 2)
    return tuple(map(_points, outlines))


def _points(pixels: Floats | Sequence[Point] | Point) -> tuple[Point, ...]:
    """(N, 2) or (2,) pixels in plain numbers."""
    return tuple((x, y) for x, y in np.round(np.reshape(pixels, (-1, 2)), 1).tolist())
