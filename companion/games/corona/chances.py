"""How many points the throws allow: counts of equally likely cases, and what they say about a best score."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from companion.games.corona.rules import DICE, MOST_POINTS

THROWS = 6**DICE
"""Six different dice fall in 46,656 ways, all equally likely."""


@dataclass(frozen=True, slots=True)
class Chances:
    """`cases[n]` of all equally likely cases allow n points and no more; n from 0 to 21."""

    cases: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.cases) != MOST_POINTS + 1 or min(self.cases) < 0 or not any(self.cases):
            raise ValueError(f"{self.cases} are not the cases of 0 to {MOST_POINTS} points")

    @property
    def total(self) -> int:
        """All cases."""
        return sum(self.cases)

    @property
    def mean(self) -> float:
        """The best score to be expected."""
        return sum(points * cases for points, cases in enumerate(self.cases)) / self.total

    @property
    def spread(self) -> float:
        """The standard deviation of the best score."""
        squares = sum(points**2 * cases for points, cases in enumerate(self.cases)) / self.total
        return sqrt(max(squares - self.mean**2, 0.0))

    @property
    def half(self) -> int:
        """The most points that half of all cases allow (or more of them)."""
        return next(n for n in range(MOST_POINTS, -1, -1) if 2 * self.allowing(n) >= self.total)

    def allowing(self, points: int) -> int:
        """How many cases allow so many points or more."""
        return sum(self.cases[max(points, 0) :])

    def share(self, points: int) -> float:
        """The share of cases, 0 to 1, that allow so many points or more."""
        return self.allowing(points) / self.total


EVERYWHERE = Chances(
    (
        *(8_720, 0, 197_076, 0, 1_142_560, 851_472, 1_719_952, 13_253_496, 7_790_136, 35_426_888, 44_264_290),
        *(89_154_120, 87_799_642, 75_219_472, 126_191_300, 28_103_496, 38_385_840, 17_376_466, 5_939_214),
        *(671_484, 3_731_562, 187_470),
    )
)
"""All 46,656 throws on each of the 12,376 set-ups, by exhaustion; a test counts them again."""
