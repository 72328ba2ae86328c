"""Which six pieces stand where: all the ways in which lids could be pieces, towers, or nothing, weighed.

That the pieces are six, all of one size, and none inside another, is knowledge, and weighed in here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.geometry import Floats
from vision.ring_net import LEVELS

PIECES = 6
OTHER_COUNT = 0.01
"""How likely it is that another number of pieces than six stands on the board."""
SUREST = 1e-9
"""No lid is less likely to be none."""
_FORGET, _MOST_WAYS = SUREST / 10, 400
"""A way that is worth less, beside the surest one, is forgotten, and not sooner: that a lid is none seems
hopeless, and yet another that is seen beside it may be the true one."""


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


def fit(places: list[Candidate], apart: float, fields: list[int]) -> FoundPieces:
    """All the ways in which these places can hold pieces, weighed; `fields`: the one nearest to each.

    Groups of places do not touch each other: only their totals are bound together, to six.
    """
    clash = [
        [a.lid == b.lid >= 0 or math.hypot(a.x - b.x, a.y - b.y) < apart for b in places] for a in places
    ]
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
        ways = grown
        lid, following = places[member].lid, group[at + 1 : at + 2]
        if not following or lid < 0 or places[following[0]].lid != lid:
            # Only now: a lid that is none at one place may stand higher at the next.
            least = _FORGET * max(worth for worth, _ in ways)
            ways = sorted((way for way in ways if way[0] > least), reverse=True)[:_MOST_WAYS]
    return ways


def _by_total(ways: list[tuple[float, tuple[int, ...]]]) -> Floats:
    """The worth of a group's ways by how many pieces they are."""
    worths = np.zeros(1 + max(sum(heights) for _, heights in ways))
    for worth, heights in ways:
        worths[sum(heights)] += worth
    return worths


@lru_cache(maxsize=256)
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
