"""The layout of a board nobody has measured, from the photo of it empty and the four tags stuck on it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.faults import CannotCalibrate
from calibration.layouts import MAT
from calibration.photos import sight, true_corners
from calibration.ring import CLEAR, find_ring
from calibration.stickers import measure_stickers
from vision.geometry import LETTERS, Image, Layout, View

_INK, _GROUND = (60, 20, 200), (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Proposal:
    """`layout` as measured, and the `view` of the photo in its millimetres."""

    layout: Layout
    view: View


def propose(empty: Image, tag_mm: float, name: str = "board") -> Proposal:
    """What the photo (BGR uint8) shows; `tag_mm`, the side of a tag's black square, gives the scale.

    Raises `CannotCalibrate` where the tags or a ring of twelve equal circles cannot be seen.
    """
    tags = replace(Layout.from_json(MAT), tag_mm=tag_mm)
    corners = true_corners(empty, sight("empty board", empty, tags).corners)
    stuck = measure_stickers(corners, (empty.shape[1], empty.shape[0]), tag_mm)
    ring = find_ring(empty, stuck.view, replace(tags, tags=stuck.centres))
    if ring.lead < CLEAR:
        raise CannotCalibrate(
            "no ring of twelve equal fields is clear enough in the photo of the empty board; "
            "take it in even light, or give the measures with --layout"
        )
    x, y = ring.middle
    centres = {tag: (round(a - x, 1), round(b - y, 1)) for tag, (a, b) in stuck.centres.items()}
    layout = Layout(
        name=name,
        dictionary=tags.dictionary,
        tag_mm=tag_mm,
        tags=centres,
        fields=tags.fields,
        ring_mm=round(ring.radius, 1),
        field_mm=round(ring.diameter, 1),
        first_deg=round(ring.first_deg, 1) % 30,
    )
    return Proposal(layout, _moved(stuck.view, x, y))


def _moved(view: View, x: float, y: float) -> View:
    """The same view with the origin of the board at (x, y) mm."""
    a, b, c = (float(v) for v in view.turn @ np.array([x, y, 0.0]) + np.array(view.shift))
    return View(view.lens, view.rotation, (a, b, c))


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
    return Proposal(larger, View(view.lens, view.rotation, (x, y, z)))


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
        _line(picture, view, np.hstack([layout.tag_corners(tag), np.zeros((4, 1))]))
    size = view.pixels_per_mm() * layout.field_mm / 45
    for letter, (x, y) in zip(LETTERS, layout.field_centres, strict=True):
        at = view.project([[x, y, 0]])[0]
        (width, height), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
        place = (round(at[0] - width / 2), round(at[1] + height / 2))
        for ink, thick in ((_GROUND, 5), (_INK, 2)):
            cv2.putText(picture, letter, place, cv2.FONT_HERSHEY_SIMPLEX, size, ink, thick, cv2.LINE_AA)
    return picture


def _line(picture: Image, view: View, points: Image) -> None:
    corners = [np.round(view.project(points) * 16).astype(np.int32)]
    for ink, thick in ((_GROUND, 3), (_INK, 1)):
        cv2.polylines(picture, corners, True, ink, thick, cv2.LINE_AA, 4)
