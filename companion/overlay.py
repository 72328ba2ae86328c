"""What was read, drawn over the photograph it was read in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import LETTERS
from vision.reading import Point, Reading, SeenDie, SeenPiece

Frame = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]
"""Left, top, right and lower edge, pixels."""

SURE: Colour = (150, 214, 88)
DOUBT: Colour = (44, 172, 255)
QUIET: Colour = (235, 232, 226)
DARK: Colour = (30, 26, 22)
FONT = cv2.FONT_HERSHEY_DUPLEX
_ALL = "fields " + " ".join(LETTERS)
_SHIFT = 4
"""Sixteenths of a pixel, so that outlines lie where they were found."""


def draw(frame: Frame, reading: Reading, scale: float = 1.0) -> Frame:
    """A copy of `frame`, BGR uint8 (H, W, 3), with fields, pieces, dice and doubts drawn over it.

    `scale` makes words and lines larger, for a picture that is shown small.
    """
    shown = np.ascontiguousarray(frame).copy()
    size = scale * max(shown.shape[1], shown.shape[0]) / 1536
    _lines(shown, reading, size)
    taken = _words(shown, reading, size)
    taken += [_around(piece.centre, piece.radius) for piece in reading.pieces]
    taken += [_box(die.outline) for die in reading.seen_dice if die.outline]
    for label in _labels(reading, size):
        taken.append(_write(shown, label, taken))
    return shown


def _lines(shown: Frame, reading: Reading, size: float) -> None:
    """All outlines: of the board, of its fields, of pieces and dice."""
    if reading.board:
        _outline(shown, reading.board, QUIET, 1.2 * size)
    for field, count in zip(reading.fields, _counts(reading), strict=False):
        if field:
            _outline(shown, field, _ink(count), (2.4 if count != 0 else 1.0) * size)
    for piece in reading.pieces:
        x, y = (round(value * 2**_SHIFT) for value in piece.centre)
        radius = round((piece.radius + 2 * size) * 2**_SHIFT)
        for ink, wide in ((DARK, 4.0), (_of_piece(piece), 2.0)):
            cv2.circle(shown, (x, y), radius, ink, max(round(wide * size), 1), cv2.LINE_AA, _SHIFT)
    for die in reading.seen_dice:
        if die.outline:
            _outline(shown, die.outline, DARK, 4 * size)
            _outline(shown, die.outline, _of_die(die), 2 * size)


def _counts(reading: Reading) -> tuple[int | None, ...]:
    return reading.counts or (None,) * len(reading.fields)


def _ink(count: int | None) -> Colour:
    return DOUBT if count is None else SURE if count else QUIET


def _of_piece(piece: SeenPiece) -> Colour:
    return SURE if piece.sure and piece.field is not None else DOUBT


def _of_die(die: SeenDie) -> Colour:
    return SURE if die.sure else DOUBT


class Label(NamedTuple):
    """Some words, and the places around which they may stand, the best first."""

    text: str
    places: list[Point]
    colour: Colour
    scale: float


def _labels(reading: Reading, size: float) -> Iterator[Label]:
    """What is written beside fields, dice and marked pieces."""
    centres = [np.mean(field, axis=0) for field in reading.fields if field]
    middle = np.mean(centres, axis=0) if centres else np.zeros(2)
    for letter, field, count in zip(LETTERS, reading.fields, _counts(reading), strict=False):
        if field:
            centre = np.mean(field, axis=0)
            radius = float(np.linalg.norm(np.array(field) - centre, axis=1).mean())
            text = letter if count == 0 else f"{letter} {'?' if count is None else count}"
            yield Label(text, _outside(centre, middle, radius + 15 * size), _ink(count), 0.55 * size)
    for die in reading.seen_dice:
        text = f"{die.colour} {'?' if die.pips is None else die.pips}"
        box = _box(die.outline or (die.centre,))
        yield Label(text, _beside(box, 13 * size), _of_die(die), 0.5 * size)
    for piece in reading.pieces:
        if piece.marker:
            box = _around(piece.centre, piece.radius)
            yield Label(piece.marker, _beside(box, 9 * size), _of_piece(piece), 0.42 * size)


def _outside(centre: Floats, middle: Floats, away: float) -> list[Point]:
    """Outside the ring, where neither pieces nor printed letters stand: straight out, then rather aside."""
    outwards = (centre - middle) / max(float(np.linalg.norm(centre - middle)), 1.0)
    places = []
    for turn in np.deg2rad([0, 25, -25, 50, -50]):
        c, s = np.cos(turn), np.sin(turn)
        x, y = centre + away * (np.array([[c, -s], [s, c]]) @ outwards)
        places.append((float(x), float(y)))
    return places


def _beside(box: Box, gap: float) -> list[Point]:
    """Above a box, below it, and to its sides."""
    left, top, right, low = box
    x, y, wide = (left + right) / 2, (top + low) / 2, 3 * gap
    return [(x, top - gap), (x, low + gap), (right + wide, y), (left - wide, y)]


def _around(centre: Point, radius: float) -> Box:
    return centre[0] - radius, centre[1] - radius, centre[0] + radius, centre[1] + radius


def _box(points: tuple[Point, ...]) -> Box:
    across, down = zip(*points, strict=True)
    return min(across), min(down), max(across), max(down)


def _shared(one: Box, other: Box) -> float:
    """How many pixels two boxes have in common."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0.0) * max(high, 0.0)


def _words(shown: Frame, reading: Reading, size: float) -> list[Box]:
    """The doubts, a line each, in the lower left corner; gives the plates that they stand on."""
    lines = in_words((doubt.what, doubt.why) for doubt in reading.doubts)[:8]
    if not lines and not reading.sure:
        lines = ["not sure"]
    plates = []
    for number, line in enumerate(reversed(lines)):
        (wide, _), _ = cv2.getTextSize(line, FONT, 0.6 * size, 1)
        at = (wide / 2 + 16 * size, shown.shape[0] - (20 + 27 * number) * size)
        plates.append(_write(shown, Label(line, [at], DOUBT, 0.6 * size), []))
    return plates


def in_words(doubts: Iterable[tuple[str, str]]) -> list[str]:
    """What is doubted, and why, each once: fields, and dice, of which the same is said together."""
    many = {"field": ("fields", " "), "die": ("dice", ", ")}
    alike: dict[tuple[str, str], list[str]] = {}
    for what, why in dict.fromkeys(doubts):
        kind, _, one = what.partition(" ")
        alike.setdefault((kind if kind in many else what, why), []).append(one)
    words = []
    for (kind, why), every in alike.items():
        about = f"{kind} {every[0]}" if kind in many else kind
        if len(every) > 1:
            name, between = many[kind]
            each = ", each" if why.startswith(("it ", "its ")) else ""
            about = f"{name} {between.join(every)}{each}"
        words.append(f"{about.replace(_ALL, 'all fields')}: {why}")
    return words


def _outline(shown: Frame, points: tuple[Point, ...], colour: Colour, wide: float) -> None:
    dots = np.round(np.array(points) * 2**_SHIFT).astype(np.int32)
    cv2.polylines(shown, [dots], True, colour, max(round(wide), 1), cv2.LINE_AA, _SHIFT)


def _write(shown: Frame, label: Label, taken: Sequence[Box]) -> Box:
    """Write a label where it covers least of what is `taken`; gives the plate that it stands on.

    The photograph shines through the plate, which is kept inside the frame.
    """
    (wide, high), below = cv2.getTextSize(label.text, FONT, label.scale, 1)
    rim = max(round(9 * label.scale), 2)

    def plate(at: Point) -> tuple[int, int, int, int]:
        x = round(min(max(at[0] - wide / 2, rim), shown.shape[1] - wide - rim))
        y = round(min(max(at[1] + high / 2, high + rim), shown.shape[0] - below - rim))
        return max(x - rim, 0), max(y - high - rim, 0), x + wide + rim, y + rim + below // 2

    plates = [plate(at) for at in label.places]
    left, top, right, low = min(plates, key=lambda one: sum(_shared(one, other) for other in taken))
    part = shown[top:low, left:right]
    part[:] = (part * 0.25 + np.array(DARK) * 0.75).astype(np.uint8)
    at = (right - wide - rim, low - rim - below // 2)
    cv2.putText(shown, label.text, at, FONT, label.scale, label.colour, 1, cv2.LINE_AA)
    return left, top, right, low
