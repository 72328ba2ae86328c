"""What the throws allow on each set-up: the table of all states, weighed by the odds of the dice.

A set-up is where the six pieces stand before the throw: 12,376 ways, 1,038 up to turning the board. Of the
46,656 throws 6! / (n1! n2! ... n6!) show a certain pip n1 times, another n2 times and so on; a row of the
table holds the best scores of all 462 such multisets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from companion.games.corona.chances import Chances
from companion.games.corona.rules import DICE, FIELDS, MOST_POINTS, PIECES
from companion.games.corona.states import FIRST_PLACE, PIPS, rank, table, ways

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SetUp:
    """A set-up for all that are the same up to turning, and what the 46,656 throws allow on it."""

    pieces: tuple[int, ...]
    """(12,) pieces on the fields A to L, as `turned` turns them."""
    turnings: int
    """How many set-ups it stands for: 12, or a divisor of it."""
    chances: Chances


def on_setup(pieces: Sequence[int]) -> Chances:
    """What the throws allow where six `pieces`, (12,), stand on the fields A to L."""
    fields = [field for field, count in enumerate(pieces) for _ in range(count)]
    row = table().begins[FIRST_PLACE[DICE] + rank(fields)]
    best = table().points[table().codes[row : row + ways(PIPS, DICE)]]
    return Chances(tuple(np.bincount(best, throws(), MOST_POINTS + 1).astype(int).tolist()))


@cache
def setups() -> tuple[SetUp, ...]:
    """Every set-up up to turning, 1,038, the most generous first."""
    found = [SetUp(pieces, turnings, on_setup(pieces)) for pieces, turnings in _up_to_turning().items()]
    return tuple(sorted(found, key=lambda setup: (-setup.chances.mean, setup.pieces)))


def everywhere() -> Chances:
    """What the throws allow on all 12,376 set-ups together, each counted once."""
    weighed = [np.array(setup.chances.cases) * setup.turnings for setup in setups()]
    return Chances(tuple(np.sum(weighed, axis=0).tolist()))


def turned(pieces: Sequence[int]) -> tuple[int, ...]:
    """The turning of `pieces` that stands for all: the greatest when its digits are read as a number."""
    return max(tuple(pieces[k:]) + tuple(pieces[:k]) for k in range(FIELDS))


def _up_to_turning() -> Counter[tuple[int, ...]]:
    placings = combinations_with_replacement(range(FIELDS), PIECES)
    return Counter(turned([fields.count(field) for field in range(FIELDS)]) for fields in placings)


@cache
def throws() -> Counts:
    """(462,): how many throws show each multiset of pips, by its rank."""
    counts = np.zeros(ways(PIPS, DICE), np.int64)
    for dice in combinations_with_replacement(range(PIPS), DICE):
        counts[rank(dice)] = factorial(DICE) // prod(map(factorial, Counter(dice).values()))
    return counts
