"""The six dice in the photo of the dice: where they lie, how each one looks."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from calibration.colours import in_plain_light, missing_name
from calibration.faults import CannotCalibrate
from vision.change import NOISE
from vision.die_look import look as look_at
from vision.faces import WIDE, Face, has_light_pips, read_face
from vision.geometry import Floats, Image, View
from vision.looks import look
from vision.outline import NEAR
from vision.profile import Lab
from vision.rules.dice import apart, centre_mm, comb, spots
from vision.tops import Table, find_tops
from vision.values import as_face

MATCH, EDGE, MARGIN = 0.66, 0.35, 0.1
"""A top face has at least these: of 390 in many lights none had less, and nothing else in them had more."""
SEEN_MATCH = 0.5
"""What the networks take for a die needs less: under a glare of 30 tables one had 0.59."""
SURELY = 0.95
"""As surely a die, and flat, it needs none where fewer than six have one: of 8 tables two had such a die."""
ELSEWHERE = 0.25
"""Of a side: what the rules see so far from where the networks do is a die's side, or two dice."""
RATHER, ITS_VALUE = 0.5, 0.6
"""And where there are fewer yet, a flat one that is rather a die than none, if it shows a value so likely: of
15 tables one had such a die, whose grey pips were as light as its shining top."""
LOOKS_SO = 0.1
"""What the networks of the table are not sure of is a die by so much to that of `corona dice`: where one die
of a photo was painted over, what stood for it (a corner of the board, a print) was one by 0.02 at most, and
each of 150 dice by 0.46."""
ANOTHER_MATCH, ANOTHER_EDGE = 0.8, 0.55
"""What is so much of a face, apart from the six, is a seventh die."""
TOUCHING = 0.9
"""Of a side: the middles of two dice that touch are one apart."""
FAR_MORE = 11.0
"""More colourful by so much (Lab): of 420 dice in 70 photos two were, both under a lamp; all others by 10 at
most."""
_EVEN = np.ones(3)


def find_six(table: Table) -> list[Face]:
    """The six top faces among what is new in the photo of the dice, the likeliest first.

    Raises `CannotCalibrate` where there are fewer or more.
    """
    sure, perhaps = _seen(table)
    faces = _beside(sure + _dice_among(table, perhaps), table.die_mm)
    if len(faces) < 6:
        faces = apart(faces + _dice_among(table, _by_rules(table)), table.die_mm)
    if len(faces) < 6:
        more = comb(table.frame, table.view, table.change, faces, table.die_mm, 400)
        faces = apart(faces + _dice_among(table, list(filter(_is_face, more))), table.die_mm)
    faces = [
        replace(face, bright=has_light_pips(table.frame, table.view, face, table.die_mm)) for face in faces
    ]
    if len(faces) < 6:
        raise TooFewDice(faces)
    first = faces[:6]
    for face in faces[6:]:
        alone = all(np.hypot(face.x - other.x, face.y - other.y) > 1.3 * table.die_mm for other in first)
        if alone and face.match > ANOTHER_MATCH and face.edge > ANOTHER_EDGE:
            raise CannotCalibrate(
                "the photo of the dice shows more than 6 dice; leave only the six of the set on the table"
            )
    return first


def _beside(faces: list[Face], die_mm: float) -> list[Face]:
    """The faces, the likeliest first, but for those nearer to a likelier one than flat dice can lie."""
    kept: list[Face] = []
    for face in faces:
        if all(math.dist((face.x, face.y), (other.x, other.y)) > TOUCHING * die_mm for other in kept):
            kept.append(face)
    return kept


class TooFewDice(CannotCalibrate):
    """Fewer than six faces were found: `faces`."""

    def __init__(self, faces: list[Face]) -> None:
        super().__init__(
            f"the photo of the dice shows {len(faces)} of 6 dice; lay all six flat, apart, in even light"
        )
        self.faces = faces


def looks_of(photo: Image, view: View, faces: list[Face], die_mm: float) -> list[Lab]:
    """The middle colour of each face, in the light of the photo.

    Pips and a mirrored lamp are grey. Where a lamp shines in a top, what its pips are told to be may be
    wrong; then the part without them is the lamp, and the rest far more colourful.
    """

    def colour(face: Face) -> Lab:
        told, other = (
            look(photo, view, one, die_mm, _EVEN) for one in (face, replace(face, bright=not face.bright))
        )
        return other if _colourful(other) > _colourful(told) + FAR_MORE else told

    return [colour(face) for face in faces]


def _colourful(seen: Lab) -> float:
    return math.hypot(seen[1] - 128, seen[2] - 128)


def say_missing(
    fault: TooFewDice, looks: list[Lab], paper: Floats, names: list[str], overexposed: bool
) -> None:
    """Raises `fault` with more: the photo is overexposed, or the name of the die that it plainly lacks."""
    if overexposed:
        raise CannotCalibrate(
            f"the photo of the dice shows {len(fault.faces)} of 6 dice and is overexposed; expose it less"
        ) from fault
    bright = [face.bright for face in fault.faces]
    name = missing_name(in_plain_light(looks, paper), bright, names)
    if name is not None:
        raise CannotCalibrate(
            f"the photo of the dice shows 5 of 6 dice, the {name} one seems to be missing; "
            "lay all six flat, apart, in even light"
        ) from fault


def _is_face(face: Face) -> bool:
    return face.match > MATCH and face.edge > EDGE and face.margin > MARGIN


def _seen(table: Table) -> tuple[list[Face], list[Face]]:
    """What the networks surely take for dice, and what perhaps, the likeliest first.

    Where each lies best, the rules may tell. A pattern of pips need not match what they are sure of, as under
    a glare; a print that does match is no die yet.
    """
    faces, glaring, matching, vague = [], [], [], []
    for top in sorted(find_tops(table, 6), key=lambda top: -top.die):
        at = (top.x, top.y)
        face = max(
            (read_face(table.frame, table.view, at, table.die_mm, span) for span in (NEAR, WIDE)),
            key=lambda face: face.match + face.edge,
        )
        matched = face.match > SEEN_MATCH and face.edge > EDGE
        pips = int(top.pips.argmax()) + 1
        alike = face.pips == pips and math.dist((face.x, face.y), at) < ELSEWHERE * table.die_mm
        if not (matched and alike) or abs(top.light) > face.match:
            face = replace(face, x=top.x, y=top.y, turn=top.turn, pips=pips)
        sure = min(top.die, top.flat) > SURELY
        if sure and matched:
            faces.append(face)
        elif sure:
            glaring.append(face)
        elif matched:
            matching.append(face)
        elif top.flat > SURELY and top.die > RATHER and top.pips.max() > ITS_VALUE:
            vague.append(face)
    return faces + glaring, matching + vague


def likeliest(table: Table) -> list[Face]:
    """What the networks take for dice; and where those are not six, what the rules do, none on another."""
    sure, perhaps = _seen(table)
    faces = sure + perhaps
    return faces if len(faces) >= 6 else apart(faces + _by_rules(table), table.die_mm)


def _dice_among(table: Table, faces: list[Face]) -> list[Face]:
    """Those of some faces that look like a die's to the network that reads dice in any photograph, too."""
    seen = [as_face(table.view, face, table.die_mm) for face in faces]
    none = [chances[0] for chances in look_at(table.frame, seen)]
    return [face for face, chance in zip(faces, none, strict=True) if 1 - chance > LOOKS_SO]


def _by_rules(table: Table) -> list[Face]:
    """Faces at the spots where something of a die's size is new."""
    change, view, die_mm = table.change, table.view, table.die_mm
    side = max(int(die_mm * view.pixels_per_mm() / 2), 3)
    faces: list[Face] = []
    # A white die on white paper differs from it by little more than its shadow does: look among
    # what is surely new, then among all that changed.
    for new in (change.thing, change.much > NOISE, change.much > 4 * NOISE):
        weight = cv2.morphologyEx(new.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        weight = weight.astype(np.float32)
        density = cv2.boxFilter(weight, -1, (side, side))
        for at in spots(density, side * 0.6, 24, 0.2):
            faces.append(read_face(table.frame, view, centre_mm(weight, at, view, die_mm), die_mm))
    return list(filter(_is_face, faces))
