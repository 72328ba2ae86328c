"""What was learned about one set on one table: all that reading a frame needs besides the frame."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from vision.change import half
from vision.geometry import Image, Layout, View


@dataclass(frozen=True, slots=True)
class DieColour:
    """How one die looks in the photo of the six dice, under the empty photo's light.

    `lab` is the middle colour of its faces (OpenCV's 8-bit L, a, b); `bright_pips`: pips lighter than faces.
    """

    name: str
    lab: tuple[float, float, float]
    bright_pips: bool


@dataclass(frozen=True)
class Profile:
    """A board's layout, the camera over it, the photo of it empty, and the sizes of what lies on it.

    `empty`: BGR uint8 (H, W, 3), taken from `view`. `die_mm`: side. `piece_mm`: diameter, height.
    `colours` in the set's colour order.
    """

    layout: Layout
    view: View
    empty: Image
    colours: tuple[DieColour, ...]
    die_mm: float
    piece_mm: tuple[float, float]

    @cached_property
    def empty_half(self) -> Image:
        """`empty` at half its size."""
        return half(self.empty)
