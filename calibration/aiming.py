"""A live picture of the table: the tags and fields found in it, and what to change first, in one sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration.advice import Subject, findings, mirroring
from calibration.calibrate import USUAL_DIE_MM
from calibration.faults import CannotCalibrate
from calibration.photos import cut_off, missing, named, sight
from calibration.stickers import measure_stickers
from vision.geometry import LETTERS, Floats, Image, Layout, View
from vision.profile import USUAL_PIECE_MM, Profile
from vision.tags import find_tags, locate_roughly
from vision.unseen import SAID, why_unseen

FIRST: tuple[Subject, ...] = ("light", "angle", "dice", "glare", "sharpness", "room")
"""What is said first: in a bad light nothing else can be judged, and room is the least of all."""
OTHER_BOARD = 0.01
"""Tags that are further from where the layout has them, in longer sides of the picture, are another's."""
_CIRCLE = np.stack([f(np.linspace(0, 2 * np.pi, 37)[:-1]) for f in (np.cos, np.sin, np.zeros_like)], axis=1)


@dataclass(frozen=True, slots=True)
class Aim:
    """`tags` are corners in pixels by id, (4, 2) each; `fields` outlines by letter, (36, 2) each, of which
    a lamp is mirrored on the `shining` ones. `says` is what to change; None where all is good."""

    tags: dict[int, Floats]
    fields: dict[str, Floats]
    shining: tuple[str, ...]
    says: str | None


def aim(frame: Image, layout: Layout, stuck: bool = False) -> Aim:
    """What `frame`, BGR uint8 (H, W, 3), gives; of `layout` only the tags' size counts where they are `stuck`
    on a board that nobody has measured."""
    tags, twice = find_tags(frame, layout)
    if twice:
        return Aim(tags, {}, (), "more than one board is in view; take one away")
    size = (frame.shape[1], frame.shape[0])
    if len(tags) < 4:
        fields = {} if stuck else _fields(_located(tags, layout, size), layout)
        return Aim(tags, fields, (), _what_is_missing(frame, tags, layout, stuck))
    try:
        if stuck:
            found = measure_stickers(tags, size, layout.tag_mm)
            layout, view = replace(layout, tags=found.centres), found.view
        else:
            view = _checked(tags, layout, size)
        seen = sight("empty board", frame, layout)
    except CannotCalibrate as fault:
        return Aim(tags, {}, (), str(fault))
    profile = Profile(layout, view, frame, (), USUAL_DIE_MM, USUAL_PIECE_MM)
    said = findings(profile, seen)
    if stuck:  # where the fields are is not known yet
        said["glare"] = None
    says = next((why for subject in FIRST if (why := said[subject]) is not None), None)
    if stuck:
        return Aim(tags, {}, (), says)
    return Aim(tags, _fields(view, layout), tuple(mirroring(profile, seen)), says)


def fields_of(view: View, layout: Layout) -> dict[str, Floats]:
    """The outlines of the fields in pixels, by letter, (36, 2) each."""
    outlines = {}
    for letter, (x, y) in zip(LETTERS, layout.field_centres, strict=True):
        outlines[letter] = view.project(_CIRCLE * layout.field_mm / 2 + (x, y, 0))
    return outlines


def _fields(view: View | None, layout: Layout) -> dict[str, Floats]:
    return fields_of(view, layout) if view else {}


def _located(tags: dict[int, Floats], layout: Layout, size: tuple[int, int]) -> View | None:
    found = locate_roughly(tags, layout, size)
    return found[0] if found else None


def _checked(tags: dict[int, Floats], layout: Layout, size: tuple[int, int]) -> View:
    """The view that the tags tell; raises `CannotCalibrate` where the tags are another board's."""
    found = locate_roughly(tags, layout, size)
    if found is None or found[1] > OTHER_BOARD * max(size):
        raise CannotCalibrate("the tags do not lie as on this board; choose another board, or put them right")
    return found[0]


def _what_is_missing(frame: Image, tags: dict[int, Floats], layout: Layout, stuck: bool) -> str:
    if why := why_unseen(frame, layout, tags):
        return SAID[why]
    out = None if stuck else cut_off(tags, layout, (frame.shape[1], frame.shape[0]))
    if out is not None:
        return f"tag {named(out)} is out of the picture; move the camera up"
    if not tags:
        return "no tag is to be seen; bring the whole board into the picture"
    which, are = missing(tags, layout)
    return f"{which} {are} missing; lay nothing on the tags, and bring all four into the picture"
