"""The layout of a board nobody has measured, from the photo of it empty and the four tags stuck on it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.faults import CannotCalibrate, check_length
from calibration.layouts import MAT
from calibration.photos import sight, true_corners
from calibration.ring import CLEAR, find_ring
from calibration.stickers import measure_stickers
from vision.geometry import LETTERS, Floats, Image, Layout, View, on_board
from vision.profile import Profile

OTHER_MM, OTHER_DEG = 3.0, 2.0
"""A ring that is seen so much larger, or so turned, is not the layout's: those of 38 sets were 0.1 mm and 0.1
degrees beside theirs at most, and those of two more are not clear enough."""
OTHER_FIELD_MM = 6.0
"""Fields that are seen so much larger or smaller are not the layout's: those of 59 of 60 such boards were 3.4
mm at most, of one 19 (a circle around each field)."""
TAG_MM, RING_MM, LEAST_FIELD_MM = (8.0, 120.0), (20.0, 1000.0), 5.0
"""What a board may be told to be: sides of its tags' black squares, its ring's radius, a field's width."""
_INK, _GROUND, _RIM = (60, 20, 200), (255, 255, 255), 3


@dataclass(frozen=True, slots=True)
class Proposal:
    """`layout` as measured, and the `view` of the photo in its millimetres."""

    layout: Layout
    view: View


class NoRing(CannotCalibrate):
    """No ring is clear enough; `guess` is the clearest, to be corrected."""

    def __init__(self, guess: Proposal) -> None:
        super().__init__(
            "no ring of twelve equal fields is clear enough in the photo of the empty board; "
            "take it in even light, or give the measures with --layout"
        )
        self.guess = guess


def propose(empty: Image, tag_mm: float, name: str = "board") -> Proposal:
    """What the photo (BGR uint8) shows; `tag_mm`, the side of a tag's black square, gives the scale.

    Raises `CannotCalibrate` where the tags cannot be seen, `NoRing` where twelve equal circles cannot.
    """
    tags = replace(Layout.from_json(MAT), name=name, tag_mm=tag_mm)
    corners = true_corners(empty, sight("empty board", empty, tags).corners)
    stuck = measure_stickers(corners, (empty.shape[1], empty.shape[0]), tag_mm)
    ring = find_ring(empty, stuck.view, replace(tags, tags=stuck.centres))
    layout = Layout(
        name=name,
        dictionary=tags.dictionary,
        tag_mm=tag_mm,
        tags=stuck.centres,
        fields=tags.fields,
        ring_mm=round(ring.radius, 1),
        field_mm=round(ring.diameter, 1),
        first_deg=round(ring.first_deg, 1) % 30,
    )
    proposal = moved(Proposal(_apart(layout), stuck.view), *ring.middle)
    if ring.lead < CLEAR:
        raise NoRing(proposal)
    return proposal


def moved(proposal: Proposal, x: float, y: float) -> Proposal:
    """The same with the middle of the ring at (x, y) mm, right and down from where it was."""
    layout, view = proposal.layout, proposal.view
    centres = {tag: (round(a - x, 1), round(b - y, 1)) for tag, (a, b) in layout.tags.items()}
    a, b, c = (float(v) for v in view.turn @ np.array([x, y, 0.0]) + np.array(view.shift))
    return Proposal(replace(layout, tags=centres), View(view.lens, view.rotation, (a, b, c)))


def other_ring(profile: Profile) -> str | None:
    """What is wrong where the photo of the empty board clearly shows another ring than the layout says."""
    board = profile.layout
    ring = find_ring(profile.empty, profile.view, board)
    turned = (ring.first_deg - board.first_deg + 15) % 30 - 15  # a ring looks alike every 30 degrees
    aside = max(abs(ring.radius - board.ring_mm), float(np.hypot(*ring.middle)))
    if ring.lead < CLEAR:
        return None
    if aside < OTHER_MM and abs(turned) < OTHER_DEG:
        if abs(ring.diameter - board.field_mm) < OTHER_FIELD_MM:
            return None
        return (
            f"fields: the photo shows them about {ring.diameter:.0f} mm wide, and layout {board.name!r} says "
            f"{board.field_mm:g} mm"
        )
    x, y = ring.middle
    return (
        f"fields: the photo shows a ring of radius {ring.radius:.0f} mm around ({x:.0f}, {y:.0f}), "
        f"its first field at {board.first_deg + turned:.0f} degrees, and layout {board.name!r} says "
        f"{board.ring_mm:g} mm and {board.first_deg:g} degrees"
    )


def scaled(proposal: Proposal, times: float) -> Proposal:
    """Everything that was measured, `times` as large: where the tags are of another size than was said."""
    layout, view = proposal.layout, proposal.view
    x, y, z = (times * value for value in view.shift)
    tags = {tag: (round(times * a, 1), round(times * b, 1)) for tag, (a, b) in layout.tags.items()}
    larger = replace(
        layout,
        tag_mm=round(times * layout.tag_mm, 2),
        tags=tags,
        ring_mm=round(times * layout.ring_mm, 1),
        field_mm=round(times * layout.field_mm, 1),
    )
    return Proposal(_apart(larger), View(view.lens, view.rotation, (x, y, z)))


@dataclass(frozen=True, slots=True)
class Measures:
    """What somebody says of a board, mm: the sides of its tags' black squares, how far the ring's middle lies
    to the right and down from where it was measured, its radius, a field's width; and where the first lies,
    degrees."""

    tag_mm: float
    right_mm: float
    down_mm: float
    ring_mm: float
    field_mm: float
    first_deg: float


def measures(layout: Layout) -> Measures:
    """A board as it is measured."""
    return Measures(layout.tag_mm, 0.0, 0.0, layout.ring_mm, layout.field_mm, layout.first_deg)


def corrected(proposal: Proposal, told: Measures) -> Proposal:
    """As somebody says it is. Another size of the tags' black squares scales what they leave as it was
    measured. Raises `CannotCalibrate` for what is no such size, or no number."""
    known = proposal.layout
    check_length(told.tag_mm, TAG_MM)
    if told.tag_mm != known.tag_mm:
        proposal = scaled(proposal, told.tag_mm / known.tag_mm)
    board = proposal.layout
    ring_mm = board.ring_mm if told.ring_mm == known.ring_mm else told.ring_mm
    field_mm = board.field_mm if told.field_mm == known.field_mm else told.field_mm
    check_length(ring_mm, RING_MM)
    for aside in (told.right_mm, told.down_mm):
        check_length(aside, (-ring_mm, ring_mm))
    turned = told.first_deg % 360 if math.isfinite(told.first_deg) else board.first_deg
    board = replace(board, ring_mm=ring_mm, first_deg=turned)
    check_length(field_mm, (LEAST_FIELD_MM, widest_field(board)))
    board = replace(board, field_mm=field_mm)
    return moved(replace(proposal, layout=board), told.right_mm, told.down_mm)


def widest_field(layout: Layout) -> float:
    """No field is wider than they lie apart, in mm: larger ones would overlap."""
    return math.floor(10 * layout.fields_apart_mm) / 10


def _apart(layout: Layout) -> Layout:
    """The same board, its fields no wider than they lie apart: those that touch may measure more."""
    return replace(layout, field_mm=min(layout.field_mm, widest_field(layout)))


def drawn(empty: Image, proposal: Proposal) -> Image:
    """The photo with the fields and their letters, the ring and the tags drawn over it, BGR uint8."""
    picture = empty.copy()
    layout, view = proposal.layout, proposal.view
    turn = np.linspace(0, 2 * np.pi, 73)[:-1]
    circle = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    round_ = [(0.0, 0.0, layout.ring_mm)]
    round_ += [(float(x), float(y), layout.field_mm / 2) for x, y in layout.field_centres]
    for x, y, radius in round_:
        _line(picture, view, circle * radius + (x, y, 0))
    for tag in layout.tags:
        _line(picture, view, on_board(layout.tag_corners(tag)))
    size = view.pixels_per_mm() * layout.field_mm / 45
    for letter, (x, y) in zip(LETTERS, layout.field_centres, strict=True):
        write(picture, letter, view.project([[x, y, 0]])[0], size)
    return picture


def write(picture: Image, letter: str, at: Floats, size: float) -> None:
    """A letter with a light rim around the pixel `at`; where its pixels lie is seen in a drawing of it alone,
    for versions of OpenCV differ in what they say of their letters, and in how thick these are."""
    room = round(40 * size) + 20
    alone = np.zeros((2 * room, 2 * room), dtype=np.uint8)
    cv2.putText(
        alone, letter, (room // 2, 3 * room // 2), cv2.FONT_HERSHEY_SIMPLEX, size, 255, 2, cv2.LINE_AA
    )
    x, y, width, height = cv2.boundingRect(alone)
    left, top = round(at[0] - width / 2) - _RIM, round(at[1] - height / 2) - _RIM
    glyph = alone[y - _RIM : y + height + _RIM, x - _RIM : x + width + _RIM]
    rim = cv2.dilate(glyph, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * _RIM + 1,) * 2))
    high, wide = picture.shape[:2]
    rows, columns = np.arange(glyph.shape[0]) + top, np.arange(glyph.shape[1]) + left
    inside = np.ix_((rows >= 0) & (rows < high), (columns >= 0) & (columns < wide))
    there = np.ix_(rows[inside[0][:, 0]], columns[inside[1][0]])
    for ink, shape in ((_GROUND, rim), (_INK, glyph)):
        share = shape[inside][..., None] / 255
        picture[there] = np.round(picture[there] * (1 - share) + np.array(ink) * share)


def _line(picture: Image, view: View, points: Image) -> None:
    corners = [np.round(view.project(points) * 16).astype(np.int32)]
    for ink, thick in ((_GROUND, 3), (_INK, 1)):
        cv2.polylines(picture, corners, True, ink, thick, cv2.LINE_AA, 4)
