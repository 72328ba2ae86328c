"""A play looked back on: the best there was, where points were lost, and how good the situation was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.corona import odds, solver
from companion.games.corona.chances import Chances
from companion.games.corona.rules import Move, Situation


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was in a situation, and what the moves that were played made of it."""

    best: int
    easiest: tuple[Move, ...]
    """One of the best lines: the easiest."""
    still: tuple[int, ...]
    """After each move played, the most points the whole play could still have."""
    chances: Chances | None
    """What the throws allow on this set-up; None in mid-play, for the set-up is not known then."""


def analyse(situation: Situation, played: Sequence[Move] = ()) -> Analysis:
    """All of it; `played` are legal moves in their order."""
    solution = solver.solve(situation)
    chances = odds.on_setup(situation.waiting) if situation.is_start else None
    return Analysis(solution.best, solution.moves, solver.still(situation, played), chances)
