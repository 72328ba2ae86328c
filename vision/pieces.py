"""The six pieces on the ring: what the network sees, and which six of it fit together best.

The network says for every place how likely a lid is seen there, and at which height. That the pieces are
six, all of one size, and none inside another, is knowledge: it is weighed in, over all the ways in which
the lids could be pieces, towers, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.change import NOISE
from vision.geometry import Floats, Grey, Image, Layout, View
from vision.maps import STRIDE, Peak, peaks
from vision.nets import ask
from vision.ring_net import LEVELS, LID_PX, as_blob, flat_ring, foot_of, ring_reach
from vision.squares import turned

PIECES = 6
TEMPER, COMMONER = 0.25, (0.0, 5.0, 1.0, 1.0)
"""What the network's scores of nothing, 1, 2, 3 pieces are divided by, and what is added to them: fitted
on sessions that it did not learn from."""
ENOUGH = 0.9998
"""All pieces as likely, and the ring is not looked at in its three other turns; the mean of all is surer."""
APART = 0.85
"""Of a diameter: no two pieces stand nearer (0.15 for what a place is off)."""
OTHER_COUNT = 0.01
"""How likely it is that another number of pieces than six stands on the board."""
LEAST, MOST = 0.003, 24
"""Places at least so likely, and so many at most, are weighed."""
BESIDE = 0.3
"""Of a diameter: so far inside or outside the fields a piece still counts as standing on the ring."""
_FORGET, _MOST_WAYS, _SUREST = 1e-7, 400, 1e-12
LEAST_NEW = 0.12
"""No piece leaves more of what lies under its lid as it was in the empty photo than all but this share."""
UNCHANGED = 20.0
"""What is added to the score of nothing where nothing is new, or no piece can stand."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place (x, y) mm where a tower of pieces may stand; `odds`: how likely nothing, 1, 2, 3 pieces.

    `lid`: the number of the lid that is seen there; of several with the same one at most one is true, for a
    lid that is higher belongs to a tower that stands elsewhere.
    """

    x: float
    y: float
    odds: tuple[float, ...]
    lid: int = -1


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

    @property
    def likely(self) -> float:
        """How likely they stand just so, and no other piece does."""
        return float(np.prod([max(likely for _, likely, _ in group.ways) for group in self.groups]))


def lids(said: Floats, cell: float, reach: float) -> list[Peak]:
    """Wherever a lid may be seen, (x, y) mm on the plane of the lowest lids, and how likely nothing, or how
    high it is, from the scores of all cells; a cell is `cell` mm wide, the ring twice `reach`."""
    return [
        ((column + 0.5) * cell - reach, (row + 0.5) * cell - reach, odds)
        for column, row, odds in peaks(said, 0.4 * LID_PX / STRIDE, LEAST, MOST)
    ]


def _asked(blob: Floats, quarter: int) -> Floats:
    """What the network says to the ring after so many quarter turns, turned back."""
    said: Floats = np.rot90(ask("pieces", turned(blob, quarter))[0], -quarter, axes=(1, 2)).copy()
    u, v = said[LEVELS + 1 :].copy()
    said[LEVELS + 1], said[LEVELS + 2] = ((u, v), (-v, u), (-u, -v), (v, -u))[quarter]
    return said


def standing(found: Sequence[Peak], view: View, height: float) -> list[Candidate]:
    """Where the towers stand whose lids may be seen there: one candidate for each height there may be."""
    towers = []
    for lid, (x, y, (nothing, *levels)) in enumerate(found):
        for level, likely in enumerate(levels, 1):
            if likely > LEAST or likely == max(levels):
                # Against nothing: so the ways of one lid, each with its own foot, can be weighed apart.
                odds = [0.0] * len(levels)
                odds[level - 1] = likely / max(nothing, _SUREST)
                towers.append(Candidate(*foot_of(view, (x, y), level, height), (1.0, *odds), lid))
    return towers


def _scores(said: Floats, nothing: Floats) -> Floats:
    """What the network says as log odds; `nothing` is added to each cell's score of that."""
    scores = said.copy()
    scores[: LEVELS + 1] = said[: LEVELS + 1] / TEMPER + np.array(COMMONER)[:, None, None]
    scores[0] += nothing
    return scores


def _nothing(flat: Image, flat_empty: Image, layout: Layout, cell: float, reach: float) -> Floats:
    """For every cell what is added to its score of nothing: where nothing is new, or no piece can stand."""
    cells = round(2 * reach / cell)
    middles = (np.arange(cells) + 0.5) * cell - reach
    # Pieces stand on the ring, or between its fields; in its middle there may be print that looks like one.
    away = abs(np.hypot(*np.meshgrid(middles, middles)) - layout.ring_mm)
    beside = away > layout.field_mm / 2 + BESIDE * cell * LID_PX / STRIDE
    return np.asarray(UNCHANGED * (1 - _changed(flat, flat_empty, (cells, cells)) + beside))


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
    """The pieces on and between the fields; no piece can stand where a die lies (`dice`, mm).

    `frame`, `empty`: at half size and in one light.
    """
    diameter, height = piece_mm
    cell, reach = STRIDE * diameter / LID_PX, ring_reach(layout, diameter)
    flat, flat_empty, leans = flat_ring(frame, empty, view, reach, piece_mm)
    blob = as_blob(flat, flat_empty, leans)
    nothing = _nothing(flat, flat_empty, layout, cell, reach)
    nearest = (diameter + die_mm) / 2 - 0.25 * diameter

    def free(x: float, y: float) -> bool:
        return all(np.hypot(x - u, y - v) > nearest for u, v in dice)

    def fitted(said: Floats) -> FoundPieces:
        seen = [lid for lid in lids(_scores(said, nothing), cell, reach) if free(*lid[:2])]
        places = [one for one in standing(seen, view, height) if free(one.x, one.y)]
        centres = layout.field_centres
        fields = [int(np.hypot(*(centres - (one.x, one.y)).T).argmin()) for one in places]
        return fit(places, APART * diameter, fields)

    said = _asked(blob, 0)
    found = fitted(said)
    if found.total != PIECES or found.likely < ENOUGH:
        found = fitted((said + sum(_asked(blob, quarter) for quarter in (1, 2, 3))) / 4)
    return found


def fit(places: list[Candidate], apart: float, fields: list[int]) -> FoundPieces:
    """All the ways in which these places can hold pieces, weighed; `fields`: the one nearest to each.

    Groups of places do not touch each other: only their totals are bound together, to six.
    """
    clash = [[a.lid == b.lid >= 0 or np.hypot(a.x - b.x, a.y - b.y) < apart for b in places] for a in places]
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
