"""Which die each piece was moved by: its pips tell, and of dice that show the same the markers do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from companion.games.corona.following import Floats, Line, Look, Steps
from companion.games.corona.rules import DICE, FIELDS, Move

LEAST = 0.001
"""Nothing that is told of markers is held for surer than 1 less this: one may lie in the wrong piece."""
OUT = -4.0
"""Log likelihood that a marker is taken out of a piece that has not moved."""


def by_markers(line: Line, looks: Sequence[Look]) -> list[tuple[float, Steps]]:
    """The line's steps, by each choice of dice, and how likely that is: log likelihoods."""
    told = np.array([look.markers for look in looks])
    moved = [(number, move) for number, moves in line.steps for move in moves]
    first = moved[0][0] if moved else len(looks)
    choices = list(_choices(moved, line.start.dice))
    if not (told[line.since : first] > 0.5).any():  # nobody has marked a piece, or it was not seen
        return [(0.0, _steps(line, dice)) for dice in choices]
    told[list(line.strays)] = 0.5
    told = np.clip(told, LEAST, 1 - LEAST)
    placed = max(set(range(line.since, first)) - set(line.strays), default=line.since)
    return [(_likely(told, line.since, placed, moved, dice), _steps(line, dice)) for dice in choices]


def unmarked(line: Line, steps: Steps, looks: Sequence[Look]) -> tuple[int, ...]:
    """The numbers of the moves, from 0, before which pieces were marked, but hardly this one by its die."""
    told = np.array([look.markers for look in looks])
    found = []
    for number, move in ((number, move) for number, moves in steps for move in moves):
        before = told[line.since : number]
        found.append(bool((before > 0.5).any() and (before[:, move.start, move.die] < 0.5).all()))
    return tuple(int(k) for k in np.flatnonzero(found))


def circles(line: Line, steps: Steps, looks: Sequence[Look]) -> tuple[int, ...]:
    """The fields (0 to 11) of pieces that may have gone round in a circle, from one's to the next one's.

    Their markers are gone, and where they stand says nothing.
    """
    told = np.array([look.markers for look in looks])
    used = {move.die for _, moves in steps for move in moves}
    gone = [
        (field, die)
        for field in range(FIELDS)
        for die in set(range(DICE)) - used
        if told[line.since :, field, die].max() > 0.5 > told[-1, :, die].max()
    ]
    for many in range(2, len(gone) + 1):
        for some in combinations(gone, many):
            starts = sorted(field for field, _ in some)
            if starts == sorted((field + line.start.dice[die]) % FIELDS for field, die in some):
                return tuple(starts)
    return ()


def _choices(
    moved: Sequence[tuple[int, Move]], shown: Sequence[int], used: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """Dice for the moves, each another one, that show their pips."""
    if len(used) == len(moved):
        yield used
        return
    for die in range(DICE):
        if die not in used and shown[die] == moved[len(used)][1].pips:
            yield from _choices(moved, shown, (*used, die))


def _likely(
    told: Floats, since: int, placed: int, moved: Sequence[tuple[int, Move]], dice: tuple[int, ...]
) -> float:
    """A marker is in its piece from `placed` on until that moves, then in no other; of what does not move it
    stays there."""
    likely = 0.0
    for (number, move), die in zip(moved, dice, strict=True):
        before, elsewhere = told[placed:number, move.start, die], np.delete(told[number:, :, die], move.to, 1)
        likely += float(np.log(before).mean() + np.log(1 - elsewhere.max(axis=1)).mean())
    for die in set(range(DICE)) - set(dice):
        if told[since:, :, die].max() > 0.5 > told[-1, :, die].max():
            likely += OUT
    return likely


def _steps(line: Line, dice: Sequence[int]) -> Steps:
    """The line's steps by these dice."""
    left = iter(dice)
    return tuple(
        (number, tuple(replace(move, die=next(left)) for move in moves)) for number, moves in line.steps
    )
