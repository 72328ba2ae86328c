"""The picture of the table for the page: what was read, in pixels, ready to be drawn over it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from companion.games.corona.rules import PIECES
from companion.web import doubts, labels
from companion.web.drawing import FIELDS
from companion.web.words import colour_letter
from vision.doubts import ANOTHER
from vision.reading import SURE, Doubt, Point, Reading

Unlaid = Literal["", "dice", "all"]
Photo = tuple[bytes, Reading, int]
"""JPEG bytes, what was read in them, and a number that grows with each picture."""
SMALL = 0.85
"""Letters at dice, which may touch, beside those of fields."""


@dataclass(frozen=True, slots=True)
class SeenField:
    """A field with pieces, or one not read: outline, letter, count or "?", top, colours of its markers."""

    points: str
    letter: str
    count: str
    top: Point
    sure: bool
    markers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenFace:
    """A die: outline, what was read of it ("Bu4", "R?"), and the middle of that label."""

    points: str
    label: str
    at: Point
    sure: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A field or a die that may be corrected: its letter or colour, its outline, the value to begin with.

    `value` is None where nobody knows it; `may_be` are all values there are, the likeliest first.
    """

    name: str
    is_die: bool
    outline: tuple[Point, ...]
    value: int | None
    may_be: tuple[int, ...]
    doubtful: bool

    @property
    def points(self) -> str:
        """The outline, as SVG wants it."""
        return _points(self.outline)


@dataclass(frozen=True, slots=True)
class Overlay:
    """The size to show the picture at, what was read as outlines in such pixels, the doubts as (about, why).

    `crop` is the SVG viewBox around everything read; `text` and `small` are legible heights of letters in
    it, for fields and for dice. `unlaid`: no dice lie there yet, or nothing at all. `another`: something else
    lies there than was laid.
    """

    seq: int
    width: int
    height: int
    crop: str
    text: float
    small: float
    fields: tuple[SeenField, ...]
    dice: tuple[SeenFace, ...]
    doubts: tuple[tuple[str, str], ...]
    sure: bool
    parts: tuple[Part, ...]
    unlaid: Unlaid = ""
    another: bool = False


def overlay(
    photo: Photo, start: Mapping[str, int | None] | None = None, told: Sequence[Doubt] | None = None
) -> Overlay:
    """What to draw over `photo`; its corrections `start` with these values, else with what was read; only
    the doubts that are to be `told` are, else all."""
    data, reading, seq = photo
    # What was read is in pixels of the profile's size; a camera may give pictures of another.
    width, height = reading.view.lens.size if reading.view else jpeg_size(data)
    left, top, wide, high = _crop(reading, width, height)
    counts = reading.counts or (None,) * len(reading.fields)
    # A field is asked about when a doubt names it; after "4 of 6 pieces" all twelve would say nothing.
    doubtful = {FIELDS[field] for doubt in reading.doubts for field in doubt.fields}
    text = round(max(wide, 1) / 20, 1)
    fields = tuple(
        SeenField(
            _points(at),
            letter,
            "?" if count is None else str(count),
            _top(at),
            letter not in doubtful,
            tuple(_markers(reading, letter, letter in doubtful)),
        )
        for letter, at, count in zip(FIELDS, reading.fields, counts, strict=False)
        if at and (count or letter in doubtful)
    )
    return Overlay(
        seq,
        width,
        height,
        crop=f"{left:.0f} {top:.0f} {wide:.0f} {high:.0f}",
        text=text,
        small=round(SMALL * text, 1),
        fields=fields,
        dice=_faces(reading, fields, text, (left, top, left + wide, top + high)),
        doubts=tuple(
            (doubts.about(doubt.what), doubts.why(doubt.why))
            for doubt in (reading.doubts if told is None else told)
        ),
        sure=reading.sure,
        parts=tuple(_parts(reading, start or {}, doubtful)),
        unlaid=_unlaid(reading),
    )


def _markers(reading: Reading, letter: str, doubtful: bool) -> Iterator[str]:
    """The colours of a field's markers; doubtful ones only where the field is asked about."""
    likely = reading.confidence.markers if reading.confidence else (1.0,) * len(reading.markers)
    for (field, colour), p in zip(reading.markers, likely, strict=True):
        if FIELDS[field] == letter and (doubtful or p > SURE):
            yield colour


def to_tell(reading: Reading, accepted: Reading | None) -> list[Doubt]:
    """Which doubts people at the table are told.

    Not those of what is still to come; and what the reading that was `accepted` had doubted is answered.
    """
    if accepted:
        return _new(reading, accepted)
    unlaid = _unlaid(reading)
    return [doubt for doubt in reading.doubts if not _is_to_come(doubt, unlaid)]


def _unlaid(reading: Reading) -> Unlaid:
    """What is still to come at a table that somebody sets up."""
    if reading.counts is None or reading.covered or reading.seen_dice or any(reading.dice.values()):
        return ""
    return "dice" if any(count != 0 for count in reading.counts) else "all"


def _is_to_come(doubt: Doubt, unlaid: Unlaid) -> bool:
    """Whether no more is doubted than what is still to come."""
    return (unlaid != "" and doubt.what.startswith("die ")) or (unlaid == "all" and doubt.what == "pieces")


def _new(now: Reading, accepted: Reading) -> list[Doubt]:
    """What is doubted since a reading was accepted; under a hand, which everybody sees, only another board.

    One that was not sure has been put right by somebody, who knows better than any later one; but where
    the board is not to be seen any more nobody does.
    """
    if now.covered:
        return [doubt for doubt in now.doubts if doubt.why.endswith(ANOTHER)]
    news = [doubt for doubt in now.doubts if doubt not in accepted.doubts]
    return news if accepted.sure else [doubt for doubt in news if doubt.what == "board"]


def _faces(
    reading: Reading, fields: tuple[SeenField, ...], text: float, seen: labels.Box
) -> tuple[SeenFace, ...]:
    """The dice, with labels that lie over no other label and, where there is room, over no other die."""
    outlines = [die.outline or (die.centre,) for die in reading.seen_dice]
    words = [f"{colour_letter(die.colour)}{die.pips or '?'}" for die in reading.seen_dice]
    taken = [
        labels.centred(one.top, _size(f"{one.letter} {one.count}" + " Bu" * len(one.markers), text))
        for one in fields
    ]
    sizes = [_size(word, SMALL * text) for word in words]
    places = labels.beside([labels.around(outline) for outline in outlines], sizes, taken, seen)
    return tuple(
        SeenFace(_points(die.outline), word, at, die.sure)
        for die, word, at in zip(reading.seen_dice, words, places, strict=True)
    )


def _size(word: str, text: float) -> Point:
    """About how wide and high a label is, with the line around its letters."""
    return (0.66 * len(word) + 0.25) * text, 1.05 * text


def _parts(reading: Reading, start: Mapping[str, int | None], doubtful: set[str]) -> Iterator[Part]:
    """Everything that was looked for, to be corrected; nothing where there was no board."""
    if reading.counts is None:
        return
    for k, (letter, count) in enumerate(zip(FIELDS, reading.counts, strict=False)):
        likely = reading.may_be.counts[k] if reading.may_be else ()
        outline = reading.fields[k] if k < len(reading.fields) else ()
        asked = count is None or letter in doubtful
        may_be = _with_others(likely, range(PIECES + 1))
        yield Part(letter, False, outline, start.get(letter, count), may_be, asked)
    seen = {die.colour: die for die in reading.seen_dice}
    for colour, pips in reading.dice.items():
        likely = reading.may_be.dice.get(colour, ()) if reading.may_be else ()
        die = seen.get(colour)
        outline = die.outline if die else ()
        asked = pips is None or (die is not None and not die.sure and not reading.sure)
        may_be = _with_others(likely, range(1, 7))
        yield Part(colour, True, outline, start.get(colour, pips), may_be, asked)


def _with_others(likely: tuple[int, ...], every: range) -> tuple[int, ...]:
    return (*likely, *(value for value in every if value not in likely))


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
    margin = 0.05 * width
    left, right = min(x for x, _ in corners) - margin, max(x for x, _ in corners) + margin
    top, bottom = min(y for _, y in corners) - margin, max(y for _, y in corners) + margin
    left, top = max(left, 0), max(top, 0)
    return left, top, min(right, width) - left, min(bottom, height) - top


def _points(outline: tuple[Point, ...]) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in outline)


def _top(outline: tuple[Point, ...]) -> Point:
    return sum(x for x, _ in outline) / len(outline), min(y for _, y in outline)
