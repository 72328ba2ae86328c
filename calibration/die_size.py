"""How large the dice are: as told, where they look so, else by their outlines in the photo of the dice."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.dice import TooFewDice, find_six, likeliest
from calibration.faults import CannotCalibrate
from calibration.outlines import SHIFTS, agreed, fits
from vision.change import Change
from vision.faces import Face, read_face
from vision.geometry import Floats, Image, View
from vision.loose_dice import judge, shown
from vision.outline import turn_of
from vision.stance_net import flatness
from vision.tops import Table

SIDES = np.arange(11.0, 23.1, 0.5)
"""mm, those that are tried; dice that can be bought have 12 to 22."""
USUAL_MM, UNUSUAL = 16.0, 0.005
"""A usual side is preferred a little: what each square mm away from it costs."""
SHARES = np.arange(92, 107) / 100
"""Of a side, told or measured: those with which the dice may look flatter."""
ROUNDED, AWAY = 0.98, 0.2
"""Rounded edges make dice look so much smaller than a ruler says; and what each square percent away from what
is to be expected costs, in scores of the six together."""
AS_TOLD = (0.93, 1.1)
"""A side that is told is so many times what the outlines of the dice look like, at least and at most: that of
13 sets was 1.00 to 1.07 times, whatever side they were found with."""
OTHER_SIZE = 1.2
"""So far off the tags, which all is measured by, may be of another size than told."""


def measure_die(photo: Image, empty: Image, view: View, change: Change) -> float:
    """The side of the dice in mm; of 50 sets off by 0.3 at the mean, 1.0 at most.

    A face is found when the guess is 2 mm off, and the size at which its pips match is near; but pips lie
    nearer to the edges of some dice than of others, so the outline has the last word.
    """
    guesses = [likeliest(Table(photo, empty, view, change, mm))[:6] for mm in (14.0, 16.0, 18.0, 20.0)]
    faces = max(guesses, key=lambda seen: sum(face.match + face.edge for face in seen))
    seen = [[read_face(photo, view, (face.x, face.y), float(mm)) for face in faces] for mm in SIDES]
    best = int(np.argmax([sum(face.match + face.edge for face in row) for row in seen]))
    if len(faces) < 2:
        return float(SIDES[best])
    return _agreed([_fits(face, float(SIDES[best]), photo, empty, view) for face in seen[best]])


def _agreed(each: list[Floats]) -> float:
    return agreed(SIDES, each, -UNUSUAL * (SIDES - USUAL_MM) ** 2)


def find_sized(
    photo: Image, empty: Image, view: View, change: Change, told: float | None
) -> tuple[Table, list[Face], bool]:
    """The six dice, at a table whose dice have the side they are taken for, and whether that is as `told`.

    A side that was told, mm, is taken where the dice look so; else they are as large as they look. Raises
    `CannotCalibrate` as `find_six` does, and where they look far from that.
    """

    def seen_with(side: float) -> tuple[Table, list[Face]]:
        table = Table(photo, empty, view, change, side)
        return table, find_six(table)

    if told is None:
        return *seen_with(measure_die(photo, empty, view, change)), False
    try:
        table, faces = seen_with(told)
        seen = _agreed([_fits(face, told, photo, empty, view) for face in faces])
        if seen in (SIDES[0], SIDES[-1]):  # or beyond
            refuse_other_size(photo, view, told)
            return table, faces, True
        if not is_other(seen, told):
            return table, faces, True
        table, faces = seen_with(seen)
    except TooFewDice as fault:
        try:
            table, faces = seen_with(seen := measure_die(photo, empty, view, change))
        except CannotCalibrate:
            raise fault from None  # it may well have the side that was told
    if _far_off(seen, told):
        raise _other_size(seen, told)
    return table, faces, False


def is_other(seen: float, told: float) -> bool:
    """Whether dice that look so large have not the side that was told."""
    return not AS_TOLD[0] < told / seen < AS_TOLD[1]


def taken_as_seen(seen: float, told: float | None) -> str | None:
    """What is said of dice that were told to be of another size than they look, and are taken for."""
    if told is None or not is_other(seen, told):
        return None
    return f"they look {seen:g} mm wide and not {told:g}, and are taken so; measure one again"


def refuse_other_size(photo: Image, view: View, told: float) -> None:
    """Raises `CannotCalibrate` where the dice look far from as large as they are told to be.

    For where six are not found: a finder that knows no sizes has the word.
    """
    loose = [judged.face for judged in shown(judge(photo), max(photo.shape[:2]))]
    at = [view.unproject(face.middle[None], told)[0] for face in loose]
    sides = [face.side / view.pixels_per_mm(x, y, told) for face, (x, y) in zip(loose, at, strict=True)]
    if len(sides) > 2 and _far_off(seen := float(np.median(sides)), told):
        raise _other_size(seen, told)


def _far_off(seen: float, told: float) -> bool:
    return max(seen / told, told / seen) > OTHER_SIZE


def _other_size(seen: float, told: float) -> CannotCalibrate:
    return CannotCalibrate(
        f"the dice look about {seen:.0f} mm wide and not {told:g}; "
        "measure one, and the black squares of the tags, again"
    )


def flattest(table: Table, faces: list[Face], told: bool) -> float:
    """The side (mm) with which the six look flattest, near that of `table`, which was `told` or measured.

    All of them do lie flat, and what is taken for larger than it looks seems to lean.
    """
    tops = [(face.x, face.y, face.turn) for face in faces]
    seen = (table.frame, table.empty, table.view, table.change.lights, tops)
    worth = np.array([flatness(*seen, share * table.die_mm).sum() for share in SHARES])
    worth -= AWAY * (100 * (SHARES - (ROUNDED if told else 1))) ** 2
    return round(float(table.die_mm * SHARES[int(np.argmax(worth))]), 1)


def _fits(face: Face, guess: float, photo: Image, empty: Image, view: View) -> Floats:
    """For each of `SIDES` how well the outline of such a die fits; its face was found with side `guess`."""
    turn = turn_of(photo, view, (face.x, face.y), guess)
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    square = square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    sides = SIDES[:, None, None]
    # Seen at the same pixel, a lower top is farther from the camera's foot.
    foot, up = np.array(view.eye[:2]), view.eye[2]
    middles = foot + (np.array((face.x, face.y)) - foot) * (up - sides) / (up - guess)
    tops = sides[..., None] * square + (middles + SHIFTS)[:, :, None]
    points = [
        np.concatenate([tops, np.broadcast_to(z, (*tops.shape[:3], 1))], axis=3)
        for z in (0, sides[..., None])
    ]
    low, top = (view.project(corners.reshape(-1, 3)).reshape(tops.shape) for corners in points)
    both = np.concatenate([low, top], axis=2)
    # Whatever its size, the same corners make its outline.
    around = cv2.convexHull(both[len(SIDES) // 2, len(SHIFTS) // 2].astype(np.float32), returnPoints=False)
    outline, outwards = _along(both[:, :, around[:, 0]])
    rim, _ = _along(top)
    return fits(photo, empty, view.pixels_per_mm(face.x, face.y), outline, outwards, rim)


def _along(corners: Floats) -> tuple[Floats, Floats]:
    """Eight points of each side of polygons (..., K, 2), and outwards from there, (..., 8 K, 2) each."""
    sides = np.roll(corners, -1, axis=-2) - corners
    shares = (np.arange(8)[:, None] + 0.5) / 8
    points = corners[..., None, :] + shares * sides[..., None, :]
    across = np.stack([sides[..., 1], -sides[..., 0]], axis=-1)
    across /= np.linalg.norm(across, axis=-1, keepdims=True)
    away = corners - corners.mean(axis=-2, keepdims=True)
    across *= np.sign((across * away).sum(axis=-1, keepdims=True))
    flat = (*corners.shape[:-2], -1, 2)
    return points.reshape(flat), np.broadcast_to(across[..., None, :], points.shape).reshape(flat)
