"""The six dice by rule: places that look new or like a colour, and the pattern of pips that fits there."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.beside import Stance
from vision.change import NOISE, Change
from vision.faces import LEAST_EDGE, USUAL_DOTS, WIDE, Dots, Face, read_face
from vision.geometry import Grey, Image, View
from vision.looks import look
from vision.profile import DieColour
from vision.rules.looks import alike_maps, likeness

SURELY_A_FACE = 0.66
"""A match that 99 of 100 real faces reach and other things seldom do."""
LEAST_ALIKE = 0.02
"""Less than this, and a face is no die of the set."""


@dataclass(frozen=True, slots=True)
class FoundDie:
    """A top face and its die: the likeliest colour of the set, and how sure that is.

    `alike` is how much the face looks like that die in the photo of the dice (0 to 1); `lead` how many
    times likelier the six names are as given than with this one exchanged.
    """

    colour: DieColour
    face: Face
    alike: float
    lead: float


def lies_flat(die: FoundDie, stance: Stance) -> bool:
    """Whether nothing sticks out beside the die.

    Four pips and more that match well are a square that only a flat face shows, two and three say
    something, and one looks the same on a leaning face.
    """
    if die.face.pips >= 4 and die.face.match > 0.85:
        return stance.beside < 0.85
    if die.face.pips >= 2 and die.face.match > 0.92:
        return stance.beside < 0.45
    return stance.beside < (0.33 if die.face.match > 0.78 else 0.25)


def spots(density: Grey, apart: float, most: int, least: float) -> list[tuple[int, int]]:
    """The highest places (x, y) of a map, at least `apart` pixels from each other."""
    left = density.copy()
    found = []
    for _ in range(most):
        _, high, _, at = cv2.minMaxLoc(left)
        if high < least:
            break
        found.append((int(at[0]), int(at[1])))
        cv2.circle(left, at, int(apart), 0.0, -1)
    return found


def centre_mm(weight: Grey, at: tuple[float, float], view: View, die_mm: float) -> tuple[float, float]:
    """The die around a place (half-size pixels): the middle of the weight is the middle of the cube."""
    x, y = float(at[0]), float(at[1])
    for _ in range(3):
        mm = view.unproject([[2 * x + 0.5, 2 * y + 0.5]], die_mm / 2)[0]
        reach = 0.75 * die_mm * view.pixels_per_mm(mm[0], mm[1], die_mm / 2) / 2
        left, top = max(int(x - reach), 0), max(int(y - reach), 0)
        window = weight[top : max(int(y + reach) + 2, 0), left : max(int(x + reach) + 2, 0)]
        total = float(window.sum())
        if total < 1:
            break
        x = left + float((window.sum(axis=0) * np.arange(window.shape[1])).sum()) / total
        y = top + float((window.sum(axis=1) * np.arange(window.shape[0])).sum()) / total
    mm = view.unproject([[2 * x + 0.5, 2 * y + 0.5]], die_mm / 2)[0]
    return float(mm[0]), float(mm[1])


def comb(
    frame: Image,
    view: View,
    change: Change,
    taken: list[Face],
    die_mm: float,
    most: int,
    dots: Dots = USUAL_DOTS,
) -> list[Face]:
    """Faces wherever something changed and no die of `taken` lies, the best match first.

    Slow (3 ms a place, at most `most` places): for a die that looks like what it lies on.
    """
    side = die_mm * view.pixels_per_mm() / 2
    changed = (change.much > NOISE / 2).astype(np.float32)
    left = cv2.boxFilter(changed, -1, (max(int(side), 3),) * 2)
    for face in taken:
        x, y = (v / 2 for v in view.pixel(face.x, face.y, die_mm / 2))
        cv2.circle(left, (int(x), int(y)), int(side * 0.9), 0.0, -1)
    faces = []
    for x, y in spots(left, side * 0.6, most, 0.15):
        mm = view.unproject([[2 * x + 0.5, 2 * y + 0.5]], die_mm / 2)[0]
        faces.append(read_face(frame, view, (float(mm[0]), float(mm[1])), die_mm, WIDE, dots))
    return sorted(faces, key=lambda face: -face.match)


def find_dice(
    frame: Image, view: View, change: Change, colours: tuple[DieColour, ...], die_mm: float, dots: Dots
) -> dict[str, FoundDie | None]:
    """For each colour its die, None where no face of that colour is to be seen.

    Places come from each colour's likeness and, colour aside, from all that is new; a face is what
    matches a pattern of pips; then every colour gets the face that looks most like it.
    """

    def named(faces: list[Face]) -> dict[str, FoundDie | None]:
        looks = [
            (face, look(frame, view, face, die_mm, change.lights.at(*view.pixel(face.x, face.y, 0))))
            for face in apart(faces, die_mm)
        ]
        return name_faces(looks, colours, die_mm)

    spots_mm = places(view, change, colours, die_mm)
    faces: list[Face] = []
    dice: dict[str, FoundDie | None] = {colour.name: None for colour in colours}
    for x, y in spots_mm:
        if not any(np.hypot(x - f.x, y - f.y) < 0.6 * die_mm for f in faces if is_plain(f)):
            faces.append(read_face(frame, view, (x, y), die_mm, dots=dots))
            dice = named(faces) if sum(map(is_plain, faces)) >= len(colours) else dice
            if all(die and is_plain(die.face) and die.alike > 0.15 for die in dice.values()):
                return dice
    dice = named(faces)
    if not all(die and is_clear(die.face) for die in dice.values()):
        # Shadow or a neighbour pulled some guess off its die: look wider where no die is known yet.
        known = [die.face for die in dice.values() if die and is_clear(die.face)]
        for x, y in spots_mm:
            if all(np.hypot(x - face.x, y - face.y) > 0.5 * die_mm for face in known):
                faces.append(read_face(frame, view, (x, y), die_mm, WIDE, dots))
        dice = named(faces)
    if None in dice.values():
        known = [die.face for die in dice.values() if die and is_clear(die.face)]
        dice = named(faces + comb(frame, view, change, known, die_mm, 30, dots))
    return dice


def is_clear(face: Face) -> bool:
    """Whether this is the top face of some die without much doubt."""
    return face.match > SURELY_A_FACE and face.edge > LEAST_EDGE and face.margin > 0.1


def is_plain(face: Face) -> bool:
    """Whether this face is so good that no better one is to be had next to it."""
    return face.match > 0.74 and face.edge > 0.6 and face.margin > 0.12


def places(
    view: View, change: Change, colours: tuple[DieColour, ...], die_mm: float
) -> list[tuple[float, float]]:
    """Where a die may lie, in mm: single spots of about its size, and what looks like a colour.

    Those that look most like some colour come first.
    """
    side = die_mm * view.pixels_per_mm() / 2
    box = max(int(side), 3)
    alike = alike_maps(change, colours)
    density = [cv2.boxFilter(weight, -1, (box, box)) for weight in alike]
    found: list[tuple[float, float]] = []
    colourful: list[float] = []

    def note(weight: Grey, at: tuple[float, float]) -> None:
        x, y = centre_mm(weight, at, view, die_mm)
        if all(np.hypot(x - a, y - b) > 0.2 * die_mm for a, b in found):
            found.append((x, y))
            colourful.append(max(float(one[int(at[1]), int(at[0])]) for one in density))

    small = np.ones((2, 2), np.uint8)
    for new in (change.thing, change.much > 2 * NOISE, change.much > 6 * NOISE):
        mask = cv2.morphologyEx(new.astype(np.uint8), cv2.MORPH_OPEN, small)
        _, _, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=4)
        area = stats[:, cv2.CC_STAT_AREA]
        weight = mask.astype(np.float32)
        for spot in np.nonzero((area > 0.35 * side**2) & (area < 3.2 * side**2))[0]:
            note(weight, (float(middles[spot][0]), float(middles[spot][1])))
    for weight, dense in zip(alike, density, strict=True):
        for at in spots(dense, side * 0.8, 3, 0.15):
            note(weight, at)
    return [found[i] for i in np.argsort(colourful)[::-1]]


def apart(faces: list[Face], die_mm: float) -> list[Face]:
    """The faces that may be some, none on top of another, the best first."""
    chosen: list[Face] = []
    for face in sorted(faces, key=lambda face: -(face.match + face.edge)):
        far = all(np.hypot(face.x - other.x, face.y - other.y) > 0.8 * die_mm for other in chosen)
        if far and face.match > 0.5:
            chosen.append(face)
    return chosen


def name_faces(
    faces: list[tuple[Face, tuple[float, float, float]]], colours: tuple[DieColour, ...], die_mm: float
) -> dict[str, FoundDie | None]:
    """Every colour's face: the surest pair of a face and a colour first, none used twice."""
    dice: dict[str, FoundDie | None] = {colour.name: None for colour in colours}
    if not faces:
        return dice
    lab = np.array([lab for _, lab in faces], dtype=np.float32)
    alike = np.stack([likeness(lab, colour) for colour in colours], axis=1)
    worth = alike * np.array([[face.match**2] for face, _ in faces], dtype=np.float32)
    given: dict[int, int] = {}
    for _ in range(len(colours)):
        row, column = (int(i) for i in np.unravel_index(int(worth.argmax()), worth.shape))
        if worth[row, column] < LEAST_ALIKE:
            break
        given[row] = column
        worth[row], worth[:, column] = 0, 0
    # A free face next to a named die is that die's own side.
    free = [
        row
        for row, (face, _) in enumerate(faces)
        if is_plain(face)
        and all(np.hypot(face.x - faces[i][0].x, face.y - faces[i][0].y) > 1.3 * die_mm for i in given)
    ]
    for row, column in given.items():
        like = float(alike[row, column])
        dice[colours[column].name] = FoundDie(
            colours[column], faces[row][0], like, _lead(alike, given, free, row)
        )
    return dice


def _lead(alike: Grey, given: dict[int, int], free_faces: list[int], row: int) -> float:
    """How many times likelier `given` (face -> colour) is than the best exchange that renames face `row`."""
    alike = np.maximum(alike, 1e-4)
    own = given[row]
    leads = [
        alike[row, own] / alike[row, other] for other in range(alike.shape[1]) if other not in given.values()
    ]
    for other, column in given.items():
        if other != row:
            leads.append(alike[row, own] * alike[other, column] / (alike[row, column] * alike[other, own]))
    leads += [alike[row, own] / alike[free, own] for free in free_faces]
    return float(min(leads, default=1e4))
