"""The six pieces on the ring: what the network sees, and which six of it fit together best.

The network says for every place how likely a piece's lid is there, and at which height. That the pieces
are six, all of one size, and none inside another, is knowledge: it is weighed in, over all the ways in
which the places could be pieces or not.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.change import NOISE
from vision.geometry import Floats, Grey, Image, Layout, View
from vision.maps import STRIDE, peaks
from vision.nets import ask
from vision.ring_net import LEVELS, LID_PX, as_blob, flat_ring, ring_reach

PIECES = 6
TEMPER, COMMONER = 0.25, (0.0, 5.0, 1.0, 1.0)
"""What the network's scores of nothing, 1, 2, 3 pieces are divided by, and what is added to them: fitted
on sessions that it did not learn from."""
APART = 0.85
"""Of a diameter: no two pieces stand nearer (0.15 for what a place is off)."""
OTHER_COUNT = 0.01
"""How likely it is that another number of pieces than six stands on the board."""
LEAST, MOST = 0.003, 24
"""Places at least so likely, and so many at most, are weighed."""
BESIDE = 0.3
"""Of a diameter: so far inside or outside the fields a piece still counts as standing on the ring."""
_FORGET, _MOST_WAYS = 1e-7, 400
LEAST_NEW = 0.12
"""No piece leaves more of what lies under its lid as it was in the empty photo than all but this share."""
UNCHANGED = 20.0
"""What is added to the score of nothing where nothing is new, or no piece can stand."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place (x, y) mm where a tower of pieces may stand; `odds`: how likely nothing, 1, 2, 3 pieces."""

    x: float
    y: float
    odds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """A tower of `level` pieces at (x, y) mm, and how likely it stands just so."""

    x: float
    y: float
    level: int
    likely: float


@dataclass(frozen=True, slots=True)
class Group:
    """Candidates that get in each other's way or are on one field, and every way in which they can stand.

    A way: its worth by itself, how likely it is now that the pieces are six in all, and the heights.
    """

    members: tuple[int, ...]
    ways: tuple[tuple[float, float, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class FoundPieces:
    """The towers of the likeliest way. `all_ways`: the worth of all ways of all groups together."""

    pieces: tuple[FoundPiece, ...]
    candidates: tuple[Candidate, ...]
    groups: tuple[Group, ...]
    all_ways: float

    @property
    def total(self) -> int:
        """How many pieces that are."""
        return sum(piece.level for piece in self.pieces)


def candidates(
    frame: Image, empty: Image, view: View, layout: Layout, piece_mm: tuple[float, float]
) -> list[Candidate]:
    """Every place where a piece may stand; `frame`, `empty` at half size and in one light."""
    diameter = piece_mm[0]
    reach = ring_reach(layout, diameter)
    flat, flat_empty, leans = flat_ring(frame, empty, view, reach, piece_mm)
    said = ask("pieces", as_blob(flat, flat_empty, leans))[0]
    said[: LEVELS + 1] = said[: LEVELS + 1] / TEMPER + np.array(COMMONER)[:, None, None]
    said[0] += UNCHANGED * (1 - _changed(flat, flat_empty, said.shape[1:]))
    cell = STRIDE * diameter / LID_PX
    middles = (np.arange(said.shape[1]) + 0.5) * cell - reach
    # Pieces stand on the ring, or between its fields; in its middle there may be print that looks like one.
    away = abs(np.hypot(*np.meshgrid(middles, middles)) - layout.ring_mm)
    said[0][away > layout.field_mm / 2 + BESIDE * diameter] += UNCHANGED
    return [
        Candidate((column + 0.5) * cell - reach, (row + 0.5) * cell - reach, odds)
        for column, row, odds in peaks(said, 0.4 / cell * diameter, LEAST, MOST)
    ]


def _changed(flat: Image, flat_empty: Image, cells: tuple[int, ...]) -> Grey:
    """For every cell 1 where what could be a lid there is new, 0 where all is as in the empty photo."""
    apart = cv2.absdiff(flat, flat_empty)
    new = (cv2.max(cv2.max(apart[..., 0], apart[..., 1]), apart[..., 2]) > NOISE).astype(np.float32)
    size = round(LID_PX * 0.8 / STRIDE) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
    share = cv2.resize(new, cells[::-1], interpolation=cv2.INTER_AREA)
    share = cv2.filter2D(share, -1, disc / disc.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(share > LEAST_NEW, dtype=np.float32)


def find_pieces(
    frame: Image,
    empty: Image,
    view: View,
    layout: Layout,
    piece_mm: tuple[float, float],
    dice: list[tuple[float, float]],
    die_mm: float,
) -> FoundPieces:
    """The pieces on and between the fields; no piece can stand where a die lies (`dice`, mm)."""
    nearest = (piece_mm[0] + die_mm) / 2 - 0.25 * piece_mm[0]
    free = [
        one
        for one in candidates(frame, empty, view, layout, piece_mm)
        if all(np.hypot(one.x - x, one.y - y) > nearest for x, y in dice)
    ]
    centres = layout.field_centres
    fields = [int(np.hypot(*(centres - (one.x, one.y)).T).argmin()) for one in free]
    return fit(free, APART * piece_mm[0], fields)


def fit(places: list[Candidate], apart: float, fields: list[int]) -> FoundPieces:
    """All the ways in which these places can hold pieces, weighed; `fields`: the one nearest to each.

    Groups of places do not touch each other: only their totals are bound together, to six.
    """
    clash = [[np.hypot(a.x - b.x, a.y - b.y) < apart for b in places] for a in places]
    groups = [(tuple(group), _ways(places, clash, group)) for group in _groups(clash, fields)]
    worths = [_by_total(ways) for _, ways in groups]
    before, after = [np.ones(1)], [np.ones(1)]
    for one, other in zip(worths, reversed(worths), strict=True):
        before.append(np.convolve(before[-1], one))
        after.append(np.convolve(after[-1], other))
    whole = float((before[-1] * _as_six(len(before[-1]))).sum())
    found, pieces = [], []
    for k, (members, ways) in enumerate(groups):
        rest = np.convolve(before[k], after[len(groups) - 1 - k])
        weighed = tuple(
            (worth, worth * float((rest * _as_six(len(rest), sum(heights))).sum()) / whole, heights)
            for worth, heights in ways
        )
        found.append(Group(members, weighed))
    for group, heights in zip(found, _best(groups), strict=True):
        for i, (member, level) in enumerate(zip(group.members, heights, strict=True)):
            if level:
                likely = sum(p for _, p, other in group.ways if other[i] == level)
                pieces.append(FoundPiece(places[member].x, places[member].y, level, likely))
    return FoundPieces(tuple(pieces), tuple(places), tuple(found), whole)


def _groups(clash: list[list[bool]], fields: list[int]) -> list[list[int]]:
    """The places sorted into those that clash, over others too, or are on one field."""
    left, groups = set(range(len(fields))), []
    while left:
        group, new = [], [left.pop()]
        while new:
            one = new.pop()
            group.append(one)
            near = {other for other in left if clash[one][other] or fields[one] == fields[other]}
            left -= near
            new += near
        groups.append(sorted(group))
    return groups


def _ways(
    places: list[Candidate], clash: list[list[bool]], group: list[int]
) -> list[tuple[float, tuple[int, ...]]]:
    """(worth, heights) of every way in which a group can stand, the hopeless ones left out."""
    ways: list[tuple[float, tuple[int, ...]]] = [(1.0, ())]
    for at, member in enumerate(group):
        grown = []
        for worth, heights in ways:
            blocked = any(heights[i] and clash[group[i]][member] for i in range(at))
            for height in range(1 if blocked else LEVELS + 1):
                grown.append((worth * places[member].odds[height], (*heights, height)))
        least = _FORGET * max(worth for worth, _ in grown)
        ways = sorted((way for way in grown if way[0] > least), reverse=True)[:_MOST_WAYS]
    return ways


def _by_total(ways: list[tuple[float, tuple[int, ...]]]) -> Floats:
    """The worth of a group's ways by how many pieces they are."""
    worths = np.zeros(1 + max(sum(heights) for _, heights in ways))
    for worth, heights in ways:
        worths[sum(heights)] += worth
    return worths


def _as_six(count: int, more: int = 0) -> Floats:
    """What each total 0, 1, ... is worth, where `more` pieces are to be added."""
    return np.where(np.arange(count) + more == PIECES, 1.0, OTHER_COUNT)


def _best(groups: list[tuple[tuple[int, ...], list[tuple[float, tuple[int, ...]]]]]) -> list[tuple[int, ...]]:
    """The heights of each group in the likeliest way of all."""
    best: dict[int, tuple[float, list[tuple[int, ...]]]] = {0: (1.0, [])}
    for _, ways in groups:
        grown: dict[int, tuple[float, list[tuple[int, ...]]]] = {}
        firsts: dict[int, tuple[float, tuple[int, ...]]] = {}
        for worth, heights in ways:
            firsts[sum(heights)] = max(firsts.get(sum(heights), (0.0, heights)), (worth, heights))
        for total, (worth, chosen) in best.items():
            for more, (own, heights) in firsts.items():
                if worth * own > grown.get(total + more, (0.0, []))[0]:
                    grown[total + more] = (worth * own, [*chosen, heights])
        best = grown
    return max(best.items(), key=lambda kind: kind[1][0] * float(_as_six(kind[0] + 1)[-1]))[1][1]
