"""The picture of the table for the page: what was read, in pixels, ready to be drawn over it."""

from __future__ import annotations

from dataclasses import dataclass

from flask_babel import gettext

from companion.web import words
from companion.web.drawing import FIELDS
from vision.reading import Point, Reading

Photo = tuple[bytes, Reading, int]
"""JPEG bytes, what was read in them, and a number that grows with each picture."""


@dataclass(frozen=True, slots=True)
class Shape:
    """An outline over the picture, its caption and where that stands; `sure` says how it is drawn."""

    points: str
    caption: str
    at: Point
    sure: bool


@dataclass(frozen=True, slots=True)
class Overlay:
    """The picture's size in pixels, what was read as outlines, and the doubts as (about, why) in words.

    `crop` is the SVG viewBox around everything read, `text` a legible height of letters in it.
    """

    seq: int
    width: int
    height: int
    crop: str
    text: int
    fields: tuple[Shape, ...]
    dice: tuple[Shape, ...]
    doubts: tuple[tuple[str, str], ...]
    sure: bool


def overlay(photo: Photo) -> Overlay:
    """What to draw over `photo`."""
    data, reading, seq = photo
    width, height = jpeg_size(data)
    counts = reading.counts or (None,) * len(reading.fields)
    fields = tuple(
        Shape(_points(outline), f"{letter}{'?' if count is None else count}", _middle(outline), count is not None)
        for letter, outline, count in zip(FIELDS, reading.fields, counts, strict=False)
        if outline and count != 0
    )
    dice = tuple(
        Shape(
            _points(die.outline),
            f"{words.colour_letter(die.colour)}{'?' if die.pips is None else die.pips}",
            die.centre,
            die.sure,
        )
        for die in reading.seen_dice
    )
    doubts = tuple((words.doubt_subject(doubt.what), str(gettext(doubt.why))) for doubt in reading.doubts)
    box = _crop(reading, width, height)
    return Overlay(
        seq, width, height, " ".join(f"{side:.0f}" for side in box), round(box[2] / 20), fields, dice, doubts, reading.sure
    )


def guess(reading: Reading, colours: list[str]) -> str:
    """The reading as a line of the notation to start correcting from; what was not read is 0."""
    pieces = "".join(str(count or 0) for count in reading.counts or (0,) * len(FIELDS))
    return f"{pieces}-{''.join(str(reading.dice.get(colour) or 0) for colour in colours)}"


def jpeg_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels of a JPEG, from its frame header; (0, 0) where there is none."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return 0, 0


def _crop(reading: Reading, width: int, height: int) -> tuple[float, float, float, float]:
    """Left, top, width and height around the board and the dice, with a margin, inside the picture."""
    corners = [*reading.board, *(corner for die in reading.seen_dice for corner in die.outline)]
    if not reading.board:
        return 0, 0, width, height
    margin = 0.03 * width
    left, right = min(x for x, _ in corners) - margin, max(x for x, _ in corners) + margin
    top, bottom = min(y for _, y in corners) - margin, max(y for _, y in corners) + margin
    left, top = max(left, 0), max(top, 0)
    return left, top, min(right, width) - left, min(bottom, height) - top


def _points(outline: tuple[Point, ...]) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in outline)


def _middle(outline: tuple[Point, ...]) -> Point:
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)
