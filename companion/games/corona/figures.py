"""Every start at once: what it allows, how often it comes, and what a play of few moves has from it.

A start is a set-up and a throw. Up to turning the board, and to the order of the dice, there are 479,556; all
starts together are 12,376 set-ups with 46,656 throws each, which are called cases.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from companion.games.corona import odds
from companion.games.corona.chances import Chances
from companion.games.corona.rules import DICE, FIELDS, MOST_POINTS, PIECES, Situation
from companion.games.corona.states import DETOUR, FIRST_PLACE, PIECE, PIPS, POINT, build, rank, table

Counts = NDArray[np.int64]
Alike = tuple[int, ...]
"""How many are alike, most first: 2+1+1+1+1 is a pair and four others. Dice are by pips, pieces by fields."""


@dataclass(frozen=True, slots=True)
class Start:
    """A start, for all that are the same up to turning, and in how many cases it comes."""

    situation: Situation
    cases: int


@dataclass(frozen=True, slots=True)
class Group:
    """Cases that have something in common: how many, and the best score to be expected."""

    alike: Alike
    cases: int
    mean: float


@dataclass(frozen=True, slots=True)
class Starts:
    """Every start up to turning: a row for each set-up, a column for each throw, the order of dice apart."""

    setups: tuple[tuple[int, ...], ...]
    """(1038,) pieces on the fields A to L, as `odds.turned` turns them."""
    turnings: Counts
    """(1038,): how many of the 12,376 set-ups each stands for."""
    throws: tuple[tuple[int, ...], ...]
    """(462,) what the six dice show, fewest pips first."""
    cases: Counts
    """(1038, 462): in how many cases a start comes."""
    best: Counts
    """(1038, 462): the most points."""
    pieces: Counts
    """(1038, 462): the fewest pieces that must move for them."""
    detours: Counts
    """(1038, 462): of those the fewest that must go onto an empty field."""

    @property
    def chances(self) -> Chances:
        """What all cases allow."""
        return _chances(self.best, self.cases)

    @property
    def placed_by_chance(self) -> Chances:
        """The same where each piece is put on any field by chance: 12**6 ways instead of 12,376 set-ups."""
        ways = [factorial(PIECES) // prod(map(factorial, setup)) for setup in self.setups]
        return _chances(self.best, self.cases * np.array(ways)[:, None])

    def where(self, chosen: NDArray[np.bool_]) -> list[Start]:
        """The starts chosen in (1038, 462), the most frequent first."""
        found = [
            Start(Situation(self.setups[row], self.throws[column]), int(self.cases[row, column]))
            for row, column in np.argwhere(chosen)
        ]
        return sorted(found, key=lambda start: (start.cases, start.situation.waiting), reverse=True)

    def share(self, chosen: NDArray[np.bool_]) -> float:
        """The share of cases, 0 to 1, chosen in (1038, 462)."""
        return int(self.cases[chosen].sum()) / int(self.cases.sum())

    def by_throw(self) -> list[tuple[tuple[int, ...], Group]]:
        """Each throw with how many dice are alike and what all set-ups allow, the most generous first."""
        groups = zip(self.throws, self.cases.T, self.best.T, strict=True)
        found = [(throw, _group(_alike(Counter(throw).values()), *each)) for throw, *each in groups]
        return sorted(found, key=lambda one: -one[1].mean)

    def by_dice(self) -> list[Group]:
        """All cases by how many dice are alike, the most generous first."""
        return _merged([group for _, group in self.by_throw()])

    def by_heaps(self) -> list[Group]:
        """All cases by how many pieces stand together, the most generous first."""
        groups = zip(self.setups, self.cases, self.best, strict=True)
        return _merged([_group(_alike(setup), *each) for setup, *each in groups])


@cache
def starts(moves: int = DICE) -> Starts:
    """Every start, for plays of so many moves at most."""
    held = table() if moves == DICE else build(moves)
    begins = held.begins[FIRST_PLACE[DICE] :]
    rows, first, turnings = np.unique(begins, return_index=True, return_counts=True)
    placings = {rank(fields): fields for fields in combinations_with_replacement(range(FIELDS), PIECES)}
    pips = {rank(dice): dice for dice in combinations_with_replacement(range(PIPS), DICE)}
    worth = held.worths[held.codes[rows[0] : -1]].astype(np.int64).reshape(len(rows), len(pips))
    best = -(-worth // POINT)
    pieces, detours = np.divmod(POINT * best - worth, PIECE)
    return Starts(
        tuple(odds.turned([placings[place].count(field) for field in range(FIELDS)]) for place in first),
        turnings,
        tuple(tuple(number + 1 for number in pips[column]) for column in range(len(pips))),
        turnings[:, None] * odds.throws(),
        best,
        pieces,
        detours // DETOUR,
    )


def _chances(best: Counts, cases: Counts) -> Chances:
    counts = np.bincount(best.ravel(), cases.ravel(), MOST_POINTS + 1)
    return Chances(tuple(counts.astype(int).tolist()))


def _alike(counts: Iterable[int]) -> Alike:
    return tuple(sorted(filter(None, counts), reverse=True))


def _group(alike: Alike, cases: Counts, best: Counts) -> Group:
    total = int(cases.sum())
    return Group(alike, total, int((cases * best).sum()) / total)


def _merged(groups: Iterable[Group]) -> list[Group]:
    """One group for all that have as many alike."""
    same: defaultdict[Alike, list[Group]] = defaultdict(list)
    for group in groups:
        same[group.alike].append(group)
    merged = []
    for alike, parts in same.items():
        total = sum(part.cases for part in parts)
        merged.append(Group(alike, total, sum(part.cases * part.mean for part in parts) / total))
    return sorted(merged, key=lambda group: -group.mean)
