"""The six dice in the photo of the dice: where they lie, how they look, and which name goes with which."""

from __future__ import annotations

from itertools import permutations

import cv2
import numpy as np

from vision.change import NOISE, Change
from vision.dice import apart, centre_mm, comb, is_clear, spots
from vision.faces import Face, read_face
from vision.geometry import Image, View
from vision.looks import from_names, look
from vision.profile import DieColour


class CannotCalibrate(ValueError):
    """These photographs do not make a profile; the text says why and what to do."""


def measure_die(photo: Image, view: View, change: Change) -> float:
    """The side of the dice in mm, within one: the size at which six faces are seen best.

    Dice that can be bought have 12 to 22 mm; a face is still found when the guess is 2 mm off.
    """
    guesses = [(mm, find_six(photo, view, change, mm, hurry=True)) for mm in (14.0, 16.0, 18.0, 20.0)]
    _, faces = max(guesses, key=lambda guess: sum(face.match + face.edge for face in guess[1]))
    sizes = np.arange(12.0, 22.5, 0.5)
    seen = [[read_face(photo, view, (face.x, face.y), float(mm)) for face in faces] for mm in sizes]
    return float(sizes[np.argmax([sum(face.match + face.edge for face in row) for row in seen])])


def find_six(photo: Image, view: View, change: Change, die_mm: float, hurry: bool = False) -> list[Face]:
    """The six best faces among what is new on the table; raises `CannotCalibrate` when there are fewer.

    In a hurry it gives those that are easily found, also fewer than six.
    """
    side = max(int(die_mm * view.pixels_per_mm() / 2), 3)
    faces: list[Face] = []
    # A white die on white paper differs from it by little more than its shadow does: look among
    # what is surely new, then among all that changed.
    for new in (change.thing, change.much > NOISE, change.much > 4 * NOISE):
        weight = cv2.morphologyEx(new.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        weight = weight.astype(np.float32)
        density = cv2.boxFilter(weight, -1, (side, side))
        for at in spots(density, side * 0.6, 24, 0.2):
            faces.append(read_face(photo, view, centre_mm(weight, at, view, die_mm), die_mm))
    chosen = apart(list(filter(is_clear, faces)), die_mm)
    if len(chosen) < 6 and not hurry:
        more = comb(photo, view, change, chosen, die_mm, 400)
        chosen = apart(chosen + list(filter(is_clear, more)), die_mm)
    if len(chosen) < 6 and not hurry:
        raise CannotCalibrate(
            f"the photo of the dice shows {len(chosen)} of 6 dice; lay all six flat, apart, in even light"
        )
    return chosen[:6]


def name_colours(looks: list[tuple[float, float, float]], names: list[str]) -> list[int]:
    """For each name the index of its die: the assignment with the smallest total distance."""
    apart = np.sqrt(from_names(np.array(looks), names))
    orders = list(permutations(range(len(names))))
    totals = [sum(apart[die, i] for i, die in enumerate(order)) for order in orders]
    return list(orders[int(np.argmin(totals))])


def learn_colours(
    photo: Image, view: View, change: Change, die_mm: float, names: list[str]
) -> tuple[DieColour, ...]:
    """The looks of the six dice in the order of `names`."""
    faces = find_six(photo, view, change, die_mm)
    looks = [look(photo, view, face, die_mm, change.light) for face in faces]
    order = name_colours(looks, names)
    return tuple(
        DieColour(name, looks[die], faces[die].bright) for name, die in zip(names, order, strict=True)
    )
