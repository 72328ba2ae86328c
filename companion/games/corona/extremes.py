"""The ends of the scale: what can have the most points, and why nothing has more.

Points are counted in two parts: each scoring move has 1 for arriving, and 1 for each piece it meets there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb

from companion.games.corona import solver
from companion.games.corona.figures import Start, Starts
from companion.games.corona.rules import FIELDS, PIECES, Move, Situation

HALF_ROUND = FIELDS // 2


@dataclass(frozen=True, slots=True, order=True)
class Kind:
    """A kind of start with 21 points: where its pieces stand, seen from two fields that face each other."""

    elsewhere: int
    meeting: int
    """Pieces on the field where those from elsewhere come together."""
    opposite: int


@dataclass(frozen=True, slots=True)
class Example:
    """A start and the easiest of its best lines."""

    situation: Situation
    moves: tuple[Move, ...]


def no_more_in(moves: int) -> int:
    """No play of so many moves can have more points: each pair of pieces meets once, if one of them moves."""
    return moves + comb(PIECES, 2) - comb(PIECES - moves, 2)


def kind_of(situation: Situation) -> Kind | None:
    """The kind of 21 points a start belongs to; where none stands elsewhere, the smaller heap is met at.

    Each piece elsewhere must have a die for its way to the meeting field, each other one a die for the half
    round to the field it faces.
    """
    for meeting, here in enumerate(situation.waiting):
        opposite = situation.waiting[(meeting + HALF_ROUND) % FIELDS]
        elsewhere = PIECES - here - opposite
        if not (here and opposite) or (not elsewhere and here > opposite):
            continue
        ways = [*_ways_to(meeting, situation.waiting), *[HALF_ROUND] * here]
        if sorted(ways) == sorted(situation.dice):
            return Kind(elsewhere, here, opposite)
    return None


def kinds(found: Iterable[Start]) -> dict[Kind, list[Start]]:
    """The starts with 21 points by their kinds, in the order they come; each is of one."""
    by_kind: dict[Kind, list[Start]] = {}
    for start in found:
        kind = kind_of(start.situation)
        if kind is None:
            raise ValueError(f"{start.situation} has the most points and is of no kind that is known")
        by_kind.setdefault(kind, []).append(start)
    return dict(sorted(by_kind.items()))


def all_together(situation: Situation) -> bool:
    """Whether all pieces can come onto one field where no two stand yet: 20 points, as in the German book."""
    dice = Counter(situation.dice)
    return any(
        here <= 1 and Counter(_ways_to(field, situation.waiting)) <= dice
        for field, here in enumerate(situation.waiting)
    )


def example(start: Start) -> Example:
    """A start with the line that the reveal would show."""
    return Example(start.situation, solver.solve(start.situation).moves)


def most_in(limited: Starts, full: Starts, moves: int) -> Example:
    """A start whose best needs just so many moves and is the most that so many can have."""
    best = limited.best == limited.best.max()
    return example(limited.where(best & (full.best == limited.best) & (full.pieces == moves))[0])


def _ways_to(field: int, waiting: Sequence[int]) -> list[int]:
    """How many fields each piece that stands on another one is behind this one."""
    return [
        (field - start) % FIELDS
        for start, count in enumerate(waiting)
        if start != field
        for _ in range(count)
    ]
