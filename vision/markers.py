"""Which pieces carry a marker, and of what colour: each colour of the set is there once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.change import Change, Mask
from vision.geometry import Floats, Image, View
from vision.hues import in_hues
from vision.marker_judge import Witnesses, mean_odds, with_judge
from vision.marker_light import cut_short, is_burnt, may_have
from vision.marker_looks import (
    TopColours,
    colours_of,
    off_nearest,
    plainly_bare,
    rings_of,
    stopped_up,
    unevenness,
    which_colour,
)
from vision.marker_net import (
    AGAIN,
    LEAST,
    MARKED_MORE,
    MEAN_TEMPER,
    PAIRS,
    TEMPER,
    Pair,
    agreed,
    careful_of_greys,
    likelihoods,
    log_odds,
    said_by,
)
from vision.marker_shade import shares_of_light
from vision.marker_told import Told, less_surely_bare, only_coloured, told_bare, told_marked
from vision.matching import Given, give
from vision.nets import likely
from vision.profile import DieColour
from vision.rules.markers import Lid, tell
from vision.squares import Square, as_blob, cut_out, lean, mirrored, now_and_then, turned
from vision.towers import FoundPiece

LIKE = 8.0
"""The rules are asked of a piece held for bare whose middle is no farther off a colour (CIE Lab)."""
ENOUGH = 0.9998
"""All markers as likely, and nothing more is asked: neither the rules, nor then all pairs from all sides."""
NEAR_FAR = 0.86, 1.16
"""As if pieces were so much narrower, and wider, they are cut then, too: what is seen hangs on how they are
cut, and their size is seldom known exactly. The cut in which all of them are plainest counts."""


@dataclass(frozen=True, slots=True)
class FoundMarker:
    """What stands in a piece (None: it is bare), how likely, and what else it could be.

    `burnt`: the light of a lamp in it hides that.
    """

    colour: str | None
    likely: float
    other: str | None
    burnt: bool = False


@dataclass(frozen=True, slots=True)
class FoundMarkers:
    """One for each of N towers of pieces, and how likely all of them are right.

    `shown`: float32 (N, 8, size, size), what the first pair of networks was shown of them.
    """

    markers: list[FoundMarker]
    likely: float
    shown: Floats


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
    `colours`; `shares` (N,) how much of the light there is left where they stand.
    """

    frame: Image
    empty: Image
    change: Change
    view: View
    places: list[Lid]
    diameter: float
    colours: tuple[DieColour, ...]
    shares: Floats

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
    def away(self) -> Floats:
        """(N,) how far each is off the nearest colour."""
        return off_nearest(self.tops, self.labs)

    @cached_property
    def bare(self) -> Floats:
        """(N,) a score for how plainly each is bare by its colours."""
        return plainly_bare(self.tops, self.away)

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


def look_closely(lids: Lids) -> Witnesses:
    """All that is to be known of them: each pair asked in three sizes, then, of the size in which they are
    plainest, from all sides; the rules; their colours."""

    def asked(blobs: list[Floats]) -> Floats:
        """(pairs, N, 1 + C) what all three pairs hold for each answer; the third sees what the first sees."""
        said = said_by((*PAIRS, AGAIN), [*blobs, blobs[0]], lids.labs)
        said[-1, :, 0] += MARKED_MORE
        return said

    cuts = [lids.plain, *map(lids.shown, NEAR_FAR)]
    sizes = [asked(blobs) for blobs in cuts]
    plainest = int(np.argmax([_plainness(said) for said in sizes]))
    sides = np.array([sizes[plainest], *map(asked, _from_other_sides(cuts[plainest]))])
    tops, lid_px = lids.plain[-1][:, :3], PAIRS[-1].lid_px
    rings, uneven = rings_of(tops, lid_px), unevenness(tops, lid_px)
    return Witnesses(np.array(sizes), sides, lids.rules, lids.tops, rings, uneven, lids.burnt)


def _from_other_sides(blobs: list[Floats]) -> Iterator[list[Floats]]:
    """The same pictures in a mirror, and both so after each quarter turn."""
    for quarter in (0, 1, 2, 3):
        around = [turned(blob, quarter) for blob in blobs]
        if quarter:
            yield around
        yield [mirrored(blob) for blob in around]


def _plainness(told: Floats) -> float:
    """By how much the best answers of all pieces are ahead of the next, of (pairs, N, 1 + C) scores."""
    ordered = np.sort(told.sum(axis=0), axis=1)
    return float((ordered[:, -1] - ordered[:, -2]).sum())


def _heard(lids: Lids, said: Floats, temper: float, less_sure: Floats, rules: Told) -> Floats:
    """(N, 1 + C) likelihoods by what the pairs said in L looks, (L, pairs, N, 1 + C), the log odds of the
    least sure one (N,), what the rules tell, and how plainly bare each is."""
    summed = said.sum(axis=1)
    summed[..., 0] += lids.bare
    each = told_marked(likelihoods(agreed(summed), temper), rules)
    each = careful_of_greys(each, lids.labs, less_sure, said.shape[1])
    return told_bare(each, rules, lids.labs)


def _at_once(lids: Lids) -> Iterator[Floats]:
    """(N, 1 + C) likelihoods by one look of the first two pairs, then by the rules as well."""
    said = said_by(PAIRS, lids.plain, lids.labs)
    less_sure, nothing = _least_odds(said, TEMPER), Told([None] * len(lids.places))
    yield _heard(lids, said[None], TEMPER, less_sure, nothing)
    yield _heard(lids, said[None], TEMPER, less_sure, lids.rules)


def _in_the_end(lids: Lids) -> tuple[Floats, Mask]:
    """(N, 1 + C) likelihoods by all that is to be known; whether a piece is marked, the judge tells, too. And
    (N,) of which too much light hides what stands there."""
    told = look_closely(lids)
    plainest, mean = told.sides[0], told.sides.mean(axis=0)
    less_sure = np.minimum(_least_odds(plainest, TEMPER), _least_odds(mean, MEAN_TEMPER))
    each = _heard(lids, told.sides, MEAN_TEMPER, less_sure, told.rules)
    odds = with_judge(log_odds(np.log(np.maximum(each, LEAST))), told, lids.labs)
    odds += stopped_up(told.tops, mean_odds(told))
    odds = less_surely_bare(odds, told.rules)
    marked = likely(odds)[:, None]
    colour = which_colour(told.tops, lids.labs, each[:, 1:])
    told_so = np.concatenate([1 - marked, marked * colour], axis=1)
    hidden = lids.burnt | cut_short(told_so, lids.may_have)
    told_so[hidden] = 1 / told_so.shape[1]
    return told_so, hidden


def told_otherwise(lids: Lids, given: Given) -> bool:
    """Whether the rules tell a colour of a piece that is held for bare, and may well have it."""
    perhaps = (lids.away < LIKE) & (np.array(given.columns) == 0)
    return bool(perhaps.any() and (perhaps & only_coloured(lids.rules)).any())


def _least_odds(said: Floats, temper: float) -> Floats:
    """(N,) the log odds of the least sure pair."""
    return np.asarray(log_odds(said / temper).min(axis=0))


def find_markers(
    frame: Image,
    empty: Image,
    change: Change,
    view: View,
    pieces: tuple[FoundPiece, ...],
    piece_mm: tuple[float, float],
    colours: tuple[DieColour, ...],
) -> FoundMarkers:
    """One answer a tower of pieces, for its topmost; `frame`, `empty` BGR uint8 (H, W, 3)."""
    if not pieces:
        return FoundMarkers([], 1.0, np.empty((0, 8, PAIRS[0].size, PAIRS[0].size), np.float32))
    diameter, height = piece_mm
    places = [(piece.x, piece.y, height * piece.level) for piece in pieces]
    lids = [
        Lids(frame, empty, change, view, places, diameter, colours, shares)
        for shares in shares_of_light(change, view, places, diameter)
    ]
    looks = [_told(one) for one in lids]
    given = give(np.mean([each for each, _ in looks], axis=0))
    hidden = np.any([hidden for _, hidden in looks], axis=0)
    found = _as_found(given, [None, *(colour.name for colour in colours)], hidden.tolist())
    return FoundMarkers(found, given.likely, lids[0].plain[0])


def _told(lids: Lids) -> tuple[Floats, Mask]:
    """(N, 1 + C) likelihoods, by as many looks as it takes; (N,) in which light hides what stands there."""
    quick = _at_once(lids) if not lids.burnt.any() else ()
    for each in quick:
        given, hidden = give(each), cut_short(each, lids.may_have)
        if given.likely >= ENOUGH and not told_otherwise(lids, given) and not hidden.any():
            return each, hidden
    return _in_the_end(lids)


def _as_found(given: Given, names: list[str | None], hidden: list[bool]) -> list[FoundMarker]:
    found = []
    for kind, share, glare in zip(given.columns, given.shares, hidden, strict=True):
        rival = int(np.argsort(share)[-2]) if share.argmax() == kind else int(share.argmax())
        found.append(FoundMarker(names[kind], float(share[kind]), names[rival], glare))
    return found
