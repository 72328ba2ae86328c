"""Puzzles: a set-up and a throw drawn by a seed, the same on every machine for ever, and how hard it is.

Candidate number k of a seed is the set-up and the throw that sha256 of "seed/k" says, each of the 12,376
set-ups and of the 46,656 throws as likely as any other. The first with the best score and the level that were
asked for is the puzzle. The daily one has the date for its seed, and the level of its day of the week.

How hard it is, is measured in tries: so many plays somebody who tries (`solver.py`) needs on average to hit
upon the best score. A level is twice as hard as the one before it, and about a fifth of all situations has
each of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import combinations_with_replacement, count
from typing import Protocol

from companion.games.corona.chances import THROWS
from companion.games.corona.rules import DICE, FIELDS, MOST_POINTS, PIECES, CoronaError, Situation
from companion.games.corona.solver import best as best_of
from companion.games.corona.solver import chance

BOUNDS = (25, 50, 100, 200)
"""The most tries of the levels 1 to 4; what takes more is of level 5. A test counts their shares again."""
LEAST = 7
"""What a player's first press bids: a puzzle whose best was not asked for has so many points or more."""
WEEK = (1, 2, 2, 3, 4, 4, 5)
"""The levels of the daily puzzles, Monday first."""
LEVELS_OF: dict[int, tuple[int, ...]] = {
    **dict.fromkeys((2, 4, 5, 6), (1,)),
    7: (1, 2),
    **dict.fromkeys(range(8, 20), (1, 2, 3, 4, 5)),
    20: (1, 2, 3),
    21: (4, 5),
}
"""The levels there are of each best score. What fewer than one in 40,000 of all situations have would take
too long to find and is left out; a test counts them again. Nothing at all has a best score of 1 or 3."""


class NoPuzzle(CoronaError, ValueError):
    """There is no puzzle with this best score, or not of this level."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A situation to find the best score of."""

    situation: Situation
    best: int
    tries: float
    """How many plays it takes on average to hit upon the best score."""
    level: int
    """1 to 5."""


class Day(Protocol):
    """What a puzzle needs to know of a `datetime.date`, for here is no clock."""

    def isoformat(self) -> str: ...

    def isoweekday(self) -> int: ...


def daily(day: Day) -> Puzzle:
    """The puzzle of that date, the same for everybody; easy on Mondays, hard on Sundays."""
    return pick(day.isoformat(), level=WEEK[day.isoweekday() - 1])


def pick(seed: str, best: int | None = None, level: int | None = None) -> Puzzle:
    """The puzzle of a seed, with this best score and of this level where they are given.

    Raises `NoPuzzle` where there is none.
    """
    _check(best, level)
    for situation in _candidates(seed):
        points = best_of(situation)
        if points == best or (best is None and points >= LEAST):
            tries = 1 / chance(situation)
            found = 1 + bisect_left(BOUNDS, tries)
            if level in (None, found):
                return Puzzle(situation, points, tries, found)
    raise AssertionError("candidates do not end")


def _check(best: int | None, level: int | None) -> None:
    """Refuse what no candidate ever has, or hardly any."""
    if level not in (None, *range(1, len(BOUNDS) + 2)):
        raise NoPuzzle(f"there is no level {level}, only 1 to {len(BOUNDS) + 1}")
    if best is None:
        return
    if best not in LEVELS_OF:
        raise NoPuzzle(f"no puzzle has a best score of {best}: the scores are 2 and 4 to {MOST_POINTS}")
    if level not in (None, *(levels := LEVELS_OF[best])):
        others = f"levels are {levels[0]} to {levels[-1]}" if len(levels) > 1 else f"level is {levels[0]}"
        raise NoPuzzle(f"no puzzle with a best score of {best} is of level {level}: its {others}")


def _candidates(seed: str) -> Iterator[Situation]:
    """Set-ups and throws without end."""
    for number in count():
        drawn = int.from_bytes(sha256(f"{seed}/{number}".encode()).digest(), "big")
        drawn, setup = divmod(drawn, len(_setups()))
        throw = drawn % THROWS
        dice = tuple(throw // 6**die % 6 + 1 for die in range(DICE))
        yield Situation(_setups()[setup], dice)


@cache
def _setups() -> tuple[tuple[int, ...], ...]:
    """Where six pieces can stand: how many on each field, in the order of their fields."""
    placings = combinations_with_replacement(range(FIELDS), PIECES)
    return tuple(tuple(map(fields.count, range(FIELDS))) for fields in placings)
