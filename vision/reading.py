"""What was read from one frame: the plain values that leave this folder."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from vision.geometry import Floats, View

Point = tuple[float, float]
SURE = 0.999
"""A table is sure when it is likelier than this that everything read from it is true."""
MANY = "many small doubts together"
NO_TOPS: Floats = np.empty((0, 5, 6))
"""What no pieces look like from above."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something a person should look at. `what` names it ("die blue", "field C", "board"), `why` says why.

    `fields`: the fields (0..11) it is about, where it is about some. `of_marker`: only what a piece carries
    is in doubt, not how many stand there, nor any die.
    """

    what: str
    why: str
    fields: tuple[int, ...] = ()
    of_marker: bool = False


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die. `colour` is a name of the set; `pips` is None where the top face could not be read.

    `centre` is the middle of the top face and `outline` its corners, in pixels of the frame (x, y).
    """

    colour: str
    pips: int | None
    centre: Point
    outline: tuple[Point, ...]
    sure: bool


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A piece. `field` is 0..11, or None between fields; `centre` and `radius` are its top, in pixels."""

    field: int | None
    centre: Point
    radius: float
    marker: str | None
    sure: bool


@dataclass(frozen=True, slots=True)
class Confidence:
    """How likely each part of a reading is true, 0 to 1, as measured on tables that were left out.

    `counts`: 12, from field A; `dice`: every colour of the set; `markers`: one for each of the
    reading's markers, in their order. `whole`: that everything is true; `laid`: all counts and dice,
    whatever the pieces carry.
    """

    counts: tuple[float, ...]
    dice: dict[str, float]
    markers: tuple[float, ...]
    whole: float
    laid: float


@dataclass(frozen=True, slots=True)
class MayBe:
    """What each part may be, the likeliest first: `counts` of the 12 fields, `dice` the pips by colour."""

    counts: tuple[tuple[int, ...], ...]
    dice: dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Reading:
    """One frame, read. `counts` holds 12 counts from field A (each may be None), or None without a board.

    `dice` has every colour of the set, in the set's order; a value is None where it was not read.
    `markers` are (field, colour) pairs in field order. `sure` is a promise about all of it.
    `confidence` is None where there is nothing to be confident about (no board).
    `may_be`: for a person who corrects it, what else everything could be.
    `board` is the outline of the board in the frame, in pixels, and `fields` the 12 field outlines.
    `covered`: something large lies on the board that is neither piece nor die, perhaps a hand.
    `view` is where the camera stands over the board (None: not found), and `moved_px` how far the
    board's corners are from where they were at calibration: 0 as long as nobody moved camera or board.
    `bare` (N, 5, 6): what surely bare pieces look like from above, to be known of in other frames (`rings_of`
    in `marker_looks`); none where any piece or marker is in doubt.
    """

    counts: tuple[int | None, ...] | None
    dice: dict[str, int | None]
    markers: tuple[tuple[int, str], ...] = ()
    sure: bool = False
    doubts: tuple[Doubt, ...] = ()
    confidence: Confidence | None = None
    may_be: MayBe | None = None
    pieces: tuple[SeenPiece, ...] = ()
    seen_dice: tuple[SeenDie, ...] = ()
    board: tuple[Point, ...] = ()
    fields: tuple[tuple[Point, ...], ...] = ()
    covered: bool = False
    view: View | None = None
    moved_px: float = 0.0
    bare: Floats = field(default_factory=NO_TOPS.copy, compare=False, repr=False)

    def without_markers(self) -> Reading:
        """The same where it does not matter what the pieces carry: `sure` promises counts and dice alone."""
        doubts = tuple(doubt for doubt in self.doubts if not doubt.of_marker)
        likely = self.confidence is not None and self.confidence.laid > SURE
        sure = self.sure or (likely and not doubts)
        if self.doubts and not (sure or doubts):
            doubts = (Doubt("table", MANY),)
        return replace(self, sure=sure, doubts=doubts)
