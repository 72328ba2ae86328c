"""The tops of a frame's pieces, as those who tell their markers are shown them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from vision.change import Change, Mask
from vision.geometry import Floats, Image, View
from vision.hues import in_hues
from vision.marker_burnt import seen_in_shade
from vision.marker_light import alike_where_ended, is_burnt, may_have
from vision.marker_looks import TopColours, colours_of, off_nearest, plainly_bare, rings_of, unevenness
from vision.marker_net import PAIRS, Pair
from vision.marker_told import Told
from vision.profile import DieColour
from vision.reading import NO_TOPS
from vision.rules.markers import Lid, tell
from vision.squares import Square, as_blob, cut_out, lean, now_and_then


def cut(
    frame: Image, empty: Image, change: Change, view: View, lid: Lid, diameter: float, pair: Pair
) -> tuple[Image, Image]:
    """A lid's top and its place in the empty photo, in one light, as a pair of networks is shown them."""
    x, y, top = lid
    square = Square((x, y), top, diameter / pair.lid_px, pair.size)
    if pair.half:
        now, then = (cut_out(photo, view, square, half=True) for photo in (change.frame, change.empty))
        return now, then
    return now_and_then(frame, empty, change.lights, view, square)


@dataclass(frozen=True)
class Lids:
    """The tops of a frame's pieces whose markers are asked for, N of them.

    `frame`, `empty`: BGR uint8 (H, W, 3); `places`: x, y and height of each, mm; `diameter` mm; the set's
    `colours`; `shares` (N,) how much of the light there is left where they stand; `known` (M, 5, 6): the
    `rings` of tops that were bare in other frames.
    """

    frame: Image
    empty: Image
    change: Change
    view: View
    places: list[Lid]
    diameter: float
    colours: tuple[DieColour, ...]
    shares: Floats
    known: Floats = field(default_factory=NO_TOPS.copy)

    @cached_property
    def labs(self) -> Floats:
        """(C, 3): the colours as OpenCV's 8-bit Lab."""
        return np.array([colour.lab for colour in self.colours])

    @cached_property
    def plain(self) -> list[Floats]:
        """What each pair is shown of them."""
        return self.shown(1.0)

    @cached_property
    def tops(self) -> TopColours:
        """Their plain colours."""
        return colours_of(self.plain[-1][:, :3], self.plain[-1][:, 3:6], PAIRS[-1].lid_px)

    @cached_property
    def rings(self) -> Floats:
        """(N, 5, 6): the plain colours of five rings of each."""
        return rings_of(self.plain[-1][:, :3], PAIRS[-1].lid_px)

    @cached_property
    def uneven(self) -> Floats:
        """(N,) how much the quarters of the middle of each differ (CIE Lab)."""
        return unevenness(self.plain[-1][:, :3], PAIRS[-1].lid_px)

    @cached_property
    def away(self) -> Floats:
        """(N,) how far each is off the nearest colour."""
        return off_nearest(self.tops, self.labs)

    @cached_property
    def bare(self) -> Floats:
        """(N,) a score for how plainly each is bare by its colours."""
        return plainly_bare(self.tops, self.away)

    @cached_property
    def in_shade(self) -> Floats:
        """(N,) log odds that each is marked, by the shade beside it where the board is burnt."""
        return seen_in_shade(self.frame, self.empty, self.view, self.places, self.diameter, self.tops)

    @cached_property
    def burnt(self) -> Mask:
        """Which show nothing but white in the middle: a lamp hides what stands there."""
        return np.array([is_burnt(middle) for middle in self._middles])

    @cached_property
    def may_have(self) -> Mask:
        """(N, C) which colours each may have that does not look so, for some of its light is missing."""
        lights = [self.change.lights.at(*self.view.pixel(*place)) for place in self.places]
        shown = zip(self._middles, lights, strict=True)
        return np.array([may_have(middle, light, self.labs) for middle, light in shown])

    @cached_property
    def either(self) -> Mask:
        """(N, C) which colours each may have that look alike in it, for some of its channels end."""
        return np.array([alike_where_ended(middle, self.labs) for middle in self._middles])

    @cached_property
    def rules(self) -> Told:
        """What the rules tell of each."""
        change = self.change
        return tell(change.frame, change.empty, self.view, self.places, self.diameter, self.colours)

    def shown(self, share: float) -> list[Floats]:
        """What each pair is shown of them, each cut as if it were so much wider."""
        leans = [lean(self.view, (x, y), top) for x, y, top in self.places]
        blobs = []
        for pair in PAIRS:
            seen = [
                self._cut(place, light, share * self.diameter, pair)
                for place, light in zip(self.places, self.shares.tolist(), strict=True)
            ]
            blobs.append(as_blob([now for now, _ in seen], [then for _, then in seen], leans, in_hues))
        return blobs

    def _cut(self, place: Lid, light: float, diameter: float, pair: Pair) -> tuple[Image, Image]:
        now, then = cut(self.frame, self.empty, self.change, self.view, place, diameter, pair)
        return (now if light == 1 else cv2.convertScaleAbs(now, alpha=1 / light)), then

    @cached_property
    def _middles(self) -> list[Image]:
        width = self.diameter / 20
        squares = [Square((x, y), top, width, 10) for x, y, top in self.places]
        return [cut_out(self.frame, self.view, square) for square in squares]
