"""How hard every start is: `python -m tests.every_start` prints how the levels share each best score.

The same measure as `solver.chance`, worked out the other way round: for all states up to turning the board at
once, from the last die on, as `states.build` works out what they are worth.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.games.corona import states
from companion.games.corona.figures import starts
from companion.games.corona.puzzle import BOUNDS
from companion.games.corona.rules import DICE, FIELDS, MOST_POINTS, PIECES
from companion.games.corona.states import FIRST_PLACE, PIPS, POINT, table, ways

Numbers = NDArray[np.int64]
Chances = NDArray[np.float64]
_AT_ONCE = 100_000


@cache
def tries() -> Chances:
    """(1038, 462): the tries of each of `figures.starts`."""
    pieces = [states._pieces(k) for k in range(PIECES + 1)]
    best, chance = np.zeros((1, 1), np.int64), np.ones((1, 1))
    for left in range(1, DICE + 1):
        _, place = states._rows(pieces[left], pieces[PIECES - left])
        best_after, chance_after = best, chance
        at = table().begins[FIRST_PLACE[left] :][place][:, None] + np.arange(ways(PIPS, left))
        best = table().points[table().codes[at]].astype(np.int64)
        chance = np.empty(best.shape)
        for some in states._parts(len(place), _AT_ONCE // (PIPS * best_after.shape[1])):
            waiting, moved = np.divmod(place[some], ways(FIELDS, PIECES - left))
            row_after, gain = states._moves(pieces, left, waiting, moved, table().begins)
            points = np.maximum(-(-gain.astype(np.int64) // POINT), 0)
            chance[some] = _chance(left, best[some], points, best_after[row_after], chance_after[row_after])
    return 1 / chance


def _chance(left: int, best: Numbers, points: Numbers, best_after: Numbers, chance_after: Chances) -> Chances:
    """(rows, dice) of as many best scores, of (rows, pieces, pips) points, and of what is after each move."""
    # By the pips of a die and the dice without it: the most points, and the chances of pieces that have it.
    weight = (points + 1)[..., None]
    then = points[..., None] + best_after
    most = then.max(axis=1)
    good = np.where(then == most[:, None], weight * chance_after, 0).sum(axis=1)
    chance, every = np.zeros(best.shape), np.zeros(best.shape)
    dice = states._multisets(PIPS, left)
    for die, after in zip(dice.T, states._without_one(dice).T, strict=True):
        at = die.astype(np.int64) * most.shape[2] + after
        keeps = most.reshape(len(most), -1)[:, at] == best
        chance += np.where(keeps, good.reshape(len(good), -1)[:, at], 0)
        every += weight[..., 0].sum(axis=1)[:, die]
    return chance / every


def by_level() -> Numbers:
    """(22, 5): cases by best score and level."""
    counts = np.zeros((MOST_POINTS + 1, len(BOUNDS) + 1), np.int64)
    np.add.at(counts, (starts().best, np.searchsorted(BOUNDS, tries())), starts().cases)
    return counts


def as_table() -> str:
    """The shares of the levels, by best score, as it stands in docs/puzzles.md."""
    counts = by_level()
    rows = ["| best | of all | 1 | 2 | 3 | 4 | 5 |", "|" + "---:|" * 7]
    every = [(str(points), row) for points, row in enumerate(counts) if row.any()]
    for name, row in [*every, ("all", counts.sum(axis=0))]:
        shares = [row.sum() / counts.sum(), *row / row.sum()]
        rows.append("| " + " | ".join([name, *map(_share, shares)]) + " |")
    return "\n".join(rows)


def _share(share: float) -> str:
    return f"{100 * share:.1f}" if share >= 0.0005 else "< 0.1" if share else "-"


if __name__ == "__main__":
    print(as_table())
