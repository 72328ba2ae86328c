"""What was learned about one set on one table: all that reading a frame needs besides the frame."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

from vision.change import carry, half
from vision.faces import USUAL_DOTS, Dots
from vision.geometry import Floats, Image, Layout, View
from vision.places import Places, board_places
from vision.reading import NO_TOPS
from vision.refind import Features, features_of

Lab = tuple[float, float, float]
"""A colour as OpenCV's 8-bit L, a, b."""
USUAL_PIECE_MM = (19.0, 12.5)
"""Diameter and height of pieces where nobody measured: readings bear two millimetres of error."""


@dataclass(frozen=True, slots=True)
class DieColour:
    """How one die looks in the photo of the six dice, under the empty photo's light.

    `lab` is the middle colour of its faces (OpenCV's 8-bit L, a, b); `bright_pips`: pips lighter than faces.
    `rim` is that of its top's rim, and `sides` of all that is seen of it, where they are least veiled; an
    older profile has neither.
    """

    name: str
    lab: Lab
    bright_pips: bool
    rim: Lab | None = None
    sides: Lab | None = None


@dataclass(frozen=True)
class Profile:
    """A board's layout, the camera over it, the photo of it empty, and the sizes of what lies on it.

    `empty`: BGR uint8 (H, W, 3), taken from `view`. `die_mm`: side. `piece_mm`: diameter, height;
    `pieces_told`: somebody or a photo told them, and they are not just what is usual. `colours` in the set's
    colour order; `dots`: how the pips of its dice look. `bare` (M, 5, 6): the tops of bare pieces that were
    seen in frames before, as `rings_of` in `marker_looks` tells them; no file keeps them.
    """

    layout: Layout
    view: View
    empty: Image
    colours: tuple[DieColour, ...]
    die_mm: float
    piece_mm: tuple[float, float]
    pieces_told: bool = True
    dots: Dots = USUAL_DOTS
    bare: Floats = field(default_factory=NO_TOPS.copy)

    @property
    def die_px(self) -> float:
        """How many pixels wide the top of a die in the board's middle is."""
        return self.die_mm * self.view.pixels_per_mm(height=self.die_mm)

    def knowing(self, bare: Floats) -> Profile:
        """The same, with all that was worked out for it, but for these bare pieces' tops, (M, 5, 6)."""
        other = copy(self)
        other.__dict__["bare"] = bare
        return other

    @cached_property
    def empty_half(self) -> Image:
        """`empty` at half its size."""
        return half(self.empty)

    def empty_from(self, view: View) -> tuple[Image, Image]:
        """`empty` as taken from another view, and the same at half size; the last one is kept."""
        if view == self.view:
            return self.empty, self.empty_half
        if view not in self._carried:
            whole = carry(self.empty, self.view, view)
            self._carried.clear()
            self._carried[view] = (whole, half(whole))
        return self._carried[view]

    @cached_property
    def _carried(self) -> dict[View, tuple[Image, Image]]:
        return {}

    @cached_property
    def places(self) -> Places:
        """Textured places of the board, to see whether it still lies as it lay."""
        return board_places(self.empty, self.view, self.layout)

    @cached_property
    def features(self) -> Features:
        """What the board can be found by without its tags."""
        return features_of(self.empty, self.view, self.layout.half_mm)
