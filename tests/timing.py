"""Two things timed in turns, so that a busy machine slows both, and the row that says how they compare."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison: milliseconds of ours and of its floor, and what is aimed at."""

    what: str
    floor: str
    ours_ms: float
    floor_ms: float
    aim: str = ""

    def __str__(self) -> str:
        times = f"{self.ours_ms:9.2f} {self.floor_ms:9.2f} {self.ours_ms / self.floor_ms:9.3g}"
        return f"{self.what:<36} {self.floor:<28} {times}   {self.aim}"


Turns = Sequence[tuple[float, float]]
"""Milliseconds of ours and of its floor, turn by turn."""


def in_turns(times: int, ours: Callable[[], object], floor: Callable[[], object]) -> tuple[float, float]:
    """The milliseconds of both in the turn whose ratio is in the middle, after one round to warm up.

    A machine that changes its speed between turns, as a shared one does, changes no ratio so; the medians of
    each may be of different speeds.
    """
    ours()
    floor()
    turns = [(timed(ours), timed(floor)) for _ in range(times)]
    return sorted(turns, key=lambda turn: turn[0] / turn[1])[times // 2]


def medians(turns: Turns) -> tuple[float, float]:
    """The median of each column."""
    return at_share(turns, 0.5)


def at_share(turns: Turns, share: float) -> tuple[float, float]:
    """What so large a share of each column (0 to 1) does not exceed: 0.5 is the median, 0.99 the p99."""
    ours, floor = zip(*turns, strict=True)
    return _at_share(ours, share), _at_share(floor, share)


def _at_share(column: Sequence[float], share: float) -> float:
    if share == 0.5:
        return statistics.median(column)
    return sorted(column)[min(int(share * len(column)), len(column) - 1)]


def timed(do: Callable[[], object]) -> float:
    """How long `do` takes, in milliseconds."""
    begun = time.perf_counter()
    do()
    return 1000 * (time.perf_counter() - begun)
