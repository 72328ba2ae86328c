"""What was read, drawn over the photograph it was read in."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Point, Reading, SeenDie, SeenPiece

Frame = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

SURE: Colour = (150, 214, 88)
DOUBT: Colour = (44, 172, 255)
QUIET: Colour = (235, 232, 226)
DARK: Colour = (30, 26, 22)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FONT = cv2.FONT_HERSHEY_DUPLEX
_SHIFT = 4
"""Sixteenths of a pixel, so that outlines lie where they were found."""


def draw(frame: Frame, reading: Reading, scale: float = 1.0) -> Frame:
    """A copy of `frame`, BGR uint8 (H, W, 3), with fields, pieces, dice and doubts drawn over it.

    `scale` makes words and lines larger, for a picture that is shown small.
    """
    shown = np.ascontiguousarray(frame).copy()
    size = scale * max(shown.shape[1], shown.shape[0]) / 1536
    _board(shown, reading, size)
    for piece in reading.pieces:
        _piece(shown, piece, size)
    for die in reading.seen_dice:
        _die(shown, die, size)
    _words(shown, reading, size)
    return shown


def _board(shown: Frame, reading: Reading, size: float) -> None:
    if reading.board:
        _outline(shown, reading.board, QUIET, 1.2 * size)
    centres = [np.mean(field, axis=0) for field in reading.fields if field]
    middle = np.mean(centres, axis=0) if centres else np.zeros(2)
    counts = reading.counts or (None,) * len(reading.fields)
    for letter, field, count in zip(LETTERS, reading.fields, counts, strict=False):
        if not field:
            continue
        colour = DOUBT if count is None else SURE if count else QUIET
        _outline(shown, field, colour, (2.4 if count or count is None else 1.0) * size)
        centre = np.mean(field, axis=0)
        radius = float(np.linalg.norm(np.array(field) - centre, axis=1).mean())
        # Outside the ring, where neither pieces nor printed letters stand.
        away = centre - middle
        at = centre + away / max(float(np.linalg.norm(away)), 1.0) * (radius + 15 * size)
        text = letter if count == 0 else f"{letter} {'?' if count is None else count}"
        _label(shown, text, (float(at[0]), float(at[1])), colour, 0.55 * size)


def _piece(shown: Frame, piece: SeenPiece, size: float) -> None:
    colour = SURE if piece.sure and piece.field is not None else DOUBT
    x, y = (round(value * 2**_SHIFT) for value in piece.centre)
    radius = round((piece.radius + 2 * size) * 2**_SHIFT)
    for ink, wide in ((DARK, 4.0), (colour, 2.0)):
        cv2.circle(shown, (x, y), radius, ink, max(round(wide * size), 1), cv2.LINE_AA, _SHIFT)
    if piece.marker:
        _label(
            shown,
            piece.marker,
            (piece.centre[0], piece.centre[1] - piece.radius - 9 * size),
            colour,
            0.42 * size,
        )


def _die(shown: Frame, die: SeenDie, size: float) -> None:
    colour = SURE if die.sure else DOUBT
    if die.outline:
        _outline(shown, die.outline, DARK, 4 * size)
        _outline(shown, die.outline, colour, 2 * size)
    tops = [y for _, y in die.outline] or [die.centre[1]]
    text = f"{die.colour} {'?' if die.pips is None else die.pips}"
    _label(shown, text, (die.centre[0], min(tops) - 13 * size), colour, 0.5 * size)


def _words(shown: Frame, reading: Reading, size: float) -> None:
    """The doubts, a line each, in the lower left corner."""
    lines = [f"{doubt.what}: {doubt.why}" for doubt in reading.doubts[:8]]
    if not lines and not reading.sure:
        lines = ["not sure"]
    for number, line in enumerate(reversed(lines)):
        (wide, _), _ = cv2.getTextSize(line, FONT, 0.6 * size, 1)
        at = (wide / 2 + 16 * size, shown.shape[0] - (20 + 27 * number) * size)
        _label(shown, line, at, DOUBT, 0.6 * size)


def _outline(shown: Frame, points: tuple[Point, ...], colour: Colour, wide: float) -> None:
    dots = np.round(np.array(points) * 2**_SHIFT).astype(np.int32)
    cv2.polylines(shown, [dots], True, colour, max(round(wide), 1), cv2.LINE_AA, _SHIFT)


def _label(shown: Frame, text: str, at: Point, colour: Colour, scale: float) -> None:
    """`text` around `at`, on a dark plate that the photograph shines through; kept inside the frame."""
    (wide, high), below = cv2.getTextSize(text, FONT, scale, 1)
    rim = max(round(9 * scale), 2)
    x = round(min(max(at[0] - wide / 2, rim), shown.shape[1] - wide - rim))
    y = round(min(max(at[1] + high / 2, high + rim), shown.shape[0] - below - rim))
    left, right, top, low = x - rim, x + wide + rim, y - high - rim, y + rim + below // 2
    plate = shown[max(top, 0) : low, max(left, 0) : right]
    plate[:] = (plate * 0.25 + np.array(DARK) * 0.75).astype(np.uint8)
    cv2.putText(shown, text, (x, y), FONT, scale, colour, 1, cv2.LINE_AA)
